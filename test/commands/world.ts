/** A world for commands under test: a folder, an embedded service behind the network, and streams that remember. */

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Console, type ConsoleOptions, openConsole } from "../../src/app/console/console.ts";
import { reportError } from "../../src/app/console/error-report.ts";
import { reportFailure } from "../../src/app/console/failure-report.ts";
import type { FetchInit } from "../../src/core/fetch.ts";
import type { Io } from "../../src/core/io.ts";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/emulator.ts";
import { VirtualClock } from "../service/virtual-clock.ts";

/** One request as the service saw it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | null;
}

/** How a command ended. */
export interface Ended {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The embedded service instead of a network. */
export interface WorldIo extends Io {
  readonly fetch: (input: string, init: FetchInit) => Promise<Response>;
}

/** What a test looks at and changes. */
export interface World {
  readonly folder: string;
  readonly emulator: Emulator;
  readonly io: WorldIo;
  readonly requests: Seen[];
  /** Runs a command as the command line does: signed in, an error told and turned into an exit code. */
  run<Options extends ConsoleOptions>(command: Command<Options>, options: Options): Promise<Ended>;
  /** Writes files below the folder. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** A request past the program, as an administrator. */
  send(method: string, path: string, body?: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** The address at which the service stands. */
const URL_OF_SERVICE = "http://localhost:4010";

/** A command of the program. */
export type Command<Options> = (options: Options, io: WorldIo, console: Console) => number | Promise<number>;

/** Opens a world with these files. */
export async function openWorld(
  files: Readonly<Record<string, string>>,
  options: EmulatorOptions & { readonly answer?: string } = {},
): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), "incidentctl-world-"));
  const emulator = createEmulator(options);
  const requests: Seen[] = [];
  const [out, err] = [recorder(), recorder()];
  const env: Record<string, string | undefined> = { INCIDENTCTL_URL: URL_OF_SERVICE };
  const { answer } = options;
  const io: WorldIo = {
    stdout: out,
    stderr: err,
    env,
    cwd: folder,
    now: () => new Date("2026-11-21T08:00:00Z"),
    fetch: async (input, init) => {
      requests.push({ method: init.method, url: input, authorization: init.headers.authorization ?? null });
      const answer = await emulator.fetch(new Request(input, init));
      // As every server does.
      answer.headers.set("date", (options.now?.() ?? new Date()).toUTCString());
      return answer;
    },
    interruption: () => new AbortController().signal,
    ...(answer === undefined ? {} : { ask: () => Promise.resolve(answer) }),
  };
  const signIn = (): void => {
    env.INCIDENTCTL_TOKEN = emulator.serviceToken;
    env.INCIDENTCTL_ADMIN_TOKEN = emulator.adminToken;
  };
  const world: World = {
    folder,
    emulator,
    io,
    requests,
    run: async (command, options) => {
      signIn();
      const console = openConsole(io, options);
      const exit = await (async () => command(options, io, console))().catch(async (error) => {
        const code = reportError(error, console, false);
        await reportFailure(error, { paths: [], ...options, command: command.name }, io, console);
        return code;
      });
      return { exit, stdout: out.take(), stderr: err.take() };
    },
    write: async (more) => {
      for (const [path, text] of Object.entries(more)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      }
    },
    send: async (method, path, body) => {
      const headers = { authorization: `Bearer ${emulator.adminToken}`, "content-type": "application/json" };
      const text = body === undefined ? {} : { body: JSON.stringify(body) };
      const answered = await emulator.fetch(new Request(`${URL_OF_SERVICE}${path}`, { method, headers, ...text }));
      if (!answered.ok) throw new Error(`${method} ${path}: ${answered.status} ${await answered.text()}`);
      return answered.status === 204 ? null : answered.json();
    },
    close: async () => {
      emulator.close();
      await rm(folder, { recursive: true });
    },
  };
  await world.write(files);
  return world;
}

/** Opens a world that is closed at the end of the test. */
export async function openTestWorld(...given: Parameters<typeof openWorld>): Promise<World> {
  const world = await openWorld(...given);
  onTestFinished(() => world.close());
  return world;
}

function recorder(): { write(text: string): void; take(): string; readonly terminal: boolean } {
  let text = "";
  return {
    terminal: false,
    write: (piece) => {
      text += piece;
    },
    take: () => {
      const taken = text;
      text = "";
      return taken;
    },
  };
}

/** A network that stops answering at the nth write, whose run is then interrupted; `committed` says whether the write got through. */
export function lostWrite(world: World, nth: number, committed: boolean): Partial<WorldIo> {
  const controller = new AbortController();
  const { fetch } = world.io;
  let count = 0;
  return {
    clock: new VirtualClock(),
    interruption: () => controller.signal,
    fetch: async (input, init) => {
      if (init.method === "GET" || ++count !== nth) return fetch(input, init);
      if (committed) await fetch(input, init);
      controller.abort();
      return new Promise<Response>(() => {});
    },
  };
}
