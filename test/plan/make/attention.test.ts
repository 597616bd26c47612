/** What a plan puts before a reviewer: what it removes, exposes and reroutes, and nothing else. */

import { expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { serviceFor } from "../../support/service/test-service.ts";

const rule = (severity: string): Fields => ({ conditions: [], outcome: { action: "auto_create_incident", severity } });
const when = (service: string, severity: string): Fields => ({
  conditions: [{ field: "service", operator: "is_one_of", value: [service] }],
  outcome: { action: "auto_create_incident", severity },
});
const workspaceRules = (...rules: readonly Fields[]): Fields => ({ routing_rules: { workspace: [...rules] } });
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
    "a rule that takes alerts from another one does",
    workspaceRules(when("b", "major"), rule("minor")),
    workspaceRules(when("a", "major"), when("b", "major"), rule("minor")),
    ["routing_rules/workspace/1: new in this scope"],
  ],
  [
    "a rule that takes alerts that no rule matched does",
    workspaceRules(when("a", "major")),
    workspaceRules(when("a", "major"), when("b", "major")),
    ["routing_rules/workspace/2: new in this scope"],
  ],
  [
    "a new rule that does the same with its alerts as the rule before it does not",
    workspaceRules(rule("minor")),
    workspaceRules(when("a", "minor"), rule("minor")),
    [],
  ],
  [
    "a new rule that is off does not",
    workspaceRules(rule("minor")),
    workspaceRules({ ...when("a", "major"), enabled: false }, rule("minor")),
    [],
  ],
  [
    "a new rule that no alert reaches does not",
    workspaceRules(rule("minor")),
    workspaceRules(rule("minor"), when("a", "major")),
    [],
  ],
  [
    "a rule that passes rules of other alerts does not",
    workspaceRules(when("a", "major"), when("b", "minor"), when("c", "major")),
    workspaceRules(when("b", "minor"), when("c", "major"), when("a", "major")),
    [],
  ],
  [
    "a rule that passes one with the same alerts does",
    workspaceRules(when("a", "major"), when("b", "minor"), rule("minor")),
    workspaceRules(when("b", "minor"), rule("minor"), when("a", "major")),
    ["routing_rules/workspace/3: moves from position 1 to 3"],
  ],
  [
    "a rule that stays off does not, and one that is switched on does",
    workspaceRules({ ...when("a", "major"), enabled: false }, { ...when("b", "major"), enabled: false }, rule("minor")),
    workspaceRules({ ...when("a", "critical"), enabled: false }, when("b", "major"), rule("minor")),
    ["routing_rules/workspace/2: the rule differs"],
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
