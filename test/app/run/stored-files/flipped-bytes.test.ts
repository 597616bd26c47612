/** Stored files with one changed bit: the file is refused, or what the program writes and shows is that of the whole file, or safer. */

import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { apply } from "../../../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../../../src/app/apply/apply-definition.ts";
import { resume } from "../../../../src/app/apply/resume-command.ts";
import { accept } from "../../../../src/app/drift/accept-command.ts";
import { plan } from "../../../../src/app/plan/plan-command.ts";
import { type Command, openWorld, type World, type WorldIo } from "../../../commands/world.ts";
import { randomFrom } from "../../../faults/stage/random.ts";
import { VirtualClock } from "../../../service/virtual-clock.ts";
import { sampleSize } from "../../../support/samples/sample-size.ts";

const files = {
  "incidentctl.yaml": "version: 1\nbase_url: http://localhost:4010\n",
  "severities.yaml": `severities:
  - { slug: critical, name: Worst }
  - { slug: major, name: Bad, default: true }
  - { slug: minor, name: Small }
`,
  "keys.yaml": "api_keys:\n  - { name: deploy bot, permissions: { incidents: [read] } }\n",
};
const applying: ApplyFlags = { paths: [], yes: true, allowDelete: true, secretsOut: "tokens.jsonl" };
const runbook = (severity: string) => `runbooks:
  - slug: failover
    name: Failover
    conditions: [{ condition_field: severity, operator: one_of, values: [${severity}] }]
    steps: [{ title: Call }]
`;
const random = randomFrom(Number(process.env.CAMPAIGN_SEED ?? 1));
const LONG = process.env.CAMPAIGN_FLIPS === undefined ? 120_000 : 7_200_000;

/** A larger sample sends more requests than a service allows in a minute. */
const UNLIMITED = { requestsPerMinute: 1_000_000 };

let world: World;
beforeEach(async () => {
  world = await openWorld(files, UNLIMITED);
});
afterEach(() => world.close());

/** The positions of the bytes to change: all of them if the campaign asks for as many, else a sample. */
function positions({ length }: Uint8Array): readonly number[] {
  const count = sampleSize(256, process.env.CAMPAIGN_FLIPS);
  if (count >= length) return Array.from({ length }, (_, at) => at);
  return Array.from({ length: count }, () => Math.floor(random() * length));
}

/** The bytes with one changed bit. */
function flipped(bytes: Uint8Array, at: number): Uint8Array {
  return bytes.map((byte, index) => (index === at ? byte ^ (1 << Math.floor(random() * 8)) : byte));
}

test(
  "a saved plan is refused, or leads to the same writes",
  async () => {
    expect((await world.run(plan, { paths: [], out: "change.plan" })).exit).toBe(0);
    const path = join(world.folder, "change.plan");
    const bytes = await readFile(path);
    const whole = await refusedWrites(apply, { ...applying, plan: "change.plan" });
    expect(whole.length).toBeGreaterThan(0);
    for (const at of positions(bytes)) {
      await rm(join(world.folder, ".incidentctl"), { recursive: true, force: true });
      await writeFile(path, flipped(bytes, at));
      const writes = await refusedWrites(apply, { ...applying, plan: "change.plan" });
      if (writes.length > 0) expect(writes, `byte ${at}`).toEqual(whole);
    }
  },
  LONG,
);

test(
  "a journal is refused, or leads to the same writes",
  async () => {
    const name = await interruptAt(3);
    const folder = join(world.folder, ".incidentctl", "journals");
    const bytes = await readFile(join(folder, name));
    const whole = await writesOfResume(folder, name, bytes);
    expect(whole.length).toBeGreaterThan(0);
    for (const at of positions(bytes)) {
      const writes = await writesOfResume(folder, name, flipped(bytes, at));
      if (writes.length > 0) expect(writes, `byte ${at}`).toEqual(whole);
    }
  },
  LONG,
);

test.each([
  ["that knows of a change", "minor"],
  ["that knows of no change", "critical"],
])(
  "a lock file %s is refused, or a field that the service does not return is sent again or reported as not compared",
  async (_title, declared) => {
    world.close();
    world = await openWorld(
      { ...files, "steps.yaml": runbook("critical") },
      { ...UNLIMITED, dialects: { readable: "partial" } },
    );
    expect((await world.run(apply, applying)).exit).toBe(0);
    await world.write({ "steps.yaml": runbook(declared) });
    const whole = await effect();
    await withFlips("incidentctl.lock", async (at) => {
      const { writes, shown } = await effect();
      if (shown.includes("is not a lock of this program")) expect(writes, `byte ${at}`).toEqual([]);
      else if (writes.length > 0) {
        expect(writes, `byte ${at}`).toEqual([resent(declared)]);
        expect(shown, `byte ${at}`).toContain("~ runbooks/failover");
      } else if (whole.writes.length > 0)
        expect(shown, `byte ${at}`).toMatch(/Could not be compared\n +runbooks\/failover +conditions/);
    });
  },
  LONG,
);

