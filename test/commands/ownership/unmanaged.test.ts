/** A plan ends with what is live and not declared, as far as it has read it, in every format; no request is sent for it. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { drift } from "../../../src/app/drift/drift-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import type { PlanFlags } from "../../../src/app/plan/plan-definition.ts";
import { fingerprintOf } from "../../../src/plan/checks/seal.ts";
import type { SealedPlan } from "../../../src/plan/model/plan.ts";
import { openWorld, type World } from "../world.ts";

let world: World;
afterEach(() => world.close());

const SETTINGS = "version: 1\nconfig: [config]\n";
const RULE = "{ name: all, outcome: { action: drop } }";
const FILES = {
  "incidentctl.yaml": SETTINGS,
  "config/severities.yaml": "severities:\n  - { slug: minor, name: Minor, default: true }\n",
  "config/sources.yaml": "alert_sources:\n  - { name: Datadog, provider: datadog }\n",
  "config/rules.yaml": `routing_rules:\n  workspace: [${RULE}]\n  sources:\n    Datadog: [${RULE}]\n`,
  "config/fields.yaml": [
    "custom_fields:",
    "  - { slug: region, name: Region, field_type: single_select, options: [EU, US, APAC, LATAM] }",
    "",
  ].join("\n"),
  "config/catalog.yaml": [
    "catalog_types:",
    "  - slug: squad",
    "    name: Squad",
    "    attributes: [{ name: Tier, attribute_type: text }]",
    "    entries: [{ slug: blue, name: Blue }]",
    "",
  ].join("\n"),
};

async function applied(): Promise<void> {
  world = await openWorld(FILES);
  const ended = await world.run(apply, { paths: [], yes: true, allowDelete: true });
  expect(ended.exit, ended.stderr).toBe(0);
}

async function planned(flags: Partial<PlanFlags> = {}): Promise<SealedPlan> {
  const { stdout, stderr } = await world.run(plan, { paths: [], format: "json", ...flags });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

const unmanagedAt = async (address: string, flags: Partial<PlanFlags> = {}) =>
  ((await planned(flags)).unmanaged ?? []).filter((entry) => entry.address === address);

describe("what the files lose is named with what is live there", () => {
  test("the file of a kind", async () => {
    await applied();
    expect(await unmanagedAt("routing_rules")).toEqual([]);
    rmSync(join(world.folder, "config/rules.yaml"));
    expect(await unmanagedAt("routing_rules")).toEqual([{ address: "routing_rules", kind: "routing_rules" }]);
    const { stdout } = await world.run(plan, { paths: [] });
    expect(stdout).toMatch(/^ {2}statuses, .*, routing_rules, webhooks, api_keys, agents {2}not read$/m);
    expect(stdout).toMatch(/\nNo changes\. The workspace matches what the files declare\.\n$/);
  });

  test("the rules of one source", async () => {
    await applied();
    await world.write({ "config/rules.yaml": `routing_rules:\n  workspace: [${RULE}]\n` });
    expect(await unmanagedAt("routing_rules/Datadog")).toEqual([
      { address: "routing_rules/Datadog", kind: "routing_rules" },
    ]);
  });

  test("options, attributes and entries", async () => {
    await applied();
    await world.write({
      "config/fields.yaml": "custom_fields:\n  - { slug: region, name: Region, field_type: single_select }\n",
      "config/catalog.yaml": "catalog_types:\n  - { slug: squad, name: Squad }\n",
    });
    expect(await unmanagedAt("custom_fields/region")).toEqual([
      {
        ...{ address: "custom_fields/region", kind: "custom_fields", path: "/options" },
        ...{ items: 4, names: ["EU", "US", "APAC"] },
      },
    ]);
    expect(await unmanagedAt("catalog_types/squad")).toEqual([
      { address: "catalog_types/squad", kind: "catalog_types", path: "/attributes", items: 1, names: ["tier"] },
    ]);
    expect(await unmanagedAt("catalog_entries")).toEqual([{ address: "catalog_entries", kind: "catalog_entries" }]);
    const { stdout } = await world.run(plan, { paths: [] });
    expect(stdout).toContain("  custom_fields/region  options  4 items: EU, US, APAC, 1 more\n");
  });

  test("an attribute of a built-in type, and fields of a form, which stay", async () => {
    await applied();
    const attributes = "attributes: [{ name: Region, attribute_type: text }]";
    await world.write({
      "config/builtin.yaml": `catalog_types:\n  - { slug: environment, ${attributes} }\nforms: { declare: [] }\n`,
    });
    const [environment] = await unmanagedAt("catalog_types/environment");
    expect(environment).toMatchObject({ path: "/attributes", names: ["description", "is_production"] });
    const [form] = await unmanagedAt("forms/declare");
    expect(form?.names).toHaveLength(3);
    expect(form?.resources).toBeGreaterThan(3);
  });

  test("what removal: keep keeps, and no resource that is disabled already", async () => {
    await applied();
    await world.write({
      "incidentctl.yaml": `${SETTINGS}removal: { severities: keep, alert_sources: keep }\n`,
      "config/sources.yaml": "alert_sources: []\n",
      "config/rules.yaml": `routing_rules:\n  workspace: [${RULE}]\n`,
    });
    await world.send("POST", "/api/v1/severities", { name: "Noise" });
    expect(await unmanagedAt("severities")).toEqual([
      expect.objectContaining({ address: "severities", resources: expect.any(Number) }),
    ]);
    expect(await unmanagedAt("alert_sources")).toEqual([
      { address: "alert_sources", kind: "alert_sources", resources: 1, names: ["Datadog"] },
    ]);
    const sources = (await world.send("GET", "/api/v1/alert_sources")) as { alert_sources: { slug: string }[] };
    await world.send("PATCH", `/api/v1/alert_sources/${sources.alert_sources[0]?.slug}`, { enabled: false });
    expect(await unmanagedAt("alert_sources")).toEqual([]);
  });
});

test("nothing is read for it, and it is not in the fingerprint", async () => {
  await applied();
  rmSync(join(world.folder, "config/rules.yaml"));
  rmSync(join(world.folder, "config/catalog.yaml"));
  rmSync(join(world.folder, "config/fields.yaml"));
  world.requests.length = 0;
  const made = await planned();
  expect(made.unmanaged?.length).toBeGreaterThan(8);
  const read = world.requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`);
  expect(new Set(read)).toEqual(new Set(["GET /api/v1/severities", "GET /api/v1/alert_sources"]));
  const { unmanaged: _unmanaged, ...rest } = made;
  const { fingerprint: _fingerprint, ...seal } = made.seal;
  expect(fingerprintOf({ ...rest, seal })).toBe(made.seal.fingerprint);
});

test("a saved plan is applied although something that is not managed was added in a list that it has not read", async () => {
  await applied();
  await world.write({ "config/severities.yaml": "severities:\n  - { slug: minor, name: Small, default: true }\n" });
  expect((await world.run(plan, { paths: [], out: "change.plan" })).exit).toBe(0);
  await world.send("POST", "/api/v1/webhooks", { name: "x", url: "https://x.example.com/", subscribed_events: [] });
  const ended = await world.run(apply, { paths: [], plan: "change.plan", yes: true });
  expect(ended.exit, ended.stderr).toBe(0);
});

test("partial plans and drift name what no file of the configuration manages", async () => {
  await applied();
  for (const flags of [{ kinds: "severities" }, { paths: ["config/severities.yaml"] }]) {
    const addresses = ((await planned(flags)).unmanaged ?? []).map(({ address }) => address);
    expect(addresses).toContain("webhooks");
    for (const managed of ["alert_sources", "routing_rules", "custom_fields", "severities"]) {
      expect(addresses).not.toContain(managed);
    }
  }
  const { stdout } = await world.run(drift, { paths: [] });
  expect(stdout).toMatch(/Not managed .*\n(?: {2}.*\n)* {2}.*webhooks.* {2}not read\n\nNo drift\. /);
  const json = await world.run(drift, { paths: [], format: "json" });
  expect(JSON.parse(json.stdout).unmanaged).toContainEqual({ address: "webhooks", kind: "webhooks" });
});

test("every format of a plan has the section", async () => {
  await applied();
  for (const format of ["text", "markdown", "html"] as const) {
    const { stdout } = await world.run(plan, { paths: [], format });
    expect(stdout).toContain("Not managed (stays in the workspace as it is)");
    expect(stdout).toContain("not read");
  }
});

test("a list that the files declare as empty is managed", async () => {
  const kinds = ["statuses", "runbooks", "webhooks", "api_keys", "agents"];
  world = await openWorld({ "incidentctl.yaml": SETTINGS, "config/all.yaml": kinds.map((k) => `${k}: []\n`).join("") });
  const addresses = (await planned({ allowDelete: true })).unmanaged?.map(({ address }) => address) ?? [];
  expect(addresses).toContain("severities");
  for (const kind of kinds) expect(addresses).not.toContain(kind);
});

test("an ignored field is not named a second time", async () => {
  await applied();
  await world.write({ "incidentctl.yaml": `${SETTINGS}ignore: ["custom_fields/region#/options"]\n` });
  expect((await planned()).ignored).toMatchObject([{ address: "custom_fields/region", path: "/options" }]);
  expect(await unmanagedAt("custom_fields/region")).toEqual([]);
});

test("a list in a resource that was not read is named with its resource", async () => {
  world = await openWorld({ "a.yaml": "agents: [{ slug: bot, name: Bot }]\n" });
  await world.run(apply, { paths: [], yes: true, secretsOut: "tokens.jsonl" });
  expect((await world.run(plan, { paths: [] })).stdout).toContain(", agents/bot/grants  not read\n");
});
