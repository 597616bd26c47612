/** Whole plans, an item a line: read what changes in them as a reviewer would. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Fields } from "../../src/core/json.ts";
import { diagnosed, type PlanInput, planned } from "../support/plans/make-plan.ts";

const golden = fileURLToPath(new URL("golden", import.meta.url));

/** The plan of a document, without its seal; it is plain JSON. */
function expectPlan(name: string, document: Fields, given: PlanInput): Promise<void> {
  const plan = planned(document, given);
  expect(plan).toStrictEqual(JSON.parse(JSON.stringify(plan)));
  const { changes, operations, derived, warnings, unreadable, blocked, seal, summary, ...rest } = plan;
  expect(seal.hash).toMatch(/^[0-9a-f]{64}$/);
  const parts = { changes, operations, derived, warnings, unreadable, blocked };
  return expectLines(name, { rest: [rest], summary: [summary], ...parts });
}

function expectLines(name: string, sections: Readonly<Record<string, readonly object[]>>): Promise<void> {
  const lines = Object.entries(sections).flatMap(([title, items]) => [
    title,
    ...items.map((item) => `  ${JSON.stringify(item)}`),
  ]);
  return expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(join(golden, name));
}

const on = (...values: readonly string[]): Fields => ({ condition_field: "severity", operator: "one_of", values });
const reads = (...values: readonly string[]): Fields => ({
  condition_field: "custom_field",
  custom_field: "region",
  operator: "one_of",
  values,
});
const text = (name: string, more: Fields = {}): Fields => ({ name, attribute_type: "text", required: false, ...more });
const pointing = (name: string, reference_type: string): Fields => ({
  name,
  attribute_type: "reference",
  required: false,
  reference_type,
});

/** Something of every kind. */
const workspace: PlanInput["live"] = {
  severities: [
    { slug: "critical", name: "Critical", is_default: true, color: "#F00", description: null, rank: 3 },
    { slug: "major", name: "Major", is_default: false, color: "#0F0", description: "Bad.", rank: 2 },
    { slug: "minor", name: "Minor", is_default: false, color: "#00F", description: null, rank: 1 },
    { slug: "old", name: "Old", is_default: false, color: "#000", enabled: false, rank: 0 },
  ],
  statuses: [
    { slug: "open", name: "Open", lifecycle_stage: "active", is_default: true },
    { slug: "shut", name: "Shut", lifecycle_stage: "closed", is_default: false },
    { slug: "done", name: "Done", lifecycle_stage: "closed", is_default: false },
  ],
  incident_roles: [{ slug: "incident_lead", name: "Lead" }],
  catalog_types: [
    { slug: "team", name: "Team", kind: "system", attribute_definitions: [] },
    {
      slug: "rack",
      name: "Rack",
      kind: "custom",
      attribute_definitions: [text("Floor"), text("Room", { required: true })],
    },
    { slug: "spare", name: "Spare", kind: "custom", attribute_definitions: [] },
  ],
  "catalog_entries team": [{ slug: "web", name: "Web", attributes: {}, references: [] }],
  "catalog_entries rack": [
    { slug: "r1", name: "R1", attributes: { floor: "1", room: "12" }, references: [] },
    { slug: "r2", name: "R2", attributes: { floor: "2" }, references: [] },
  ],
  "catalog_entries spare": [{ slug: "s1", name: "S1", attributes: {}, references: [] }],
  custom_fields: [
    {
      slug: "region",
      name: "Region",
      field_type: "single_select",
      option_source: "fixed",
      options: ["EU", "US", "MEA", "APAC"].map((label) => ({ id: `o-${label}`, label })),
    },
    { slug: "note", name: "Note", field_type: "text", option_source: "none", options: [] },
  ],
  "forms declare": [
    { slug: "summary", source: "system", visible: true, required: false, conditions: [] },
    { slug: "region", source: "custom", visible: true, required: false, conditions: [] },
  ],
  runbooks: [
    {
      slug: "failover",
      name: "Failover",
      summary: "Do it.",
      steps: [{ title: "Look", id: "1" }],
      conditions: [on("severity-major")],
    },
    { slug: "hidden", name: "Hidden" },
    { slug: "by_hand", name: "By hand", conditions: [reads("o-US"), on("severity-minor")] },
  ],
  alert_sources: [
    { name: "Datadog", endpoint_path: "dd", provider: "generic" },
    { name: "Grafana", endpoint_path: "gr", provider: "generic" },
    { name: "Legacy", endpoint_path: "le", provider: "generic" },
  ],
  webhooks: [
    { name: "chat", url: "https://a.example/x", subscribed_events: ["incident.created", "incident.resolved"] },
    { name: "board", url: "https://b.example/x", subscribed_events: [] },
    { name: "unused", url: "https://c.example/x", subscribed_events: [] },
  ],
  api_keys: [
    { name: "bot", prefix: "ff_111111111", permissions: { incidents: ["read"] } },
    { name: "spare", prefix: "ff_222222222", permissions: {} },
  ],
  agents: [{ slug: "scribe", name: "Scribe", description: "Writes." }],
  "grants scribe": [{ ability: "runbooks.read" }, { ability: "incidents.update" }],
};

