/** Every approval: the plan names it with its flag, and apply without the flag is refused for the same reason, before any write. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { runCommandLine } from "../../../src/app/cli/command-line.ts";
import type { SealedPlan } from "../../../src/plan/model/plan.ts";
import { type Ended, openWorld, type World } from "../../commands/world.ts";

const base = "version: 1\nbase_url: http://localhost:4010\n";
const settings = (more: string) => ({ "incidentctl.yaml": base + more });
const fields = (names: readonly string[]) => ({
  "fields.yaml": `custom_fields:\n${names.map((name) => `  - { slug: ${name}, name: ${name}, field_type: text }\n`).join("")}`,
});
const roles = (names: readonly string[]) => ({
  "roles.yaml": `incident_roles:\n${names.map((name) => `  - { slug: ${name}, name: ${name} }\n`).join("")}`,
});
const webhooks = (names: readonly string[]) => ({
  "webhooks.yaml": `webhooks:${names.map((name) => `\n  - { name: ${name}, url: "https://hooks.example.com/", subscribed_events: [] }`).join("")}${names.length === 0 ? " []" : ""}\n`,
});
const key = { "keys.yaml": "api_keys:\n  - { name: deploy bot, permissions: { incidents: [read] } }\n" };
const rule = (service: string) =>
  `{ conditions: [{ field: service, operator: is_one_of, value: [${service}] }], outcome: { action: drop } }`;
const source = "alert_sources:\n  - { name: Datadog, provider: datadog }\n";
const routing = (workspace: readonly string[], own: readonly string[]) => ({
  "routing.yaml": `${source}routing_rules:\n  workspace: [${workspace.map(rule).join(", ")}]\n  sources: { Datadog: [${own.map(rule).join(", ")}] }\n`,
});

interface Case {
  readonly title: string;
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
  /** Each flag of the plan once, in its order. */
  readonly flags: readonly string[];
  readonly codes: readonly string[];
}

const DELETE = "removal: { default: delete }\n";

const cases: readonly Case[] = [
  {
    title: "a deletion",
    before: webhooks(["a", "b"]),
    after: { ...settings(DELETE), ...webhooks(["a"]) },
    flags: ["--allow-delete"],
    codes: ["DELETE"],
  },
  {
    title: "more disabled resources than the limit",
    before: roles(["one", "two"]),
    after: { ...settings("removal: { default: disable }\nlimits: { max_removals: 0 }\n"), ...roles(["one"]) },
    flags: ["--max-removals 1"],
    codes: ["MAX_REMOVALS"],
  },
  {
    title: "more disabled resources that other systems call than the limit",
    before: webhooks(["a", "b"]),
    after: { ...settings("removal: { default: disable }\nlimits: { max_removals: 0 }\n"), ...webhooks(["a"]) },
    flags: ["--allow-delete", "--max-removals 1"],
    codes: ["DELETE", "MAX_REMOVALS"],
  },
  {
    title: "more removals of one kind than the limit, and of another kind as many as it allows",
    before: { ...fields(["one", "two", "three"]), ...webhooks(["a", "b", "c", "d", "e"]) },
    after: {
      ...settings(`${DELETE}limits: { max_removals: 60% }\n`),
      ...fields(["one"]),
      ...webhooks(["a"]),
    },
    flags: ["--allow-delete", "--max-removals 4"],
    codes: ["DELETE", "MAX_REMOVALS", "MAX_REMOVALS"],
  },
  {
    title: "a limit that is exceeded by the smaller of two removals",
    before: { ...fields(["one", "two", "three"]), ...webhooks([..."abcdefghijklmnopqrst"]) },
    after: {
      ...settings(`${DELETE}limits: { max_removals: 30% }\n`),
      ...fields(["one"]),
      ...webhooks([..."abcdefghijklmnop"]),
    },
    flags: ["--allow-delete", "--max-removals 4"],
    codes: ["DELETE", "MAX_REMOVALS"],
  },
  {
    title: "a routing window",
    before: routing(["web"], []),
    after: routing([], ["db", "web"]),
    flags: ["--allow-delete", "--accept-routing-window"],
    codes: ["DELETE", "ROUTING_WINDOW"],
  },
  {
    title: "a one-time token",
    before: webhooks(["a"]),
    after: { ...webhooks(["a"]), ...key },
    flags: ["--secrets-out FILE"],
    codes: ["TOKEN_SINK"],
  },
  {
    title: "all of them at once",
    before: { ...webhooks(["a", "b"]), ...routing(["web"], []) },
    after: {
      ...settings("removal: { default: keep, webhooks: delete, routing_rules: delete }\nlimits: { max_removals: 0 }\n"),
      ...webhooks(["a"]),
      ...routing([], ["db", "web"]),
      ...key,
    },
    flags: ["--allow-delete", "--max-removals 1", "--accept-routing-window", "--secrets-out FILE"],
    codes: ["DELETE", "MAX_REMOVALS", "ROUTING_WINDOW", "TOKEN_SINK"],
  },
];

/** Nothing that only the emulator has goes with the first files. */
const KEEP = "removal: { default: keep }\n";

let world: World;
afterEach(() => world.close());

/** The program with this command line, signed in. */
function program(line: string): Promise<Ended> {
  return world.run<object>((_options, io) => runCommandLine(line.split(" "), io), {});
}

async function open({ before, after }: Pick<Case, "before" | "after">): Promise<void> {
  world = await openWorld({ ...settings(KEEP), ...before });
  const first = await program("apply --yes");
  expect(first.exit, first.stdout + first.stderr).toBe(0);
  await world.write({ ...settings(KEEP), ...after });
  world.requests.length = 0;
}

const writes = () => world.requests.filter(({ method }) => method !== "GET");

