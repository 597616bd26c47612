import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { drift } from "../../src/app/drift/drift-command.ts";
import { fmt } from "../../src/app/files/fmt-command.ts";
import { validate } from "../../src/app/files/validate-command.ts";
import { diff } from "../../src/app/plan/diff-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import type { PlanFlags } from "../../src/app/plan/plan-definition.ts";
import { test as runTests } from "../../src/app/plan/test-command.ts";
import { pull } from "../../src/app/pull/pull-command.ts";
import { rehearse } from "../../src/app/rehearse/rehearse-command.ts";
import { kinds } from "../../src/kinds/index.ts";
import { type Command, openWorld, type World } from "./world.ts";

let world: World;
afterEach(() => world.close());

const SETTINGS = "version: 1\nconfig: [config]\n";
const FIRST = `severities:
  - { slug: critical, name: Critical }
  - { slug: minor, name: Minor, default: true }
alert_sources:
  - { name: Datadog, provider: datadog }
webhooks: []
routing_rules:
  workspace:
    - { name: one, conditions: [{ field: title, operator: contains, value: x }], outcome: { action: drop } }
    - { name: two, outcome: { action: drop } }
`;
const SECOND = "severities:\n  - { slug: noise, name: Noise }\n";
const FILES = { "incidentctl.yaml": SETTINGS, "config/first.yaml": FIRST, "config/team/second.yaml": SECOND };

const planned = async (...paths: readonly string[]) => {
  const ended = await world.run(plan, { paths: [...paths], format: "json" });
  expect(ended.exit, ended.stderr).toBe(0);
  return JSON.parse(ended.stdout);
};
const changed = async (...paths: readonly string[]): Promise<readonly string[]> => {
  const { changes } = await planned(...paths);
  return changes.map(({ action, address }: { action: string; address: string }) => `${action} ${address}`);
};

/** The directory of a base with these files. */
async function baseOf({ write }: World, files: Readonly<Record<string, string>>): Promise<string> {
  await write(Object.fromEntries(Object.entries(files).map(([path, text]) => [`.before/${path}`, text])));
  return ".before";
}

/** A workspace that has everything of the first file. */
async function applied(files: Readonly<Record<string, string>> = FILES): Promise<void> {
  world = await openWorld({ "incidentctl.yaml": SETTINGS, "config/first.yaml": FIRST });
  const ended = await world.run(apply, { paths: [], yes: true, allowDelete: true });
  expect(ended.exit, ended.stderr).toBe(0);
  await world.write(files);
}

