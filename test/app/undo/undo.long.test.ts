import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../../src/app/apply/apply-definition.ts";
import { drift } from "../../../src/app/drift/drift-command.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import { type Ended, openWorld, type World } from "../../commands/world.ts";
import { someOf } from "../../support/samples/sample-size.ts";

const stories = fileURLToPath(new URL("../../scenarios", import.meta.url));
/** Each file is a configuration of its own: the settings name none of them. */
const settings = "version: 1\nbase_url: http://localhost:4010\nconfig: [config]\n";
const consents = { allowDelete: true, maxRemovals: { entries: 1000 }, acceptRoutingWindow: true, yes: true };

let world: World;
afterEach(() => world.close());

function applying(paths: readonly string[], more: Partial<ApplyFlags> = {}): Promise<Ended> {
  return world.run(apply, { paths, secretsOut: "tokens", ...consents, ...more });
}

async function takenBack(run?: string): Promise<Ended> {
  const planned = await world.run(undo, { paths: ["1.yaml"], out: "undo.plan", ...(run === undefined ? {} : { run }) });
  expect(planned.exit, planned.stderr).toBe(0);
  const ended = await applying(["1.yaml"], { plan: "undo.plan" });
  expect(ended.exit, planned.stdout + ended.stdout + ended.stderr).toBe(0);
  return planned;
}

async function expectInSync(path: string): Promise<void> {
  const { exit, stdout } = await world.run(drift, { paths: [path] });
  expect(exit, stdout).toBe(0);
}

/** Stories whose second step writes something, and in which nobody else does. */
const told = readdirSync(stories).filter((name) => {
  const writes = join(stories, name, "writes-2.txt");
  return existsSync(writes) && readFileSync(writes, "utf8") !== "" && !existsSync(join(stories, name, "hand.json"));
});

describe.each(someOf(told, 5, 12))("the scenario %s", (name) => {
  test("is undone by one step, and that step by another", async () => {
    const read = (file: string) => readFileSync(join(stories, name, file), "utf8");
    const own = existsSync(join(stories, name, "incidentctl.yaml"))
      ? `${read("incidentctl.yaml")}config: [config]\n`
      : settings;
    world = await openWorld({ "incidentctl.yaml": own, "1.yaml": read("1.yaml"), "2.yaml": read("2.yaml") });
    for (const path of ["1.yaml", "2.yaml"]) {
      const { exit, stdout, stderr } = await applying([path]);
      expect(exit, stdout + stderr).toBe(0);
    }
    await takenBack();
    await expectInSync("1.yaml");
    await takenBack();
    await expectInSync("2.yaml");
  });
});

const paths = ["1.yaml"];
const first = `severities:
  - { slug: critical, name: Critical, color: "#DC143C" }
  - { slug: major, name: Major, default: true }
  - { slug: minor, name: Minor }
webhooks:
  - { name: pager, url: https://pager.example.com/hook, subscribed_events: [incident.created] }
alert_sources:
  - { name: Datadog, provider: datadog }
routing_rules:
  workspace:
    - { conditions: [{ field: service, operator: is_one_of, value: [billing] }], outcome: { action: auto_create_incident, severity: critical } }
    - { outcome: { action: auto_create_incident, severity: minor } }
`;
const second = first
  .replace("name: Critical, color", "name: Worst, color")
  .replace("#DC143C", "#000000")
  .replace("  - { slug: minor, name: Minor }\n", "  - { slug: minor, name: Minor }\n  - { slug: tiny, name: Tiny }\n")
  .replace("https://pager.example.com/hook", "https://pager.example.com/other")
  .replace("severity: minor } }", "severity: major } }");

/** Applies the first files, then the second ones: run 2 changes a severity, a webhook and a rule, and makes a severity. */
async function twoRuns(): Promise<void> {
  world = await openWorld({ "incidentctl.yaml": settings, "1.yaml": first });
  expect((await applying(paths)).exit).toBe(0);
  await world.write({ "1.yaml": second });
  expect((await applying(paths)).exit).toBe(0);
}

