/** Two processes of the built program that rotate the same token of one service over the network, from one folder and from two. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { objectsIn } from "../../../src/core/json.ts";
import { createEmulator, type Emulator } from "../../../src/emulator/emulator.ts";
import { serve } from "../../../src/emulator/serve.ts";
import { randomFrom } from "../../faults/stage/random.ts";
import { withFiles } from "../../support/files.ts";
import { sampleSize } from "../../support/samples/sample-size.ts";

const program = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));
const SINK = "tokens.jsonl";

/** A kind whose resource is rotated. */
interface Rotated {
  readonly address: string;
  readonly list: string;
  readonly body: object;
  readonly tokensIn: (rows: readonly Row[]) => readonly string[];
}

type Row = Readonly<Record<string, unknown>>;

const prefixesOf = (rows: readonly Row[]): readonly string[] => rows.map(({ prefix }) => String(prefix));

const ROTATED: readonly Rotated[] = [
  {
    address: "agents/triage_bot",
    list: "agents",
    body: { name: "Triage bot", slug: "triage_bot" },
    tokensIn: (rows) =>
      prefixesOf(rows.flatMap(({ slug, tokens }) => (slug === "triage_bot" ? objectsIn(tokens as never) : []))),
  },
  {
    address: "api_keys/deploy bot",
    list: "api_keys",
    body: { name: "deploy bot", permissions: { incidents: ["read"] } },
    tokensIn: (rows) => prefixesOf(rows.filter(({ name }) => name === "deploy bot")),
  },
];

/** The end of a run: its exit code, all that it printed, and the prefixes in its sink. */
interface Run {
  readonly exit: number;
  readonly output: string;
  readonly stored: readonly string[];
}

describe.each(ROTATED)("two rotations of $address at once", ({ address, list, body, tokensIn }) => {
  test.each([1, 2])(
    "from %i folders leave a token that is held, and no unknown one unnamed",
    async (folders) => {
      const random = randomFrom(Number(process.env.CAMPAIGN_SEED ?? 1) + folders);
      for (let round = 0; round < sampleSize(20); round += 1) {
        const emulator = createEmulator();
        const ask = async (method: string, given?: object): Promise<Row> => {
          const headers = { authorization: `Bearer ${emulator.adminToken}`, "content-type": "application/json" };
          const init = { method, headers, ...(given === undefined ? {} : { body: JSON.stringify(given) }) };
          const url = `http://localhost/api/v1/${list}`;
          return (await emulator.fetch(new Request(url, init))).json() as Promise<Row>;
        };
        const live = async (): Promise<readonly string[]> => tokensIn(objectsIn((await ask("GET"))[list] as never));
        await ask("POST", body);
        const former = await live();
        const fewest: number[] = [];
        // Requests of different length, so that the two runs meet in another way in each round.
        const fetch = async (request: Request): Promise<Response> => {
          await sleep(random() * 25);
          const answer = await emulator.fetch(request);
          fewest.push((await live()).length);
          return answer;
        };
        const served = await serve({ ...emulator, fetch });
        try {
          const runs = await rotateTwice(folders, address, served.url, emulator);
          const told = runs.map(({ exit, output }) => `exit ${exit}\n${output}`).join("\n");
          const title = `round ${round}\n${told}`;
          expect(Math.min(...fewest), `${title}no token`).toBeGreaterThan(0);
          for (const { exit } of runs) expect([0, 1, 4, 5], title).toContain(exit);
          const held = new Set([...former, ...runs.flatMap(({ stored }) => stored)]);
          const now = await live();
          expect(
            now.some((prefix) => held.has(prefix)),
            `${title}no held token`,
          ).toBe(true);
          const unknown = now.filter((prefix) => !held.has(prefix));
          expect(unknown.length, title).toBeLessThanOrEqual(1);
          for (const prefix of unknown) expect(told).toContain(prefix);
          // A run that says that it is done has a token that works, or the other one says that it has revoked it.
          for (const [index, { exit, stored }] of runs.entries()) {
            if (exit !== 0) continue;
            const other = runs[1 - index]?.output ?? "";
            expect(
              stored.some((prefix) => now.includes(prefix) || other.includes(prefix)),
              title,
            ).toBe(true);
          }
        } finally {
          await served.close();
          await emulator.close();
        }
      }
    },
    300_000,
  );
});

/** Two runs in one folder, or each in its own. */
async function rotateTwice(folders: number, address: string, url: string, emulator: Emulator): Promise<readonly Run[]> {
  const runs: Run[] = [];
  const rotate = async (folder: string, sink: string): Promise<void> => {
    runs.push(await rotateIn(folder, address, sink, url, emulator));
  };
  await withFiles({}, async (first) => {
    await withFiles({}, async (second) => {
      await Promise.all([rotate(first, SINK), rotate(folders === 1 ? first : second, `other-${SINK}`)]);
    });
  });
  return runs;
}

async function rotateIn(
  folder: string,
  address: string,
  sink: string,
  url: string,
  { serviceToken, adminToken }: Emulator,
): Promise<Run> {
  const env = {
    PATH: process.env.PATH ?? "",
    INCIDENTCTL_URL: url,
    INCIDENTCTL_TOKEN: serviceToken,
    INCIDENTCTL_ADMIN_TOKEN: adminToken,
  };
  const args = [program, "rotate", address, "--yes", "--allow-delete", "--secrets-out", sink, "--lock-timeout", "20"];
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err, [exit]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number]>,
  ]);
  const path = join(folder, sink);
  const lines = existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
  const stored = lines.filter(Boolean).map((line) => String((JSON.parse(line) as { prefix: string }).prefix));
  return { exit, output: out + err, stored };
}
