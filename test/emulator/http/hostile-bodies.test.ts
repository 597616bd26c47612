import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Fields, Json } from "../../../src/core/json.ts";
import { createEmulator, type Emulator } from "../../../src/emulator/emulator.ts";
import { allModules } from "../../../src/emulator/modules/all-modules.ts";
import { listResources, send } from "../client.ts";

let emulator: Emulator;
const failures: unknown[] = [];
/** Path parameters that name existing resources. */
const addresses: Record<string, readonly string[]> = {};

beforeAll(async () => {
  emulator = createEmulator({ report: (error) => failures.push(error), requestsPerMinute: Number.POSITIVE_INFINITY });
  const create = async (path: string, body: Fields): Promise<Fields> => (await send(emulator, "POST", path, body)).body;
  await create("/custom_fields", {
    name: "Region",
    field_type: "single_select",
    option_source: "fixed",
    options: ["EU"],
  });
  await create("/runbooks", { name: "Failover", steps: [{ title: "Look" }] });
  await create("/catalog/types", { name: "Host", attributes: [{ name: "Cores", attribute_type: "number" }] });
  const entry = await create("/catalog/types/host/entries", { name: "One", attributes: { cores: 1 } });
  const source = await create("/alert_sources", { name: "Pager" });
  await create("/routing_rules", { outcome: { action: "drop" } });
  const hook = await create("/webhooks", { name: "Hook", url: "http://127.0.0.1:9" });
  const key = await create("/api_keys", { name: "CI" });
  await create("/agents", { name: "Bot" });
  const [severity] = await listResources(emulator, "/severities");
  const declared = { idempotency_key: "k", name: "Down", severity_id: severity?.id ?? null };
  const { incident } = await create("/incidents", declared);
  const ids = [entry.id, hook.id, (incident as Fields).id].map(String);
  addresses.id = ids;
  addresses.slug = ["critical", "region", "declare", "failover", "host", "bot", String(source.slug)];
  addresses.prefix = [String(key.prefix)];
  addresses.priority = ["1"];
});
afterAll(() => emulator.close());

const awkward: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    "",
    " ",
    "true",
    "EU",
    "critical",
    "text",
    "Host",
    "{{x}}",
    "__proto__",
    "\u0000",
    "2026-13-45",
  ),
  fc.constantFrom<Json>(0, -1, 1e308, 2.5, true, false, null),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
);

const routes = allModules.flatMap((module) => module.endpoints).filter(({ method }) => method !== "GET");

/** A body with some of the endpoint's properties, some of the right type. */
function bodyOf({ body }: (typeof routes)[number]): fc.Arbitrary<Json> {
  const members = Object.entries(body?.properties ?? {}).map(([name, shape]) => {
    const list = shape.items === undefined ? [] : [fc.array(membersOf(shape.items.properties ?? {}), { maxLength: 3 })];
    return [name, fc.oneof(awkward, fc.string(), ...list)] as const;
  });
  return fc.record(Object.fromEntries(members), { requiredKeys: [] }) as fc.Arbitrary<Json>;
}

function membersOf(properties: object): fc.Arbitrary<Json> {
  const members = Object.keys(properties).map((name) => [name, awkward] as const);
  return members.length === 0
    ? awkward
    : (fc.record(Object.fromEntries(members), { requiredKeys: [] }) as fc.Arbitrary<Json>);
}

test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  "no body makes %s fail",
  async (_name, route) => {
    const property = fc.asyncProperty(bodyOf(route), fc.nat(), async (body, pick) => {
      const path = route.path.replace(/:([a-z_]+)/g, (_match, name: string) => {
        const known = addresses[name] ?? [];
        return encodeURIComponent(known[pick % (known.length + 1)] ?? "nothing");
      });
      const { status } = await send(emulator, route.method, path, body);
      expect([status, ...failures.splice(0)]).toEqual([expect.toSatisfy((code: number) => code < 500)]);
    });
    await fc.assert(property, { numRuns: 40 });
  },
);