/** Applies the second files with a token that expires at the nth write. */
function stoppedAt(nth: number): Promise<Ended> {
  const { fetch } = world.io;
  const error = { type: "unauthorized", message: "expired", request_id: "1" };
  let count = 0;
  const expiring: World["io"] = {
    ...world.io,
    fetch: async (input, init) =>
      init.method !== "GET" && ++count === nth ? Response.json({ error }, { status: 401 }) : fetch(input, init),
  };
  const options: ApplyFlags = { paths: ["2.yaml"], secretsOut: "tokens", ...consents };
  return world.run<ApplyFlags>((given, _io, console) => apply(given, expiring, console), options);
}

function undoing(options: Partial<Parameters<typeof undo>[0]> = {}): Promise<Ended> {
  return world.run(undo, { paths, ...options });
}

describe("undo", () => {
  test("shows the changes, and only reads", async () => {
    await twoRuns();
    world.requests.length = 0;
    const { exit, stdout, stderr } = await undoing();
    expect(exit).toBe(0);
    expect(stdout).toContain('"Worst" → "Critical"');
    expect(stdout).toContain("- severities/tiny");
    expect(stdout).toMatch(/1 to delete\. /);
    expect(stderr).toMatch(/undo --run 0*2 --out undo.plan/);
    expect(world.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("preserves later changes, and reports them", async () => {
    await twoRuns();
    await world.send("PATCH", "/api/v1/severities/critical", { name: "SEV1" });
    await world.send("PATCH", "/api/v1/severities/tiny", { description: "Ours" });
    await world
      .send("POST", "/api/v1/routing_rules", { conditions: [], outcome: { action: "notify_only" } })
      .catch(() => undefined);
    const { stdout } = await undoing();
    expect(stdout).toContain("severities/critical: somebody has changed its name since, so it stays unchanged");
    expect(stdout).toContain('"#000000" → "#DC143C"');
    expect(stdout).not.toContain('"Critical"');
  });

  test("does not remove a resource that has been changed since its creation", async () => {
    await twoRuns();
    await world.send("PATCH", "/api/v1/severities/tiny", { name: "Huge", description: "Ours" });
    const { stdout } = await undoing();
    expect(stdout).toContain("severities/tiny stays: somebody has changed its name, description since it was created");
    expect(stdout).toContain("0 to delete");
  });

  test("preserves rules with later changes", async () => {
    await twoRuns();
    await world.send("DELETE", "/api/v1/routing_rules/1");
    const { stdout } = await undoing();
    expect(stdout).toContain("the routing rules of the workspace stay: somebody has changed them since");
  });

  test("says after it that the files still declare the run, and how to change them", async () => {
    await twoRuns();
    await undoing({ out: "undo.plan" });
    const { exit, stdout } = await applying(paths, { plan: "undo.plan" });
    expect(exit, stdout).toBe(0);
    expect(stdout).toContain(
      "Verified: run 0002 is undone.\nNext: unless you have changed the files, they still declare what run 0002 applied; to write the workspace into them, run incidentctl pull ",
    );
    expect(stdout).not.toContain("matches the configuration");
  });

  test("removes what was created disabled, or says why it cannot", async () => {
    world = await openWorld({ "incidentctl.yaml": settings, "1.yaml": first });
    expect((await applying(paths)).exit).toBe(0);
    const off = "slug: spare, name: Spare, enabled: false";
    const more = `${first.replace("webhooks:", `  - { ${off} }\nwebhooks:\n  - { name: quiet, url: "https://quiet.example.com/", subscribed_events: [incident.created], enabled: false }`)}incident_roles:\n  - { ${off} }\n  - { slug: incident_lead }\n`;
    await world.write({ "1.yaml": more });
    const created = await applying(paths);
    expect(created.exit, created.stdout + created.stderr).toBe(0);
    const { stdout } = await takenBack();
    expect(stdout).toContain("- severities/spare");
    expect(stdout).toContain("- webhooks/quiet");
    expect(stdout).toContain(
      "incident_roles/spare was made by run 0002 but stays disabled: unknown which incidents use it",
    );
    const rows = async (path: string) =>
      JSON.stringify(await world.send("GET", `/api/v1/${path}?include_disabled=true`));
    expect(await rows("severities")).not.toContain("spare");
    expect(await rows("webhooks")).not.toContain("quiet");
    expect((await undoing({ run: "2" })).stdout).toContain("No changes. Nothing of run 0002 is left to undo");
  });

  test("says that a created resource is disabled and not deleted, or stays by policy", async () => {
    world = await openWorld({
      "incidentctl.yaml": `${settings}removal: { webhooks: keep }\n`,
      "1.yaml": "incident_roles: []\nwebhooks: []\n",
    });
    await applying(paths);
    await world.write({
      "1.yaml":
        "incident_roles: [{ slug: scribe, name: Scribe }]\nwebhooks: [{ name: w, url: 'https://w.example.com/', subscribed_events: [incident.created] }]\n",
    });
    expect((await applying(paths)).exit).toBe(0);
    const { stdout } = await undoing();
    expect(stdout).toContain("incident_roles/scribe is disabled and not deleted: unknown which incidents use it");
    expect(stdout).toContain("webhooks/w stays: the removal policy of the settings keeps its kind");
  });

  test("restores a condition on a custom field that is not declared, though the service returns ids", async () => {
    world = await openWorld({ "incidentctl.yaml": settings }, { dialects: { condition_values: "id" } });
    await world.send("POST", "/api/v1/custom_fields", {
      name: "Region",
      field_type: "single_select",
      option_source: "fixed",
      options: ["EU", "US"],
    });
    await world.send("PATCH", "/api/v1/forms/declare", { custom_field: "region", visible: true });
    const form = (value: string) =>
      `forms:\n  declare:\n    - { system_field: summary, visible: true, required: true, conditions: [{ condition_field: custom_field, custom_field: region, operator: one_of, values: [${value}] }] }\n`;
    for (const value of ["EU", "US"]) {
      await world.write({ "1.yaml": form(value) });
      const { exit, stdout, stderr } = await applying(paths);
      expect(exit, stdout + stderr).toBe(0);
    }
    await takenBack();
    await world.write({ "1.yaml": form("EU") });
    await expectInSync("1.yaml");
  });

  test("moves a resource back between one that the run deleted and one that it created", async () => {
    const status = (slug: string, stage: string, more = "") =>
      `  - { slug: ${slug}, name: ${slug}, lifecycle_stage: ${stage}${more} }\n`;
    const [off, old, open, shut, fresh, late] = [
      status("off", "canceled"),
      status("old", "triage"),
      status("open", "active", ", default: true"),
      status("shut", "closed"),
      status("fresh", "triage"),
      status("late", "active"),
    ];
    world = await openWorld({ "incidentctl.yaml": settings, "1.yaml": `statuses:\n${off}${old}${open}${shut}` });
    expect((await applying(paths)).exit).toBe(0);
    await world.write({ "1.yaml": `statuses:\n${open}${shut}${fresh}${off}${late}` });
    expect((await applying(paths)).exit).toBe(0);
    expect((await takenBack()).stdout).not.toContain("somebody has changed");
    const { statuses } = (await world.send("GET", "/api/v1/statuses")) as { statuses: readonly { slug: string }[] };
    expect(statuses.map(({ slug }) => slug)).toEqual(["off", "old", "open", "shut"]);
  });

  test("does not remove a resource that the files protect", async () => {
    await twoRuns();
    await world.write({ "1.yaml": second.replace("name: Tiny }", "name: Tiny, protected: true }") });
    await undoing({ out: "undo.plan" });
    const ended = await applying(paths, { plan: "undo.plan" });
    expect(ended.exit).toBe(3);
    expect(ended.stderr).toContain("severities/tiny is protected and cannot be removed, disabled or replaced");
  });

  test("does nothing the second time", async () => {
    await twoRuns();
    await takenBack("2");
    const { stdout } = await undoing({ run: "2" });
    expect(stdout).toContain("No changes.");
  });

  test("undoes a run that stopped before its first write", { timeout: 60_000 }, async () => {
    for (let stop = 2; ; stop++) {
      world = await openWorld({ "incidentctl.yaml": settings, "1.yaml": first, "2.yaml": second });
      expect((await applying(paths)).exit).toBe(0);
      const stopped = await stoppedAt(stop);
      if (stopped.exit === 0) break;
      expect(stopped.exit).toBe(4);
      await takenBack();
      await expectInSync("1.yaml");
      await world.close();
    }
  });

  test("creates an agent again with its grants, each once, and reports the new token", async () => {
    const agents =
      "agents:\n  - slug: scribe\n    name: Scribe\n    grants: [{ ability: incidents.read }, { ability: incidents.update }]\n";
    world = await openWorld({ "incidentctl.yaml": settings, "1.yaml": agents, "2.yaml": "agents: []\n" });
    for (const path of ["1.yaml", "2.yaml"]) expect((await applying([path])).exit).toBe(0);
    const { stdout } = await takenBack();
    expect(stdout).toContain("agents/scribe is created again with a new token");
    await expectInSync("1.yaml");
  });

  test("lists the runs", async () => {
    await twoRuns();
    await takenBack();
    const { stdout } = await undoing({ list: true });
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(
      /^0003 {2}2026-11-21T08:00:00.000Z {2}finished, (\d) of \1 operations done, undoes run 0002$/,
    );
    const record = JSON.parse((await undoing({ list: true, format: "json" })).stdout);
    expect(record.runs.map(({ run, open }: { run: string; open: number }) => [run, open])).toEqual([
      ["0003", 0],
      ["0002", 0],
      ["0001", 0],
    ]);
  });

  test("of an unknown run, or without one, is an error", async () => {
    world = await openWorld({ "incidentctl.yaml": settings, "1.yaml": first });
    expect(await undoing()).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining("there is no run that wrote to this service"),
    });
    expect(await undoing({ list: true })).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining("No runs in"),
    });
    expect((await undoing({ run: "last" })).exit).toBe(64);
    expect((await undoing({ run: "1", list: true })).exit).toBe(64);
    await applying(paths);
    expect(await undoing({ run: "7" })).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining("there is no run 7"),
    });
  });

  test("a saved undo is bound to its journal, its workspace and its text", async () => {
    await twoRuns();
    await undoing({ out: "undo.plan" });
    const text = readFileSync(join(world.folder, "undo.plan"), "utf8");
    await world.write({ "bent.plan": text.replace('"Critical"', '"Criminal"') });
    expect((await applying(paths, { plan: "bent.plan" })).exit).toBe(5);
    await world.write({ "other.plan": text.replace('"undoes": "0002"', '"undoes": "0001"') });
    expect((await applying(paths, { plan: "other.plan" })).exit).toBe(5);
    const writes = world.requests.filter(({ method }) => method !== "GET").length;
    const moved = await openWorld({ "incidentctl.yaml": settings, "1.yaml": second, "undo.plan": text });
    const elsewhere = await moved.run(apply, { paths, ...consents, plan: "undo.plan" });
    expect(elsewhere.exit).toBe(5);
    expect(elsewhere.stderr).toContain("whose journal is not here");
    await moved.close();
    await world.send("PATCH", "/api/v1/severities/critical", { name: "SEV1" });
    expect((await applying(paths, { plan: "undo.plan" })).exit).toBe(5);
    expect(world.requests.filter(({ method }) => method !== "GET")).toHaveLength(writes);
  });

  test("stores no secret: values from the environment stay unchanged, and are in neither journal nor plan", async () => {
    const canary = "https://pager.example.com/s3cr3t-canary";
    world = await openWorld({ "incidentctl.yaml": settings, "1.yaml": first });
    await applying(paths);
    await world.write({ "1.yaml": first.replace("https://pager.example.com/hook", `"\${env:PAGER}"`) });
    world.io.env.PAGER = canary;
    expect((await applying(paths)).exit).toBe(0);
    world.io.env.PAGER = "https://pager.example.com/next";
    expect((await applying(paths)).exit).toBe(0);
    const folder = join(world.folder, ".incidentctl", "journals");
    const kept = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
    expect(kept).toHaveLength(3);
    expect(kept.join()).not.toContain("canary");
    const { stdout } = await undoing();
    expect(stdout).toContain("webhooks/pager: its url is secret and was not recorded, so it stays unchanged");
  });
});
