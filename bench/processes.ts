/** Programs that are measured or talked to: each in a process of its own, with a bare environment and an end. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The folder of the project. */
export const root: string = fileURLToPath(new URL("../..", import.meta.url));

/** The built program. */
export const program: string = join(root, "dist", "cli.cjs");

/** A program of this folder, compiled or not. */
export function beside(name: string): string {
  return name.endsWith(".ts")
    ? fileURLToPath(new URL(name.replace(/\.ts$/, ".js"), import.meta.url))
    : join(root, "bench", name);
}

/** How a Node program is run. */
export interface Command {
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that are no mistake; 0 alone when left out. */
  readonly expected?: readonly number[];
  /** Milliseconds, after which it is ended; two minutes when left out. */
  readonly limit?: number;
}

/** What one run took. */
export interface Run {
  /** Milliseconds from start to end. */
  readonly wall: number;
  readonly stdout: string;
}

/** What one run used. */
export interface Usage extends Run {
  /** Milliseconds of processor, of the program and of the system for it. */
  readonly processor: number;
  /** Bytes of memory at the most. */
  readonly peak: number;
}

/**
 * The environment of what is measured. NODE_EXTRA_CA_CERTS is not in it: a large bundle of certificates costs every start of Node
 * tens of milliseconds, and would make every ratio look better than it is.
 */
function bareEnvironment(): Record<string, string> {
  const kept = ["PATH", "HOME", "TMPDIR", "SystemRoot"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), NO_COLOR: "1", LANG: "C.UTF-8" };
}

/** Runs a Node program to its end. Throws when it ends otherwise than expected. */
export function run({ args, cwd, env = {}, expected = [0], limit = 120_000 }: Command): Run {
  const started = performance.now();
  const ended = spawnSync(process.execPath, args, {
    env: { ...bareEnvironment(), ...env },
    ...(cwd === undefined ? {} : { cwd }),
    encoding: "utf8",
    maxBuffer: 1 << 30,
    timeout: limit,
    killSignal: "SIGKILL",
    stdio: ["ignore", "pipe", "pipe"],
  });
  const wall = performance.now() - started;
  if (ended.error !== undefined) throw new Error(`${told(args)}: ${ended.error.message}`);
  if (ended.status === null || !expected.includes(ended.status)) {
    throw new Error(`${told(args)} ended with ${ended.status ?? ended.signal}:\n${ended.stderr.slice(-2000)}`);
  }
  return { wall, stdout: ended.stdout };
}

/** The same, with what the process says of itself as it ends. */
export function runCounted(command: Command): Usage {
  return inTemporary((folder) => {
    const file = join(folder, "usage.json");
    const args = ["--require", beside("usage.cjs"), ...command.args];
    const ended = run({ ...command, args, env: { ...command.env, BENCH_USAGE: file } });
    const { processor, peak } = JSON.parse(readFileSync(file, "utf8"));
    return { ...ended, processor, peak };
  });
}

/** A program that answers on loopback until it is closed. */
export interface Service {
  /** What it says of itself in its first line. */
  readonly said: Readonly<Record<string, string>>;
  /** Milliseconds until it said so. */
  readonly ready: number;
  close(): Promise<void>;
}

/** Starts a program of this folder that says in one line of JSON where it is, and ends when its standard input does. */
export async function serve(name: string, args: readonly string[], limit = 120_000): Promise<Service> {
  const started = performance.now();
  const child = spawn(process.execPath, [beside(name), ...args], {
    env: bareEnvironment(),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = endOf(child);
  const cut = setTimeout(() => child.kill("SIGKILL"), limit);
  const said = await Promise.race([firstLine(child), ended.then(() => undefined)]);
  clearTimeout(cut);
  if (said === undefined) throw new Error(`${name} ended before it served`);
  return {
    said: JSON.parse(said),
    ready: performance.now() - started,
    close: async () => {
      child.stdin?.end();
      const hard = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await ended;
      clearTimeout(hard);
    },
  };
}

/** The first line that a process prints; never, when it prints none. */
export function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    if (child.stdout !== null) createInterface({ input: child.stdout }).once("line", resolve);
  });
}

/** Resolves when the process is gone. */
export function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => resolve());
  });
}

/** Starts the built program and leaves it running. */
export function startProgram(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [program, ...args], { env: bareEnvironment(), stdio: ["ignore", "pipe", "ignore"] });
}

/** Does something in a new folder, which is gone afterwards. */
export function inTemporary<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "incidentctl-bench-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  let made: T;
  try {
    made = work(folder);
  } catch (error) {
    remove();
    throw error;
  }
  if (!(made instanceof Promise)) {
    remove();
    return made;
  }
  return made.finally(remove) as T;
}

function told(args: readonly string[]): string {
  return `node ${args.join(" ")}`;
}
