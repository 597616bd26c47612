import { describe, expect, it } from "vitest";
import { grantableAbilities } from "../../../src/emulator/service/permissions.ts";
import { brief, type Files, findings } from "../loading.ts";

/** What is wrong with an input: its title, the input, and every finding it must lead to. */
type Case = readonly [title: string, input: string | Files, expected: readonly string[]];

const severity = (fields: string): string => `severities:\n  - {slug: serious, ${fields}}\n`;

const CASES: readonly Case[] = [
  [
    "a field that the form does not offer",
    "forms:\n  cancel:\n    - system_field: lead\n",
    ["a.yaml:3:21 E_FORM_SYSTEM_FIELD"],
  ],
  [
    "conditions on a locked field",
    "forms:\n  declare:\n    - system_field: severity\n      conditions:\n        - {condition_field: incident_type, operator: one_of, values: [a]}\n",
    ["a.yaml:5:9 E_FORM_SYSTEM_FIELD"],
  ],
  ["an option with blanks at its end", 'custom_fields:\n  - slug: a\n    options: ["A "]\n', ["a.yaml:3:15 E_OPTION"]],
  [
    "an option of 76 characters",
    `custom_fields:\n  - slug: a\n    options: [${"x".repeat(76)}]\n`,
    ["a.yaml:3:15 E_OPTION"],
  ],
  [
    "101 options",
    `custom_fields:\n  - slug: a\n    options: [${Array.from({ length: 101 }, (_, at) => `o${at}`).join(", ")}]\n`,
    ["a.yaml:3:14 E_TOO_MANY"],
  ],
  [
    "an option renamed from one that stays",
    "custom_fields:\n  - slug: a\n    options: [A, {label: B, renamed_from: A}]\n",
    ["a.yaml:3:43 E_RENAME"],
  ],
  ["options of a text", "custom_fields:\n  - {slug: a, field_type: text, options: [A]}\n", ["a.yaml:2:42 E_OPTIONS"]],
  [
    "an option source that does not fit",
    "custom_fields:\n  - {slug: a, field_type: link, option_source: fixed}\n",
    ["a.yaml:2:48 E_OPTION_SOURCE"],
  ],
  [
    "a resource by its kind's name",
    "api_keys:\n  - {name: a, permissions: {alert_sources: [read]}}\n",
    ["a.yaml:2:44 W_PERMISSION"],
  ],
  [
    "an unknown event",
    "webhooks:\n  - {name: a, subscribed_events: [incident.create]}\n",
    ["a.yaml:2:35 W_UNKNOWN_EVENT"],
  ],
  [
    "notify with another action",
    "routing_rules:\n  workspace:\n    - outcome: {action: drop, notify: {type: channel, channel_id: C}}\n",
    ["a.yaml:3:31 E_ROUTING"],
  ],
  [
    "a target without its id",
    "routing_rules:\n  workspace:\n    - outcome: {action: notify_only, notify: {type: channel, member_id: M}}\n",
    ["a.yaml:3:46 E_REQUIRED", "a.yaml:3:62 E_TARGET"],
  ],
  [
    "a condition without its value",
    "routing_rules:\n  workspace:\n    - {conditions: [{field: a, operator: contains}], outcome: {action: drop}}\n",
    ["a.yaml:3:21 E_REQUIRED"],
  ],
  [
    "a value of the wrong shape",
    "routing_rules:\n  workspace:\n    - {conditions: [{field: a, operator: is_one_of, value: x}], outcome: {action: drop}}\n",
    ["a.yaml:3:60 E_TYPE"],
  ],
  [
    "a regular expression that is none",
    "routing_rules:\n  workspace:\n    - {conditions: [{field: a, operator: matches_regex, value: '(a'}], outcome: {action: drop}}\n",
    ["a.yaml:3:64 E_REGEX"],
  ],
  ["a grant of nothing", "agents:\n  - slug: a\n    grants: [{environments: []}]\n", ["a.yaml:3:14 E_XOR"]],
  [
    "a grant of two things",
    "agents:\n  - slug: a\n    grants: [{ability: a.read, permission_set: b}]\n",
    ["a.yaml:3:32 E_XOR"],
  ],
  [
    "attributes with one slug",
    "catalog_types:\n  - slug: a\n    attributes: [{name: On call}, {name: on call!}]\n",
    ["a.yaml:3:42 E_DUP"],
  ],
  [
    "a value for no attribute",
    "catalog_types:\n  - slug: a\n    attributes: [{name: Tier}]\n    entries: [{slug: x, attributes: {teir: 1}}]\n",
    ["a.yaml:4:44 E_REF"],
  ],
  [
    "an attribute without a value or null, once",
    "catalog_types:\n  - slug: a\n    attributes: [{name: Tier, attribute_type: boolean}]\n    entries: [{slug: x, attributes: {tier: }}]\n",
    ["a.yaml:4:38 E_NULL"],
  ],
  [
    "a value of another type",
    "catalog_types:\n  - slug: a\n    attributes: [{name: Tier, attribute_type: boolean}]\n    entries: [{slug: x, attributes: {tier: x}}]\n",
    ["a.yaml:4:44 E_TYPE"],
  ],
  ["nested entries at the top", "grants: []\n", ["a.yaml:1:1 E_UNKNOWN_KEY"]],
  ["no options", "custom_fields:\n  - {slug: a, field_type: single_select, options: []}\n", ["a.yaml:2:51 E_OPTIONS"]],
  [
    "options of a field whose choices are catalog entries",
    "custom_fields:\n  - {slug: a, field_type: catalog_reference, options: [A]}\n",
    ["a.yaml:2:55 E_OPTIONS"],
  ],
  [
    "a catalog type of a field with fixed choices",
    "custom_fields:\n  - {slug: a, field_type: single_select, option_source: fixed, catalog_type: team}\n",
    ["a.yaml:2:78 E_CATALOG_TYPE"],
  ],
  [
    "no catalog type for a catalog reference",
    "custom_fields:\n  - {slug: a, field_type: catalog_reference, catalog_type: null}\n",
    ["a.yaml:2:60 E_CATALOG_TYPE"],
  ],
  [
    "two options renamed from one",
    "custom_fields:\n  - slug: a\n    options: [{label: A, renamed_from: C}, {label: B, renamed_from: C}]\n",
    ["a.yaml:3:69 E_RENAME"],
  ],
  [
    "two webhooks renamed from one",
    "webhooks:\n  - {name: a, renamed_from: c}\n  - {name: b, renamed_from: c}\n",
    ["a.yaml:3:29 E_RENAME"],
  ],
  [
    "an input twice",
    "runbooks:\n  - slug: a\n    inputs: [{key: k, question: q}, {key: k, question: r}]\n",
    ["a.yaml:3:43 E_DUP"],
  ],
  ["aliases that differ in case only", "runbooks:\n  - {slug: a, aliases: [Db, DB]}\n", ["a.yaml:2:29 E_DUP"]],
  [
    "a placeholder that is no input",
    "runbooks:\n  - slug: a\n    inputs: [{key: host, question: q}]\n    watch: {steps: [{resource: '{{host}} {{hots}}'}]}\n",
    ["a.yaml:4:32 E_INPUT"],
  ],
  [
    "a role twice",
    "catalog_types:\n  - slug: a\n    attributes: [{name: x, role: manager}, {name: y, role: manager}]\n",
    ["a.yaml:3:60 E_DUP"],
  ],
  [
    "a role that the type cannot have",
    "catalog_types:\n  - slug: a\n    attributes: [{name: x, attribute_type: text, role: manager}]\n",
    ["a.yaml:3:56 E_ROLE"],
  ],
  [
    "what only other attributes have",
    "catalog_types:\n  - slug: a\n    attributes: [{name: x, attribute_type: text, reference_type: a, options: [b]}]\n",
    ["a.yaml:3:66 E_ATTRIBUTE", "a.yaml:3:78 E_ATTRIBUTE"],
  ],
  [
    "a name that no slug can be made of",
    "catalog_types:\n  - slug: a\n    attributes: [{name: 'éé'}]\n",
    ["a.yaml:3:25 E_SLUG"],
  ],
  [
    "a choice that is none",
    "catalog_types:\n  - slug: a\n    attributes: [{name: T, attribute_type: select, options: [gold]}]\n    entries: [{slug: x, attributes: {t: glod}}]\n",
    ["a.yaml:4:41 E_ENUM"],
  ],
  [
    "a resource nobody has heard of",
    "api_keys:\n  - {name: a, permissions: {weather: [read]}}\n",
    ["a.yaml:2:38 W_PERMISSION"],
  ],
  ["an agent with a hyphen", "agents:\n  - slug: on-call\n", ["a.yaml:2:11 W_AGENT_SLUG"]],
  [
    "a moment without a zone",
    "agents:\n  - slug: a\n    grants: [{ability: runbooks.read, expires_at: 2026-01-01T00:00:00}]\n",
    ["a.yaml:3:51 E_DATE"],
  ],
  [
    "no values to compare with",
    "runbooks:\n  - slug: a\n    conditions: [{condition_field: severity, operator: one_of, values: []}]\n",
    ["a.yaml:3:72 E_EMPTY_LIST"],
  ],
  ["an empty value", 'catalog_types:\n  - {slug: a, icon: ""}\n', ["a.yaml:2:21 E_EMPTY_STRING"]],
  [
    "a custom field where none is compared",
    "runbooks:\n  - slug: a\n    conditions: [{condition_field: severity, operator: one_of, values: [b], custom_field: c}]\n",
    ["a.yaml:3:77 E_CONDITION"],
  ],
  ["settings among the kinds", "vars: {a: b}\n", ["a.yaml:1:1 E_UNKNOWN_KEY"]],
  ["rules without their scope", "routing_rules: [{outcome: {action: drop}}]\n", ["a.yaml:1:16 E_TYPE"]],
  ["a substitution in a key", `routing_rules:\n  sources:\n    \${env:SOURCE}: []\n`, ["a.yaml:3:5 E_SUBSTITUTION"]],
  ["an extra field that is known", severity("extra: {color: x}"), ["a.yaml:2:36 E_EXTRA"]],
  ["an extra field that nobody writes", severity("extra: {position: 1}"), ["a.yaml:2:39 E_READONLY"]],
  [
    "a former name that is still in use",
    "webhooks:\n  - {name: a, renamed_from: b}\n  - {name: b}\n",
    ["a.yaml:2:29 E_RENAME"],
  ],
  ["an entry that is a text", "severities: [critical]\n", ["a.yaml:1:14 E_TYPE"]],
  ["a kind that is a mapping", "severities: {slug: a}\n", ["a.yaml:1:13 E_TYPE"]],
];

describe("findings of rules beyond the catalogue of bad input", () => {
  it.each(CASES)("refuses %s", async (_name, input, expected) => {
    expect((await findings(input)).map(brief)).toEqual(expected);
  });

  it("knows every ability that the emulator grants", async () => {
    const grants = grantableAbilities.map((ability) => ({ ability }));
    expect(await findings(JSON.stringify({ agents: [{ slug: "a", grants }] }))).toEqual([]);
  });
});
