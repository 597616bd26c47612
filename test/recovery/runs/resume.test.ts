import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../../src/app/apply/apply-definition.ts";
import { resume } from "../../../src/app/apply/resume-command.ts";
import type { ResumeOptions } from "../../../src/app/apply/resume-definition.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { type Command, type Ended, lostWrite, openWorld, type World, type WorldIo } from "../../commands/world.ts";
import { VirtualClock } from "../../service/virtual-clock.ts";
import { failingSyncs, MemoryDisk } from "../../support/memory-disk.ts";
import { journalFolder, journalsOf, rowsOf, runWithin, SETTINGS, SEVERITIES, writesOf } from "./interrupted.ts";

const files = {
  "incidentctl.yaml": SETTINGS,
  "severities.yaml": SEVERITIES,
  "fields.yaml": `custom_fields:
  - { slug: region, name: Region, field_type: single_select, options: [EU, North America] }
`,
};
const paths: readonly string[] = [];
const yes: ApplyFlags = { paths, yes: true };
const again: ResumeOptions = { paths };
let world: World;

beforeEach(async () => {
  world = await openWorld(files);
});
afterEach(() => world.close());

function within<Options extends object>(
  differing: Partial<WorldIo>,
  command: Command<Options>,
  options: Options,
): Promise<Ended> {
  return runWithin(world, command, options, differing);
}

const lostAt = (nth: number, committed: boolean) => lostWrite(world, nth, committed);

const writes = () => writesOf(world);
const journals = () => journalsOf(world);

async function names(kind: string): Promise<readonly string[]> {
  return (await rowsOf(world, kind)).map(({ name }) => String(name));
}

