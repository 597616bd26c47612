/** Runs a row of the catalogue as the program would, in this process, and tells how it ended. */

import type { Io } from "../../src/core/io.ts";
import { createEmulator, type Emulator } from "../../src/emulator/emulator.ts";
import { inDirectory } from "../config/loading.ts";
import { type Ended as TypedEnd, typed } from "../support/typed.ts";
import { makeOthers, type Row } from "./row.ts";

/** How a row ended. In what it prints on standard error, the folder's own name is taken out. */
export interface Ended extends TypedEnd {
  /** What was sent: `GET /api/v1/severities`. */
  readonly requests: readonly string[];
  /** Where it was sent, each place once. */
  readonly origins: readonly string[];
  /** Of this process, in milliseconds: how long it took by the clock depends on what else runs. */
  readonly processorTime: number;
}

/** The token of every row; no output may hold it, or anything that says "hushhush" or "hunter2". */
export const CANARY = "sk_canary_token_in_no_output";

/** An address where nothing listens; a row that is refused never finds out. */
export const SERVICE = "http://127.0.0.1:4010";

/** Runs the row, or the row with other arguments. */
export async function run(row: Row, args: readonly string[] = row.args): Promise<Ended> {
  return await inDirectory(row.files, async (folder) => {
    makeOthers(row, folder);
    const emulator = row.live === true ? createEmulator() : undefined;
    if (emulator !== undefined) await fill(emulator, row.given ?? []);
    const ended = await command(args, folder, emulator, row.env);
    emulator?.close();
    return ended;
  });
}

/**
 * The processor time of what ended so, in milliseconds. What takes long is done twice more, and the least counts: the time of
 * collecting the garbage of earlier tests is in it too.
 */
export async function leastTimeOf(
  { processorTime }: Ended,
  most: number,
  again: () => Promise<Ended>,
): Promise<number> {
  let least = processorTime;
  for (let time = 0; time < 2 && least >= most; time += 1) least = Math.min(least, (await again()).processorTime);
  return least;
}

/** Runs a command line in a folder, with the embedded service behind the network or with nothing there. */
export async function command(
  args: readonly string[],
  folder: string,
  emulator?: Emulator,
  more: Io["env"] = {},
): Promise<Ended> {
  const requests: string[] = [];
  const origins = new Set<string>();
  const env: Io["env"] = {
    INCIDENTCTL_URL: SERVICE,
    INCIDENTCTL_TOKEN: emulator?.serviceToken ?? CANARY,
    ...(emulator === undefined ? {} : { INCIDENTCTL_ADMIN_TOKEN: emulator.adminToken }),
    ...more,
  };
  const io: Partial<Io> = {
    env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
    cwd: folder,
    fetch: async (input, init) => {
      const { origin, pathname } = new URL(input);
      requests.push(`${init.method} ${pathname}`);
      origins.add(origin);
      if (emulator === undefined) throw new TypeError("nothing may be sent");
      return emulator.fetch(new Request(input, init));
    },
  };
  const before = process.cpuUsage();
  const { exit, stdout, stderr } = await typed(args, io);
  const { user, system } = process.cpuUsage(before);
  return {
    exit,
    stdout,
    stderr: stderr.replaceAll(folder, "<folder>"),
    requests,
    origins: [...origins],
    processorTime: (user + system) / 1000,
  };
}

async function fill(emulator: Emulator, given: NonNullable<Row["given"]>): Promise<void> {
  const headers = { authorization: `Bearer ${emulator.adminToken}`, "content-type": "application/json" };
  const listed = await emulator.fetch(new Request(`${SERVICE}/api/v1/severities`, { headers }));
  const severity = /"id":"([^"]+)"/.exec(await listed.text())?.[1] ?? "";
  for (const [route, body] of given) {
    const [method = "", path = ""] = route.split(" ");
    const text = JSON.stringify(body).replace("{severity}", severity);
    const request = new Request(`${SERVICE}/api/v1${path}`, { method, headers, body: text });
    const answer = await emulator.fetch(request);
    if (!answer.ok) throw new Error(`${route}: ${answer.status} ${await answer.text()}`);
  }
}
