/** Measured programs and servers, each in its own process with a minimal environment and a timeout. */

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

/** The path of a program of `programs/`, compiled or not. */
export function helperProgram(name: string): string {
  return name.endsWith(".ts")
    ? fileURLToPath(new URL(`programs/${name.replace(/\.ts$/, ".js")}`, import.meta.url))
    : join(root, "bench", "programs", name);
}

/** A run of a Node program. */
export interface Command {
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Expected exit codes; 0 by default. */
  readonly expected?: readonly number[];
  /** Timeout in milliseconds; two minutes by default. */
  readonly limit?: number;
}

/** Result of a run. */
export interface Run {
  /** Milliseconds from start to end. */
  readonly wall: number;
  readonly stdout: string;
}

/** Resources that a run used. */
export interface Usage extends Run {
  /** Processor time in milliseconds, user and system. */
  readonly processor: number;
  /** Peak memory in bytes. */
  readonly peak: number;
}

/**
 * The environment of measured programs, without NODE_EXTRA_CA_CERTS: a large bundle of certificates adds tens of milliseconds to
 * every start of Node, and would make every ratio look better than it is.
 */
function bareEnvironment(): Record<string, string> {
  const kept = ["PATH", "HOME", "TMPDIR", "SystemRoot"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), NO_COLOR: "1", LANG: "C.UTF-8" };
}

/** Runs a Node program. Throws if it does not end as expected. */
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

/** Runs a Node program and returns its resource usage. */
export function runCounted(command: Command): Usage {
  return inTemporary((folder) => {
    const file = join(folder, "usage.json");
    const args = ["--require", helperProgram("usage.cjs"), ...command.args];
    const ended = run({ ...command, args, env: { ...command.env, BENCH_USAGE: file } });
    const { processor, peak } = JSON.parse(readFileSync(file, "utf8"));
    return { ...ended, processor, peak };
  });
}

/** A server on loopback. */
export interface Service {
  /** Its first line of output, parsed. */
  readonly info: Readonly<Record<string, string>>;
  /** Milliseconds until its first line. */
  readonly ready: number;
  close(): Promise<void>;
}

/** Starts a server of this folder, which prints its URL in one line of JSON and ends with its standard input. */
export async function serve(name: string, args: readonly string[], limit = 120_000): Promise<Service> {
  const started = performance.now();
  const child = spawn(process.execPath, [helperProgram(name), ...args], {
    env: bareEnvironment(),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = endOf(child);
  const cut = setTimeout(() => child.kill("SIGKILL"), limit);
  const said = await Promise.race([firstLine(child), ended.then(() => undefined)]);
  clearTimeout(cut);
  if (said === undefined) throw new Error(`${name} ended before it served`);
  return {
    info: JSON.parse(said),
    ready: performance.now() - started,
    close: async () => {
      child.stdin?.end();
      const hard = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await ended;
      clearTimeout(hard);
    },
  };
}

/** The first line that a process prints. Never resolves if there is none. */
export function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    if (child.stdout !== null) createInterface({ input: child.stdout }).once("line", resolve);
  });
}

/** Resolves when the process has ended. */
export function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => resolve());
  });
}

/** Starts the built program without waiting for its end. */
export function startProgram(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [program, ...args], { env: bareEnvironment(), stdio: ["ignore", "pipe", "ignore"] });
}

/** Calls a function with a temporary folder, which is removed afterwards. */
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