describe("a run interrupted during a request", () => {
  test.each([
    ["was carried out", 1, true],
    ["was not carried out", 1, false],
    ["was carried out", 4, true],
    ["was not carried out", 4, false],
  ])("is finished by resume: the write %s (write %d)", async (_how, nth, committed) => {
    const stopped = await within(lostAt(nth, committed), apply, yes);
    expect(stopped.exit).toBe(130);
    expect(stopped.stdout).toContain("1 unknown");
    expect(stopped.stdout).toMatch(/^Journal: \.incidentctl\/journals\/0001\.[0-9a-f]{8}\.unfinished$/m);
    expect(await journals()).toEqual(["0001.unfinished"]);
    expect((await world.run(plan, { paths })).stderr).toContain("finish it with incidentctl resume");
    const before = writes().length;
    const resumed = await within({}, resume, again);
    expect(resumed.stderr).toContain("the outcome of 1 operation is unknown");
    expect(resumed.stderr).toContain(committed ? "was carried out" : "was not carried out");
    expect(resumed.exit, resumed.stderr + resumed.stdout).toBe(0);
    expect(resumed.stdout).toContain("Verified: the workspace");
    expect(writes()).toHaveLength(before + 4 - (committed ? nth : nth - 1));
    expect(await names("severities")).toEqual(["Worst", "Bad", "Small"]);
    expect(await names("custom_fields")).toEqual(["Region"]);
    expect(await journals()).toEqual(["0001.journal"]);
    const nothing = await world.run(resume, again);
    expect(nothing).toEqual({ exit: 0, stdout: "", stderr: "Nothing to resume.\n" });
  });

  test.each([
    ["resume", resume],
    ["apply", apply],
  ] as const)("counts for the minute in which %s follows", async (_name, command) => {
    await within(lostAt(4, true), apply, yes);
    const clock = new VirtualClock();
    const { fetch } = world.io;
    const times: number[] = [];
    const differing: Partial<WorldIo> = {
      clock,
      fetch: (input, init) => {
        times.push(clock.now());
        return fetch(input, init);
      },
    };
    const { exit } = await within<ApplyFlags>(differing, command as Command<ApplyFlags>, { ...yes, rate: 10 });
    expect(exit).toBe(0);
    // Of ten requests a minute, four checks and four writes are spent.
    expect(times.filter((time) => time <= 60_000)).toHaveLength(2);
  });

  test("is resolved by the next apply, which makes a new plan", async () => {
    await within(lostAt(2, true), apply, yes);
    const { exit, stderr, stdout } = await world.run(apply, yes);
    expect(stderr).toContain("An earlier run was interrupted");
    expect(stderr).toContain("was carried out");
    expect(stdout).toContain("2 of 2 operations done");
    expect(exit).toBe(0);
    expect(await journals()).toEqual(["0001.journal", "0002.journal"]);
  });

  test("is not finished if the files have changed, but its request is resolved", async () => {
    await within(lostAt(2, true), apply, yes);
    await world.write({ "fields.yaml": files["fields.yaml"].replace("EU", "Europe") });
    const before = writes().length;
    const { exit, stderr } = await world.run(resume, again);
    expect(exit).toBe(5);
    expect(stderr).toContain("was carried out");
    expect(stderr).toContain("plan again");
    expect(writes()).toHaveLength(before);
    expect(await journals()).toEqual(["0001.journal"]);
    expect((await world.run(apply, yes)).exit).toBe(0);
  });

  test("says on the page of the rest which pictures it cannot have", async () => {
    await within(lostAt(3, false), apply, yes);
    const { exit, stdout } = await within({}, resume, { ...again, format: "html" });
    expect(exit).toBe(0);
    expect(stdout).toContain("a continued run does not know the state before it");
  });

  test("writes nothing over what somebody has changed since, and the next plan shows it", async () => {
    await world.run(plan, { paths, out: "change.plan" });
    await within(lostAt(1, false), apply, { ...yes, plan: "change.plan" });
    await world.send("PATCH", "/api/v1/severities/critical", { name: "Edited by hand" });
    const before = writes().length;
    const { exit, stderr } = await within({}, apply, { ...yes, plan: "change.plan" });
    expect(stderr).toContain("somebody has changed severities/critical since; nothing more was written; plan again");
    expect(exit).toBe(5);
    expect(writes()).toHaveLength(before);
  });

  test("continues if its saved plan is applied again", async () => {
    await world.run(plan, { paths, out: "change.plan" });
    await within(lostAt(3, false), apply, { ...yes, plan: "change.plan" });
    const { exit, stderr } = await within({}, apply, { ...yes, plan: "change.plan" });
    expect(stderr).toContain("Continuing: 2 of 4 operations of run 0001 remain.");
    expect(stderr.match(/^\[[12]\/4\] .*: done before the interruption$/gm)).toHaveLength(2);
    expect(stderr.match(/^\[[34]\/4\] .*: done$/gm)).toHaveLength(2);
    expect(exit).toBe(0);
    expect((await world.run(apply, { ...yes, plan: "change.plan" })).exit).toBe(5);
  });

  test("continues so if a value from the environment occurs in its slugs", async () => {
    world.io.env.PART = "critical";
    await world.write({ "roles.yaml": `incident_roles:\n  - { slug: scribe, name: "The \${env:PART} one" }\n` });
    await world.run(plan, { paths, out: "change.plan" });
    await within(lostAt(3, false), apply, { ...yes, plan: "change.plan" });
    const { exit, stderr } = await within({}, apply, { ...yes, plan: "change.plan" });
    expect(stderr).toContain("Continuing: ");
    expect(exit, stderr).toBe(0);
    expect(await names("severities")).toContain("Worst");
  });

  test("stays uncertain while a creation may still arrive", async () => {
    await world.close();
    let time = Date.parse("2026-11-21T08:00:00Z");
    const webhooks =
      "webhooks:\n  - { name: pager, url: https://pager.example.com/hook, subscribed_events: [incident.created] }\n";
    world = await openWorld(
      { "incidentctl.yaml": files["incidentctl.yaml"], "webhooks.yaml": webhooks },
      { now: () => new Date(time) },
    );
    await within(lostAt(1, false), apply, yes);
    for (const command of [resume, apply]) {
      const { exit, stderr } = await within({}, command, yes);
      expect(exit).toBe(4);
      expect(stderr).toContain("it has no visible effect, but may still take effect");
      expect(stderr).toContain("Journal: .incidentctl/journals/0001.");
    }
    expect(await journals()).toEqual(["0001.unfinished"]);
    time += 121_000;
    const { exit, stderr, stdout } = await within({}, apply, yes);
    expect(stderr).toContain("was not carried out");
    expect(exit, stdout).toBe(0);
    expect(await names("webhooks")).toEqual(["pager"]);
    expect(await journals()).toEqual(["0001.journal", "0002.journal"]);
  });

  test("is retried if the user knows that the request failed", async () => {
    const webhooks =
      "webhooks:\n  - { name: pager, url: https://pager.example.com/hook, subscribed_events: [incident.created] }\n";
    await world.write({ "webhooks.yaml": webhooks });
    await within(lostAt(5, false), apply, yes);
    const { exit, stderr } = await within({}, resume, { ...yes, resolve: "resend" });
    expect(stderr).toContain("was not carried out");
    expect(exit).toBe(0);
    expect(await names("webhooks")).toEqual(["pager"]);
  });

  test("is not touched by a plan for another workspace with the same URL", async () => {
    await within(lostAt(2, true), apply, yes);
    const other = await openWorld({});
    const { exit, stderr } = await within(
      { fetch: other.io.fetch, env: { ...other.io.env, INCIDENTCTL_TOKEN: other.emulator.serviceToken } },
      apply,
      yes,
    );
    expect(stderr).toContain("is about another workspace at the same address");
    expect(exit).toBe(0);
    expect(await journals()).toContain("0001.unfinished");
    await other.close();
  });
});

