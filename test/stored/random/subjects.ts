/** Random documents of few resources: each kind with every field that services may store otherwise, and texts that invite it. */

import fc from "fast-check";
import type { Fields, Json } from "../../../src/core/json.ts";

const line = fc.constantFrom(
  "Look at the declines",
  " Déploy\u00a0 bot's  <b>R&D</b> ",
  "**Bold** `code` _words_ 🚀",
  "Cafe\u0301 ﬁne №1",
  "12",
  "true",
  "A long text that no column of forty characters would ever hold",
);
const text = fc.oneof(
  line,
  fc.constantFrom("Two\nlines.\n", "  three\n\nlines", "CR\r\nLF", "", "- a list\n- of *two*", "a\ttab &amp; more"),
);
const name = fc.constantFrom(
  "Alpha",
  "Beta Gamma",
  "Déploy bot",
  "R&D",
  "Ops 🚀",
  "Cafe\u0301 bar",
  "12",
  "Team's  own",
);
const address = fc.constantFrom(
  "https://hooks.example.com",
  "HTTP://Hooks.Example.com:80/a%7Eb",
  "https://hooks.example.com:443/x/?q=1&r=ä",
  "http://hooks.example.com/chat/",
);
const color = fc.constantFrom("#DC143C", "#AAbbCC", "#ffa500", "#0a0B0c");

/** Resources with these slugs, each with a name and some of the fields. */
function rows(slugs: readonly string[], fields: Readonly<Record<string, fc.Arbitrary<Json>>>): fc.Arbitrary<Json> {
  const one = fc.record({ name, ...fields }, { requiredKeys: ["name"] });
  return fc
    .uniqueArray(one, { minLength: 1, maxLength: slugs.length, selector: (row) => row.name })
    .map((list) => list.map((row, at): Fields => ({ slug: slugs[at] ?? "", ...(row as Fields) })));
}

const incidentTypes = rows(["service_outage", "data_issue"], { description: text, color, enabled: fc.boolean() });
const incidentRoles = rows(["scribe", "liaison"], { description: text, enabled: fc.boolean() });
const severities = rows(["critical", "major"], { description: text, color }).map((list) =>
  (list as readonly Fields[]).map((row, at) => ({ ...row, default: at === 0 })),
);
const statuses = fc.record({ name, description: text, color }).map(
  ({ name: own, description, color: hue }): Json => [
    { slug: "triaging", name: "Triaging", lifecycle_stage: "triage" },
    { slug: "working", name: own, lifecycle_stage: "active", default: true, description, color: hue },
    { slug: "resolved", name: "Resolved", lifecycle_stage: "closed" },
    { slug: "canceled", name: "Canceled", lifecycle_stage: "canceled" },
  ],
);

const ATTRIBUTES: readonly Fields[] = [
  { name: "Notes", attribute_type: "text", required: false },
  { name: "Tier", attribute_type: "select", options: ["Gold", "Silver plate"], required: false },
  { name: "Regions", attribute_type: "list", required: false },
  { name: "Minutes", attribute_type: "number", required: false },
  { name: "At night", attribute_type: "boolean", required: false },
  { name: "Part of", attribute_type: "reference", reference_type: "vendor", required: false },
];
const values = fc.record(
  {
    notes: text,
    tier: fc.constantFrom("Gold", "Silver plate"),
    regions: fc.shuffledSubarray(["Europe", "asia", " Africa "], { minLength: 1 }) as fc.Arbitrary<Json>,
    minutes: fc.constantFrom(15, 0, 2.5),
    at_night: fc.boolean(),
  },
  { requiredKeys: [] },
);
const catalogTypes = fc
  .record({
    name,
    description: text,
    color,
    entries: rows(["nordbank", "prairie"], { attributes: values }),
  })
  .map(({ entries, ...type }): Json => {
    const named = (entries as readonly Fields[]).map((entry) => ({ ...entry, aliases: [`the ${entry.slug}`] }));
    return [{ slug: "vendor", ...type, attributes: ATTRIBUTES, entries: named }];
  });

const options = fc.constantFrom<readonly string[]>(
  ["EU", "North America"],
  ["R&D", "Café", "eu west", "Two  words"],
  ["b", "a"],
);
const customFields = fc.tuple(name, text, options, fc.constantFrom("single_select", "multi_select")).map(
  ([own, description, list, field_type]): Json => [
    { slug: "region", name: own, description, field_type, options: list },
    { slug: "ticket", name: "Ticket", field_type: "link" },
  ],
);
const forms = fc.tuple(fc.boolean(), fc.boolean()).map(
  ([visible, required]): Json => ({
    declare: [
      { system_field: "summary", visible: true, required },
      {
        custom_field: "region",
        visible,
        required: false,
        conditions: [{ condition_field: "incident_type", operator: "one_of", values: ["service_outage"] }],
      },
    ],
  }),
);

