/** B84 to B97: what entries say of each other, of secrets and of addresses, and what the live state makes of it. */

import { fine, type Row, refused, SEVERITIES, settings, severity, wrong } from "./row.ts";

const token = (letter: string): string => `ff_${letter.repeat(36)}`;
const conditional = (values: string): string =>
  `runbooks:\n  - slug: a\n    conditions:\n      - {condition_field: ${values}}\n`;
const ruled = (outcome: string): string => `routing_rules:\n  workspace:\n    - outcome: {${outcome}}\n`;
const hook = (url: string): string => `webhooks:\n  - {name: a, url: "${url}"}\n`;
const permitted = (permissions: string): string => `api_keys:\n  - {name: a, permissions: {${permissions}}}\n`;
const granted = (grants: string): string => `agents:\n  - slug: a\n    grants: [${grants}]\n`;
const types = (...rows: string[]): string => `catalog_types:\n${rows.map((row) => `  - {${row}}\n`).join("")}`;
const refers = (slug: string, to: string): string =>
  `slug: ${slug}, name: ${slug}, attributes: [{name: x, attribute_type: reference, reference_type: ${to}}]`;
/** Applies with every consent that a flag can give but those that a row is about. */
const apply = (...flags: string[]): readonly string[] => ["apply", "--yes", ...flags];
const everything = "severities:\n  - { slug: minor, name: Minor, default: true }\n";

