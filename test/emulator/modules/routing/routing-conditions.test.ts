import { describe, expect, test } from "vitest";
import type { Json } from "../../../../src/core/json.ts";
import { isValid } from "../../../../src/emulator/http/body-schema.ts";
import { HttpError } from "../../../../src/emulator/http/http-error.ts";
import { regularExpression } from "../../../../src/emulator/http/regular-expression.ts";
import {
  matchesCondition,
  parseStoredCondition,
  type RoutingOperator,
  routingConditionsSchema,
} from "../../../../src/emulator/modules/routing/routing-conditions.ts";

describe("an operator", () => {
  test.each<[RoutingOperator, Json, string | undefined, boolean]>([
    ["is_one_of", ["a", "b"], "b", true],
    ["is_one_of", ["a", "b"], "B", false],
    ["is_one_of", [1, true], "1", true],
    ["is_one_of", ["a"], undefined, false],
    ["contains", "out-e", "checkout-eu", true],
    ["contains", "OUT", "checkout", false],
    ["contains", "x", undefined, false],
    ["starts_with", "check", "checkout", true],
    ["starts_with", "out", "checkout", false],
    ["matches_regex", "k.*t$", "checkout", true],
    ["matches_regex", "^out", "checkout", false],
    ["matches_regex", "^second", "first\nsecond", true],
    ["matches_regex", "\\Asecond", "first\nsecond", false],
    ["matches_regex", "(?i)CHECK", "checkout", true],
    ["matches_regex", "a", undefined, false],
    ["is_empty", null, undefined, true],
    ["is_empty", null, "  ", true],
    ["is_empty", null, "a", false],
  ])("%s %j given %j: %j", (operator, value, actual, matches) => {
    expect(matchesCondition(parseStoredCondition({ field: "service", operator, value }), actual)).toBe(matches);
  });

  test("a search that takes too long does not match", () => {
    const condition = parseStoredCondition({ field: "title", operator: "matches_regex", value: "^(a+)+$" });
    const started = process.cpuUsage();
    expect(matchesCondition(condition, `${"a".repeat(40)}!`)).toBe(false);
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
    expect(matchesCondition(condition, "aaa")).toBe(true);
  });
});

test.each<[Json, readonly string[]]>([
  [{ field: "a", operator: "is_empty" }, []],
  [{ field: "a", operator: "is_empty", value: null }, []],
  [{ field: "a", operator: "is_empty", value: "x" }, ["Condition 1 takes no value"]],
  [{ field: " ", operator: "is_empty" }, ["Condition 1 needs a field"]],
  [
    { field: "a", operator: "like", value: "x" },
    ["Condition 1 needs an operator, one of is_one_of, contains, starts_with, matches_regex, is_empty"],
  ],
  [{ field: "a", operator: "is_one_of", value: "x" }, ["Condition 1 needs a list of values"]],
  [{ field: "a", operator: "contains", value: "" }, ["Condition 1 needs a text value"]],
  [{ field: "a", operator: "starts_with", value: 1 }, ["Condition 1 needs a text value"]],
  [{ field: "a", operator: "matches_regex", value: "(" }, ["Condition 1 needs a valid regular expression"]],
  ["text", ["Condition 1 must be an object"]],
])("the condition %j is refused for %j", (condition, errors) => {
  expect(isValid(routingConditionsSchema, [condition])).toBe(errors.length === 0);
  const refusal = routingConditionsSchema.refusal?.([condition], "conditions");
  expect((refusal instanceof HttpError ? refusal.errors : undefined)?.map(({ message }) => message)).toEqual(errors);
});

describe("Ruby's regular expressions", () => {
  test.each([
    ["end\\z", "the end", true],
    ["end\\z", "the end\n", false],
    ["end\\Z", "the end\n", true],
    ["^\\h+$", "c0ffee", true],
    ["^[[:upper:]]+$", "ABC", true],
    ["a.b", "a\nb", false],
    ["(?m)a.b", "a\nb", true],
    ["\\\\A", "\\A", true],
  ])("%j on %j: %j", (expression, text, matches) => {
    expect(regularExpression(expression)?.test(text)).toBe(matches);
  });

  test.each(["(", "a{2,1}", "[b-a]", "(?>a)", "a++"])("%j is not valid", (expression) => {
    expect(regularExpression(expression)).toBeUndefined();
  });
});
