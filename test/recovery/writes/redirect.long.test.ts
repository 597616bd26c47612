/** A proxy in front of a served emulator that answers the first sending of each write with the redirect to its login page. */

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/emulator/emulator.ts";
import { type EmulatorServer, serve } from "../../../src/emulator/serve.ts";
import { nothing } from "../../faults/stage/scenarios.ts";
import { VirtualClock } from "../../service/virtual-clock.ts";
import { type Ended, typed } from "../../support/typed.ts";

const SCENARIOS = new URL("../../faults/stage/scenarios/", import.meta.url);
const EVERY_KIND = await readFile(new URL("every-kind.yaml", SCENARIOS), "utf8");

/** A configuration with every kind, one with a change of each, and one with as little as there can be. */
const CONFIGURATIONS: readonly string[] = [
  EVERY_KIND,
  EVERY_KIND.replaceAll(
    /name: (Quiet|Triaging|Service Outage|Scribe|Vendor|Nordbank|Region|Failover|Triage bot)/g,
    "name: New $1",
  )
    .replace("required: false", "required: true")
    .replace("{ action: auto_create_incident, severity: critical }", "{ action: drop }")
    .replace("pager.example.com", "pager-2.example.com")
    .replace("incidents: [read]", "incidents: [read, create]"),
  nothing()["workspace.yaml"] ?? "",
];

let folder: string;
let emulator: Emulator;
let served: EmulatorServer;
let isOn: boolean;
/** The requests since the last write that was redirected, by that write; a write that was sent again has none. */
let redirected: Map<string, string[]>;
let sentAgain: string[];

let isPerformed: boolean;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "incidentctl-redirect-"));
  await writeFile(join(folder, "incidentctl.yaml"), "version: 1\nremoval: { default: delete }\n");
  emulator = createEmulator({ requestsPerMinute: 1_000_000 });
  [isOn, redirected, sentAgain] = [true, new Map(), []];
  const fetch = async (request: Request): Promise<Response> => {
    const text = await request.clone().text();
    const line = `${request.method} ${new URL(request.url).pathname} ${text}`;
    if (request.method === "GET") for (const since of redirected.values()) since.push(line);
    else if (redirected.has(line) && redirected.get(line)?.length === 0) sentAgain.push(line);
    if (request.method === "GET" || !isOn || redirected.has(line)) return emulator.fetch(request);
    redirected.set(line, []);
    if (isPerformed) await emulator.fetch(request);
    return new Response(null, { status: 302, headers: { location: "https://login.example.com/" } });
  };
  served = await serve({ ...emulator, fetch });
});
afterEach(async () => {
  await served.close();
  await emulator.close();
  await rm(folder, { recursive: true });
});

function run(...args: readonly string[]): Promise<Ended> {
  const canaries = ["SEVERITY", "ROLE", "RUNBOOK", "WEBHOOK"].map((name) => [`CANARY_${name}`, `text-of-${name}`]);
  return typed([...args, "--rate", "100000"], {
    cwd: folder,
    clock: new VirtualClock(),
    fetch: (url, init) => fetch(url, init),
    env: {
      ...Object.fromEntries(canaries),
      INCIDENTCTL_URL: served.url,
      INCIDENTCTL_TOKEN: emulator.serviceToken,
      INCIDENTCTL_ADMIN_TOKEN: emulator.adminToken,
    },
  });
}

const APPROVED = ["--allow-delete", "--accept-routing-window", "--secrets-out", "tokens.jsonl"];

test.each([
  ["carried out", true],
  ["not carried out", false],
])(
  "a redirected write of any kind is looked for, with a line, before it is sent again: %s",
  async (_title, performed) => {
    isPerformed = performed;
    for (const text of CONFIGURATIONS) {
      await writeFile(join(folder, "all.yaml"), text);
      redirected.clear();
      let ended = await run("apply", "--yes", "--max-removals", "100", ...APPROVED);
      let lines = ended.stderr;
      // A creation that would make a second resource is not sent again by itself.
      for (let runs = 0; ended.exit === 4 && runs < 20; runs += 1) {
        ended = await run("resume", "--resolve", "resend", "--max-removals", "100", ...APPROVED);
        lines += ended.stderr;
      }
      expect(ended.exit, lines + ended.stdout).toBe(0);
      expect(redirected.size).toBeGreaterThan(5);
      expect(lines.match(/ returned 302: a redirect, which is never followed; reading the workspace/g)).toHaveLength(
        redirected.size,
      );
      expect(sentAgain).toEqual([]);
      isOn = false;
      expect((await run("plan", "--detailed-exitcode")).exit).toBe(0);
      isOn = true;
    }
  },
);