/** The plan as JSON, with these flags. */
async function planned(...flags: readonly string[]): Promise<SealedPlan> {
  const { exit, stdout, stderr } = await program(["plan --format json", ...flags].join(" "));
  expect(exit, stderr).toBe(0);
  return JSON.parse(stdout);
}

describe.each(cases)("$title", (row) => {
  test("is named by the plan with its flags, and apply without them is refused with the same words", async () => {
    await open(row);
    const { blocked } = await planned();
    expect(blocked.map(({ code }) => code)).toEqual(row.codes);
    expect([...new Set(blocked.map(({ flag }) => flag))]).toEqual(row.flags);
    const refused = await program("apply --yes");
    expect(refused.exit).toBe(3);
    for (const { message } of blocked) expect(refused.stderr).toContain(message);
    for (const flag of row.flags) expect(refused.stderr).toContain(flag);
    expect(writes()).toEqual([]);
  });

  test("is refused for exactly the flag that is missing", async () => {
    await open(row);
    for (const missing of row.flags) {
      const others = row.flags.filter((flag) => flag !== missing);
      const { blocked } = await planned(...others);
      expect([...new Set(blocked.map(({ flag }) => flag))]).toEqual([missing]);
      const refused = await program(["apply --yes", ...others].join(" "));
      expect(refused.exit, missing).toBe(3);
      const [reasons = "", next = ""] = refused.stderr.split("Next: ");
      expect(reasons).toContain(missing);
      for (const other of others) expect(reasons).not.toContain(other);
      // The command is whole: it has the flags that were typed as well.
      for (const flag of row.flags) expect(next).toContain(flag);
    }
    expect(writes()).toEqual([]);
  });

  test("is cleared by the flags, which leave the rest of the plan as it is and make apply go", async () => {
    await open(row);
    const [without, with_] = [await planned(), await planned(...row.flags)];
    expect(with_.blocked).toEqual([]);
    expect(existsSync(join(world.folder, "FILE"))).toBe(false);
    const rest = ({ blocked: _blocked, seal: { hash: _hash, ...seal }, ...plan }: SealedPlan) => ({ ...plan, seal });
    expect(rest(with_)).toEqual(rest(without));
    const applied = await program(["apply --yes", ...row.flags].join(" "));
    expect(applied.exit, applied.stderr).toBe(0);
  });

  test("is named in every format, with the flags as one part of a command line", async () => {
    await open(row);
    const line = row.flags.join(" ");
    for (const format of ["text", "markdown"]) {
      expect((await program(`plan --format ${format}`)).stdout, format).toContain(line);
    }
    const page = (await program("plan --format html")).stdout;
    expect(page).toContain(`<code>incidentctl apply ${line}</code>`);
    const saved = await program("plan --out change.plan");
    expect(saved.stderr).toContain(`to apply it: incidentctl apply ${line} --plan change.plan`);
    expect((await program("show change.plan")).stdout).toContain(line);
    expect((await program(`apply --plan change.plan --yes`)).exit).toBe(3);
    expect((await program(`apply --plan change.plan --yes ${line}`)).exit).toBe(0);
  });

  test("approved at the plan is not approved at the apply", async () => {
    await open(row);
    const saved = await program(["plan --out change.plan", ...row.flags].join(" "));
    expect(saved.stderr).toContain(`to apply it: incidentctl apply ${row.flags.join(" ")} --plan change.plan`);
    expect((await program("apply --plan change.plan --yes")).exit).toBe(3);
    expect(writes()).toEqual([]);
    expect((await program(["apply --plan change.plan --yes", ...row.flags].join(" "))).exit).toBe(0);
  });

  test("fails a plan with --fail-on blocked, whatever else it is asked", async () => {
    await open(row);
    expect((await program("plan --detailed-exitcode")).exit).toBe(2);
    expect((await program("plan --fail-on blocked")).exit).toBe(3);
    expect((await program("plan --fail-on blocked --detailed-exitcode --format json")).exit).toBe(3);
    const approved = ["plan --fail-on blocked", ...row.flags].join(" ");
    expect((await program(approved)).exit).toBe(0);
    expect((await program(`${approved} --detailed-exitcode`)).exit).toBe(2);
  });
});

test("a reason without a flag blocks the plan and refuses apply, with all flags", async () => {
  const before = webhooks(["a", "b"]);
  await open({ before, after: { ...settings(`${DELETE}protected: [webhooks/b]\n`), ...webhooks(["a"]) } });
  const [first, ...others] = (await planned("--allow-delete")).blocked;
  expect(first).toMatchObject({ code: "PROTECTED", addresses: ["webhooks/b"] });
  expect(first?.flag).toBeUndefined();
  expect(others).toEqual([]);
  const refused = await program("apply --yes --allow-delete");
  expect(refused.exit).toBe(3);
  expect(refused.stderr).toContain(first?.message);
  expect((await program("plan --allow-delete --format markdown")).stdout).toContain("no flag approves");
  expect((await program("plan --allow-delete --fail-on blocked")).exit).toBe(3);
  expect(writes()).toEqual([]);
});

test("errors keep their codes with --fail-on blocked", async () => {
  const before = webhooks(["a", "b"]);
  await open({ before, after: { ...settings(DELETE), ...webhooks(["a"]) } });
  await world.write({ "webhooks.yaml": "webhooks: [{ nmae: a }]\n" });
  expect((await program("plan --fail-on blocked")).exit).toBe(1);
  await world.write(webhooks(["a"]));
  expect((await program("plan --fail-on blocked --target webhooks/zzz")).exit).toBe(1);
  expect((await program("plan --fail-on changes")).exit).toBe(64);
  expect((await program("plan --secrets-out a --secrets-exec b")).exit).toBe(64);
  expect((await program("plan --max-removals many")).exit).toBe(64);
});
