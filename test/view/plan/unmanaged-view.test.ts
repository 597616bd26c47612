import { expect, test } from "vitest";
import type { Unmanaged } from "../../../src/plan/model/plan.ts";
import { unmanagedSections } from "../../../src/view/plan/unmanaged-view.ts";
import { planOf } from "../plans.ts";

const lines = (unmanaged: readonly Unmanaged[], released: readonly string[] = []) =>
  unmanagedSections(
    planOf([], { unmanaged, released: released.map((address) => ({ address, because: "gone" })) }),
  ).flatMap(({ items }) => items.map(({ where, note }) => `${where.join(" ")}: ${note}`));

const rules = (count: number): readonly Unmanaged[] =>
  Array.from({ length: count }, (_one, at) => ({
    ...{ address: `routing_rules/S${at}`, kind: "routing_rules", resources: 2 },
  }));

test("nothing that is not managed is no section", () => {
  expect(lines([])).toEqual([]);
});

test("each list has a line with its first names and a count", () => {
  expect(
    lines([
      { address: "webhooks", kind: "webhooks", resources: 1, names: ["chat"] },
      { address: "severities", kind: "severities", resources: 12, names: ["a", "b", "c"] },
      { address: "custom_fields/region", kind: "custom_fields", path: "/options", items: 2, names: ["EU", "US"] },
      { address: "runbooks", kind: "runbooks" },
      ...rules(3),
    ]),
  ).toEqual([
    "webhooks: 1 resource: chat",
    "severities: 12 resources: a, b, c, 9 more",
    "custom_fields/region options: 2 items: EU, US",
    "routing_rules/S0: 2 resources",
    "routing_rules/S1: 2 resources",
    "routing_rules/S2: 2 resources",
    "runbooks: not read",
  ]);
});

test("thousands of lists of one kind have one line, read or not", () => {
  expect(lines(rules(10_000))).toEqual([
    "routing_rules/S0, routing_rules/S1, routing_rules/S2, 9,997 more of routing_rules: 20,000 resources",
  ]);
  const unread = rules(10_000).map(({ address, kind }) => ({ address, kind }));
  expect(lines([{ address: "agents", kind: "agents" }, ...unread])).toEqual([
    "agents, routing_rules (10,000 lists): not read",
  ]);
});

test("what is no longer managed is not said twice", () => {
  expect(lines([{ address: "webhooks", kind: "webhooks" }, ...rules(1)], ["webhooks"])).toEqual([
    "routing_rules/S0: 2 resources",
  ]);
});
