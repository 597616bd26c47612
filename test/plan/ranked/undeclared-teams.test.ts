/** Rules that name teams which no file declares, when they are removed or moved. */

import { afterEach, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { serviceFor, type TestService } from "../../support/service/test-service.ts";

let service: TestService;
afterEach(() => service.emulator.close());

const notify = (team: string): Fields => ({ action: "notify_only", notify: { type: "team", team } });
const titled = (value: string): Fields => ({ conditions: [{ field: "title", operator: "starts_with", value }] });
const RULES = [
  { ...titled("Disk"), enabled: false, outcome: notify("platform") },
  { ...titled("CPU"), outcome: { action: "auto_create_incident", severity: "minor" } },
  { outcome: notify("platform") },
];
const SOURCES = { alert_sources: [{ name: "Grafana", provider: "grafana" }] };
const TEAMS = { catalog_types: [{ slug: "team", entries: [{ slug: "platform", name: "Platform" }] }] };
const rules = (...own: readonly Fields[]): Fields => ({ routing_rules: { sources: { Grafana: own } } });
const fallback = { routing_rules: { workspace: [{ outcome: { action: "drop" } }] } };

async function listed(): Promise<readonly unknown[]> {
  return Object.values((await service.hand("GET", "/routing_rules?source=Grafana")) as Fields).flat();
}

test("the last values of removed rules name the team and the severity", async () => {
  service = serviceFor();
  await service.converge({ ...TEAMS, ...SOURCES, ...rules(...RULES) });
  const plan = await service.converge(rules());
  const outcomes = plan.changes.flatMap(({ fields }) => fields.filter(({ path }) => path === "/outcome"));
  expect(outcomes.map(({ before }) => before)).toEqual(RULES.map(({ outcome }) => outcome));
  expect(await listed()).toEqual([]);
});

test.each([
  ["all are removed", rules()],
  ["one is removed", rules(...RULES.slice(1, 2), { outcome: { action: "drop" } })],
])("a team that is gone is sent as it is while %s", async (_name, after) => {
  service = serviceFor({ dialects: { delete_guard: "incidents" } });
  await service.converge({ ...TEAMS, ...SOURCES, ...rules(...RULES) });
  await service.converge(fallback);
  const { entries = [] } = (await service.hand("GET", "/catalog/types/team/entries")) as Record<string, Fields[]>;
  await service.hand("DELETE", `/catalog/entries/${String(entries[0]?.id)}`);
  await service.converge(after);
  expect((await service.plan(after)).changes).toEqual([]);
});
