/** A proxy before the embedded service, over HTTP, that changes what the service stores and what it answers; and the built program behind it. */

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { runCommandLine } from "../../../src/app/cli/command-line.ts";
import { type Fields, fieldsIn, isFields, isList, type Json, parseJson } from "../../../src/core/json.ts";
import { createEmulator, type Emulator } from "../../../src/emulator/emulator.ts";
import { type EmulatorServer, serve } from "../../../src/emulator/serve.ts";
import { VirtualClock } from "../../service/virtual-clock.ts";

const BUILT = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));

/** A request whose body, or answer, is changed on its way. */
export interface Passing {
  readonly method: string;
  readonly path: string;
}

/** What a service does with the bodies that it is sent, and with its answers. */
export interface Alteration {
  readonly stored?: (body: Fields, passing: Passing) => Fields;
  readonly answered?: (body: Fields, passing: Passing) => Fields;
}

/** How a command ended. */
export interface Ended {
  readonly exit: number;
  /** The command, how it ended, and all that it said. */
  readonly told: string;
  /** The writes that the service carried out. */
  readonly writes: readonly string[];
}

/** A folder, and the program: as built, which reaches the altering service over HTTP, or in this process. */
export class AlteredProgram {
  readonly #emulator: Emulator = createEmulator({ requestsPerMinute: Number.MAX_SAFE_INTEGER, control: true });
  readonly #folder = mkdtempSync(join(tmpdir(), "incidentctl-altered-"));
  #server: EmulatorServer | undefined;
  #alteration: Alteration = {};
  #writes: string[] = [];
  #isBuilt = true;

  /** Begins with a folder that has nothing but this document, and a new workspace. */
  begin(document: Fields, alteration: Alteration, isBuilt: boolean): void {
    this.#isBuilt = isBuilt;
    rmSync(this.#folder, { recursive: true });
    mkdirSync(join(this.#folder, "config"), { recursive: true });
    writeFileSync(join(this.#folder, "incidentctl.yaml"), "version: 1\nconfig: [config]\n");
    // JSON is valid YAML.
    writeFileSync(join(this.#folder, "config", "all.yaml"), JSON.stringify(document, null, 2));
    this.#emulator.control?.reset();
    this.#alteration = alteration;
  }

  async run(...args: readonly string[]): Promise<Ended> {
    this.#writes = [];
    const [exit, said] = await (this.#isBuilt ? this.#runBuilt(args) : this.#runHere(args));
    return { exit, told: `${args.join(" ")}: exit ${exit}\n${said}`, writes: this.#writes };
  }

  async close(): Promise<void> {
    await this.#server?.close();
    await this.#emulator.close();
    rmSync(this.#folder, { recursive: true });
  }

  async #runBuilt(args: readonly string[]): Promise<readonly [exit: number, said: string]> {
    this.#server ??= await serve({ ...this.#emulator, fetch: (request) => this.#answer(request) });
    const env = { PATH: process.env.PATH ?? "", ...this.#env(this.#server.url) };
    const child = spawn(process.execPath, [BUILT, ...args], {
      cwd: this.#folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const exit = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? -1)));
    const said = await Promise.all([text(child.stdout), text(child.stderr)]);
    return [await exit, said.join("\n")];
  }

  async #runHere(args: readonly string[]): Promise<readonly [exit: number, said: string]> {
    let said = "";
    const stream = {
      terminal: false,
      write: (piece: string) => {
        said += piece;
      },
    };
    const exit = await runCommandLine(args, {
      ...{ stdout: stream, stderr: stream, env: this.#env("http://127.0.0.1:1"), cwd: this.#folder },
      now: () => new Date(),
      clock: new VirtualClock(),
      fetch: (url, { method, headers, body }) =>
        this.#answer(new Request(url, { method, headers, ...(body === undefined ? {} : { body }) })),
      interruption: () => new AbortController().signal,
    });
    return [exit, said];
  }

  #env(url: string): Readonly<Record<string, string>> {
    return {
      INCIDENTCTL_URL: url,
      INCIDENTCTL_TOKEN: this.#emulator.serviceToken,
      INCIDENTCTL_ADMIN_TOKEN: this.#emulator.adminToken,
    };
  }

  /** Answers a request as the altering service does. */
  async #answer(request: Request): Promise<Response> {
    const { method, url, headers } = request;
    const { pathname, search } = new URL(url);
    const passing = { method, path: `${pathname}${search}`.replace("/api/v1", "") };
    const sent = await request.text();
    const { stored, answered } = this.#alteration;
    const body = sent === "" || stored === undefined ? sent : JSON.stringify(stored(read(sent), passing));
    const answer = await this.#emulator.fetch(new Request(url, { method, headers, ...(body === "" ? {} : { body }) }));
    if (method !== "GET" && answer.ok) this.#writes.push(`${method} ${passing.path}`);
    if (answer.status === 204 || !answer.ok || answered === undefined) return answer;
    const told = read(await answer.text());
    return new Response(JSON.stringify(answered(told, passing)), { status: answer.status, headers: answer.headers });
  }
}

function read(body: string): Fields {
  return fieldsIn(parseJson(body) ?? null);
}

/** Changes each member, at any depth, those within first; undefined leaves it out. */
export function everyMember(to: (value: Json, name: string) => Json | undefined): (body: Fields) => Fields {
  const altered = (value: Json, name: string): Json | undefined => to(within(value, name), name);
  const within = (value: Json, name: string): Json => {
    if (isList(value)) return value.flatMap((item) => altered(item, name) ?? []);
    return isFields(value) ? membersOf(value) : value;
  };
  const membersOf = (fields: Fields): Fields =>
    Object.fromEntries(
      Object.entries(fields)
        .map(([name, value]) => [name, altered(value, name)] as const)
        .filter((pair): pair is readonly [string, Json] => pair[1] !== undefined),
    );
  return membersOf;
}