test("a run whose token expired is finished with a new one", async () => {
  const { fetch } = world.io;
  let count = 0;
  const expiring: Partial<WorldIo> = {
    fetch: (input, init) => {
      if (init.method !== "GET" && ++count === 3) {
        return Promise.resolve(
          Response.json({ error: { type: "unauthorized", message: "expired", request_id: "1" } }, { status: 401 }),
        );
      }
      return fetch(input, init);
    },
  };
  const stopped = await within(expiring, apply, yes);
  expect(stopped.exit).toBe(4);
  expect(stopped.stdout).toMatch(/^Journal: /m);
  const { exit, stdout } = await world.run(resume, again);
  expect(exit).toBe(0);
  expect(stdout).toContain("4 of 4 operations done");
});

test("a request that waited for an approval is sent again with the same bytes", async () => {
  const { fetch } = world.io;
  const bodies: (string | undefined)[] = [];
  const approvals: (string | undefined)[] = [];
  const approving = (approved: boolean): Partial<WorldIo> => ({
    fetch: (input, init) => {
      if (init.method !== "POST" || !input.includes("/custom_fields")) return fetch(input, init);
      bodies.push(init.body);
      approvals.push(init.headers["x-approval-id"]);
      const error = { type: "approval_required", message: "An admin has to agree" };
      const pending = { error, approval_id: "ap_1", approval_status: "pending" };
      return approved ? fetch(input, init) : Promise.resolve(Response.json(pending, { status: 202 }));
    },
  });
  const waiting = await within(approving(false), apply, yes);
  expect(waiting.exit).toBe(4);
  expect(waiting.stdout).toContain("ap_1");
  expect(waiting.stdout).toContain("run incidentctl resume");
  expect((await within(approving(false), resume, again)).exit).toBe(4);
  const { exit, stdout } = await within(approving(true), resume, again);
  expect(exit, stdout).toBe(0);
  expect(stdout).toContain("4 of 4 operations done");
  expect(bodies).toHaveLength(3);
  expect(new Set(bodies).size).toBe(1);
  expect(approvals).toEqual([undefined, "ap_1", "ap_1"]);
  expect(await names("custom_fields")).toEqual(["Region"]);
});

