/** The values that are allowed, in messages and in `explain`. */

import { describe, expect, it, test } from "vitest";
import { command } from "../bad-input/run.ts";
import { inDirectory } from "../config/loading.ts";

/** What `validate` prints on standard error for a file. */
async function messagesOf(text: string): Promise<string> {
  return inDirectory({ "x.yaml": text }, async (folder) => (await command(["validate"], folder)).stderr);
}

const WRONG: readonly (readonly [title: string, text: string, help: string])[] = [
  [
    "an action of a rule",
    "routing_rules:\n  workspace:\n    - { name: x, outcome: { action: dropp } }\n",
    'Did you mean "drop"? Allowed: auto_create_incident, attach_to_incident, notify_only and drop.',
  ],
  [
    "an event of a webhook",
    'webhooks: [{ name: w, url: "https://a.example.com", subscribed_events: [incident.create] }]\n',
    'Did you mean "incident.created"? Allowed: incident.created, incident.updated,',
  ],
  [
    "an event that is not written as one",
    'webhooks: [{ name: w, url: "https://a.example.com", subscribed_events: [created] }]\n',
    "Allowed: incident.created, incident.updated,",
  ],
  [
    "a provider of an alert source",
    "alert_sources: [{ name: a, provider: data_dog }]\n",
    'Did you mean "datadog"? Allowed: generic, alertmanager, datadog, grafana and northflank.',
  ],
  [
    "a resource of a permission",
    "api_keys: [{ name: k, permissions: { incident: [read] } }]\n",
    'Did you mean "incidents"? Allowed: severities,',
  ],
  [
    "an action of a permission",
    "api_keys: [{ name: k, permissions: { incidents: [write] } }]\n",
    "Allowed: read, create, update and delete.",
  ],
  [
    "an ability",
    "agents: [{ slug: a, name: A, grants: [{ ability: severities }] }]\n",
    "Allowed: severities.read, severities.create,",
  ],
  [
    "an attribute of a catalog type",
    "catalog_types: [{ slug: host, name: Host, attributes: [{ name: Zone, attribute_type: text }], entries: [{ slug: a, name: A, attributes: { zome: x } }] }]\n",
    'Did you mean "zone"? Allowed: zone.',
  ],
];

describe("A message lists what is allowed for", () => {
  it.each(WRONG)("%s", async (_, text, help) => {
    expect(await messagesOf(text)).toContain(help);
  });
});

const EXPLAINED: readonly (readonly [name: string, ...texts: string[]])[] = [
  ["webhooks.subscribed_events", "incident.created, incident.updated", "milestone.noted"],
  ["alert_sources.provider", "generic, alertmanager, datadog, grafana, northflank"],
  ["api_keys.permissions", "severities, statuses", "handbook"],
  ["grants.ability", "severities.read, severities.create", "map.read"],
  [
    "catalog_entries.attributes",
    "the built-in type service has description, owner_team, tier, repository, slack_channel.",
  ],
];

describe("explain lists the values of", () => {
  it.each(EXPLAINED)("%s", async (name, ...texts) => {
    const { stdout } = await inDirectory({}, async (folder) => command(["explain", name], folder));
    for (const text of texts) expect(stdout.replaceAll(/\s+/g, " ")).toContain(text);
  });
});

test("of many values, only the first hundred have a guess at the one that was meant", async () => {
  const services = Array.from(
    { length: 150 },
    (_, at) => `{ slug: s${at}, name: S${at}, attributes: { owner_team: paymnts } }`,
  );
  const text = `catalog_types:
  - { slug: team, entries: [{ slug: payments, name: Payments }] }
  - { slug: service, entries: [${services.join(", ")}] }
`;
  const validate = async (folder: string) => command(["validate", "--format", "json"], folder);
  const { stdout } = await inDirectory({ "x.yaml": text }, validate);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly { code: string; help?: string }[] };
  const found = diagnostics.filter(({ code }) => code === "A015");
  expect(found).toHaveLength(150);
  expect(found.filter(({ help }) => help === 'Did you mean "payments"?')).toHaveLength(100);
});

test("a key with a slash or a tilde is named as it is written", async () => {
  const entry = '{ slug: a, name: A, attributes: { "x/y~z": { b: 1 } } }';
  expect(await messagesOf(`catalog_types: [{ slug: host, name: Host, entries: [${entry}] }]\n`)).toContain(
    '"x/y~z" must be a text or a number or true or false or a list, not a mapping',
  );
});