export const RELATIONS: readonly Row[] = [
  wrong(
    "B84: a form that asks a field with a slip",
    "custom_fields:\n  - slug: region\nforms:\n  declare:\n    - custom_field: regoin\n",
    "E_REF",
  ),
  wrong(
    "B84: a form that asks what the same files remove",
    "custom_fields: []\nforms:\n  declare:\n    - custom_field: region\n",
    "E_REF",
  ),
  wrong("B84: a form that asks what is nowhere", "forms:\n  declare:\n    - custom_field: region\n", "E_REF", {
    live: true,
  }),
  wrong(
    "B85: a condition on no severity",
    `severities:\n  - slug: critical\n${conditional("severity, operator: one_of, values: [critical, crtical]")}`,
    "E_REF",
  ),
  wrong(
    "B85: a condition on no option",
    `custom_fields:\n  - {slug: f, field_type: single_select, options: [A, B]}\n${conditional("custom_field, custom_field: f, operator: one_of, values: [C]")}`,
    "E_REF",
  ),
  wrong(
    "B85: a condition on a text",
    `custom_fields:\n  - {slug: f, field_type: text}\n${conditional("custom_field, custom_field: f, operator: one_of, values: [C]")}`,
    "E_CONDITION",
  ),
  wrong(
    "B85: a rule with no severity",
    `severities: []\n${ruled("action: auto_create_incident, severity: a")}`,
    "E_REF",
  ),
  wrong(
    "B85: a rule that tells no team",
    `${types("slug: team, entries: [{slug: payments}]")}${ruled("action: notify_only, notify: {type: team, team: payment}")}`,
    "E_REF",
  ),
  wrong("B85: an attribute with no type", types(refers("a", "b")), "E_REF"),
  wrong(
    "B85: a field with no catalog type",
    `${types("slug: a")}custom_fields:\n  - {slug: f, field_type: catalog_reference, catalog_type: b}\n`,
    "E_REF",
  ),
  wrong("B85: a mention of what is nowhere", ruled("action: auto_create_incident, severity: nope"), "E_REF", {
    live: true,
  }),
  // The plan makes the first type without its reference and completes it, so a circle can be created.
  fine("B86: types that mention each other", types(refers("a", "b"), refers("b", "a")), "", {
    args: ["plan"],
    live: true,
  }),
  fine("B86: a type that mentions itself", types(refers("a", "a")), "", { args: ["plan"], live: true }),
  wrong(
    "B87: a priority",
    "routing_rules:\n  workspace:\n    - {priority: 0, outcome: {action: drop}}\n",
    "E_READONLY",
  ),
  wrong("B87: rules of no source", "alert_sources: []\nrouting_rules:\n  sources:\n    Datadog: []\n", "E_REF"),
  wrong(
    "B87: rules of a source that is nowhere",
    "routing_rules:\n  sources:\n    Datadog: [{outcome: {action: drop}}]\n",
    "E_REF",
    { live: true },
  ),
  // The contract lets a list empty a source, with --allow-delete at apply; what may hurt is told.
  fine("B87: an empty rule set", "alert_sources: [{name: D}]\nrouting_rules:\n  sources:\n    D: []\n", "A004"),
  fine(
    "B87: no rule that matches everything",
    "alert_sources: [{name: D}]\nrouting_rules:\n  sources:\n    D: [{conditions: [{field: a, operator: is_empty}], outcome: {action: drop}}]\n",
    "A004",
  ),
  wrong("B88: an option twice", "custom_fields:\n  - slug: a\n    options: [A, {label: A}]\n", "E_OPTION_DUP"),
  wrong(
    "B88: an option with a blank at its end",
    'custom_fields:\n  - slug: a\n    options: [EU, "EU "]\n',
    "E_OPTION",
  ),
  // To the service they are two labels; a person can have meant it, and waive it.
  fine(
    "B88: options that differ in case",
    "custom_fields:\n  - {slug: a, field_type: single_select, options: [EU, eu]}\n",
    "A014",
  ),
  fine(
    "B88: options that differ in blanks",
    'custom_fields:\n  - {slug: a, field_type: single_select, options: [a b, "a  b"]}\n',
    "A014",
  ),
  // Kept in the service, told as a warning, and no error: the contract's word on an option in use.
  fine("B89: an option left out that incidents hold", "custom_fields:\n  - {slug: region, options: [EU]}\n", "", {
    args: ["plan"],
    live: true,
    given: [
      [
        "POST /custom_fields",
        { name: "Region", field_type: "single_select", option_source: "fixed", options: ["EU", "NA"] },
      ],
      ["PATCH /forms/declare", { custom_field: "region", visible: true }],
      [
        "POST /incidents",
        {
          idempotency_key: "1",
          name: "It holds an answer",
          severity_id: "{severity}",
          custom_fields: { region: "NA" },
        },
      ],
    ],
  }),
  refused("B90: the last statuses of a stage removed", 3, apply("--allow-delete", "--max-removals", "99"), {
    files: { "a.yaml": "statuses:\n  - { slug: investigating, name: I, lifecycle_stage: active, default: true }\n" },
    live: true,
  }),
  refused("B90: the last severity removed", 3, apply("--allow-delete", "--max-removals", "99"), {
    files: { "a.yaml": "severities: []\n" },
    live: true,
  }),
  refused("B91: more removed than the ceiling allows", 3, apply("--allow-delete", "--max-removals", "1"), {
    files: { "a.yaml": everything },
    live: true,
  }),
  refused("B91: removed without a consent", 3, apply(), { files: { "a.yaml": everything }, live: true }),
  wrong("B92: a token in an agent", "agents:\n  - {slug: a, token: hushhush}\n", "E_SECRET_IN_CONFIG"),
  wrong("B92: a secret in a key", "api_keys:\n  - {name: a, secret: hushhush}\n", "E_SECRET_IN_CONFIG"),
  wrong(
    "B92: a signing secret in a webhook",
    "webhooks:\n  - {name: a, signing_secret: hushhush}\n",
    "E_SECRET_IN_CONFIG",
  ),
  wrong("B92: a token in extra", "agents:\n  - {slug: a, extra: {token: hushhush}}\n", "E_SECRET_IN_CONFIG"),
  wrong("B92: a token in the settings", settings("token: hushhush\n"), "E_SECRET_IN_CONFIG"),
  wrong("B93: a token in a comment", `severities: [] # ${token("2")}\n`, "E_SECRET_IN_CONFIG"),
  wrong("B93: a token in a text", severity(`description: "see ${token("2")}"`), "E_SECRET_IN_CONFIG"),
  wrong("B93: a token in the settings", settings(`vars: {a: ${token("2")}}\n`), "E_SECRET_IN_CONFIG"),
  wrong(
    "B93: a token in a file that is put in",
    { "a.yaml": `runbooks:\n  - slug: a\n    content: "\${file:a.md}"\n`, "a.md": token("2") },
    "E_SECRET_IN_CONFIG",
  ),
  // Known shapes only: a text that merely looks random is an id more often than a secret, and nothing could waive it.
  ...[
    `ghp_${"a".repeat(36)}`,
    `AKIA${"A".repeat(16)}`,
    `xoxb-${"1".repeat(24)}`,
    `glpat-${"a".repeat(20)}`,
    "-----BEGIN RSA PRIVATE KEY-----",
  ].map((secret) => wrong(`B93: ${secret.slice(0, 6)}…`, severity(`description: "${secret}"`), "E_SECRET_IN_CONFIG")),
  wrong("B94: an action twice", permitted("incidents: [read, read]"), "E_DUP"),
  wrong("B94: a wildcard for resources", permitted("'*': [read]"), "E_PERMISSION"),
  wrong("B94: a wildcard for actions", permitted("incidents: ['*']"), "E_ENUM"),
  ...["integrations", "api_keys", "permissions", "workspace", "ai_accounts"].map((resource) =>
    wrong(`B94: ${resource}, which only an admin may`, permitted(`${resource}: [read]`), "E_PERMISSION"),
  ),
  wrong("B94: a grant of what only an admin may", granted("{ability: api_keys.create}"), "E_PERMISSION"),
  wrong("B94: a grant twice", granted("{ability: runbooks.read}, {ability: runbooks.read}"), "E_DUP_OBJECT"),
  wrong("B94: a grant with a wildcard", granted("{ability: '*.read'}"), "E_ABILITY"),
  ...[
    "https://user:hunter2@a.example",
    "https://user@a.example",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:text/html,x",
    "ftp://a.example",
    "https://a.example./",
    "https://a.example:0/",
    "https://b\u00fccher.example/",
    "https://",
    "https://a .example",
    "a.example/x",
  ].map((url) => wrong(`B95: the URL ${url}`, hook(url), "E_URL")),
  wrong("B95: a URL of 10 kB", hook(`https://a.example/${"x".repeat(10_000)}`), "E_URL"),
  // The interface takes http as well as https.
  fine("B95: plain http", hook("http://a.example/"), "A007"),
  // The service is who calls, and may refuse: whether an address of its own network is meant only people know.
  ...[
    "127.0.0.1",
    "localhost",
    "169.254.169.254",
    "10.0.0.1",
    "100.64.0.1",
    "0x7f.1",
    "2130706433",
    "[::1]",
    "[::ffff:7f00:1]",
    "metadata.google.internal",
  ].map((host) => fine(`B95: the private address ${host}`, hook(`https://${host}/`), "W_URL_PRIVATE")),
  fine("B95: a host in punycode", hook("https://xn--e1afmkfd.example/"), "W_URL_HOST"),
  wrong(
    "B96: an entry in two files",
    { "a.yaml": SEVERITIES, "b.yaml": "severities:\n  - {slug: critical, name: B}\n" },
    "E_DUP_OBJECT",
  ),
  wrong(
    "B96: a form field in two files",
    {
      "a.yaml": "forms:\n  declare: [{system_field: name, required: true}]\n",
      "b.yaml": "forms:\n  declare: [{system_field: name, required: false}]\n",
    },
    "E_DUP_OBJECT",
  ),
  refused("B97: a protected entry that is not listed", 3, apply("--allow-delete", "--max-removals", "99"), {
    files: { "a.yaml": everything, "incidentctl.yaml": "protected: [severities/critical]\n" },
    live: true,
  }),
];
