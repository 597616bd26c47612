/** The program on a folder: in this process, or as its users start it. Its requests can be stopped at a write. */

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommandLine } from "../../src/app/cli/command-line.ts";
import type { Io, OutputStream } from "../../src/core/io.ts";
import { type EmulatorServer, serve } from "../../src/emulator/serve.ts";
import { VirtualClock } from "../service/virtual-clock.ts";
import { MemoryDisk } from "../support/memory-disk.ts";
import type { DifferentialService } from "./service.ts";

/** The result of a command. */
export interface Run {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The writes that the service refused: method, path, status. */
  readonly refused: readonly string[];
  readonly writes: number;
}

/** What happens at a write: the process ends, a person stops it, the service refuses, or its response (and more) gets lost. */
export const STOPS = [
  "killed before",
  "killed after",
  "interrupted",
  "forbidden",
  "unprocessable",
  "lost before",
  "lost after",
  "unavailable",
  "gone",
] as const;

/** A stop at the write of this number, counted from 0. */
export interface Stop {
  readonly at: number;
  readonly how: (typeof STOPS)[number];
}

/** The exit code of a command that was killed. */
export const KILLED = -9;

const BUILT = fileURLToPath(new URL("../../dist/cli.cjs", import.meta.url));

/** The program, in a folder of its own. */
export class Program {
  readonly #service: DifferentialService;
  readonly #folder = mkdtempSync(join(tmpdir(), "incidentctl-differential-"));
  #disk = new MemoryDisk();
  #server: EmulatorServer | undefined;
  #isBuilt = false;
  #env: Readonly<Record<string, string>> = {};
  #writes = 0;
  #refused: string[] = [];
  #onWrite: () => void = () => {};
  #stop: (Stop & { readonly kill: () => void; readonly interrupt: () => void }) | undefined;

  constructor(service: DifferentialService) {
    this.#service = service;
  }

  /** Empties the folder. */
  begin(isBuilt: boolean): void {
    rmSync(this.#folder, { recursive: true });
    mkdirSync(this.#folder);
    this.#disk = new MemoryDisk();
    this.#isBuilt = isBuilt;
    this.#env = {};
  }

  /** Writes the configuration, with environment variables that all later commands have. */
  write(text: string, env: Readonly<Record<string, string>>): void {
    writeFileSync(join(this.#folder, "workspace.yaml"), text);
    this.#env = { ...this.#env, ...env };
  }

  /** Calls a function after each write that reaches the service. */
  watch(onWrite: () => void): void {
    this.#onWrite = onWrite;
  }

  /** Runs a command; stopped at a write, if so wished. */
  async run(args: readonly string[], stop?: Stop): Promise<Run> {
    [this.#writes, this.#refused] = [0, []];
    const [exit, stdout, stderr] = await (this.#isBuilt ? this.#runBuilt(args, stop) : this.#runHere(args, stop));
    this.#stop = undefined;
    return { exit, stdout, stderr, refused: this.#refused, writes: this.#writes };
  }

  /** The texts of all files but the configuration and the tokens, by path. */
  files(): readonly (readonly [path: string, text: string])[] {
    const onDisk = readdirSync(this.#folder, { recursive: true }).map(String);
    const kept = onDisk.filter(
      (path) => !/workspace\.yaml$|tokens\.jsonl$/.test(path) && statSync(join(this.#folder, path)).isFile(),
    );
    return [
      ...kept.map((path) => [path, readFileSync(join(this.#folder, path), "latin1")] as const),
      ...this.#disk.texts(),
    ];
  }

  async close(): Promise<void> {
    await this.#server?.close();
    rmSync(this.#folder, { recursive: true });
  }

  async #runHere(args: readonly string[], stop?: Stop): Promise<readonly [number, string, string]> {
    let [stdout, stderr] = ["", ""];
    const token = this.#service.emulator.adminToken;
    const io: Io = {
      stdout: stream((text) => {
        stdout += text;
      }),
      stderr: stream((text) => {
        stderr += text;
      }),
      env: { INCIDENTCTL_URL: "http://127.0.0.1:1", INCIDENTCTL_TOKEN: token, ...this.#env },
      cwd: this.#folder,
      now: () => new Date("2026-11-21T08:00:00Z"),
      clock: new VirtualClock(),
      disk: this.#disk,
      fetch: (url, { method, headers, body }) =>
        this.#fetch(new Request(url, { method, headers, ...(body === undefined ? {} : { body }) })),
      interruption: () => interruption.signal,
    };
    const interruption = new AbortController();
    const killed = new Promise<number>((resolve) => {
      if (stop !== undefined)
        this.#stop = { ...stop, kill: () => resolve(KILLED), interrupt: () => interruption.abort() };
    });
    const exit = await Promise.race([runCommandLine(args, io), killed]);
    // The lock of a process that no longer runs.
    if (exit === KILLED) this.#disk.forgetClaims();
    return [exit, stdout, stderr];
  }

  async #runBuilt(args: readonly string[], stop?: Stop): Promise<readonly [number, string, string]> {
    this.#server ??= await serve({ ...this.#service.emulator, fetch: (request) => this.#fetch(request) });
    const env = {
      PATH: process.env.PATH ?? "",
      INCIDENTCTL_URL: this.#server.url,
      INCIDENTCTL_TOKEN: this.#service.emulator.adminToken,
      ...this.#env,
    };
    const child = spawn(process.execPath, [BUILT, ...args], {
      cwd: this.#folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    if (stop !== undefined)
      this.#stop = { ...stop, kill: () => void child.kill("SIGKILL"), interrupt: () => void child.kill("SIGINT") };
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      stdout += piece;
    });
    child.stderr.setEncoding("utf8").on("data", (piece: string) => {
      stderr += piece;
    });
    const exit = await new Promise<number>((resolve) => {
      child.on("close", (code) => resolve(code ?? KILLED));
    });
    return [exit, stdout, stderr];
  }

  async #fetch(request: Request): Promise<Response> {
    const stop = this.#stop;
    const isStopped = stop !== undefined && this.#writes >= stop.at;
    if (isStopped && stop.how === "gone") throw broken("ECONNREFUSED");
    if (request.method === "GET") return this.#service.emulator.fetch(request);
    this.#writes++;
    const how = isStopped && this.#writes === stop.at + 1 ? stop.how : undefined;
    if (how === "interrupted") stop?.interrupt();
    if (how === "killed before") return this.#end();
    if (how === "forbidden") return refusal(403, "forbidden");
    if (how === "unprocessable") return refusal(422, "validation_failed");
    if (how === "lost before") throw broken("ECONNRESET");
    const response = await this.#service.emulator.fetch(request);
    this.#onWrite();
    const what = `${request.method} ${new URL(request.url).pathname}`;
    if (response.status >= 400) this.#refused.push(`${what}: ${response.status} ${await response.clone().text()}`);
    if (how === "killed after") return this.#end();
    if (how === "lost after") throw broken("ECONNRESET");
    return how === "unavailable" ? refusal(503, "unavailable") : response;
  }

  #end(): Promise<Response> {
    this.#stop?.kill();
    return new Promise<Response>(() => {});
  }
}

function broken(code: string): Error {
  return Object.assign(new TypeError("fetch failed"), { cause: Object.assign(new Error(code), { code }) });
}

function refusal(status: number, type: string): Response {
  return Response.json({ error: { type, message: "Not now", request_id: "r", errors: [] } }, { status });
}

function stream(write: (text: string) => void): OutputStream {
  return { terminal: false, write };
}