test("a plan for a bare workspace creates the declared resources, in a possible order", async () => {
  const document: Fields = {
    severities: [
      { slug: "sev1", name: "Everything burns", color: "#f00", default: true },
      { slug: "low", name: "Low", enabled: false },
    ],
    statuses: [{ slug: "open", name: "Open", lifecycle_stage: "active" }],
    catalog_types: [
      {
        slug: "rack",
        name: "Rack",
        attributes: [text("Floor"), pointing("Next to", "rack"), pointing("In", "hall")],
        entries: [
          { slug: "r1", name: "R1", attributes: { next_to: "r2", in: "h1" } },
          { slug: "r2", name: "R 2!" },
        ],
      },
      { slug: "hall", name: "Hall", attributes: [pointing("Holds", "rack")], entries: [{ slug: "h1", name: "H1" }] },
    ],
    custom_fields: [{ slug: "region", name: "Region", field_type: "single_select", options: ["EU", { label: "US" }] }],
    forms: { declare: [{ custom_field: "region", required: true, conditions: [on("sev1")] }] },
    runbooks: [
      { slug: "failover", name: "Failover", summary: "Do it.", steps: [{ title: "Look" }], conditions: [reads("EU")] },
    ],
    alert_sources: [{ name: "Datadog", provider: "generic", enabled: false }],
    webhooks: [{ name: "chat", url: "https://a.example/secret", subscribed_events: ["incident.created"] }],
    api_keys: [{ name: "bot", permissions: { incidents: ["read"] }, active: false }],
    agents: [{ slug: "scribe", name: "Scribe", grants: [{ ability: "runbooks.read" }] }],
  };
  await expectPlan("bare.txt", document, { secrets: { "webhooks/chat": ["/url"] } });
});

test("a plan for a workspace changes it with the fewest requests, and removes undeclared resources", async () => {
  const document: Fields = {
    severities: [
      { slug: "minor", name: "Small", default: true },
      { slug: "critical", name: "Critical", color: "#f00", description: "" },
      { slug: "old" },
    ],
    statuses: [
      { slug: "open", name: "Open" },
      { slug: "closed", name: "Closed", lifecycle_stage: "closed" },
      { slug: "shut", enabled: false },
    ],
    incident_roles: [{ slug: "scribe", name: "Scribe" }],
    catalog_types: [
      {
        slug: "team",
        entries: [
          { slug: "web", name: "Web team" },
          { slug: "db", name: "Db" },
        ],
      },
      { slug: "rack", attributes: [text("Floor")], entries: [{ slug: "r1", name: "R1", attributes: { floor: "3" } }] },
    ],
    custom_fields: [
      { slug: "region", options: ["MEA", { label: "Europe", renamed_from: "EU" }, "LATAM"] },
      { slug: "note", name: "Note", field_type: "multi_select", options: ["a", "b"] },
    ],
    forms: {
      declare: [
        { system_field: "summary", required: true },
        { custom_field: "region", visible: false, conditions: [on("critical")] },
      ],
    },
    alert_sources: [
      { name: "Datadog", provider: "generic" },
      { name: "Grafana 2", renamed_from: "Grafana" },
    ],
    webhooks: [
      { name: "chat", url: "https://other.example/x", subscribed_events: ["incident.resolved", "incident.created"] },
      { name: "board", enabled: false },
    ],
    api_keys: [{ name: "bot", permissions: { incidents: ["read", "update"] } }],
    agents: [{ slug: "scribe", name: "Scribe", description: "", grants: [{ ability: "runbooks.read" }] }],
  };
  const given: PlanInput = {
    live: workspace,
    held: { "severity-major": 2, "status-done": 1 },
    chosen: { region: { "o-APAC": 3 } },
    secrets: { "webhooks/chat": ["/url"] },
    ownPrefixes: ["ff_222222222"],
    settings: { protected: ["webhooks/unused"] },
    approvals: { allowDelete: false, acceptRoutingWindow: false, maxRemovals: { entries: 1 } },
  };
  await expectPlan("changes.txt", document, given);
});