describe("the journal", () => {
  test("must be durable before the first write", async () => {
    for (let syncs = 0; syncs < 6; syncs++) {
      const disk = new MemoryDisk(failingSyncs(syncs));
      const { exit, stderr } = await within({ disk }, apply, yes);
      if (exit === 4) break;
      expect(exit).toBe(1);
      expect(stderr).toMatch(/^error: (cannot keep journals in|cannot write the journal)/m);
      expect(writes()).toEqual([]);
    }
    expect(writes().length).toBeLessThanOrEqual(1);
  });

  test("that is damaged is reported with the position, and nothing is written", async () => {
    await within(lostAt(2, true), apply, yes);
    const folder = journalFolder(world);
    const [name = ""] = await readdir(folder);
    const text = await readFile(join(folder, name), "utf8");
    await writeFile(join(folder, name), text.replace("severities", "severitied"));
    const before = writes().length;
    const { exit, stderr } = await world.run(apply, yes);
    expect(exit).toBe(1);
    expect(stderr).toContain("the record at byte 0 is damaged: its checksum is wrong");
    expect(writes()).toHaveLength(before);
  });

  test("that was cut off in its first record does not count", async () => {
    await world.run(apply, yes);
    await world.write({ "fields.yaml": files["fields.yaml"].replace("EU", "Europe") });
    const folder = journalFolder(world);
    const [name = ""] = await readdir(folder);
    const text = await readFile(join(folder, name), "utf8");
    const torn = name.replace("0001", "0002").replace("journal", "unfinished");
    await writeFile(join(folder, torn), text.slice(0, 500), { mode: 0o600 });
    expect((await world.run(resume, again)).stderr).toContain("Nothing to resume");
    expect((await world.run(apply, { ...yes, allowDelete: true })).exit).toBe(0);
    expect(await journals()).toEqual(["0001.journal", "0002.journal"]);
  });

  test("is in the JSON outcome", async () => {
    const { stdout } = await world.run(apply, { ...yes, format: "json" });
    expect(JSON.parse(stdout).journal).toMatch(/^\.incidentctl\/journals\/0001\.[0-9a-f]{8}\.journal$/);
  });

  test("is not needed: without the folder of the last run everything works", async () => {
    await within(lostAt(2, true), apply, yes);
    await rm(join(world.folder, ".incidentctl"), { recursive: true });
    expect((await world.run(apply, yes)).exit).toBe(0);
  });

  test("an empty plan writes none", async () => {
    await world.run(apply, yes);
    await rm(join(world.folder, ".incidentctl"), { recursive: true });
    expect((await world.run(apply, yes)).exit).toBe(0);
    await expect(journals()).rejects.toThrow("ENOENT");
  });
});

test("a plan made before another run is not applied after it", async () => {
  const answering: Partial<WorldIo> = {
    ask: async () => {
      expect((await world.run(apply, yes)).exit).toBe(0);
      return "yes";
    },
  };
  const { exit, stderr } = await within(answering, apply, { paths });
  expect(stderr).toContain("another run has written since this plan was made");
  expect(exit).toBe(5);
});

test("a run is resumed although a value from the environment is also the name and part of the slug of another resource", async () => {
  const words = "severities:\n  - { slug: major, name: Bad, default: true }\n";
  await world.write({
    "severities.yaml": `${words}  - { slug: critical, name: Worst, description: "\${env:WORD}" }\n  - { slug: outage_of_everything, name: Outage of everything }\n`,
  });
  Object.assign(world.io.env, { WORD: "of_everything" });
  const lost = await within(lostAt(2, true), apply, { ...yes, allowDelete: true });
  expect(lost.exit).toBe(130);
  const unapproved = await within({}, resume, { ...yes });
  expect(unapproved.exit, unapproved.stderr).toBe(3);
  expect(unapproved.stderr).toContain("the plan deletes 1 resource (severities/minor); requires --allow-delete");
  const resumed = await within({}, resume, { ...yes, allowDelete: true });
  expect(resumed.exit, resumed.stderr).toBe(0);
  const folder = journalFolder(world);
  for (const name of await readdir(folder))
    expect((await readFile(join(folder, name), "utf8")).replaceAll("outage_of_everything", "")).not.toContain(
      "of_everything",
    );
  expect((await world.run(plan, { paths, detailedExitcode: true })).exit).toBe(0);
});