describe("a path that covers less than the settings name", () => {
  test.each(["config/team/second.yaml", "config/team"])("plans what %s declares, and removes nothing", async (path) => {
    await applied();
    expect(await changed(path)).toEqual(["create severities/noise"]);
    const { partial, summary } = await planned(path);
    expect(partial).toEqual([path]);
    expect(summary.operations).toBe(1);
    const { stdout } = await world.run(plan, { paths: [path] });
    expect(stdout).toContain(`This plan is partial: ${path}.`);
  });

  test("is named relative to the settings from any directory", async () => {
    await applied();
    const there = { ...world.io, cwd: join(world.folder, "config/team") };
    const from: Command<PlanFlags> = (options, _io, console) => plan(options, there, console);
    const ended = await world.run(from, { paths: ["second.yaml"], format: "json" });
    expect(JSON.parse(ended.stdout).partial).toEqual(["config/team/second.yaml"]);
  });

  test("leaves live resources of its own lists alone that no file declares", async () => {
    await applied();
    await world.send("POST", "/api/v1/severities", { name: "Live", slug: "live" });
    await world.send("POST", "/api/v1/alert_sources", { name: "Grafana", provider: "grafana" });
    expect(await changed("config/first.yaml")).toEqual([]);
    expect(await changed()).toContain("delete alert_sources/Grafana");
  });

  test("compares the resources that it declares, and no others", async () => {
    await applied();
    await world.run(apply, { paths: [], yes: true });
    await world.send("PATCH", "/api/v1/severities/critical", { name: "Outage" });
    await world.send("PATCH", "/api/v1/severities/noise", { name: "Loud" });
    expect(await changed("config/team")).toEqual(["update severities/noise"]);
    expect(await changed("config/first.yaml")).toEqual(["update severities/critical"]);
    expect(await changed("config/first.yaml", "config/team/second.yaml")).toHaveLength(2);
    const ended = await world.run(drift, { paths: ["config/team"], format: "json" });
    expect(JSON.parse(ended.stdout).changes.map(({ address }: { address: string }) => address)).toEqual([
      "severities/noise",
    ]);
  });

  test("is applied alone, also when the plan was saved", async () => {
    await applied();
    await world.send("PATCH", "/api/v1/severities/critical", { name: "Outage" });
    const saved = await world.run(plan, { paths: ["config/team"], out: "change.plan" });
    expect(saved.exit, saved.stderr).toBe(0);
    expect((await world.run(rehearse, { paths: ["config/team"] })).exit).toBe(0);
    const ended = await world.run(apply, { paths: [], plan: "change.plan", yes: true });
    expect(ended.exit, ended.stderr).toBe(0);
    expect(await changed()).toEqual(["update severities/critical"]);
    expect((await world.run(apply, { paths: ["config/first.yaml"], yes: true })).exit).toBe(0);
    expect(await changed()).toEqual([]);
  });

  test("leaves a list of rules out that would lose one, and says how to plan it", async () => {
    await applied();
    await world.write({ "config/first.yaml": FIRST.replace(/ {4}- \{ name: one.*\n/, "") });
    const { changes, warnings } = await planned("config/first.yaml");
    expect(changes).toEqual([]);
    expect(warnings).toContainEqual(expect.objectContaining({ code: "W_TARGET", address: "routing_rules/workspace" }));
    expect(warnings[0].message).toContain("plan it without the path, or with --target routing_rules/workspace");
    expect(await changed()).not.toEqual([]);
  });

  test("names the removals that it leaves out, and how to see them", async () => {
    await applied({
      ...FILES,
      "config/first.yaml": FIRST.replace(/ {2}- \{ name: Datadog.*\n/, "").replace(
        "alert_sources:",
        "alert_sources: []",
      ),
    });
    await world.send("POST", "/api/v1/severities", { name: "Live", slug: "live" });
    const { changes, warnings } = await planned("config/first.yaml");
    expect(changes).toEqual([]);
    const leftOut = (address: string, what = address) => ({
      code: "W_TARGET",
      address,
      message: `${what} is live and not in the configuration: a plan of config/first.yaml removes nothing; to see what happens to it, plan without the path, or with --target ${address}`,
    });
    expect(warnings).toEqual(expect.arrayContaining([leftOut("severities/live"), leftOut("alert_sources/Datadog")]));
    const { stdout } = await world.run(plan, { paths: ["config/first.yaml"] });
    expect(stdout).toContain("alert_sources/Datadog is live and not in the configuration");
    // It is no removal of that path where another file has it.
    expect((await planned("config/team")).warnings).toEqual(
      [leftOut("severities/live")].map((one) => ({
        ...one,
        message: one.message.replace("config/first.yaml", "config/team"),
      })),
    );
  });

  test("leaves no removal out of what stays anyway", async () => {
    await applied({
      ...FILES,
      "incidentctl.yaml": `${SETTINGS}ignore: ["severities/old *", severities/live]\nremoval: { alert_sources: keep }\n`,
      "config/first.yaml": FIRST.replace(/ {2}- \{ name: Datadog.*\n/, "").replace(
        "alert_sources:",
        "alert_sources: []",
      ),
    });
    await world.send("POST", "/api/v1/severities", { name: "Live", slug: "live" });
    await world.send("POST", "/api/v1/severities", { name: "Off", slug: "off" });
    await world.send("PATCH", "/api/v1/severities/off", { enabled: false });
    expect((await planned("config/first.yaml")).warnings).toEqual([]);
  });

  test("knows from the base what its files have declared, also when the plan was saved", async () => {
    await applied();
    await world.run(apply, { paths: [], yes: true });
    await world.write({ "config/team/second.yaml": "incident_types: [{ slug: data_issue, name: Data Issue }]\n" });
    await world.send("PATCH", "/api/v1/incident_types/data_issue", { name: "Other" });
    const flags = { paths: ["config/team"], base: await baseOf(world, FILES), out: "change.plan" };
    const ended = await world.run(plan, { ...flags, format: "json" });
    const { warnings } = JSON.parse(ended.stdout);
    expect(warnings.map(({ message }: { message: string }) => message)).toContain(
      "severities/noise was declared in config/team by the base and by no file now: a plan of a path removes nothing; to see what happens, plan without the path",
    );
    const done = await world.run(apply, { paths: [], plan: "change.plan", yes: true });
    expect(done.exit, done.stderr).toBe(0);
  });

  test("counts errors in files outside it", async () => {
    await applied({ ...FILES, "config/first.yaml": `${FIRST}nonsense: []\n` });
    for (const ended of [
      await world.run(plan, { paths: ["config/team"] }),
      await world.run(validate, { paths: ["config/team"] }),
      await world.run(drift, { paths: ["config/team"] }),
    ]) {
      expect(ended.exit).toBe(1);
      expect(ended.stderr).toContain("config/first.yaml:11:1");
    }
  });

  test("may hold references to what other files declare", async () => {
    await applied({
      ...FILES,
      "config/team/second.yaml": `alert_sources: []\nrouting_rules: { sources: { Datadog: [{ name: d, outcome: { action: auto_create_incident, severity: minor } }] } }\n`,
    });
    expect(await changed("config/team")).toEqual(["create routing_rules/Datadog/1"]);
  });

  test("says so when its files declare nothing", async () => {
    await applied({ ...FILES, "config/team/second.yaml": "severities: []\n" });
    const { warnings } = await planned("config/team");
    expect(warnings).toEqual([{ code: "W_TARGET", message: '"config/team" declares no resource' }]);
  });

  test("is pulled, formatted, compared and tested alone, with the rules of all files", async () => {
    await applied({
      ...FILES,
      "incidentctl.yaml": `${SETTINGS}environments: { a: { overlays: [a.yaml] }, b: {} }\n`,
      "a.yaml": "severities:\n  - { slug: noise, name: Other }\n  - { slug: minor, name: Small }\n",
      "config/team/rules.test.yaml":
        "routing_tests:\n  - { name: t, fields: { title: x }, expect: { rule: one, action: drop } }\n",
    });
    await world.run(apply, { paths: [], yes: true });
    await world.send("PATCH", "/api/v1/severities/critical", { name: "Outage" });
    await world.send("PATCH", "/api/v1/severities/noise", { name: "Loud" });
    await world.send("POST", "/api/v1/severities", { name: "New", slug: "new" });
    const read = (file: string) => readFileSync(join(world.folder, file), "utf8");
    const pulled = await world.run(pull, { paths: ["config/team"] });
    expect(pulled.exit, pulled.stderr).toBe(0);
    expect(read("config/first.yaml")).toBe(FIRST);
    expect(read("config/team/second.yaml")).toBe(
      "severities:\n  - { slug: noise, name: Loud }\n  - { slug: new, name: New }\n",
    );

    const compared = await world.run(diff, { paths: ["config/team"], env: ["a", "b"], format: "json" });
    expect(JSON.parse(compared.stdout).changes).toMatchObject([{ address: "severities/noise" }]);

    const tested = await world.run(runTests, { paths: ["config/team"], offline: true });
    expect(tested.exit, tested.stderr + tested.stdout).toBe(0);

    await world.write({ "config/team/second.yaml": "severities: [{slug: noise, name: Loud}]\n" });
    await world.run(fmt, { paths: ["config/team"] });
    expect(read("config/team/second.yaml")).not.toBe("severities: [{slug: noise, name: Loud}]\n");
    expect(read("config/first.yaml")).toBe(FIRST);
  });
});

describe("a path that covers all that the settings name", () => {
  test.each([[["."]], [["config"]], [["config", "config/team"]]])("%s is the whole configuration", async (paths) => {
    await applied({ ...FILES, "notes/other.yaml": "nonsense: 1\n" });
    await world.send("POST", "/api/v1/alert_sources", { name: "Grafana", provider: "grafana" });
    const { seal, ...made } = await planned(...paths);
    const { seal: own, ...whole } = await planned();
    expect(made).toEqual(whole);
    expect(seal.fingerprint).toBe(own.fingerprint);
    expect(made.partial).toBeUndefined();
    expect(await changed(...paths)).toContain("delete alert_sources/Grafana");
  });
});

test.each([
  ["severities", "one kind: --kinds severities"],
  ["severity", "one kind: --kinds severities"],
  ["webhooks/deploy bot", "one resource: --target webhooks/deploy bot"],
])("a path that is called %s, where a kind is meant, is an error that names the flag", async (path, flag) => {
  await applied();
  const ended = await world.run(plan, { paths: [path] });
  expect(ended.exit).toBe(1);
  expect(ended.stderr).toContain(`A path names files and directories. For a plan of ${flag}`);
});

describe("a configuration of its own", () => {
  test.each([
    ["outside what the settings name", { "other/all.yaml": SECOND }],
    ["in a hidden directory", { "config/.made/all.yaml": SECOND }],
    ["with settings of its own", { "config/own/incidentctl.yaml": "version: 1\n", "config/own/all.yaml": SECOND }],
  ])("is a path %s", async (_name, files) => {
    await applied({ ...files, "incidentctl.yaml": SETTINGS });
    const [path = ""] = Object.keys(files).map((file) => file.replace(/\/[^/]*$/, ""));
    expect(await changed(path)).toContain("delete severities/critical");
    expect((await planned(path)).partial).toBeUndefined();
  });

  test("is not mixed with a part of another", async () => {
    await applied({ ...FILES, "other/all.yaml": SECOND.replace("noise", "extra").replace("Noise", "Extra") });
    const ended = await world.run(plan, { paths: ["config/team", "other"] });
    expect(ended.exit).toBe(1);
    expect(ended.stderr).toContain('"other" is outside the paths that the settings name');
    expect(await changed("config", "other")).toContain("create severities/extra");
  });
});

describe("every kind", () => {
  const files = [...new Set(kinds.map(({ module }) => `${module}.yaml`))];

  test.each(files)("a plan of %s removes nothing and is of what it declares", async (file) => {
    world = await openWorld({});
    cpSync(join(import.meta.dirname, "../../examples"), world.folder, { recursive: true });
    const settings = readFileSync(join(world.folder, "incidentctl.yaml"), "utf8");
    await world.write({ "incidentctl.yaml": settings.replace(/^base_url:.*\n/m, "") });
    const { changes, summary } = await planned(file);
    expect(changes.length + summary.unchanged).toBeGreaterThan(0);
    expect(summary).toMatchObject({ delete: 0, disable: 0 });
    expect(new Set(changes.map(({ source }: { source: { file: string } }) => source.file))).toEqual(new Set([file]));
    const whole = await planned();
    const own = whole.changes.filter(
      ({ source, action }: { source: { file: string }; action: string }) => source.file === file && action !== "delete",
    );
    expect(changes.map(addressOf).sort()).toEqual(own.map(addressOf).sort());
  });
});

function addressOf({ address }: { readonly address: string }): string {
  return address;
}
