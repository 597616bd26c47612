import { describe, expect, test } from "vitest";
import { sampleText } from "../../../src/app/rehearse/samples.ts";
import { evaluateCondition } from "../../../src/kinds/routing/condition.ts";

describe("a text for a regular expression", () => {
  test.each([
    "^api-(eu|us)-[0-9]{2}$",
    "checkout|search",
    "\\Adb\\d+\\.example\\.com\\z",
    "(?i)outage",
    "[^ ]+ is (?:down|slow)",
    "a.c*d?e+",
    "disk (full|\\d{1,3} %)",
  ])("%s finds it", (expression) => {
    expect(evaluateCondition({ operator: "matches_regex", value: expression }, sampleText(expression))).toEqual({
      matched: true,
    });
  });
});