test("fields that the service does not return are reported, and sent if their last-applied hash differs", async () => {
  const runbook = {
    slug: "hidden",
    name: "Hidden",
    summary: "New.",
    steps: [{ title: "Look" }],
    conditions: [on("major")],
  };
  const lastApplied = {
    hashes: { "runbooks/hidden#summary": "another", "runbooks/hidden#inputs": "undeclared" },
    resend: false,
  };
  const document = { runbooks: [runbook, { slug: "failover" }, { slug: "by_hand" }] };
  await expectPlan("unreadable.txt", document, {
    live: workspace,
    lastApplied: { ...lastApplied, verifying: true },
  });
});

const to = (note: string): Fields => ({ action: "drop", note });
const when = (...value: readonly string[]): Fields => ({ field: "service", operator: "is_one_of", value });
const rule = (note: string, ...conditions: readonly Fields[]): Fields => ({
  conditions,
  outcome: to(note),
  enabled: true,
});

test("a plan shows the changed rules, and not their requests", async () => {
  const live = {
    severities: [{ slug: "major", name: "Major" }],
    alert_sources: ["Gains", "Loses", "Kept", "Bare"].map((name) => ({ name, endpoint_path: name.toLowerCase() })),
    routing_rules: [
      rule("a", when("a")),
      rule("b", when("b")),
      rule("c", when("c")),
      rule("d", when("d")),
      rule("rest"),
    ],
    "routing_rules Gains": [],
    "routing_rules Loses": [rule("x", when("x")), rule("y", when("y")), rule("z")],
    "routing_rules Kept": [rule("k", when("k", "l")), { conditions: [], outcome: to("all") }],
    "routing_rules Bare": [],
  };
  const document: Fields = {
    routing_rules: {
      workspace: [
        { name: "Second", ...rule("b", when("b")) },
        { name: "First", ...rule("a", when("a")) },
        rule("changed", when("c")),
        { conditions: [when("new")], outcome: { action: "auto_create_incident", severity: "major" } },
        { ...rule("rest"), enabled: false },
      ],
      sources: {
        Gains: [rule("p", when("p")), rule("q", when("q")), rule("rest")],
        Loses: [],
        Kept: [rule("k", when("l", "k")), rule("all")],
        Bare: [{ name: "Only", outcome: to("only") }],
      },
    },
  };
  const secrets = { "routing_rules/workspace/3": ["/outcome/note"], "routing_rules/Bare/1": ["/outcome/note"] };
  await expectPlan("rules.txt", document, { live, secrets, approvals: { acceptRoutingWindow: false } });
});

test("each request for a rule has a precondition about the rule in its row", async () => {
  const rules = ["a", "b", "c"].map((note) => rule(note, when(note)));
  const changed = (index: number, other: Fields) => rules.with(index, other);
  const lists: readonly (readonly Fields[])[] = [
    changed(1, rule("other", when("b"))),
    changed(1, rule("b", when("other"))),
    rules.slice(0, 2),
    rules.slice(1),
    [...rules, rule("d", when("d"))],
    [rule("d", when("d")), ...rules],
    [...rules].reverse(),
    [],
    [rule("d", when("d")), rule("e", when("e")), ...rules],
    [rule("d", when("d")), rules[2] ?? {}, rule("e", when("e")), rules[0] ?? {}],
    [rule("rest"), ...rules],
    [rule("a", when("b")), rule("b", when("c")), rule("c", when("a"))],
  ];
  const told = lists.flatMap((workspace) => {
    const { changes, operations } = planned({ routing_rules: { workspace } }, { live: { routing_rules: rules } });
    const shown = changes.map(({ action, address, reason, neighbours }) => ({ action, address, reason, neighbours }));
    return [
      { workspace: workspace.length },
      ...shown,
      ...operations.map(({ method, path, body, why, guard }) => ({ method, path, body, why, row: guard?.row })),
    ];
  });
  await expectLines("rule-lists.txt", { told });
});

