/** A service that answers, or stores, the names of closed lists of values, colors and switches in another case or notation. */

import { describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { pull } from "../../../src/app/pull/pull-command.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import { type Fields, fieldsIn, isFields, isList, type Json } from "../../../src/core/json.ts";
import { openTestWorld, type World } from "../../commands/world.ts";
import { planned } from "../../support/plans/make-plan.ts";
import { altersObjects, answeringIo } from "../altering.ts";

/** Members with one of a few values, or with a list of such. */
const KNOWN =
  /^(provider|lifecycle_stage|field_type|option_source|attribute_type|role|operator|action|condition_field|system_field|ability|kind|type|subscribed_events|incidents)$/;

/** Another notation of known values. */
type Notation = (text: string) => string;
const upper: Notation = (text) => text.toUpperCase();
const padded: Notation = (text) => ` ${text} `;
const hyphened: Notation = (text) => text.replaceAll("_", "-");
const titled: Notation = (text) => text.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase());

function inNotation(value: Json, notation: Notation, name = ""): Json {
  if (isList(value)) return value.map((item) => inNotation(item, notation, name));
  if (isFields(value))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inNotation(one, notation, key)]));
  return typeof value === "string" && KNOWN.test(name) ? notation(value) : value;
}

const FILES: Readonly<Record<string, Fields>> = {
  statuses: {
    statuses: [
      { slug: "triaging", name: "Triaging", lifecycle_stage: "triage" },
      { slug: "working", name: "Working", lifecycle_stage: "active", default: true },
      { slug: "resolved", name: "Resolved", lifecycle_stage: "closed" },
      { slug: "canceled", name: "Canceled", lifecycle_stage: "canceled" },
    ],
  },
  "catalog types": {
    catalog_types: [
      {
        slug: "vendor",
        name: "Vendor",
        attributes: [
          { name: "At night", attribute_type: "boolean" },
          { name: "Part of", attribute_type: "reference", reference_type: "vendor" },
          { name: "Who", attribute_type: "workspace_members", role: "members" },
        ],
        entries: [
          { slug: "nordbank", name: "Nordbank", attributes: { at_night: true } },
          { slug: "prairie", name: "Prairie", attributes: { part_of: "nordbank" } },
        ],
      },
    ],
  },
  "custom fields and forms": {
    incident_types: [{ slug: "outage", name: "Outage" }],
    custom_fields: [
      { slug: "region", name: "Region", field_type: "single_select", options: ["EU", "NA"] },
      { slug: "other", name: "Other", field_type: "catalog_reference", catalog_type: "service" },
      { slug: "ticket", name: "Ticket", field_type: "link" },
    ],
    forms: {
      declare: [
        { system_field: "summary", visible: true, required: false },
        {
          custom_field: "region",
          visible: true,
          required: false,
          conditions: [{ condition_field: "incident_type", operator: "not_one_of", values: ["outage"] }],
        },
        {
          custom_field: "other",
          visible: true,
          required: false,
          conditions: [{ condition_field: "custom_field", custom_field: "region", operator: "one_of", values: ["EU"] }],
        },
      ],
    },
  },
  "sources and rules": {
    alert_sources: [{ name: "Metrics", provider: "datadog" }],
    routing_rules: {
      workspace: [
        {
          conditions: [{ field: "title", operator: "starts_with", value: "a" }],
          outcome: { action: "notify_only", notify: { type: "owning_team", of: "service" } },
        },
        {
          conditions: [{ field: "service", operator: "is_one_of", value: ["b", "c"] }],
          outcome: { action: "attach_to_incident", invite: [{ type: "owning_team", of: "service" }] },
        },
        { outcome: { action: "drop" } },
      ],
    },
  },
  "webhooks, keys and agents": {
    webhooks: [
      { name: "Chat", url: "https://a.example.com/", subscribed_events: ["incident.created", "lead.assigned"] },
    ],
    api_keys: [{ name: "Bot", permissions: { incidents: ["read", "update"] } }],
    agents: [{ slug: "bot", name: "Bot", grants: [{ ability: "runbooks.read" }, { ability: "incidents.update" }] }],
  },
  runbooks: {
    severities: [{ slug: "critical", name: "Critical", default: true }],
    runbooks: [
      {
        slug: "failover",
        name: "Failover",
        conditions: [{ condition_field: "severity", operator: "one_of", values: ["critical"] }],
      },
    ],
  },
};

async function opened(document: Fields, notation: Notation): Promise<World> {
  const world = await openTestWorld({
    "incidentctl.yaml": "version: 1\nconfig: [config]\n",
    "config/all.yaml": JSON.stringify(document, null, 2),
  });
  Object.assign(
    world.io,
    answeringIo({ ...world.io }, (body) => fieldsIn(inNotation(body, notation))),
  );
  return world;
}

describe.each(Object.entries(FILES))("%s", (_title, document) => {
  test.each([
    ["in upper case", upper],
    ["with spaces around them", padded],
    ["with hyphens", hyphened],
    ["as titles", titled],
  ])("are as declared where the service answers names of values %s", async (_notation, notation) => {
    const world = await opened(document, notation);
    const options = {
      paths: [],
      yes: true,
      allowDelete: true,
      secretsOut: "tokens.jsonl",
      maxRemovals: { entries: 9 },
    };
    const first = await world.run(apply, options);
    expect(first.exit, first.stdout + first.stderr).toBe(0);
    expect(first.stdout).not.toContain("stored");
    const second = await world.run(plan, { paths: [], detailedExitcode: true });
    expect(second.exit, second.stdout + second.stderr).toBe(0);
    expect(second.stdout).not.toContain("[W_");
    const pulled = await world.run(pull, { paths: [] });
    expect(pulled.exit, pulled.stdout + pulled.stderr).toBe(0);
    expect(pulled.stdout).toBe("The files match the workspace.\n");
    const undone = await world.run(undo, { paths: [] });
    expect(undone.stdout, undone.stderr).not.toContain("somebody");
  });
});

