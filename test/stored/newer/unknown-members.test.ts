/** Commands against a newer service, whose answers have members that this program does not know. */

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { pull } from "../../../src/app/pull/pull-command.ts";
import { type Fields, fieldsIn, isFields, isList, listIn } from "../../../src/core/json.ts";
import { openTestWorld, type World } from "../../commands/world.ts";
import { type Alteration, alteringIo, altersObjects, answeringIo } from "../altering.ts";

let world: World;

const applied = () => world.run(apply, { paths: [], yes: true });
const planned = () => world.run(plan, { paths: [], detailedExitcode: true });
const pulled = () => world.run(pull, { paths: [] });
const fileOf = (path: string) => readFile(join(world.folder, path), "utf8");

async function opened(files: Readonly<Record<string, string>>): Promise<void> {
  world = await openTestWorld({ "incidentctl.yaml": "version: 1\nconfig: [config]\n", ...files });
}

function answering(...alterations: readonly Alteration[]): void {
  Object.assign(
    world.io,
    answeringIo({ ...world.io }, (body, request) => alterations.reduce((all, alter) => alter(all, request), body)),
  );
}

describe("an attribute that the service computes", () => {
  const CATALOG = `catalog_types:
  - slug: squad
    name: Squad
    attributes: [{ name: Tier, attribute_type: text }]
    entries:
      - { slug: red, name: Red, attributes: { tier: one } }
      - { slug: blue, name: Blue }
`;
  const computed = altersObjects(
    ({ slug, attributes }) => slug !== undefined && isFields(attributes),
    (row) => ({ ...row, attributes: { ...fieldsIn(row.attributes), owned_services: ["x"] } }),
  );
  const owned = { name: "Owned services", attribute_type: "text", read_only: true };
  const listed = altersObjects(
    ({ slug, attribute_definitions }) => slug === "squad" && isList(attribute_definitions),
    (row) => ({ ...row, attribute_definitions: [...listIn(row.attribute_definitions), owned] }),
  );

  test.each([
    ["unlisted", [computed]],
    ["listed as read only", [computed, listed]],
  ])("is neither compared nor sent back nor pulled: %s", async (_title, alterations) => {
    await opened({ "config/catalog.yaml": CATALOG });
    expect((await applied()).exit).toBe(0);
    const bodies: string[] = [];
    Object.assign(
      world.io,
      alteringIo({ ...world.io }, (body) => {
        bodies.push(JSON.stringify(body));
        return body;
      }),
    );
    answering(...alterations);
    const second = await planned();
    expect(second.exit, second.stdout).toBe(0);
    await world.write({
      "config/catalog.yaml": CATALOG.replace("name: Red", "name: Crimson").replace("name: Blue", "name: Navy"),
    });
    const third = await applied();
    expect(third.exit, third.stdout + third.stderr).toBe(0);
    expect(third.stdout).toContain("2 of 2 operations done");
    expect(bodies.join()).not.toContain("owned_services");
    expect((await pulled()).exit).toBe(0);
    expect(await fileOf("config/catalog.yaml")).not.toMatch(/owned/i);
    expect((await planned()).exit).toBe(0);
    await world.write({ "config/catalog.yaml": CATALOG.replace("tier: one", "owned_services: x") });
    const refused = await planned();
    expect(refused.stderr).toContain('has no attribute "owned_services"');
  });
});

const ALL = `severities:
  - { slug: high, name: High, default: true }
  - { slug: low, name: Low, enabled: false }
catalog_types:
  - slug: squad
    name: Squad
    attributes: [{ name: Tier, attribute_type: text, required: true }, { name: Prod, attribute_type: boolean }]
    entries:
      - { slug: red, name: Red, attributes: { tier: one, prod: false } }
custom_fields:
  - { slug: region, name: Region, field_type: single_select, options: [EU] }
forms:
  declare: [{ system_field: summary, visible: true, required: false }]
alert_sources:
  - { name: Datadog, provider: datadog }
routing_rules:
  workspace:
    - { name: some, conditions: [{ field: title, operator: contains, value: x }], outcome: { action: drop } }
    - { name: off, enabled: false, outcome: { action: drop } }
webhooks:
  - { name: Chat, url: "https://example.com/", subscribed_events: [incident.created] }
api_keys:
  - { name: Deploy bot, permissions: { incidents: [read] } }
agents:
  - { slug: bot, name: Bot, grants: [{ ability: incidents.read }] }
`;
const applyAll = () => world.run(apply, { paths: [], yes: true, allowDelete: true, secretsOut: "tokens.jsonl" });

