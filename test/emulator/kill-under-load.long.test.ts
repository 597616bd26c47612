import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isFields, isList, type Json } from "../../src/core/json.ts";
import { sampleSize } from "../support/samples/sample-size.ts";

const program = resolve("dist/cli.cjs");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "incidentctl-kill-load-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Served {
  readonly child: ChildProcess;
  readonly url: string;
  readonly token: string;
}

/** Starts `incidentctl emulator` on the file. */
async function start(file: string): Promise<Served> {
  const child = spawn(process.execPath, [program, "emulator", "--file", file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  while (!text.includes("INCIDENTCTL_ADMIN_TOKEN=")) {
    const [chunk] = await once(child.stdout, "data");
    text += String(chunk);
  }
  const [, url = ""] = /INCIDENTCTL_URL=(\S+)/.exec(text) ?? [];
  const [, token = ""] = /INCIDENTCTL_ADMIN_TOKEN=(\S+)/.exec(text) ?? [];
  return { child, url, token };
}

function send({ url, token }: Served, method: string, path: string, body?: Json): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return fetch(`${url}/api/v1${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Creates agents, each with its token, until the server is gone. Returns the slugs that the server confirmed. */
async function load(served: Served, worker: string): Promise<readonly string[]> {
  const confirmed: string[] = [];
  try {
    for (let round = 0; ; round += 1) {
      const slug = `agent_${worker}_${round}`;
      const { status } = await send(served, "POST", "/agents", { slug, name: slug });
      if (status === 201) confirmed.push(slug);
    }
  } catch {
    // The server was killed.
    return confirmed;
  }
}

test("after a kill under load every confirmed write is there and complete, and the next start takes over the file", async () => {
  const file = join(folder, "workspace.db");
  const confirmed: string[] = [];
  for (let round = 0; round < Math.max(2, sampleSize(16)); round += 1) {
    const served = await start(file);
    const loads = ["a", "b", "c", "d"].map((worker) => load(served, `${round}${worker}`));
    await setTimeout(150 + 90 * round);
    served.child.kill("SIGKILL");
    await once(served.child, "exit");
    confirmed.push(...(await Promise.all(loads)).flat());

    const next = await start(file);
    const body = (await (await send(next, "GET", "/agents?include_disabled=true")).json()) as Json;
    const agents = isFields(body) && isList(body.agents) ? body.agents.filter(isFields) : [];
    const slugs = new Set(agents.map(({ slug }) => slug));
    expect(confirmed.filter((slug) => !slugs.has(slug))).toEqual([]);
    // An agent and its token are one change.
    expect(agents.filter(({ tokens }) => !isList(tokens) || tokens.length !== 1)).toEqual([]);
    next.child.kill("SIGTERM");
    await once(next.child, "exit");
  }
  expect(confirmed.length).toBeGreaterThan(0);
}, 120_000);