test(
  "a file of accepted differences is refused, or each difference is accepted or planned as without the file",
  async () => {
    expect((await world.run(apply, applying)).exit).toBe(0);
    await world.send("PATCH", "/api/v1/severities/critical", { name: "Other" });
    const difference = { address: "severities/critical", until: "2026-12-31", because: "a trial" };
    const without = await effect();
    expect(without.writes).toHaveLength(1);
    expect((await world.run(accept, { paths: [], ...difference })).exit).toBe(0);
    expect((await effect()).writes).toEqual([]);
    await withFlips("incidentctl.accepted.json", async (at) => {
      const { writes, shown } = await effect();
      if (shown.includes("incidentctl.accepted.json is not valid")) expect(writes, `byte ${at}`).toEqual([]);
      else if (writes.length === 0)
        expect(shown, `byte ${at}`).toMatch(/Accepted.*\n +severities\/critical +name +until/);
      else {
        expect(writes, `byte ${at}`).toEqual(without.writes);
        expect(shown, `byte ${at}`).toMatch(/severities\/critical +name "Other" → "Worst"/);
      }
    });
  },
  LONG,
);

/** What a command would write, and what a plan shows. */
interface Effect {
  readonly writes: readonly string[];
  readonly shown: string;
}

/** The effect of the files as they are. The service refuses all writes. */
async function effect(): Promise<Effect> {
  const { stdout, stderr } = await world.run(plan, { paths: [] });
  return { writes: await refusedWrites(apply, applying), shown: stdout + stderr };
}

/** Changes single bits of a file, one after another, and calls back after each. */
async function withFlips(name: string, judge: (at: number) => Promise<void>): Promise<void> {
  const path = join(world.folder, name);
  const bytes = await readFile(path);
  for (const at of positions(bytes)) {
    await rm(join(world.folder, ".incidentctl"), { recursive: true, force: true });
    await writeFile(path, flipped(bytes, at));
    await judge(at);
  }
}

/** The request that sends the declared conditions of the runbook. */
function resent(severity: string): string {
  const conditions = [{ condition_field: "severity", operator: "one_of", values: [severity] }];
  return `PATCH http://localhost:4010/api/v1/runbooks/failover ${JSON.stringify({ conditions })}`;
}

/** Applies until the nth write, which gets no response, and returns the name of the journal. */
async function interruptAt(nth: number): Promise<string> {
  const controller = new AbortController();
  let count = 0;
  const fetch: WorldIo["fetch"] = (input, init) => {
    if (init.method === "GET" || ++count < nth) return world.io.fetch(input, init);
    controller.abort();
    return new Promise<Response>(() => {});
  };
  const differing = { clock: new VirtualClock(), interruption: () => controller.signal, fetch };
  await world.run<ApplyFlags>((one, io, console) => apply(one, { ...io, ...differing }, console), applying);
  const [name = ""] = await readdir(join(world.folder, ".incidentctl", "journals"));
  return name;
}

async function writesOfResume(folder: string, name: string, journal: Uint8Array): Promise<readonly string[]> {
  await rm(folder, { recursive: true });
  await mkdir(folder, { mode: 0o700 });
  await writeFile(join(folder, name), journal, { mode: 0o600 });
  return refusedWrites(resume, { ...applying, resolve: "resend" });
}

/** The writes of a command. The service refuses each of them, so that every command finds the same state. */
async function refusedWrites(command: Command<ApplyFlags>, options: ApplyFlags): Promise<readonly string[]> {
  const writes: string[] = [];
  const fetch: WorldIo["fetch"] = async (input, init) => {
    if (init.method === "GET") return world.io.fetch(input, init);
    writes.push(`${init.method} ${input} ${init.body ?? ""}`);
    const error = { type: "forbidden", message: "not now", request_id: "1" };
    return Response.json({ error }, { status: 403 });
  };
  const differing = { fetch, clock: new VirtualClock() };
  await world.run<ApplyFlags>((one, io, console) => command(one, { ...io, ...differing }, console), options);
  return writes;
}
