/** What a plan puts before a reviewer: what it removes, exposes and reroutes, and nothing else. */

import { expect, test } from "vitest";
import type { Fields } from "../../src/core/json.ts";
import { serviceFor } from "../support/service/test-service.ts";

const rule = (severity: string): Fields => ({ conditions: [], outcome: { action: "auto_create_incident", severity } });
const declare = (required: boolean): Fields => ({ declare: [{ custom_field: "region", visible: true, required }] });
const region: Fields = { slug: "region", name: "Region", field_type: "text" };
const bot = (permissions: Fields): Fields => ({ name: "bot", permissions });
const scribe = (grants: readonly Fields[]): Fields => ({ slug: "scribe", name: "Scribe", grants: [...grants] });

/** The changes of the second configuration that need attention, with the reasons. */
async function attention(before: Fields, after: Fields): Promise<readonly string[]> {
  const service = serviceFor();
  await service.converge(before);
  const { changes } = await service.converge(after);
  return changes.flatMap(({ address, attention }) => (attention === undefined ? [] : [`${address}: ${attention}`]));
}

const cases: readonly (readonly [title: string, before: Fields, after: Fields, expected: readonly string[]])[] = [
  [
    "a new description and a new resource without a token do not",
    { custom_fields: [region], incident_types: [{ slug: "outage", name: "Outage" }] },
    { custom_fields: [region], incident_types: [{ slug: "outage", name: "Outage", description: "All is down." }] },
    [],
  ],
  [
    "a removal does",
    { custom_fields: [region] },
    { custom_fields: [] },
    ["custom_fields/region: not in the configuration; not used by incidents"],
  ],
  [
    "a disabled resource does",
    { webhooks: [{ name: "a", url: "https://a.example.com", subscribed_events: ["incident.created"] }] },
    {
      webhooks: [{ name: "a", url: "https://a.example.com", subscribed_events: ["incident.created"], enabled: false }],
    },
    ["webhooks/a: the configuration disables it"],
  ],
  ["a token does", { api_keys: [] }, { api_keys: [bot({})] }, ["api_keys/bot: issues a one-time token"]],
  [
    "permissions that grow do",
    { api_keys: [bot({ incidents: ["read"] })] },
    { api_keys: [bot({ incidents: ["read", "create"], catalog: ["read"] })] },
    ["api_keys/bot: gains incidents.create, catalog.read"],
  ],
  [
    "permissions that shrink do not",
    { api_keys: [bot({ incidents: ["read", "create"] })] },
    { api_keys: [bot({ incidents: ["read"] })] },
    [],
  ],
  [
    "an ability that an agent gains does",
    { agents: [scribe([])] },
    { agents: [scribe([{ ability: "incidents.read" }])] },
    ["agents/scribe/grants/incidents.read: the agent gains this ability"],
  ],
  [
    "the abilities of a new agent do not, beside its token",
    { agents: [] },
    { agents: [scribe([{ ability: "incidents.read" }])] },
    ["agents/scribe: issues a one-time token"],
  ],
  [
    "a field that the declare form newly requires does",
    { custom_fields: [region], forms: declare(false) },
    { custom_fields: [region], forms: declare(true) },
    ["forms/declare/region: API clients that omit it can no longer declare incidents"],
  ],
  [
    "a field that it no longer requires does not",
    { custom_fields: [region], forms: declare(true) },
    { custom_fields: [region], forms: declare(false) },
    [],
  ],
  [
    "a rule of a live source does",
    { alert_sources: [{ name: "Pager", provider: "generic" }] },
    { alert_sources: [{ name: "Pager", provider: "generic" }], routing_rules: { sources: { Pager: [rule("major")] } } },
    ["routing_rules/Pager/1: new in this scope"],
  ],
  [
    "a rule of a new source does not",
    { alert_sources: [] },
    { alert_sources: [{ name: "Pager", provider: "generic" }], routing_rules: { sources: { Pager: [rule("major")] } } },
    [],
  ],
];

test.each(cases)("%s", async (_, before, after, expected) => {
  expect(await attention(before, after)).toEqual(expected);
});
