/** What the commands of a page are run on: a folder, a service of its own, and somebody who answers questions with yes. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createEmulator, type Emulator } from "../../src/emulator/emulator.ts";
import { serve } from "../../src/emulator/serve.ts";
import { typed } from "../support/typed.ts";

/** How a command or a script ended. */
export interface Ended {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));
const PROGRAM = fileURLToPath(new URL("../../dist/cli.cjs", import.meta.url));
const SERVICE = "https://incidents.example.com";
const SHELL_SECONDS = 20;

/** The stage of a page. */
export class Stage {
  readonly #emulator: Emulator;
  readonly #folder: string;

  private constructor(folder: string, emulator: Emulator) {
    this.#folder = folder;
    this.#emulator = emulator;
  }

  /** An empty folder, or one with the example workspace; `busy` is an empty one, and a service with a week of incidents. */
  static async open(holds: "examples" | "empty" | "busy"): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), "incidentctl-shown-"));
    if (holds === "examples") await cp(EXAMPLES, folder, { recursive: true });
    return new Stage(folder, createEmulator({ seed: holds === "busy" }));
  }

  async write(path: string, text: string): Promise<void> {
    const file = join(this.#folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  async makeFolder(path: string): Promise<void> {
    await mkdir(join(this.#folder, path));
  }

  async replace(path: string, before: string, after: string): Promise<void> {
    const text = await readFile(join(this.#folder, path), "utf8");
    if (!text.includes(before)) throw new Error(`${path} does not hold ${before}`);
    await this.write(path, text.replace(before, after));
  }

  /** A request past the program, as somebody makes it by hand. */
  async hand(method: string, path: string, body: string): Promise<void> {
    const headers = { authorization: `Bearer ${this.#emulator.adminToken}`, "content-type": "application/json" };
    const request = new Request(`${SERVICE}/api/v1${path}`, { method, headers, ...(body === "" ? {} : { body }) });
    const answer = await this.#emulator.fetch(request);
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  }

  /** Runs a command of the program in this process. */
  async run(args: readonly string[]): Promise<Ended> {
    return typed(args, {
      env: { INCIDENTCTL_URL: SERVICE, ...this.#tokens() },
      cwd: this.#folder,
      fetch: async (input, init) => {
        const answer = await this.#emulator.fetch(new Request(input, init));
        answer.headers.set("date", new Date().toUTCString());
        return answer;
      },
      ask: () => Promise.resolve("yes"),
    });
  }

  /** Runs a script in a shell, with the built program as `incidentctl` and the service on loopback. */
  async script(text: string): Promise<Ended> {
    const served = await serve(this.#emulator);
    try {
      const bin = join(this.#folder, ".bin");
      await this.write(".bin/incidentctl", `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
      const { PATH = "" } = process.env;
      const child = spawn("sh", ["-eu", "-c", `chmod +x .bin/incidentctl\n${text}`], {
        cwd: this.#folder,
        env: { PATH: `${bin}${delimiter}${PATH}`, INCIDENTCTL_URL: served.url, ...this.#tokens() },
        timeout: SHELL_SECONDS * 1000,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
      child.stdout.on("data", (piece: Buffer) => void stdout.push(piece));
      child.stderr.on("data", (piece: Buffer) => void stderr.push(piece));
      const [exit] = await once(child, "close");
      return { exit, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
    } finally {
      await served.close();
    }
  }

  async close(): Promise<void> {
    await this.#emulator.close();
    await rm(this.#folder, { recursive: true });
  }

  #tokens() {
    return { INCIDENTCTL_TOKEN: this.#emulator.serviceToken, INCIDENTCTL_ADMIN_TOKEN: this.#emulator.adminToken };
  }
}
