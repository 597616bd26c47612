import { afterEach, describe, expect, test } from "vitest";
import type { Fields } from "../../src/json.ts";
import type { Consent } from "../../src/plan/guards.ts";
import { allowed } from "../../src/plan/policy.ts";
import { serviceFor, type TestService, type Wishes } from "../support/service.ts";

const NONE: Consent = { allowDelete: false, acceptRoutingWindow: false };
const DELETE: Consent = { ...NONE, allowDelete: true };
const ANY: Consent = { ...DELETE, maxRemovals: { entries: 100 } };

let service: TestService;
afterEach(() => service.emulator.close());

/** Why the plan of a document is blocked: the codes and the flags that would allow it. */
async function blocked(document: Fields, consent: Consent, wishes: Wishes = {}): Promise<readonly string[]> {
  const plan = await service.plan(document, { ...wishes, options: { ...wishes.options, consent } });
  return plan.blocked.map(({ code, flag }) => (flag === undefined ? code : `${code} ${flag}`));
}

const types = (count: number): Fields => ({
  incident_types: Array.from({ length: count }, (_unused, index) => ({ slug: `type_${index}`, name: `Type ${index}` })),
});

describe("apply refuses before any write", () => {
  test("a deletion without its consent, which --yes is not", async () => {
    service = serviceFor();
    const listed = ["service_outage", "performance_degradation", "security_incident"];
    const document = { incident_types: listed.map((slug) => ({ slug })) };
    expect(await blocked(document, NONE)).toEqual(["DELETE --allow-delete"]);
    expect(await blocked(document, DELETE)).toEqual([]);
  });

  test("more removals of a kind than its ceiling: three of few, thirty percent of ten and more", async () => {
    service = serviceFor();
    expect(await blocked({ incident_types: [] }, DELETE)).toEqual(["MAX_REMOVALS --max-removals 4"]);
    await service.converge(types(12));
    expect(await blocked(types(9), DELETE)).toEqual([]);
    expect(await blocked(types(8), DELETE)).toEqual(["MAX_REMOVALS --max-removals 4"]);
    expect(await blocked(types(8), { ...DELETE, maxRemovals: { entries: 4 } })).toEqual([]);
    expect(await blocked(types(8), { ...DELETE, maxRemovals: { percent: 50 } })).toEqual([]);
    const settings = { removal: { default: "disable" as const, kinds: {} } };
    expect(await blocked(types(8), NONE, { settings })).toEqual(["MAX_REMOVALS --max-removals 4"]);
  });

  test("entries that go along with a deleted one count as well", async () => {
    service = serviceFor();
    const entries = ["a", "b", "c", "d"].map((slug) => ({ slug, name: slug }));
    await service.converge({ catalog_types: [{ slug: "rack", name: "Rack", entries }] });
    expect(await blocked({ catalog_types: [] }, DELETE)).toEqual(["MAX_REMOVALS --max-removals 4"]);
  });

  test("whatever is protected, in the entry or in the settings, whatever the flags", async () => {
    service = serviceFor();
    await service.converge(types(2));
    const settings = { protected: ["incident_types/type_*"] };
    expect(await blocked(types(1), ANY, { settings })).toEqual(["PROTECTED"]);
    const own = { incident_types: [{ slug: "type_0", enabled: false, protected: true }, { slug: "type_1" }] };
    expect(await blocked(own, ANY)).toEqual(["PROTECTED"]);
  });

  test("the default, unless another entry becomes the default", async () => {
    service = serviceFor();
    const rest = [{ slug: "critical" }, { slug: "major" }];
    expect(await blocked({ severities: rest }, ANY)).toEqual(["DEFAULT"]);
    expect(await blocked({ severities: [{ slug: "critical", default: true }, { slug: "major" }] }, ANY)).toEqual([]);
  });

  test("the last enabled status of a stage, unless a new one joins it", async () => {
    service = serviceFor();
    const slugs = ["triaging", "investigating", "identified", "monitoring", "resolved"];
    const statuses = slugs.map((slug): Fields => ({ slug }));
    expect(await blocked({ statuses }, ANY)).toEqual(["LAST_ONE"]);
    const joined = [...statuses, { slug: "dropped", name: "Dropped", lifecycle_stage: "canceled" }];
    expect(await blocked({ statuses: joined }, ANY)).toEqual([]);
  });

  test("the key that the run itself uses", async () => {
    service = serviceFor();
    await service.converge({ api_keys: [{ name: "bot", permissions: { incidents: ["read"] } }] });
    const { api_keys } = (await service.hand("GET", "/api_keys")) as { api_keys: readonly { prefix: string }[] };
    const ownPrefixes = [api_keys[0]?.prefix ?? ""];
    expect(await blocked({ api_keys: [] }, ANY, { options: { ownPrefixes } })).toEqual(["OWN_KEY"]);
    expect(await blocked({ api_keys: [] }, ANY)).toEqual([]);
  });

  test("a routing change that some alert would feel, until it is accepted", async () => {
    service = serviceFor();
    const rule = (service: string): Fields => ({
      conditions: [{ field: "service", operator: "is_one_of", value: [service] }],
      outcome: { action: "drop" },
    });
    const before = { alert_sources: [{ name: "Datadog" }], routing_rules: { workspace: [rule("web")] } };
    await service.converge(before);
    const after = { ...before, routing_rules: { sources: { Datadog: [rule("db"), rule("web")] } } };
    expect(await blocked(after, ANY)).toEqual(["ROUTING_WINDOW --accept-routing-window"]);
    expect(await blocked(after, { ...ANY, acceptRoutingWindow: true })).toEqual([]);
  });

  test("a source that loses its rules for those which the workspace gets in the same run", async () => {
    service = serviceFor();
    const rule = (service: string): Fields => ({
      conditions: [{ field: "service", operator: "is_one_of", value: [service] }],
      outcome: { action: "drop" },
    });
    const routed = (workspace: readonly Fields[], datadog: readonly Fields[]): Fields => ({
      alert_sources: [{ name: "Datadog" }],
      routing_rules: { workspace, sources: { Datadog: datadog } },
    });
    const own = [rule("db"), { conditions: [], outcome: { action: "drop" } }];
    await service.converge(routed([{ ...rule("web"), enabled: false }], own));
    expect(await blocked(routed([rule("web")], []), ANY)).toEqual(["ROUTING_WINDOW --accept-routing-window"]);
    expect(await blocked(routed([], []), ANY)).toEqual([]);
  });
});

test.each([
  [undefined, 9, 3],
  [undefined, 10, 3],
  [undefined, 40, 12],
  [{ percent: 30 }, 11, 3],
  [{ percent: 1 }, 10, 1],
  [{ entries: 0 }, 100, 0],
])("with the ceiling %j and %i enabled entries, %i may go", (ceiling, enabled, most) => {
  expect(allowed(ceiling, enabled)).toBe(most);
});
