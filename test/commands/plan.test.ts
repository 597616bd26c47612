import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { drift } from "../../src/app/drift/drift-command.ts";
import type { DriftOptions } from "../../src/app/drift/drift-definition.ts";
import { validate } from "../../src/app/files/validate-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import type { PlanFlags } from "../../src/app/plan/plan-definition.ts";
import { show } from "../../src/app/plan/show-command.ts";
import { validPlan } from "../../src/app/saved-plan/valid-plan.ts";
import { openWorld, type World } from "./world.ts";

const files = {
  "incidentctl.yaml": "version: 1\nbase_url: http://localhost:4010\n",
  "severities.yaml": `severities:
  - { slug: critical, name: Critical, color: "#DC143C" }
  - { slug: major, name: Major, default: true }
  - { slug: minor, name: Minor }
`,
  "fields.yaml": `custom_fields:
  - { slug: region, name: Region, field_type: single_select, options: [EU, North America] }
`,
};
const paths: readonly string[] = [];
let world: World;

beforeEach(async () => {
  world = await openWorld(files);
});
afterEach(() => world.close());

test("a plan is shown, reads only, and leaves no token in the environment", async () => {
  const { exit, stdout, stderr } = await world.run(plan, { paths });
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  expect(stdout).toContain("  + custom_fields/region\n");
  expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/^Plan: 1 to create, \d to update, .* requests\.$/);
  expect(new Set(world.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
  expect(world.io.env.INCIDENTCTL_TOKEN).toBeUndefined();
  expect(world.io.env.INCIDENTCTL_ADMIN_TOKEN).toBeUndefined();
});

test("the last line of a report names files beside the settings that nothing reads, also where nothing changes", async () => {
  await world.close();
  const settings = "version: 1\nbase_url: http://localhost:4010\nconfig: [config]\n";
  world = await openWorld({
    "incidentctl.yaml": settings,
    "config/severities.yaml": files["severities.yaml"],
    "fields.yaml": files["fields.yaml"],
    "webhooks.yml": "webhooks: []\n",
  });
  const unread = "2 files were not read: fields.yaml and webhooks.yml (W_UNREAD_FILE).";
  const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1) ?? "";
  const changes = await world.run(plan, { paths, report: [{ format: "json", path: "plan.json" }] });
  expect(lastLine(changes.stdout)).toMatch(/^Plan: .* requests\. 2 files were not read/);
  const applied = await world.run(apply, { paths, yes: true, allowDelete: true });
  expect(applied.stdout).toContain(unread);

  const report = [
    { format: "json", path: "plan.json" },
    { format: "html", path: "plan.html" },
  ] as const;
  const empty = await world.run(plan, { paths, detailedExitcode: true, report });
  expect(empty.exit).toBe(0);
  expect(lastLine(empty.stdout)).toBe(`No changes. The workspace matches what the files declare. ${unread}`);
  expect(await readFile(join(world.folder, "plan.html"), "utf8")).toContain(unread);
  expect(await readFile(join(world.folder, "plan.json"), "utf8")).not.toContain("not read");
  expect((await world.run(plan, { paths, format: "markdown" })).stdout).toContain(
    "> 2 files were not read: `fields.yaml` and `webhooks.yml` (`W_UNREAD_FILE`).\n",
  );
  expect(lastLine((await world.run(drift, { paths })).stdout)).toBe(
    `No drift. The workspace matches what the files declare. ${unread}`,
  );
});