const step = fc.record(
  {
    title: line,
    instruction: text,
    tool: fc.constantFrom("deploy", "Feature flag"),
    arguments: fc.constantFrom<Json>(
      { regions: ["eu", "na"], days: 90, force: true },
      { text: " a  b ", at: "2027-01-02T03:04:05Z" },
      {},
    ),
  },
  { requiredKeys: ["title"] },
);
const runbooks = rows(["failover", "comms"], {
  summary: text,
  content: text,
  external_url: address.filter((url) => /^https?:/.test(url)),
  aliases: fc.shuffledSubarray(["Checkout down", "declines", "12"], { minLength: 1 }) as fc.Arbitrary<Json>,
  inputs: fc
    .record({ question: line, default: fc.constantFrom("15", "a b ") })
    .map((input): Json => [{ key: "service", ...input }]),
  steps: fc.array(step, { maxLength: 2 }) as fc.Arbitrary<Json>,
  conditions: fc.constantFrom<Json>([], [{ condition_field: "severity", operator: "one_of", values: ["critical"] }]),
  watch: fc.constantFrom<Json>(
    { steps: [{ capability: "metrics.read", resource: "service:  web", expect: "below 2 %" }] },
    {},
  ),
});

const target = fc.constantFrom<Fields>(
  { type: "channel", channel_id: "C0 Triage" },
  { type: "owning_team", of: "service" },
  { type: "member", member_id: "U1" },
);
const rule = fc.record({
  enabled: fc.boolean(),
  conditions: fc.subarray<Json>([
    { field: "service", operator: "is_one_of", value: ["billing", "Web", "db"] },
    { field: "title", operator: "contains", value: " Café  R&D" },
    { field: "team", operator: "is_empty" },
  ]) as fc.Arbitrary<Json>,
  outcome: fc.oneof(
    target.map((notify): Fields => ({ action: "notify_only", notify })),
    target
      .filter(({ type }) => type !== "channel")
      .map((invite): Fields => ({ action: "attach_to_incident", invite: [invite] })),
    fc.constant<Fields>({ action: "drop" }),
  ),
});
const rules = fc.array(rule, { maxLength: 3 });
const routing = fc.tuple(name, rules, rules).map(
  ([source, workspace, own]): Fields => ({
    alert_sources: [{ name: source, provider: "generic" }],
    routing_rules: { workspace, sources: { [source]: own } },
  }),
);

const webhooks = fc
  .tuple(name, address, fc.shuffledSubarray(["incident.created", "incident.resolved", "lead.assigned"]), fc.boolean())
  .map(
    ([own, url, subscribed_events, enabled]): Json => [
      { name: own, url: url.replace("HTTP", "http"), subscribed_events, enabled },
    ],
  );
const apiKeys = fc
  .tuple(name, fc.shuffledSubarray(["read", "create", "update"], { minLength: 1 }), fc.boolean())
  .map(([own, incidents, active]): Json => [{ name: own, permissions: { incidents, runbooks: ["read"] }, active }]);
const agents = rows(["triage_bot", "scribe_bot"], {
  description: text,
  enabled: fc.boolean(),
  grants: fc.subarray<Json>([
    { ability: "runbooks.read" },
    { ability: "incidents.update", expires_at: "2099-01-02T03:04:05Z" },
    { ability: "incidents.read", environments: ["production", "staging"] },
  ]) as fc.Arbitrary<Json>,
});
const environments: Json = [
  {
    slug: "environment",
    entries: [
      { slug: "production", name: "Production" },
      { slug: "staging", name: "Staging" },
    ],
  },
];

/** Documents with a few resources of some kinds that belong together. */
const SUBJECTS: readonly fc.Arbitrary<Fields>[] = [
  fc.record({ incident_types: incidentTypes, incident_roles: incidentRoles }),
  fc.record({ severities }),
  fc.record({ statuses }),
  fc.record({ catalog_types: catalogTypes }),
  fc.record({ custom_fields: customFields, forms }),
  fc.record({ runbooks }),
  routing,
  fc.record({ webhooks, api_keys: apiKeys }),
  agents.map((list): Fields => ({ catalog_types: environments, agents: list })),
];

/** Two documents of the same one or two subjects: the first, and what becomes of it. */
export const subjects: fc.Arbitrary<readonly [first: Fields, next: Fields]> = fc
  .subarray([...SUBJECTS], { minLength: 1, maxLength: 2 })
  .chain((chosen) => fc.tuple(fc.tuple(...chosen), fc.tuple(...chosen)))
  .map(([first, next]) => [Object.assign({}, ...first), Object.assign({}, ...next)]);
