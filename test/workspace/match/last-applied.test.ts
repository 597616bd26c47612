import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { updateLastApplied } from "../../../src/plan/checks/update-last-applied.ts";
import type { Plan } from "../../../src/plan/model/plan.ts";
import {
  differsFromLastApplied,
  hashValue,
  type LastApplied,
  type LastAppliedHashes,
  refusedHashes,
  UNDECLARED,
  wasShorteningRefused,
} from "../../../src/workspace/match/last-applied.ts";
import { configured } from "../../support/plans/configuration.ts";
import { planned } from "../../support/plans/make-plan.ts";
import { serviceFor } from "../../support/service/test-service.ts";

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
    const memory = { hashes: {}, resend: false, verifying: true as const };
    expect((await service.plan(bare, { options: { lastApplied: memory } })).unreadable).toEqual([]);
    service.emulator.close();
  });

  test("is sent again with --resend-unreadable, and never without something remembered", async () => {
    const service = serviceFor({ dialects: { readable: "partial" } });
    await service.converge(runbook([on("critical")]));
    const resend = { options: { lastApplied: { hashes: {}, resend: true } } };
    const forget = { options: { lastApplied: { hashes: {}, resend: false } } };
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
    'custom_fields/region: option "US" is not in the configuration but stays: the service refused to remove it at the last apply (retry with --resend-unreadable)',
  ]);
  expect((await service.plan(field(["MEA"]))).operations).not.toEqual([]);
  service.emulator.close();
});

test("conditions that were met and never sent may still hold what is to go: it stays, also after an apply", async () => {
  const service = serviceFor({ dialects: { readable: "partial" } });
  const region = { name: "Region", field_type: "single_select", option_source: "fixed", options: ["EU"] };
  await service.hand("POST", "/custom_fields", region);
  await service.hand("POST", "/runbooks", { name: "Failover", conditions: [] });
  const said = async (values: readonly string[], action: "plan" | "converge") => {
    const conditions = [{ condition_field: "severity", operator: "one_of", values }];
    const document = { custom_fields: [], runbooks: [{ slug: "failover", name: "Failover", conditions }] };
    const { operations } = await service[action](document);
    return operations.map(({ method, address }) => `${method} ${address}`);
  };
  expect(await said(["critical"], "converge")).toEqual([]);
  expect(await said(["critical"], "plan")).toEqual([]);
  expect(await said(["major"], "converge")).toEqual(["PATCH runbooks/failover", "DELETE custom_fields/region"]);
  expect(await said(["major"], "plan")).toEqual([]);
  service.emulator.close();
});

describe("what is remembered", () => {
  const memory = (lock: LastApplied["hashes"], resend = false): LastApplied => ({ hashes: lock, resend });

  test("of a value is its hash, which does not tell it", () => {
    expect(hashValue({ a: 1, b: [2] })).toMatch(/^[0-9a-f]{64}$/);
    expect(hashValue({ b: [2], a: 1 })).toBe(hashValue({ a: 1, b: [2] }));
    expect(hashValue({ a: 1, b: [3] })).not.toBe(hashValue({ a: 1, b: [2] }));
  });

  test("tells whether a declared value is another one; of nothing remembered it tells nothing", () => {
    const lock = { "runbooks/a#summary": hashValue("One."), "runbooks/a#inputs": UNDECLARED };
    expect(differsFromLastApplied(memory(lock), "runbooks/a", "summary", "One.")).toBe(false);
    expect(differsFromLastApplied(memory(lock), "runbooks/a", "summary", "Two.")).toBe(true);
    expect(differsFromLastApplied(memory(lock), "runbooks/a", "inputs", [])).toBe(true);
    expect(differsFromLastApplied(memory(lock), "runbooks/a", "content", "One.")).toBeUndefined();
    expect(differsFromLastApplied(memory(lock), "runbooks/b", "summary", "One.")).toBeUndefined();
    expect(differsFromLastApplied(memory(lock, true), "runbooks/a", "summary", "One.")).toBe(true);
  });

  test("of a refusal holds for the list that was declared then, and not with the flag", () => {
    const lock = {
      "custom_fields/region#options?refused": hashValue(["EU"]),
      "custom_fields/region#options": hashValue(["US"]),
    };
    expect(wasShorteningRefused(memory(lock), "custom_fields/region", "options", ["EU"])).toBe(true);
    expect(wasShorteningRefused(memory(lock), "custom_fields/region", "options", ["US"])).toBe(false);
    expect(wasShorteningRefused(memory(lock), "custom_fields/zone", "options", ["EU"])).toBe(false);
    expect(wasShorteningRefused(memory(lock, true), "custom_fields/region", "options", ["EU"])).toBe(false);
    expect(refusedHashes(lock)).toEqual({ "custom_fields/region#options?refused": hashValue(["EU"]) });
  });
});