const rule = (value: string, outcome: Fields = { action: "drop" }): Fields => ({
  conditions: [{ field: "title", operator: "contains", value }],
  outcome,
});

test("rules are moved and copied where the service answers names of values in upper case, and takes none", async () => {
  const owner = { action: "notify_only", notify: { type: "owning_team", of: "service" } };
  const rules = [rule("a"), rule("b", owner), rule("c"), rule("d", owner), rule("e")];
  const document = (workspace: readonly Fields[]) => JSON.stringify({ routing_rules: { workspace } });
  const world = await opened({ routing_rules: { workspace: rules } }, upper);
  expect((await world.run(apply, { paths: [], yes: true })).exit).toBe(0);
  for (const next of [
    [1, 0, 2, 4, 3],
    [4, 1, 3],
    [0, 1, 2, 3, 4],
  ]) {
    await world.write({ "config/all.yaml": document(next.flatMap((at) => rules.slice(at, at + 1))) });
    const again = await world.run(apply, { paths: [], yes: true, allowDelete: true });
    expect(again.exit, again.stdout + again.stderr).toBe(0);
    const second = await world.run(plan, { paths: [], detailedExitcode: true });
    expect(second.exit, second.stdout + second.stderr).toBe(0);
  }
});

test.each([
  ["field", "SEVERITY-RAW"],
  ["of", "SERVICE"],
])("the name of a field or a type in another case is another one, and a plan corrects it: %s", (member, shown) => {
  const rule = (names: Fields): Fields => ({
    conditions: [{ field: "severity_raw", operator: "exists", ...(member === "field" ? names : {}) }],
    outcome: {
      action: "auto_create_incident",
      invite: [{ type: "owning_team", of: "service", ...(member === "of" ? names : {}) }],
    },
    enabled: true,
  });
  const live = { routing_rules: [{ id: "r1", priority: 1, ...rule({ [member]: shown }) }] };
  const { operations } = planned({ routing_rules: { workspace: [rule({})] } }, { live });
  expect(operations.length).toBeGreaterThan(0);
  expect(planned({ routing_rules: { workspace: [rule({ [member]: shown })] } }, { live }).operations).toEqual([]);
});

test("pull writes known values into new files as the files have them, and keeps out those that nobody knows", async () => {
  const world = await opened({}, upper);
  const pulled = await world.run(pull, { paths: [] });
  expect(pulled.exit, pulled.stdout + pulled.stderr).toBe(0);
  const planned = await world.run(plan, { paths: [], detailedExitcode: true });
  expect(planned.exit, planned.stdout + planned.stderr).toBe(0);
  const strange = await opened({}, (text) => (text === "active" ? "ACTIVELY" : text));
  const conflicted = await strange.run(pull, { paths: [] });
  expect(conflicted.exit, conflicted.stdout + conflicted.stderr).toBe(7);
  expect(conflicted.stderr).toContain('lifecycle_stage: the configuration cannot have this value, "ACTIVELY", so');
});

test.each(["statuses", "catalog types", "sources and rules"])(
  "a rehearsal of %s has the known values",
  async (title) => {
    const world = await opened(FILES[title] ?? {}, (text) => (text === "system" ? text : text.toUpperCase()));
    const first = await world.run(apply, { paths: [], yes: true, allowDelete: true, rehearse: true });
    expect(first.exit, first.stdout + first.stderr).toBe(0);
  },
);

describe("a service that shows what it has in another notation", () => {
  const FORMER = "severities:\n  - { slug: critical, color: '#DC143C' }\n  - { slug: major }\n  - { slug: minor }\n";
  const MOVED = "severities:\n  - { slug: critical }\n  - { slug: minor }\n  - { slug: major }\n";
  const shows = async (file: string, answer: (row: Fields) => Fields): Promise<void> => {
    const world = await openTestWorld({
      "incidentctl.yaml": "version: 1\nconfig: [config]\n",
      "config/all.yaml": file,
    });
    Object.assign(
      world.io,
      answeringIo(
        { ...world.io },
        altersObjects(({ rank }) => rank !== undefined, answer),
      ),
    );
    const first = await world.run(apply, { paths: [], yes: true });
    expect(first.exit, first.stdout + first.stderr).toBe(0);
    const second = await world.run(plan, { paths: [], detailedExitcode: true });
    expect(second.exit, second.stdout + second.stderr).toBe(0);
    expect(second.stdout).toContain("No changes.");
  };

  test.each<[string, (color: string) => string]>([
    ["without #", (color) => color.slice(1)],
    ["with its opacity", (color) => `${color}FF`],
    ["in decimals", () => "rgb(220, 20, 60)"],
  ])("takes no color of one that was there %s for a change", (_, notation) =>
    shows(FORMER, (row) => (row.slug === "critical" ? { ...row, color: notation("#DC143C") } : row)),
  );

  test("says true as t", () =>
    shows(FORMER.replace("major }", "major, enabled: true }"), ({ enabled, ...row }) => ({
      ...row,
      enabled: enabled === true ? "t" : "f",
    })));

  test("has no positions", () => shows(MOVED, (row) => ({ ...row, position: null })));
});