describe.each([
  ["texts", String],
  ["numbers", Number],
])("booleans that the service answers as %s", (_title, answer) => {
  const inAnswers = altersObjects(
    () => true,
    (row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, typeof value === "boolean" ? answer(value) : value]),
      ),
  );

  test("are booleans, of every kind: no change, and pulled as such into new files", async () => {
    await opened({ "config/all.yaml": ALL });
    const first = await applyAll();
    expect(first.exit, first.stderr).toBe(0);
    answering(inAnswers);
    const next = await planned();
    expect(next.exit, next.stdout).toBe(0);
    expect((await pulled()).stdout).toContain("The files match the workspace.");
    expect((await applyAll()).exit).toBe(0);
    await rm(join(world.folder, "config/all.yaml"));
    const fresh = await pulled();
    expect(fresh.exit, fresh.stderr).toBe(0);
    expect(await fileOf("config/severities.yaml")).toContain("{ slug: low, name: Low, enabled: false }");
    expect(await fileOf("config/routing-rules.yaml")).toContain("enabled: false");
    const last = await planned();
    expect(last.exit, last.stdout).toBe(0);
  });
});

describe("a value of a definition that this program does not know", () => {
  const altered = (name: string, value: string): Alteration =>
    altersObjects(
      (row) => typeof row[name] === "string",
      (row) => ({ ...row, [name]: value }),
    );

  test.each([
    ["field_type", "rating", "custom_fields/region field_type"],
    ["attribute_type", "url", "catalog_types/squad attributes"],
    ["action", "page", "routing_rules/workspace/1 outcome"],
    ["operator", "sounds_like", "routing_rules/workspace/1 conditions"],
  ])("is a conflict, and the rest is pulled: %s", async (name, value, conflict) => {
    await opened({ "config/all.yaml": ALL });
    const first = await applyAll();
    expect(first.exit, first.stderr).toBe(0);
    answering(altered(name, value));
    await world.send("PATCH", "/api/v1/severities/high", { name: "Higher" });
    const ended = await pulled();
    expect(ended.exit, ended.stderr).toBe(7);
    expect(ended.stderr).toContain(
      `conflict: ${conflict}: the configuration cannot have this value, "${value}", so it is not written; change it in`,
    );
    expect(await fileOf("config/all.yaml")).toContain("name: Higher");
    await rm(join(world.folder, "config/all.yaml"));
    expect((await pulled()).exit).toBe(7);
    expect(await fileOf("config/severities.yaml")).toContain("name: Higher");
    const next = await planned();
    expect(next.exit, next.stdout).toBe(0);
  });
});