test.each([
  [403, 0, "a kind that nobody manages and this token may not see is left unread"],
  [401, 6, "a token that is refused as such ends the plan, whatever was asked"],
])("status %i, exit code %i: %s", async (status, exit) => {
  await world.write({ "severities.yaml": files["severities.yaml"].replace(/ {2}- \{ slug: minor.*\n/, "") });
  const fetch = world.io.fetch;
  const error = { type: "refused", message: "No.", request_id: "req-9" };
  const refusing: World["io"] = {
    ...world.io,
    fetch: (input, init) =>
      input.endsWith("/runbooks") ? Promise.resolve(Response.json({ error }, { status })) : fetch(input, init),
  };
  const ended = await world.run<PlanFlags>((options, _io, console) => plan(options, refusing, console), { paths });
  expect(ended.exit).toBe(exit);
  if (exit !== 0) expect(ended.stderr).toContain("runbooks cannot be read: 401 ");
});

test("without an administrator's token --without-admin leaves its kinds unread, and the plan says that it is partial", async () => {
  const asService: World["run"] = (command, options) =>
    world.run((flags: typeof options, io, console) => {
      delete io.env.INCIDENTCTL_ADMIN_TOKEN;
      return command(flags, io, console);
    }, options);
  const whole = await asService<PlanFlags>(plan, { paths, withoutAdmin: true });
  expect(whole).toMatchObject({ exit: 0, stderr: "" });
  expect(whole.stdout).not.toContain("partial");

  await world.write({ "agents.yaml": "agents:\n  - { slug: bot, name: Bot, grants: [] }\n" });
  expect((await asService<PlanFlags>(plan, { paths })).exit).toBe(6);
  world.requests.length = 0;
  const partial = await asService<PlanFlags>(plan, { paths, withoutAdmin: true, out: "change.plan" });
  expect(partial.exit).toBe(0);
  expect(partial.stdout).toContain("This plan is partial: --exclude agents.");
  expect(partial.stdout).toContain("  + custom_fields/region\n");
  expect(world.requests.filter(({ url }) => url.includes("/agents"))).toEqual([]);
  const differs = await asService<DriftOptions>(drift, { paths, withoutAdmin: true });
  expect(differs).toMatchObject({ exit: 2, stdout: expect.stringContaining("--exclude agents") });
  expect((await asService<DriftOptions>(drift, { paths })).stderr).toContain("drift and rehearse leave them out");
  // It is applied as it was made, by whoever has more rights.
  expect((await world.run(apply, { paths, plan: "change.plan", yes: true, allowDelete: true })).exit).toBe(0);
  expect((await world.run(plan, { paths, detailedExitcode: true, secretsOut: "tokens" })).stdout).toMatch(
    /1 to create/,
  );
});

test("with --detailed-exitcode changes are exit code 2", async () => {
  expect((await world.run(plan, { paths, detailedExitcode: true })).exit).toBe(2);
});

test("the JSON plan is the same bytes each time", async () => {
  const first = await world.run(plan, { paths, format: "json" });
  const second = await world.run(plan, { paths, format: "json" });
  expect(await validPlan(JSON.parse(first.stdout))).toBeDefined();
  expect(second.stdout).toBe(first.stdout);
});

test("the JSON plan is the same bytes for any order of lists without order", async () => {
  for (const name of ["pager", "chat", "archive", "chat"]) {
    await world.send("POST", "/api/v1/webhooks", { name, url: `https://hooks.example/${name}`, subscribed_events: [] });
  }
  await world.write({ "webhooks.yaml": "webhooks: []\n" });
  const first = await world.run(plan, { paths, format: "json" });
  const { fetch } = world.io;
  const reversed: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (!input.includes("/webhooks")) return answer;
    const { webhooks } = (await answer.json()) as { readonly webhooks: readonly unknown[] };
    return Response.json({ webhooks: webhooks.toReversed() });
  };
  Object.assign(world.io, { fetch: reversed });
  const second = await world.run(plan, { paths, format: "json" });
  expect(JSON.parse(first.stdout).summary.delete).toBe(4);
  expect(second.stdout).toBe(first.stdout);
});

test("incidents are counted for removals, not for disabled resources", async () => {
  await world.send("POST", "/api/v1/severities", { name: "Going" });
  await world.send("POST", "/api/v1/severities", { name: "Retired" });
  await world.send("PATCH", "/api/v1/severities/retired", { enabled: false });
  await world.run(plan, { paths });
  expect(world.requests.filter(({ url }) => url.includes("/incidents?"))).toHaveLength(1);
});

test("a saved plan without changes has nothing to apply", async () => {
  const empty = join(world.folder, "empty");
  await mkdir(empty);
  await writeFile(join(empty, "a.yaml"), "webhooks: []\n");
  const planned = await world.run(plan, { paths: [empty], out: "empty.plan" });
  expect(planned).toMatchObject({ exit: 0, stderr: 'saved as "empty.plan"; there is nothing to apply\n' });
});

test("the page of a saved plan says which pictures it cannot have, and how to get them", async () => {
  const missing = "A saved plan does not hold the live state.";
  const planned = await world.run(plan, { paths, out: "change.plan", format: "html" });
  expect(planned.stdout).not.toContain(missing);
  const shown = await world.run(show, { planfile: "change.plan", format: "html" });
  expect(shown.stdout).toContain(missing);
  expect(shown.stdout).toContain("incidentctl plan --report html=plan.html");
});

test("a saved plan is private, and show renders it as plan does", async () => {
  const planned = await world.run(plan, { paths, out: "change.plan" });
  expect(planned.stderr).toContain("incidentctl apply --plan");
  expect((await stat(join(world.folder, "change.plan"))).mode & 0o777).toBe(0o600);
  const shown = await world.run(show, { planfile: "change.plan" });
  expect(shown).toEqual({ exit: 0, stdout: planned.stdout, stderr: "" });
  const json = await world.run(show, { planfile: "change.plan", format: "json" });
  expect(json.stdout).toBe(await readFile(join(world.folder, "change.plan"), "utf8"));
});

test("reports go to files besides the output", async () => {
  const report = [
    { format: "json", path: "plan.json" },
    { format: "text", path: "plan.txt" },
  ] as const;
  const { stdout } = await world.run(plan, { paths, report });
  expect(await readFile(join(world.folder, "plan.txt"), "utf8")).toBe(stdout);
  expect(await validPlan(JSON.parse(await readFile(join(world.folder, "plan.json"), "utf8")))).toBeDefined();
});

