import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Fields, Json } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { matchesAll, normal, rule } from "../../../src/plan/ranked/rule.ts";

const kind = kinds.find(({ lifecycle: { order } }) => order === "rank");
const asRule = (fields: Fields) => {
  if (kind === undefined) throw new Error("there is no ranked kind");
  return rule(kind, fields);
};
const when = (...value: readonly string[]): Fields => ({ field: "service", operator: "is_one_of", value });

describe("a rule matches everything", () => {
  test.each([
    [{}, true],
    [{ conditions: [] }, true],
    [{ enabled: true }, true],
    [{ enabled: false }, false],
    [{ conditions: [when("a")] }, false],
    [{ conditions: null }, true],
    [{ conditions: "all" }, false],
    [undefined, false],
  ] as const)("%j: %s", (fields, all) => {
    expect(matchesAll(fields)).toBe(all);
  });
});

describe("two rules", () => {
  test("match the same alerts whatever the order of their conditions and values", () => {
    const left = asRule({ conditions: [when("a", "b"), when("c")], enabled: true, outcome: null });
    const right = asRule({ conditions: [when("c"), when("b", "a")], enabled: true, outcome: { action: "drop" } });
    expect(left.match).toBe(right.match);
    expect(left.outcome).not.toBe(right.outcome);
  });

  test("do not when a value, or whether they are enabled, is another", () => {
    const one = asRule({ conditions: [when("a")], enabled: true });
    expect(asRule({ conditions: [when("b")], enabled: true }).match).not.toBe(one.match);
    expect(asRule({ conditions: [when("a")], enabled: false }).match).not.toBe(one.match);
    expect(asRule({ conditions: [when("a"), when("a")], enabled: true }).match).not.toBe(one.match);
  });

  test("do the same where only blank members differ, and names for people say nothing", () => {
    const one = asRule({ outcome: { action: "drop" }, name: "One" });
    expect(asRule({ outcome: { note: "", list: [], gone: null, action: "drop" }, name: "Two" })).toEqual(one);
    expect(asRule({ outcome: { action: "drop", count: 0 } }).outcome).not.toBe(one.outcome);
    expect(asRule({ outcome: { action: "drop", on: false } }).outcome).not.toBe(one.outcome);
  });
});

test.each([
  [{ enabled: true, conditions: [] }, "all"],
  [{ enabled: true, conditions: [when("a")] }, undefined],
  [{ enabled: false, conditions: [] }, "none"],
  [{ enabled: false, conditions: [when("a")] }, "none"],
] as const)("a rule with %j reaches %s of the alerts", (fields, reach) => {
  expect(asRule(fields).reach).toBe(reach);
  expect(Object.keys(asRule(fields)).includes("reach")).toBe(reach !== undefined);
});

test("the text of a value depends neither on the order of its members nor on that of its lists, and tells values apart", () => {
  const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);
  fc.assert(
    fc.property(json, (value) => {
      expect(normal(turned(value))).toBe(normal(value));
    }),
  );
  expect(normal(["a", "b"])).not.toBe(normal(["a,b"]));
  expect(normal({ a: "b" })).not.toBe(normal(["a", "b"]));
  expect(normal({ a: [1] })).not.toBe(normal({ b: [1] }));
  expect(normal({ a: 1, b: 2 })).not.toBe(normal({ a: 2, b: 1 }));
  expect(normal("1")).not.toBe(normal(1));
});

/** The value with every list and the members of every object the other way round. */
function turned(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => turned(item)).reverse();
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, turned(member as Json)] as const)
      .reverse(),
  );
}