test("a live rule is the equal declared one, else one with the same conditions, else the one at its position", () => {
  const shown = (live: readonly Fields[], workspace: readonly Fields[]) =>
    planned({ routing_rules: { workspace } }, { live: { routing_rules: live } }).changes.map(
      ({ action, address, reason, fields }) =>
        `${action} ${address.split("/").at(-1)}: ${reason}; ${fields.map(({ path }) => path).join(" ")}`,
    );
  const [one, other, last] = [rule("1", when("m")), rule("2", when("m")), rule("3", when("n"))];
  expect(shown([one, other, last], [other, last, one])).toEqual(["move 3: moves from position 1 to 3; "]);
  expect(shown([one, last], [last, other])).toEqual([
    "move 1: moves from position 2 to 1; ",
    "update 2: the rule differs; /outcome",
  ]);
  expect(shown([one, last], [rule("4", when("o")), last])).toEqual([
    "update 1: the rule differs; /conditions /outcome",
  ]);
  expect(shown([one, last], [rule("4", when("o")), one, last])).toEqual([
    "create 1: new in this scope; /conditions /enabled /outcome",
  ]);
  expect(shown([one, one, last], [one, last])).toEqual([
    "delete 2: not in the configuration; /conditions /enabled /outcome",
  ]);
  expect(shown([last, one], [{ name: "Named", ...last }, one])).toEqual([]);
});

test("each write says what it is looked at for: what was planned from, what is to be told from others, what ids stand for", async () => {
  const region = { slug: "region", name: "Region", field_type: "single_select", option_source: "fixed" };
  const live = {
    severities: [{ slug: "major", name: "Major" }],
    custom_fields: [{ ...region, options: ["EU", "US"].map((label) => ({ id: `o-${label}`, label })) }],
    "forms declare": [{ slug: "summary", system_field: "summary", visible: true, required: false, conditions: [] }],
    runbooks: [{ slug: "a", name: "a", summary: null, conditions: [] }],
    webhooks: [{ name: "chat", id: "w1", url: "https://a.example", subscribed_events: [] }],
    catalog_types: [{ slug: "team", name: "Team", kind: "system" }],
    "catalog_entries team": [{ slug: "web", name: "Web", attributes: {} }],
  };
  const document: Fields = {
    forms: {
      declare: [
        { custom_field: "region", conditions: [reads("US")] },
        { system_field: "summary", required: true, visible: false },
      ],
    },
    runbooks: [{ slug: "a", summary: "New.", conditions: [reads("EU"), on("major")] }],
    webhooks: [
      { name: "chat", id: "w1", url: "https://other.example" },
      { name: "chat", url: "https://n.example" },
    ],
    catalog_types: [
      {
        slug: "team",
        entries: [
          { slug: "web", name: "Web team" },
          { slug: "new", name: "New" },
        ],
      },
    ],
  };
  const looks = planned(document, { live }).operations.map(({ method, path, guard }) => ({ method, path, guard }));
  await expectLines("looks.txt", { looks });
});

test("a filtered plan is marked as partial, and leaves the rest unchanged", async () => {
  const document = {
    severities: [{ slug: "minor" }, { slug: "major", name: "Other" }],
    webhooks: [{ name: "new", url: "https://n.example" }],
  };
  const only = (address: string) => address.startsWith("webhooks/");
  await expectPlan("narrowed.txt", document, { live: workspace, only });
});

describe("errors have their position and a remedy", () => {
  test("all at once", async () => {
    const document: Fields = {
      severities: [{ slug: "sev", name: "Critical" }, { slug: "a__b", name: "A" }, { slug: "new" }],
      statuses: [{ slug: "shut", lifecycle_stage: "active" }],
      catalog_types: [{ slug: "rack", attributes: [{ name: "Floor", attribute_type: "number" }] }],
      alert_sources: [{ name: "Datadog", provider: "grafana" }],
      runbooks: [{ slug: "failover", conditions: [on("ghost"), reads("Moon")] }],
      routing_rules: { sources: { Ghost: [{ outcome: { action: "drop" } }] } },
      webhooks: [
        { name: "chat", id: "w9", url: "https://a.example" },
        { name: "twin" },
        { name: "new", renamed_from: "twin" },
      ],
    };
    const twins = ["w1", "w2"].map((id) => ({ id, name: "twin", url: "https://t.example" }));
    const live = { ...workspace, webhooks: twins };
    const told = diagnosed(document, { live, held: { "status-shut": 4 } });
    await expectLines("refused.txt", { errors: told });
  });
});
