import { describe, expect, it } from "vitest";
import { brief, type Files, findings } from "./loading.ts";

/** What is wrong with an input: its title, the input, and every finding it must lead to. */
type Case = readonly [title: string, input: string | Files, expected: readonly string[]];

const severity = (fields: string): string => `severities:\n  - {slug: serious, ${fields}}\n`;
const deep = (depth: number): string => `severities: ${"[".repeat(depth)}${"]".repeat(depth)}\n`;
const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefgh"
  .split("")
  .map((name, at) => `${name}: &${name} [${`*${"abcdefgh"[at]},`.repeat(9)}]`)
  .join("\n")}\n`;

const STRUCTURE: readonly Case[] = [
  ["B20: a quote that is not closed", "severities: 'a\n", ["a.yaml:2:1 E_SYNTAX"]],
  ["B20: a bracket that is not closed", "severities: [\n", ["a.yaml:2:1 E_SYNTAX"]],
  ["B21: indentation that fits nothing", "severities:\n  - slug: a\n statuses: []\n", ["a.yaml:3:1 E_SYNTAX"]],
  ["B22: a colon in a plain value", "severities: a: b\n", ["a.yaml:1:13 E_SYNTAX"]],
  ["B23: a key twice", "severities: []\nseverities: []\n", ["a.yaml:2:1 E_DUP_KEY"]],
  ["B24: a key twice, once in quotes", 'severities: []\n"severities": []\n', ["a.yaml:2:1 E_DUP_KEY"]],
  ["B25: an alias as a key", "severities: &k []\n*k : []\n", ["a.yaml:2:1 E_KEY_TYPE"]],
  ["B26: a slug twice in a list", "severities:\n  - slug: a\n  - slug: a\n", ["a.yaml:3:11 E_DUP_OBJECT"]],
  [
    "B26: a slug twice in two files",
    { "a.yaml": "severities:\n  - slug: a\n", "b/c.yml": "severities:\n  - slug: a\n" },
    ["b/c.yml:2:11 E_DUP_OBJECT"],
  ],
  ["B28: two documents", "severities: []\n---\nstatuses: []\n", ["a.yaml:3:1 E_MULTIDOC"]],
  ["B29: something after the end", "severities: []\n...\ngarbage\n", ["a.yaml:3:1 E_MULTIDOC"]],
  ["B30: YAML 1.1", "%YAML 1.1\n---\nseverities: []\n", ["a.yaml:1:1 E_DIRECTIVE"]],
  ["B31: an unknown directive", "%FOO\n---\nseverities: []\n", ["a.yaml:1:1 E_DIRECTIVE"]],
  ["B32: an alias of nothing", "severities: *nope\n", ["a.yaml:1:13 E_ALIAS"]],
  ["B33: an anchor that holds its own alias", "severities: &a [*a]\n", ["a.yaml:1:17 E_CYCLE"]],
  ["B34: a billion laughs", bomb, ["a.yaml:4:8 E_ALIAS_LIMIT"]],
  ["B36: too deep, in brackets", deep(10_000), ["a.yaml:1:44 E_DEPTH"]],
  [
    "B36: too deep, in mappings",
    `severities:\n${Array.from({ length: 2000 }, (_, at) => `${" ".repeat(at + 1)}a:`).join("\n")}`,
    ["a.yaml:33:34 E_DEPTH"],
  ],
  ["B37: a merge key", "severities:\n  - &x {slug: a}\n  - <<: *x\n", ["a.yaml:3:5 E_MERGE_KEY"]],
  ["B38: an unknown tag", "severities: !foo []\n", ["a.yaml:1:13 E_TAG"]],
  ["B39: a tag that makes an object", "severities: !!set {}\n", ["a.yaml:1:13 E_TAG"]],
  [
    "B40: a key that every object has",
    severity("__proto__: {}, constructor: 1"),
    ["a.yaml:2:21 E_UNKNOWN_KEY", "a.yaml:2:36 E_UNKNOWN_KEY"],
  ],
  ["B41: a number as a key", "1: []\n", ["a.yaml:1:1 E_KEY_TYPE"]],
  ["B41: a boolean as a key", "true: []\n", ["a.yaml:1:1 E_KEY_TYPE"]],
  ["B41: a null as a key", "null: []\n", ["a.yaml:1:1 E_KEY_TYPE"]],
  ["B41: a list as a key", "? [a]\n: []\n", ["a.yaml:1:3 E_KEY_TYPE"]],
  ["B42: an empty key", ": []\n", ["a.yaml:1:1 E_KEY_EMPTY"]],
  ["B43: a key of more than 1,024 characters", `${"k".repeat(1100)}: []\n`, ["a.yaml:1:1 E_KEY_TOO_LONG"]],
  ["B44: a text that begins with @", severity("name: @home"), ["a.yaml:2:27 E_SYNTAX"]],
  [
    "B45: an anchor of another file",
    { "a.yaml": "severities: &all []\n", "b.yaml": "statuses: *all\n" },
    ["b.yaml:1:11 E_ALIAS"],
  ],
];

const SCALARS: readonly Case[] = [
  ["B50: yes where a boolean is due", severity("enabled: yes"), ["a.yaml:2:30 E_TYPE"]],
  ["B51: a boolean in quotes", severity('enabled: "false"'), ["a.yaml:2:30 E_TYPE"]],
  ["B52: a position", severity("position: 1"), ["a.yaml:2:21 E_READONLY"]],
  ["B53: a number where a text is due", "severities:\n  - slug: 010\n", ["a.yaml:2:11 E_TYPE"]],
  ["B54: a number in scientific notation", "severities:\n  - slug: 1e3\n", ["a.yaml:2:11 E_TYPE"]],
  ["B55: a number too large to keep", severity("extra: {n: 12345678901234567890}"), ["a.yaml:2:32 E_NUMBER_PRECISION"]],
  ["B56: not a number", severity("extra: {n: .nan}"), ["a.yaml:2:32 E_NUMBER"]],
  ["B56: a number beyond every number", severity("extra: {n: 1e400}"), ["a.yaml:2:32 E_NUMBER"]],
  ["B57: a color without quotes", "severities:\n  - slug: a\n    color: #ff0000\n", ["a.yaml:3:5 E_NULL"]],
  ["B58: a key with nothing", "severities:\n  - slug: a\n    name:\n", ["a.yaml:3:5 E_NULL"]],
  ["B58: a null that is written", severity("name: null"), ["a.yaml:2:27 E_NULL"]],
  ["B58: a kind with nothing", "severities:\n", ["a.yaml:1:1 E_NULL"]],
  ["B58: a scope with nothing", "forms:\n  declare:\n", ["a.yaml:2:3 E_NULL"]],
  ["B59: an empty name", severity('name: ""'), ["a.yaml:2:27 E_EMPTY_STRING"]],
  ["B59: a name of blanks", severity('name: "  "'), ["a.yaml:2:27 E_EMPTY_STRING"]],
  ["B60: a name of two lines", severity('name: "a\\nb"'), ["a.yaml:2:27 E_CONTROL"]],
  ["B61: a stage in capitals", "statuses:\n  - {slug: a, lifecycle_stage: Active}\n", ["a.yaml:2:32 E_ENUM"]],
  [
    "B62: a day that no month has",
    "agents:\n  - slug: a\n    grants:\n      - {ability: runbooks.read, expires_at: 2026-02-30T00:00:00Z}\n",
    ["a.yaml:4:46 E_DATE"],
  ],
];

const SCHEMA: readonly Case[] = [
  ["B70: an unknown kind", "severites: []\n", ["a.yaml:1:1 E_UNKNOWN_KEY"]],
  ["B71: an unknown field", severity("nmae: A"), ["a.yaml:2:21 E_UNKNOWN_KEY"]],
  ["B72: fields that nobody writes", severity("rank: 1, id: x"), ["a.yaml:2:21 E_READONLY", "a.yaml:2:30 E_READONLY"]],
  ["B74: no slug", "severities:\n  - name: A\n", ["a.yaml:2:5 E_REQUIRED"]],
  ["B74: a slug in capitals", "severities:\n  - slug: Critical\n", ["a.yaml:2:11 E_SLUG"]],
  ["B74: a slug of 300 characters", `severities:\n  - slug: ${"a".repeat(300)}\n`, ["a.yaml:2:11 E_SLUG"]],
  ...["-a", "'.'", "'..'", "../api_keys/x", "a/b", "a?b", "a#b", "'%2e%2e'", "''"].map(
    (slug): Case => [`B75: the slug ${slug}`, `severities:\n  - slug: ${slug}\n`, ["a.yaml:2:11 E_SLUG"]],
  ),
  [
    "B76: an endpoint path that is a path",
    "alert_sources:\n  - {name: a, endpoint_path: ../x}\n",
    ["a.yaml:2:30 E_PIN"],
  ],
  [
    "B77: a runbook slug that looks like an id",
    "runbooks:\n  - slug: 1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed\n",
    ["a.yaml:2:11 E_SLUG"],
  ],
  [
    "B79: two defaults",
    "severities:\n  - {slug: a, default: true}\n  - {slug: b, default: true}\n",
    ["a.yaml:3:24 E_DEFAULT"],
  ],
  ["B79: a disabled default", severity("default: true, enabled: false"), ["a.yaml:2:45 E_DEFAULT"]],
  [
    "B79: a default that ends incidents",
    "statuses:\n  - {slug: a, lifecycle_stage: closed, default: true}\n",
    ["a.yaml:2:49 E_DEFAULT"],
  ],
  ["B80: a fifth form", "forms:\n  archive: []\n", ["a.yaml:2:3 E_UNKNOWN_KEY"]],
  [
    "B81: a hidden severity",
    "forms:\n  declare:\n    - {system_field: severity, visible: false}\n",
    ["a.yaml:3:41 E_FORM_SYSTEM_FIELD"],
  ],
  [
    "B81: an optional status",
    "forms:\n  cancel:\n    - {system_field: status, required: false}\n",
    ["a.yaml:3:40 E_FORM_SYSTEM_FIELD"],
  ],
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
  [
    "B82: a form field with two names",
    "forms:\n  declare:\n    - {system_field: name, custom_field: a}\n",
    ["a.yaml:3:28 E_XOR"],
  ],
  ["B82: a form field without a name", "forms:\n  declare:\n    - visible: true\n", ["a.yaml:3:7 E_XOR"]],
  [
    "B83: a required field that is hidden",
    "forms:\n  declare:\n    - {system_field: name, visible: false, required: true}\n",
    ["a.yaml:3:37 E_FORM_UNDECLARABLE"],
  ],
  [
    "B84: a form that mentions no custom field",
    "custom_fields:\n  - slug: region\nforms:\n  declare:\n    - custom_field: regoin\n",
    ["a.yaml:5:21 E_REF"],
  ],
  [
    "B85: a condition on no severity",
    "severities:\n  - slug: critical\nrunbooks:\n  - slug: a\n    conditions:\n      - {condition_field: severity, operator: one_of, values: [critical, crtical]}\n",
    ["a.yaml:6:74 E_REF"],
  ],
  [
    "B85: a condition on no option",
    "custom_fields:\n  - {slug: f, field_type: single_select, options: [A, B]}\nrunbooks:\n  - slug: a\n    conditions:\n      - {condition_field: custom_field, custom_field: f, operator: one_of, values: [C]}\n",
    ["a.yaml:6:85 E_REF"],
  ],
  [
    "B85: a condition on a text",
    "custom_fields:\n  - {slug: f, field_type: text}\nrunbooks:\n  - slug: a\n    conditions:\n      - {condition_field: custom_field, custom_field: f, operator: one_of, values: [C]}\n",
    ["a.yaml:6:55 E_CONDITION"],
  ],
  [
    "B85: a rule with no severity",
    "severities: []\nrouting_rules:\n  workspace:\n    - outcome: {action: auto_create_incident, severity: a}\n",
    ["a.yaml:4:57 E_REF"],
  ],
  [
    "B85: an attribute with no type",
    "catalog_types:\n  - slug: a\n    attributes: [{name: x, attribute_type: reference, reference_type: b}]\n",
    ["a.yaml:3:71 E_REF"],
  ],
  ["B87: rules of no source", "alert_sources: []\nrouting_rules:\n  sources:\n    Datadog: []\n", ["a.yaml:4:5 E_REF"]],
  ["B88: an option twice", "custom_fields:\n  - slug: a\n    options: [A, {label: A}]\n", ["a.yaml:3:18 E_OPTION_DUP"]],
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
  ["B92: a token in an agent", "agents:\n  - {slug: a, token: x}\n", ["a.yaml:2:15 E_SECRET_IN_CONFIG"]],
  ["B93: a token in a comment", `severities: [] # ff_${"2".repeat(36)}\n`, ["a.yaml:1:18 E_SECRET_IN_CONFIG"]],
  ["B94: an action twice", "api_keys:\n  - {name: a, permissions: {incidents: [read, read]}}\n", ["a.yaml:2:47 E_DUP"]],
  ["B94: a wildcard", "api_keys:\n  - {name: a, permissions: {'*': [read]}}\n", ["a.yaml:2:29 E_PERMISSION"]],
  [
    "B94: what only an admin may",
    "api_keys:\n  - {name: a, permissions: {workspace: [read]}}\n",
    ["a.yaml:2:40 E_PERMISSION"],
  ],
  [
    "B94: an unknown resource",
    "api_keys:\n  - {name: a, permissions: {alert_sources: [read]}}\n",
    ["a.yaml:2:44 W_PERMISSION"],
  ],
  ...[
    "ftp://a.example",
    "javascript:alert(1)",
    "https://user:pass@a.example",
    "a.example/x",
    "https://a.example./",
  ].map((url): Case => [`B95: the URL ${url}`, `webhooks:\n  - {name: a, url: "${url}"}\n`, ["a.yaml:2:20 E_URL"]]),
  ["B95: a private URL", 'webhooks:\n  - {name: a, url: "http://169.254.169.254/"}\n', ["a.yaml:2:20 W_URL_PRIVATE"]],
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
    "custom_fields:\n  - {slug: a, field_type: single_select, catalog_type: team}\n",
    ["a.yaml:2:56 E_CATALOG_TYPE"],
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

const SUITES: readonly (readonly [title: string, cases: readonly Case[]])[] = [
  ["The structure of YAML", STRUCTURE],
  ["Scalars that lie", SCALARS],
  ["Schemas and rules", SCHEMA],
];

describe.each(SUITES)("%s", (_title, cases) => {
  it.each(cases)("refuses %s", async (_name, input, expected) => {
    expect((await findings(input)).map(brief)).toEqual(expected);
  });
});