describe("what an apply leaves to remember", () => {
  const rows = { runbooks: [{ slug: "a", name: "A" }] };
  const noting = { hashes: {}, resend: false, verifying: true as const };
  const left = (
    document: Fields,
    secrets: Readonly<Record<string, readonly string[]>> = {},
    applied: Plan["operations"] = [],
    before: LastAppliedHashes = {},
  ) => {
    const configuration = configured(document);
    const declared = configuration.declared.map((entry) => ({ ...entry, secrets: secrets[entry.address] ?? [] }));
    return updateLastApplied(
      { ...configuration, declared },
      applied,
      planned(document, { live: rows, lastApplied: noting }),
      before,
    );
  };

  test("are the unreadable fields, as they are declared or left out, in order", () => {
    const lock = left({ runbooks: [{ slug: "a", name: "A", summary: "One.", content: "Two." }] });
    expect(lock["runbooks/a#summary"]).toBe(hashValue("One."));
    expect(lock["runbooks/a#content"]).toBe(hashValue("Two."));
    expect(lock["runbooks/a#steps"]).toBe(UNDECLARED);
    expect(lock).not.toHaveProperty(["runbooks/a#name"]);
    expect(Object.keys(lock)).toEqual(Object.keys(lock).toSorted());
  });

  test("say of a field that mentions others whether an apply has sent it, as long as it is declared alike", () => {
    const conditions = [{ field: "severity", operator: "is_one_of", values: ["sev1"] }];
    const document = { runbooks: [{ slug: "a", name: "A", conditions }] };
    const [name, unsent] = ["runbooks/a#conditions", "runbooks/a#conditions?unsent"];
    const met = left(document);
    expect(met[unsent]).toBe(met[name]);
    expect(left(document, {}, [], met)).toEqual(met);
    const patch = { address: "runbooks/a", body: { conditions: [] } };
    const { operations } = planned(document, { live: rows, lastApplied: { hashes: {}, resend: true } });
    expect(operations).toMatchObject([{ ...patch, body: { conditions: expect.anything() } }]);
    const known = left(document, {}, operations);
    expect(known).toEqual({ ...met, [unsent]: undefined });
    expect(left(document, {}, [], known)).toEqual(known);
    const other = { runbooks: [{ slug: "a", name: "A", conditions: [] }] };
    expect(left(other, {}, [], known)).toHaveProperty([unsent]);
  });

  test("are no secrets, not even as a hash", () => {
    const document = {
      runbooks: [{ slug: "a", name: "A", summary: "One.", steps: [{ title: "Two" }], content: "Three." }],
    };
    const lock = left(document, { "runbooks/a": ["/summary", "/steps/0/title"] });
    expect(lock).not.toHaveProperty(["runbooks/a#summary"]);
    expect(lock).not.toHaveProperty(["runbooks/a#steps"]);
    expect(lock["runbooks/a#content"]).toBe(hashValue("Three."));
  });

  test("is the list that the service would not shorten, as long as it is declared as then", () => {
    const document = {
      custom_fields: [{ slug: "region", name: "Region", field_type: "single_select", options: ["EU"] }],
    };
    const options = ["EU", "US"].map((label) => ({ id: label, label }));
    const live = {
      custom_fields: [{ slug: "region", name: "Region", field_type: "single_select", option_source: "fixed", options }],
    };
    const verifying = planned(document, { live });
    const name = "custom_fields/region#options?refused";
    const lock = updateLastApplied(configured(document), [], verifying, {});
    expect(lock).toEqual({ [name]: hashValue(["EU"]) });
    const done = planned(document, {
      live: { custom_fields: [{ ...live.custom_fields[0], options: options.slice(0, 1) }] },
    });
    expect(updateLastApplied(configured(document), [], done, lock)).toEqual(lock);
    expect(updateLastApplied(configured(document), [], done, { [name]: hashValue(["MEA"]) })).toEqual({});
    expect(updateLastApplied(configured({ custom_fields: [] }), [], done, lock)).toEqual({});
  });
});

