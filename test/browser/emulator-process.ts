/** The built program as `incidentctl emulator`, for the tests of its pages in a browser. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Fields } from "../../src/core/json.ts";

const program = fileURLToPath(new URL("../../dist/cli.cjs", import.meta.url));

/** A running emulator. */
export interface EmulatorProcess {
  readonly url: string;
  /** The address of the link that signs in. */
  readonly link: string;
  readonly adminToken: string;
  /** Sends a request to the interface as an admin, and returns the body of the response. */
  send(method: string, path: string, body?: unknown): Promise<Fields>;
  close(): Promise<void>;
}

/** Starts an emulator with the example workspace, and with these flags. */
export async function startEmulator(...flags: readonly string[]): Promise<EmulatorProcess> {
  const child = spawn(process.execPath, [program, "emulator", "--seed", ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = [collect(child, "stdout"), collect(child, "stderr")];
  const link = await stderr(/(http:\S+\/sign-in\S+)/);
  const adminToken = await stdout(/INCIDENTCTL_ADMIN_TOKEN=(\S+)/);
  const { origin: url } = new URL(link);
  return {
    url,
    link,
    adminToken,
    async send(method, path, body) {
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as Fields;
    },
    async close() {
      child.kill("SIGINT");
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

/** A function that waits for a text in the output and returns its first group. */
function collect(child: ChildProcess, name: "stdout" | "stderr"): (pattern: RegExp) => Promise<string> {
  let text = "";
  const stream = child[name];
  if (stream === null) throw new Error(`the process has no ${name}`);
  stream.setEncoding("utf8");
  stream.on("data", (part: string) => {
    text += part;
  });
  return async (pattern) => {
    for (;;) {
      const [, group] = pattern.exec(text) ?? [];
      if (group !== undefined) return group;
      if (child.exitCode !== null) throw new Error(`the emulator has ended: ${text}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
}
