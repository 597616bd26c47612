import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Fields, Json } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import type { Kind } from "../../../src/kinds/model/kind.ts";
import { isSameValue, normalizedText } from "../../../src/kinds/values/same-value.ts";
import { isSameRule, matchesEverything, ruleFields, toRankedRule } from "../../../src/plan/ranked/rule.ts";

const ranked = kinds.find(({ rule }) => rule !== undefined);
if (ranked === undefined) throw new Error("there is no ranked kind");
const kind: Kind = ranked;
const asRule = (fields: Fields) => toRankedRule(kind, fields);
const when = (...value: readonly string[]): Fields => ({ field: "service", operator: "is_one_of", value });

test("a kind that is not ranked has no rules", () => {
  const other = kinds.find(({ rule }) => rule === undefined);
  expect(other).toBeDefined();
  if (other !== undefined) expect(() => ruleFields(other)).toThrow(`${other.name} is not a kind of rules`);
  expect(ruleFields(kind)).toEqual({ conditions: "conditions", enabled: "enabled", effect: "outcome" });
});

test.each([
  [{}, true],
  [{ conditions: [] }, true],
  [{ enabled: true }, true],
  [{ enabled: false }, false],
  [{ conditions: [when("a")] }, false],
  [{ conditions: null }, true],
  [{ conditions: "all" }, false],
] as const)("a rule with %j matches every alert: %s", (fields, all) => {
  expect(matchesEverything(kind, fields)).toBe(all);
});

describe("two rules", () => {
  test("match the same alerts whatever the order of their conditions and values", () => {
    const left = asRule({ conditions: [when("a", "b"), when("c")], enabled: true, outcome: null });
    const right = asRule({ conditions: [when("c"), when("b", "a")], enabled: true, outcome: { action: "drop" } });
    expect(left.match).toBe(right.match);
    expect(left.effect).not.toBe(right.effect);
  });

  test("match other alerts if a value differs, or only one of them is enabled", () => {
    const one = asRule({ conditions: [when("a")], enabled: true });
    expect(asRule({ conditions: [when("b")], enabled: true }).match).not.toBe(one.match);
    expect(asRule({ conditions: [when("a")], enabled: false }).match).not.toBe(one.match);
    expect(asRule({ conditions: [when("a"), when("a")], enabled: true }).match).not.toBe(one.match);
  });

  test("are the same if only empty values or their names differ", () => {
    const one = asRule({ outcome: { action: "drop" }, name: "One" });
    const two = asRule({ outcome: { note: "", list: [], gone: null, action: "drop" }, name: "Two" });
    expect(two).toEqual(one);
    expect(isSameRule(one, two)).toBe(true);
    expect(asRule({ outcome: { action: "drop", count: 0 } }).effect).not.toBe(one.effect);
    expect(asRule({ outcome: { action: "drop", on: false } }).effect).not.toBe(one.effect);
  });

  test("are not the same if one has other conditions or another outcome, or is missing", () => {
    const one = asRule({ conditions: [when("a")], outcome: { action: "drop" } });
    expect(isSameRule(one, asRule({ conditions: [when("b")], outcome: { action: "drop" } }))).toBe(false);
    expect(isSameRule(one, asRule({ conditions: [when("a")], outcome: null }))).toBe(false);
    expect(isSameRule(one, undefined)).toBe(false);
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

test("a missing value and an empty one are the same", () => {
  expect(isSameValue(null, "")).toBe(true);
  expect(isSameValue([], null)).toBe(true);
  expect(isSameValue(false, null)).toBe(false);
  expect(isSameValue(["a", "b"], ["b", "a"])).toBe(true);
});

test("the normalized text of a value depends on no order, and differs for different values", () => {
  const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);
  fc.assert(
    fc.property(json, (value) => {
      expect(normalizedText(turned(value))).toBe(normalizedText(value));
    }),
  );
  expect(normalizedText(["a", "b"])).not.toBe(normalizedText(["a,b"]));
  expect(normalizedText({ a: "b" })).not.toBe(normalizedText(["a", "b"]));
  expect(normalizedText({ a: [1] })).not.toBe(normalizedText({ b: [1] }));
  expect(normalizedText({ a: 1, b: 2 })).not.toBe(normalizedText({ a: 2, b: 1 }));
  expect(normalizedText("1")).not.toBe(normalizedText(1));
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