describe("a field that an apply has set from the environment", () => {
  const name = "webhooks/Pager#url?environment";
  const hook = { name: "Pager", url: "https://hooks.example.com/1", events: ["incident.created"] };
  const live = { live: { webhooks: [{ ...hook, id: "w1", enabled: true }] } };
  const remember = (
    webhooks: readonly Fields[],
    {
      secrets = [],
      applied = [],
      before = {},
    }: { secrets?: string[]; applied?: Plan["operations"]; before?: LastAppliedHashes } = {},
  ) => {
    const configuration = configured({ webhooks });
    const declared = configuration.declared.map((entry) => ({ ...entry, secrets }));
    return updateLastApplied({ ...configuration, declared }, applied, planned({ webhooks }, live), before);
  };
  const deletion = (how: Partial<Plan["operations"][number]> = {}): Plan["operations"] =>
    planned({ webhooks: [] }, live).operations.map(({ fallback: _, ...one }) => ({ ...one, ...how }));

  test("is remembered by its name alone, whole where a part of it came from there", () => {
    expect(remember([hook], { secrets: ["/url"] })).toEqual({ [name]: hashValue(null) });
    expect(remember([hook], { secrets: ["/url/0/token", "/url/1/token"] })).toEqual({ [name]: hashValue(null) });
    expect(remember([hook])).toEqual({});
  });

  test("is remembered until the files state it otherwise, and nothing else is", () => {
    const before = { [name]: hashValue(null), "webhooks/Pager#events": hashValue(["a"]) };
    expect(remember([{ name: "Pager", events: ["incident.created"] }], { before })).toEqual({
      [name]: hashValue(null),
    });
    expect(remember([hook], { before })).toEqual({});
    expect(remember([hook], { before, secrets: ["/url"] })).toEqual({ [name]: hashValue(null) });
  });

  test("is remembered until its entry is deleted, and not when that one was only disabled or kept", () => {
    const before = { [name]: hashValue(null), "webhooks/Pager two#url?environment": hashValue(null) };
    expect(deletion()).toMatchObject([{ method: "DELETE", address: "webhooks/Pager" }]);
    expect(remember([], { before, applied: deletion() })).toEqual({
      "webhooks/Pager two#url?environment": hashValue(null),
    });
    expect(remember([], { before, applied: deletion({ fallback: { method: "PATCH", body: {} } }) })).toEqual(before);
    expect(remember([], { before, applied: deletion({ retains: "it is used" }) })).toEqual(before);
    expect(remember([], { before, applied: deletion({ method: "PATCH" }) })).toEqual(before);
  });
});

describe("an entry that the service would not delete and that cannot be disabled", () => {
  const types = (...slugs: readonly string[]) => ({ catalog_types: slugs.map((slug) => ({ slug, name: slug })) });
  const held = { "catalog_types/rack#?refused": hashValue(null) };
  const none = configured({ catalog_types: [] });

  test("is remembered as long as it is open, and then as long as it stays", () => {
    const open = planned({ catalog_types: [] }, { live: types("rack") });
    expect(updateLastApplied(none, [], open, {})).toEqual(held);
    const stays = planned({ catalog_types: [] }, { live: types("rack"), lastApplied: { hashes: held, resend: false } });
    expect(stays.operations).toEqual([]);
    expect(stays.warnings.map(({ code, address }) => [code, address])).toEqual([["W_RETAINED", "catalog_types/rack"]]);
    expect(updateLastApplied(none, [], stays, held)).toEqual(held);
    expect(updateLastApplied(none, [], stays, {})).toEqual({});
    expect(updateLastApplied(none, [], planned({ catalog_types: [] }), held)).toEqual({});
    const other = { ...stays, warnings: stays.warnings.map((warning) => ({ ...warning, code: "W_OTHER" })) };
    expect(updateLastApplied(none, [], other, held)).toEqual({});
  });

  test("is asked for again with the flag", () => {
    const again = planned({ catalog_types: [] }, { live: types("rack"), lastApplied: { hashes: held, resend: true } });
    expect(again.operations.map(({ method }) => method)).toEqual(["DELETE"]);
  });

  test("is none that can be disabled", () => {
    const open = planned({ severities: [] }, { live: { severities: [{ slug: "old", name: "Old" }] } });
    expect(updateLastApplied(configured({ severities: [] }), [], open, {})).toEqual({});
  });
});

test("an entry without choices has none to remember", () => {
  const live = { custom_fields: [{ slug: "note", name: "Note", field_type: "text", option_source: "none" }] };
  const noting = { hashes: {}, resend: false, verifying: true as const };
  const told = planned({ custom_fields: [{ slug: "note", name: "Note" }] }, { live, lastApplied: noting }).unreadable;
  expect(told.map(({ path }) => path)).not.toContain("/options");
  expect(told.map(({ path }) => path)).toContain("/description");
});
