/** Cases that random workspaces have found. */

import { afterAll, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { AlteringService } from "./altered.ts";
import { brokenByCommands, brokenByHistory } from "./command-laws.ts";
import { broken } from "./laws.ts";

const service = new AlteringService();
afterAll(() => service.close());

test("a rule that is written twice in a run is the run's own, whatever the service makes of what it stores", async () => {
  const nobody = { field: "team", operator: "is_empty" };
  const billing = { field: "service", operator: "is_one_of", value: ["billing", "Web"] };
  const named = { field: "title", operator: "contains", value: "Café R&D" };
  const team = { type: "owning_team", of: "service" };
  const notify = { action: "notify_only", notify: team };
  const invite = (target: Fields) => ({ action: "attach_to_incident", invite: [target] });
  const rule = (enabled: boolean, conditions: readonly Fields[], outcome: Fields) => ({ enabled, conditions, outcome });
  const lists = [
    [
      rule(true, [billing, nobody], { action: "drop" }),
      rule(false, [billing, named, nobody], invite({ type: "member", member_id: "U1" })),
      rule(false, [], { action: "drop" }),
    ],
    [
      rule(false, [named], invite(team)),
      rule(false, [billing, named, nobody], notify),
      rule(true, [billing, named, nobody], notify),
    ],
  ];
  const documents = lists.map((workspace) => ({ routing_rules: { workspace } }));
  const stored = new Map([["value", "escapes HTML"]]);
  expect(await broken({ documents, stored, answered: [] }, service)).toEqual([]);
});

test("a value that the service drops is stored otherwise, also where it would not be accepted again after the run", async () => {
  const conditions = [{ condition_field: "incident_type", operator: "one_of", values: ["service_outage"] }];
  const document = {
    incident_types: [{ slug: "service_outage", name: "Outage", enabled: false }],
    custom_fields: [{ slug: "region", name: "Region", field_type: "link" }],
    forms: { declare: [{ custom_field: "region", visible: true, required: false, conditions }] },
  };
  const stored = new Map([["conditions", "takes no notice"]]);
  expect(await brokenByCommands({ documents: [document], stored, answered: [] }, service)).toBeUndefined();
});

test("pull leaves a resource as a whole of which two live values do not go together", async () => {
  const field = { slug: "ticket", name: "Ticket", field_type: "link" };
  const summary = { system_field: "summary", visible: true, required: true };
  const hidden = { custom_field: "ticket", visible: false, required: false };
  const document = { custom_fields: [field], forms: { declare: [summary, hidden] } };
  const stored = new Map([["required", "writes true for booleans"]]);
  expect(await brokenByCommands({ documents: [document], stored, answered: [] }, service)).toBeUndefined();
});

test("a default is moved where the service leaves out of the other rows that they are not", async () => {
  const document = { severities: [{ slug: "critical", name: "Critical", default: true }] };
  const answered = ["leaves false out"];
  expect(await brokenByCommands({ documents: [document], stored: new Map(), answered }, service)).toBeUndefined();
});

test("an undo of one rule blames nobody for another one that was stored otherwise before", async () => {
  const outcome = { action: "drop" };
  const former = { conditions: [{ field: "service", operator: "is_one_of", value: ["billing"] }], outcome };
  const documents = [[former], [former, { conditions: [], outcome }]].map((workspace) => ({
    routing_rules: { workspace },
  }));
  const stored = new Map([["field", "ends the last line"]]);
  expect(await brokenByHistory({ documents, stored, answered: [] }, service)).toBeUndefined();
});

test("an undo of what a rule does blames nobody for its conditions, which were stored otherwise before", async () => {
  const conditions = [{ field: "title", operator: "contains", value: "R&D" }];
  const outcomes = [{ action: "drop" }, { action: "notify_only", notify: { type: "owning_team", of: "service" } }];
  const documents = outcomes.map((outcome) => ({ routing_rules: { workspace: [{ conditions, outcome }] } }));
  expect(await brokenByHistory({ documents, stored: new Map(), answered: ["answers HTML"] }, service)).toBeUndefined();
});

test("a value stored otherwise is known after its resource was removed and came back", async () => {
  const roles = [
    { slug: "scribe", name: "Scribe" },
    { slug: "liaison", name: "Liaison", description: "Look at the declines", enabled: false },
  ];
  const documents = [roles, roles.slice(0, 1)].map((incident_roles) => ({ incident_roles }));
  const one = { documents, stored: new Map(), answered: ["answers upper case"] };
  expect(await brokenByHistory({ ...one, to: "reads" }, service)).toBeUndefined();
});

test.each([undefined, "reads" as const])("rules can be removed where no conditions are answered, to %s", async (to) => {
  const outcome = { action: "drop" };
  const invite = { action: "attach_to_incident", invite: [{ type: "owning_team", of: "service" }] };
  const rules = [
    { enabled: false, conditions: [], outcome: invite },
    { conditions: [], outcome },
  ];
  const lists = [
    { workspace: [], sources: { Alpha: rules } },
    { workspace: [{ conditions: [], outcome }], sources: { Alpha: [] } },
  ];
  const alert_sources = [{ name: "Alpha", provider: "generic" }];
  const documents = lists.map((routing_rules) => ({ alert_sources, routing_rules }));
  const answered = ["answers no conditions"];
  expect(await broken({ documents, stored: new Map(), answered, to }, service)).toEqual([]);
});

test("a copy of a rule has a switch that is true or false, also where the service answers numbers", async () => {
  const billing = { field: "service", operator: "is_one_of", value: ["billing", "web"] };
  const named = { field: "title", operator: "contains", value: "down" };
  const nobody = { field: "team", operator: "is_empty" };
  const rule = (enabled: boolean, conditions: readonly Fields[], outcome: Fields) => ({ enabled, conditions, outcome });
  const last = rule(true, [billing, named], { action: "drop" });
  const invite = { action: "attach_to_incident", invite: [{ type: "member", member_id: "U1" }] };
  const notify = { action: "notify_only", notify: { type: "owning_team", of: "service" } };
  const lists = [
    [rule(true, [billing, named, nobody], invite), last],
    [rule(false, [], notify), rule(false, [billing, named, nobody], notify), last],
  ];
  const documents = lists.map((workspace) => ({ routing_rules: { workspace } }));
  const answered = ["answers booleans as numbers"];
  expect(await broken({ documents, stored: new Map(), answered }, service)).toEqual([]);
});

test("signs alone that the service stores for a text, and ends in its reads, are what it made of the text", async () => {
  const inputs = [{ key: "service", question: "Which one?", default: "web" }];
  const documents = [{ runbooks: [{ slug: "failover", name: "Alpha", inputs }] }];
  const stored = new Map([["question", "writes stars"]]);
  const answered = ["answers an end"];
  expect(await broken({ documents, stored, answered, to: "reads" }, service)).toEqual([]);
});

test("a text that was created empty, and that only reads show filled in, is stored otherwise", async () => {
  const region = { slug: "region", name: "Alpha", description: "", field_type: "single_select", options: ["EU", "NA"] };
  const one = { documents: [{ custom_fields: [region] }], stored: new Map(), answered: ["answers an end"] };
  expect(await broken({ ...one, to: "reads" }, service)).toEqual([]);
});

test("what a creation is answered is what reads show, whatever members that nobody sent they have", async () => {
  const steps = [{ title: "Look at the declines", instruction: "Look", arguments: { days: 90 } }];
  const document = { runbooks: [{ slug: "failover", name: "Alpha", steps }] };
  const stored = new Map([["title", "turns texts around"]]);
  const answered = ["has ids below the top level", "answers no position"];
  expect(await broken({ documents: [document], stored, answered, to: "reads" }, service)).toEqual([]);
});

test("a new rule of which reads show the values in another order and another form is not sent again", async () => {
  const conditions = [
    { field: "service", operator: "is_one_of", value: ["billing", "Web"] },
    { field: "title", operator: "contains", value: "R&D" },
  ];
  const document = { routing_rules: { workspace: [{ conditions, outcome: { action: "drop" } }] } };
  const answered = ["answers lists in another order", "answers HTML"];
  expect(await broken({ documents: [document], stored: new Map(), answered, to: "reads" }, service)).toEqual([]);
});

test("a value that the service has put in place of the sent one is known in another notation of its kind", async () => {
  const severities = [{ slug: "critical", name: "Critical", color: "#0a0B0c", default: true }];
  const stored = new Map([["color", "writes null for texts"]]);
  const answered = ["answers colors in lower case"];
  expect(await broken({ documents: [{ severities }], stored, answered, to: "reads" }, service)).toEqual([]);
});

test("a service that takes no notice of a rule that is to be off gets no further copy of another rule", async () => {
  const outcome = { action: "attach_to_incident", invite: [{ type: "owning_team", of: "service" }] };
  const billing = { field: "service", operator: "is_one_of", value: ["billing", "Web", "db"] };
  const lists = [
    [{ enabled: true, conditions: [{ field: "team", operator: "is_empty" }], outcome }],
    [
      { enabled: false, conditions: [billing], outcome },
      { enabled: false, conditions: [], outcome: { action: "drop" } },
    ],
  ];
  const documents = lists.map((workspace) => ({ routing_rules: { workspace } }));
  expect(await broken({ documents, stored: new Map([["enabled", "takes no notice"]]), answered: [] }, service)).toEqual(
    [],
  );
});

test("a switch that an update left as it was is not done, also where reads show it as a number", async () => {
  const roles = ["scribe", "liaison"].map((slug) => ({ slug, name: slug, enabled: true }));
  const documents = [roles, roles.slice(0, 1)].map((incident_roles) => ({ incident_roles }));
  const stored = new Map([["enabled", "takes no notice"]]);
  const answered = ["answers booleans as numbers"];
  expect(await broken({ documents, stored, answered, to: "reads" }, service)).toEqual([]);
});

const nobody = { field: "team", operator: "is_empty" };
const rule = { enabled: false, conditions: [nobody], outcome: { action: "drop" } };
const webhook = { name: "Pager", url: "https://hooks.example.com", subscribed_events: [], enabled: false };
const failover = { slug: "failover", name: "Failover" };
const steps = [{ title: "Look", arguments: { regions: ["eu", "na"], days: 90, force: true } }];
const vendor = {
  slug: "vendor",
  name: "Vendor",
  attributes: [{ name: "Minutes", attribute_type: "number", required: false }],
  entries: [{ slug: "nordbank", name: "Alpha", attributes: { minutes: 0 } }],
};
const region = { slug: "region", name: "Region", description: "Look", field_type: "link" };

test.each<readonly [what: string, answered: string, to: "reads" | "writes" | undefined, documents: readonly Fields[]]>([
  [
    "null for false",
    "answers null for false",
    "reads",
    [{ webhooks: [webhook], routing_rules: { workspace: [rule] } }],
  ],
  [
    "one item for its list",
    "answers one item for its list",
    undefined,
    [{ runbooks: [{ ...failover, aliases: ["one"] }] }],
  ],
  ["numbers as decimals", "answers numbers as decimals", undefined, [{ runbooks: [{ ...failover, steps }] }]],
  ["arguments as text", "answers arguments as text", "reads", [{ runbooks: [{ ...failover, steps }] }]],
  ["no empty value of an entry", "leaves what is empty out", "reads", [{ catalog_types: [vendor] }]],
  [
    "tags around an emptied text",
    "answers texts in HTML",
    "reads",
    [{ custom_fields: [region] }, { custom_fields: [{ ...region, description: "" }] }],
  ],
  [
    "the beginning of a text, cut within a character reference",
    "answers the beginning of texts",
    "reads",
    [{ runbooks: [failover] }, { runbooks: [{ ...failover, content: "a\ttab &amp; more" }] }],
  ],
])("nothing is sent again where the service answers %s", async (_what, answered, to, documents) => {
  expect(await broken({ documents, stored: new Map(), answered: [answered], to }, service)).toEqual([]);
});

test("an entry that two requests create is not sent again where reads leave out a zero", async () => {
  const attributes = [
    { name: "Minutes", attribute_type: "number" },
    { name: "At night", attribute_type: "boolean" },
  ];
  const entry = { slug: "prairie", name: "Café bar", attributes: { minutes: 0, at_night: true } };
  const document = { catalog_types: [{ slug: "vendor", name: "Alpha", attributes, entries: [entry] }] };
  const leavesOut = { stored: new Map<string, string>(), answered: ["leaves what is empty out"], to: "reads" as const };
  expect(await broken({ documents: [document], ...leavesOut }, service)).toEqual([]);
});

test("conditions that only answers to writes show in another order are known as they were stored", async () => {
  const alert_sources = [{ name: "Alpha", provider: "generic" }];
  const drop = { action: "drop" };
  const named = { field: "title", operator: "contains", value: "Café R&D" };
  const lists = [
    { workspace: [{ conditions: [named], outcome: drop }], sources: { Alpha: [] } },
    { workspace: [], sources: { Alpha: [{ enabled: false, conditions: [named, nobody], outcome: drop }] } },
  ];
  const documents = lists.map((routing_rules) => ({ alert_sources, routing_rules }));
  const stored = new Map([["value", "turns texts around"]]);
  const answered = ["answers conditions in another order"];
  expect(await broken({ documents, stored, answered, to: "writes" }, service)).toEqual([]);
});

test("an undo that empties a text is done where the service makes another text of it", async () => {
  const statuses = (description: string) => [
    { slug: "triaging", name: "Triaging", lifecycle_stage: "triage" },
    { slug: "working", name: "Working", lifecycle_stage: "active", default: true, description },
    { slug: "resolved", name: "Resolved", lifecycle_stage: "closed" },
    { slug: "canceled", name: "Canceled", lifecycle_stage: "canceled" },
  ];
  const documents = ["", "Two"].map((description) => ({ statuses: statuses(description) }));
  // The service refuses creations with such a stage, so that only updates are stored with an end.
  const stored = new Map([
    ["lifecycle_stage", "ends the last line"],
    ["description", "adds an end"],
  ]);
  const one = { documents, stored, answered: ["answers texts in HTML"] };
  expect(await brokenByHistory({ ...one, to: "reads" }, service)).toBeUndefined();
});

test.each([{}, { days: 90 }])("an argument that answers to writes have as text is not sent again: %j", async (more) => {
  const steps = [{ title: "Look", instruction: "Look at the declines", arguments: more }];
  const documents = [{ runbooks: [{ slug: "failover", name: "Failover", steps }] }];
  const stored = new Map([["instruction", "turns texts around"]]);
  const answered = ["answers arguments as text"];
  expect(await broken({ documents, stored, answered, to: "writes" }, service)).toEqual([]);
});

test("rules that were off before and after are undone where reads leave out what is false or empty", async () => {
  const drop = { enabled: false, conditions: [], outcome: { action: "drop" } };
  const invite = { action: "attach_to_incident", invite: [{ type: "member", member_id: "U1" }] };
  const lists = [[{ enabled: false, conditions: [nobody], outcome: invite }], [drop, drop]];
  const documents = lists.map((workspace) => ({ routing_rules: { workspace } }));
  const one = { documents, stored: new Map(), answered: ["leaves what is empty out"] };
  expect(await brokenByHistory({ ...one, to: "reads" }, service)).toBeUndefined();
});

test("an undo blames nobody for an empty text that only reads show, in tags", async () => {
  const custom_fields = [{ slug: "ticket", name: "Ticket", field_type: "link" }];
  const forms = { declare: [{ system_field: "summary", visible: true, required: false }] };
  const one = { documents: [{ custom_fields, forms }], stored: new Map() };
  const answered = ["answers empty texts for null", "answers texts in HTML"];
  expect(await brokenByCommands({ ...one, answered, to: "reads" }, service)).toBeUndefined();
});
