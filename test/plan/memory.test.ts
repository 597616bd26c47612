import { describe, expect, test } from "vitest";
import type { Fields } from "../../src/json.ts";
import { serviceFor } from "../support/service.ts";

const runbook = (conditions: readonly Fields[]): Fields => ({
  severities: [
    { slug: "critical", name: "Critical", default: true },
    { slug: "major", name: "Major" },
    { slug: "minor", name: "Minor" },
  ],
  runbooks: [{ slug: "failover", name: "Failover", conditions }],
});
const on = (severity: string): Fields => ({ condition_field: "severity", operator: "one_of", values: [severity] });

describe("a field that the service does not return", () => {
  test("is sent on creation, then reported and not sent as long as it is declared as before", async () => {
    const service = serviceFor({ dialects: { readable: "partial" } });
    await service.converge(runbook([on("critical")]));
    const plan = await service.plan(runbook([on("critical")]));
    expect(plan.operations).toEqual([]);
    expect(plan.unreadable.map(({ address, path }) => `${address}${path}`)).toContain("runbooks/failover/conditions");
    service.emulator.close();
  });

  test("is sent when its own declared value has changed since the last apply", async () => {
    const service = serviceFor({ dialects: { readable: "partial" } });
    await service.converge(runbook([on("critical")]));
    const plan = await service.converge(runbook([on("major")]));
    expect(plan.operations.map(({ method, body }) => [method, Object.keys(body ?? {})])).toEqual([
      ["PATCH", ["conditions"]],
    ]);
    expect((await service.plan(runbook([on("major")]))).operations).toEqual([]);
    service.emulator.close();
  });

  test("is sent when it is declared for the first time, or again after it was left out", async () => {
    const service = serviceFor({ dialects: { readable: "partial" } });
    const bare = { runbooks: [{ slug: "failover", name: "Failover" }] };
    await service.converge(bare);
    expect((await service.plan(bare)).unreadable).toEqual([]);
    for (const conditions of [[on("critical")], []]) {
      const plan = await service.converge(runbook(conditions));
      expect(plan.operations.filter(({ path }) => path.endsWith("/runbooks/failover")).map(({ body }) => body)).toEqual(
        [{ conditions: conditions.map((one) => ({ ...one, values: expect.any(Array) })) }],
      );
      expect((await service.plan(runbook(conditions))).operations).toEqual([]);
      expect((await service.converge(bare)).operations).toEqual([]);
    }
    service.emulator.close();
  });

  test("is not remembered where the service returns every field", async () => {
    const service = serviceFor();
    const bare = {
      runbooks: [{ slug: "failover", name: "Failover" }],
      custom_fields: [{ slug: "note", name: "Note", field_type: "text" }],
      catalog_types: [{ slug: "squad", name: "Squad" }],
      incident_types: [{ slug: "data_issue" }, { slug: "outage", name: "Outage" }],
      alert_sources: [{ name: "Datadog" }],
      webhooks: [{ name: "chat", url: "https://chat.example/hook" }],
    };
    await service.converge(bare);
    const memory = { lock: {}, resend: false, noting: true as const };
    expect((await service.plan(bare, { options: { memory } })).unreadable).toEqual([]);
    service.emulator.close();
  });

  test("is sent again with --resend-unreadable, and never without something remembered", async () => {
    const service = serviceFor({ dialects: { readable: "partial" } });
    await service.converge(runbook([on("critical")]));
    const resend = { options: { memory: { lock: {}, resend: true } } };
    const forget = { options: { memory: { lock: {}, resend: false } } };
    expect((await service.plan(runbook([on("critical")]), resend)).operations).toHaveLength(1);
    expect((await service.plan(runbook([on("major")]), forget)).operations).toEqual([]);
    service.emulator.close();
  });
});

test("an option that the service refused to let go is named, and not asked for again until it is declared otherwise", async () => {
  const field = (options: readonly string[]): Fields => ({
    custom_fields: [{ slug: "region", name: "Region", field_type: "single_select", options }],
  });
  const service = serviceFor({ dialects: { readable: "partial" } });
  await service.converge(field(["EU", "US", "MEA"]));
  const condition = { condition_field: "custom_field", custom_field: "region", operator: "one_of", values: ["US"] };
  await service.hand("POST", "/runbooks", { name: "By hand", conditions: [condition] });
  const first = await service.converge(field(["EU", "MEA"]));
  expect(first.operations).toHaveLength(1);
  const second = await service.plan(field(["EU", "MEA"]));
  expect(second.operations).toEqual([]);
  expect(second.warnings.map(({ message }) => message)).toEqual([
    'custom_fields/region: "US" is not in the files but stays among the options, because the service refused to let it go at the last apply',
  ]);
  expect((await service.plan(field(["MEA"]))).operations).not.toEqual([]);
  service.emulator.close();
});
