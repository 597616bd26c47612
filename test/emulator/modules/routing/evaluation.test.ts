import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields, Json } from "../../../../src/core/json.ts";
import { listOf, openTestEmulator, type TestEmulator } from "../../test-emulator.ts";

let service: TestEmulator;
beforeEach(async () => {
  service = await openTestEmulator();
});
afterEach(() => service.close());

const drop = { action: "drop" };

async function rule(conditions: Json, more: Fields = {}, source = ""): Promise<Fields> {
  const response = await service.send("POST", `/routing_rules${source}`, { conditions, outcome: drop, ...more });
  expect(response.status).toBe(201);
  return response.body;
}

async function evaluate(fields: Fields, source?: string): Promise<Fields> {
  const response = await service.send(
    "POST",
    "/routing/evaluate",
    source === undefined ? { fields } : { fields, source },
  );
  expect(response.status).toBe(200);
  return response.body;
}

test("Routing evaluate: the first rule whose conditions all match, its outcome, and a trace of every condition", async () => {
  const serviceIs = { field: "service", operator: "is_one_of", value: ["checkout"] };
  const title = { field: "title", operator: "contains", value: "error" };
  const off = await rule([], { enabled: false });
  const first = await rule([serviceIs, title]);
  const outcome = { action: "auto_create_incident", severity_id: await service.id("severities", "major") };
  const second = await rule([serviceIs], { outcome });
  await rule([]);
  expect(await evaluate({ service: "checkout", title: "slow", count: 3, nothing: null })).toEqual({
    matched: true,
    matched_rule_priority: 3,
    outcome,
    context: { service: "checkout", title: "slow", count: "3" },
    trace: [
      { rule_id: off.id, priority: 1, matched: false, skipped: true, conditions: [] },
      {
        rule_id: first.id,
        priority: 2,
        matched: false,
        skipped: false,
        conditions: [
          { ...serviceIs, actual: "checkout", matched: true },
          { ...title, actual: "slow", matched: false },
        ],
      },
      {
        rule_id: second.id,
        priority: 3,
        matched: true,
        skipped: false,
        conditions: [{ ...serviceIs, actual: "checkout", matched: true }],
      },
    ],
  });
});

test("Routing evaluate: an expression with an endless search matches nothing, within a second", async () => {
  await rule([{ field: "title", operator: "matches_regex", value: "^(a+)+$" }]);
  const title = `${"a".repeat(40)}!`;
  const before = process.cpuUsage();
  expect(await evaluate({ title })).toMatchObject({ matched: false });
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
});

test("Routing evaluate: the catalog adds the service's team and the plain attributes of named entries", async () => {
  const entry = async (type: string, body: Fields): Promise<Fields> => {
    const response = await service.send("POST", `/catalog/types/${type}/entries`, body);
    expect(response.status).toBe(201);
    return response.body;
  };
  const team = await entry("team", { name: "Payments", attributes: { description: "Pays" } });
  await entry("service", { name: "Checkout", attributes: { tier: "Critical", owner_team: team.id ?? null } });
  await entry("environment", { name: "eu", attributes: { is_production: true } });
  await rule([{ field: "team", operator: "is_one_of", value: ["Payments"] }]);
  expect(await evaluate({ service: "checkout", environment: "eu", "service.tier": "Mine" })).toMatchObject({
    matched: true,
    context: {
      service: "checkout",
      team: "Payments",
      "service.tier": "Mine",
      "team.description": "Pays",
      "environment.is_production": "true",
    },
  });
  expect(await evaluate({ service: "checkout", team: "Search" })).toMatchObject({ context: { team: "Search" } });
});

test("Routing evaluate: it warns about a role that rules need and no catalog attribute has", async () => {
  for (const type of listOf(await service.send("GET", "/catalog/types"), "types")) {
    const definitions = listOf({ status: 200, headers: new Headers(), body: type }, "attribute_definitions");
    const attributes = definitions.map((definition) => ({ ...definition, role: null }));
    expect((await service.send("PATCH", `/catalog/types/${type.slug}`, { attributes })).status).toBe(200);
  }
  await rule([], { outcome: { action: "notify_only", notify: { type: "team", entry_id: "any" } } });
  expect((await evaluate({})).role_warnings).toEqual([
    expect.stringContaining("notification_channel"),
    expect.stringContaining("members or manager"),
  ]);
  const attributes = [
    { name: "On call", attribute_type: "workspace_members", role: "members" },
    { name: "Alarm", attribute_type: "slack_channel", role: "notification_channel" },
  ];
  const squad = await service.send("POST", "/catalog/types", { name: "Squad", attributes });
  expect(squad.status).toBe(201);
  expect(await evaluate({})).not.toHaveProperty("role_warnings");
});

test("Routing evaluate: it creates nothing and notifies nobody", async () => {
  await rule([], { outcome: { action: "auto_create_incident" } });
  await evaluate({ title: "Would be one" });
  expect((await service.send("GET", "/incidents")).body.incidents).toEqual([]);
  expect((await service.control("GET", "/posts")).body.posts).toEqual([]);
  expect((await service.control("GET", "/alerts")).body.alerts).toEqual([]);
});

test("Routing evaluate: it needs policies: read", async () => {
  await rule([]);
  const send = async (permissions: Fields): Promise<number> => {
    return (await service.send("POST", "/routing/evaluate", { fields: {} }, await service.key(permissions))).status;
  };
  expect([await send({ alerts: ["read"] }), await send({ policies: ["read"] })]).toEqual([403, 200]);
});