describe("a member of routing rules that this program does not know", () => {
  const condition = (value: string): string => `[{ field: title, operator: contains, value: ${value} }]`;
  const rules = (...list: readonly (readonly [value: string, severity: string])[]): string =>
    `routing_rules:\n  workspace:\n${list
      .map(
        ([value, severity]) =>
          `    - { conditions: ${condition(value)}, outcome: { action: auto_create_incident, severity: ${severity}, invite: [{ type: owning_team, of: service }] } }\n`,
      )
      .join("")}`;
  const urgent = altersObjects(
    ({ action }) => action !== undefined,
    (row) => ({ ...row, urgency: row.severity_id === undefined ? "low" : "high" }),
  );
  const negated = altersObjects(
    ({ operator, field }) => operator !== undefined && field !== undefined,
    (row) => ({ ...row, ignore_case: true }),
  );
  const channelled = altersObjects(
    ({ type }) => type === "owning_team",
    (row) => ({ ...row, via: "chat" }),
  );

  test("is not compared, and is named where a rule is written over another one", async () => {
    await opened({ "config/rules.yaml": rules(["a", "major"], ["b", "minor"]) });
    expect((await applied()).exit).toBe(0);
    answering(urgent, negated, channelled);
    const next = await planned();
    expect(next.exit, next.stdout).toBe(0);
    expect((await pulled()).stdout).toContain("The files match the workspace.");
    await world.write({ "config/rules.yaml": rules(["a", "minor"], ["b", "minor"]) });
    const second = await applied();
    expect(second.exit, second.stdout + second.stderr).toBe(0);
    expect(second.stdout).toContain("1 of 1 operation done");
    expect(second.stdout).not.toContain("urgency");
    await world.write({ "config/rules.yaml": rules(["c", "major"], ["b", "minor"]) });
    const third = await applied();
    expect(third.exit, third.stdout + third.stderr).toBe(0);
    const text = third.stdout.replace(/ +/g, " ");
    for (const [path, value] of [
      ["outcome/urgency", "high"],
      ["outcome/invite/0/via", "chat"],
    ])
      expect(text).toContain(
        `routing_rules/workspace/1 ${path} (none) → "${value}" the rule that was at position 1 has it; no file declares it, and the service may keep it`,
      );
    expect(text).toContain("routing_rules/workspace/1 conditions/0/ignore_case (none) → true");
    await world.write({ "config/rules.yaml": rules(["x", "major"], ["c", "major"], ["y", "minor"], ["b", "minor"]) });
    const fourth = await applied();
    expect(fourth.exit, fourth.stdout + fourth.stderr).toBe(0);
    const last = await planned();
    expect(last.exit, last.stdout).toBe(0);
  });
});

test("a type of attributes that only a newer service has stays, and the plan says so", async () => {
  const file = (note: string) =>
    `catalog_types:\n  - slug: squad\n    name: Squad\n    description: ${note}\n    attributes: [{ name: Note, attribute_type: text }]\n`;
  const own = await openTestWorld({
    "incidentctl.yaml": "version: 1\nconfig: [config]\n",
    "config/all.yaml": file("x"),
  });
  expect((await own.run(apply, { paths: [], yes: true })).exit).toBe(0);
  const isText = (object: Fields) => object.attribute_type === "text";
  const asRich = altersObjects(isText, (object) => ({ ...object, attribute_type: "rich_text" }));
  Object.assign(own.io, answeringIo({ ...own.io }, asRich));
  const planned = await own.run(plan, { paths: [], detailedExitcode: true });
  expect(planned.exit, planned.stdout + planned.stderr).toBe(0);
  expect(planned.stdout).toContain(
    'has the attribute_type "rich_text" for "Note", which this program does not know, so it stays',
  );
  await own.write({ "config/all.yaml": file("y") });
  const ended = await own.run(apply, { paths: [], yes: true });
  expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
});

describe("a watch of a runbook", () => {
  const files = (watch: string) => ({
    "config/runbooks.yaml": `runbooks:\n  - { slug: failover, name: Failover, watch: ${watch} }\n`,
  });
  const STEPS = "{ steps: [{ capability: metrics.read, resource: web, expect: low }] }";
  const isPart = (object: Fields) => object.steps !== undefined || object.capability !== undefined;
  const newer = altersObjects(
    (object) => isPart(object) && object.slug === undefined,
    (object) => ({ ...object, urgency: "high" }),
  );

  test.each(["{}", STEPS])("is compared without members that only the service knows: %s", async (watch) => {
    await opened(files(watch));
    answering(newer);
    expect((await applied()).exit).toBe(0);
    await rm(join(world.folder, "incidentctl.lock"), { force: true });
    const second = await planned();
    expect(second.exit, second.stdout).toBe(0);
    await world.write(files(STEPS.replace("low", "high")));
    expect((await planned()).exit).toBe(2);
  });
});