test("a narrowed plan says that it is partial", async () => {
  const { stdout } = await world.run(plan, { paths, kinds: "severities" });
  expect(stdout).not.toContain("custom_fields");
  expect(stdout).toContain("This plan is partial: --kinds severities.");
  const excluded = await world.run(plan, { paths, exclude: ["custom_fields/region"] });
  expect(excluded.stdout).toContain("This plan is partial: --exclude custom_fields/region.");
});

test("--kinds and --target without a match are a usage error", async () => {
  expect((await world.run(plan, { paths, kinds: "colors" })).exit).toBe(64);
  expect((await world.run(plan, { paths, target: ["critical"] })).exit).toBe(64);
});

test("an invalid configuration is reported with its position, and nothing is sent", async () => {
  await world.write({ "severities.yaml": "severities:\n  - { slug: critical, nmae: Critical }\n" });
  for (const run of [
    () => world.run(plan, { paths }),
    () => world.run(drift, { paths }),
    () => world.run(validate, { paths }),
  ]) {
    const { exit, stdout, stderr } = await run();
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
    expect(stderr).toMatch(/severities\.yaml:2:\d+/);
  }
  expect(world.requests).toEqual([]);
});

test("validate needs no network and no token, and counts the resources", async () => {
  const { exit, stdout } = await world.run(validate, { paths });
  expect({ exit, stdout }).toEqual({ exit: 0, stdout: "The configuration is valid: 4 resources in 2 kinds.\n" });
  expect(world.requests).toEqual([]);
});

test.each([
  ["severities/critcal", 'did you mean "severities/critical"?'],
  ["webhooks/pager", "run the plan without it to see the addresses"],
])("a plan for --target %s, without a match, is an error and not an empty plan", async (target, help) => {
  const { exit, stdout, stderr } = await world.run(plan, { paths, target: [target] });
  expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
  expect(stderr).toContain(`--target "${target}" matches no resource that these files manage; ${help}`);
});

test("a plan leaves out excluded resources, and an exclusion without a match is an error", async () => {
  expect((await world.run(plan, { paths, exclude: ["severities/critcal"] })).exit).toBe(1);
  expect((await world.run(plan, { paths, exclude: ["severities/critical", "webhooks/pager"] })).exit).toBe(0);
  expect((await world.run(plan, { paths, target: ["severities/critical"] })).exit).toBe(0);
});

test("drift exits with 2, and with 0 if there is none", async () => {
  await world.write({
    "fields.yaml": "webhooks: []\n",
    "severities.yaml": "severities:\n  - { slug: critical, name: Critical }\n",
  });
  await world.write({ "incidentctl.yaml": `${files["incidentctl.yaml"]}removal: { default: keep }\n` });
  const clean = await world.run(drift, { paths: ["severities.yaml"] });
  expect(clean).toMatchObject({ exit: 0, stderr: "" });
  expect(clean.stdout).toContain("No drift. ");
  await world.send("PATCH", "/api/v1/severities/critical", { name: "Sev 1" });
  const drifted = await world.run(drift, { paths: ["severities.yaml"] });
  expect(drifted.exit).toBe(2);
  expect(drifted.stdout).toContain('severities/critical  name in the files: "Critical"; in the workspace: "Sev 1"');
  expect(drifted.stdout).toContain("Drift: 1 differs.");
  expect(new Set(world.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
});

test("a file without a plan cannot be shown", async () => {
  await world.write({ "not.json": "{", "other.json": "{}" });
  for (const planfile of ["not.json", "other.json", "missing.json"]) {
    expect((await world.run(show, { planfile })).exit).toBe(1);
  }
});

test("a plan has the last values of what it deletes, without those that may be secret, once in every format", async () => {
  const webhook = {
    name: "pager",
    url: "https://hooks.example.com/T0/s3cr3t-path",
    subscribed_events: ["incident.created"],
  };
  await world.send("POST", "/api/v1/webhooks", webhook);
  await world.write({
    "webhooks.yaml": "webhooks: []\n",
    "severities.yaml": files["severities.yaml"].replace(/ {2}- \{ slug: minor.*\n/, ""),
    "incidentctl.yaml": `${files["incidentctl.yaml"]}removal: { webhooks: delete }\n`,
  });
  const { stdout } = await world.run(plan, { paths, format: "json" });
  const { changes } = JSON.parse(stdout);
  const values = (address: string) => changes.find((change: { address: string }) => change.address === address)?.values;
  expect(values("webhooks/pager")).toEqual({
    name: "pager",
    url: "(secret)",
    subscribed_events: ["incident.created"],
    enabled: true,
  });
  expect(values("severities/minor")).toMatchObject({ slug: "minor", name: "Minor" });
  expect(changes.filter((change: { values?: object }) => change.values !== undefined)).toHaveLength(
    changes.filter((change: { action: string }) => change.action === "delete").length,
  );
  expect(await validPlan(JSON.parse(stdout))).toBeDefined();
  for (const format of ["text", "markdown", "html"] as const) {
    const shown = await world.run(plan, { paths, format });
    expect(shown.stdout.split("incident.created")).toHaveLength(2);
    expect(stdout + shown.stdout).not.toContain("s3cr3t-path");
  }
});
