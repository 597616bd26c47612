import { describe, expect, test } from "vitest";
import { samplesOf, sampleText } from "../../../src/app/rehearse/samples.ts";
import { evaluateCondition } from "../../../src/kinds/routing/condition.ts";
import { planOf } from "../../view/plans.ts";

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

describe("Sample alerts", () => {
  const rows = {
    "/routing_rules": [{ conditions: [{ field: "title", operator: "contains", value: "down" }] }],
    "/routing_rules?source=Datadog": [{ conditions: [{ field: "service.tier", operator: "is_one_of", value: ["A"] }] }],
    "/alert_sources": [{ name: "Datadog" }],
  };
  const tests = [
    { name: "one", fields: { title: "down" } },
    { name: "two", fields: { title: "down" }, source: "Datadog" },
    { name: "three", fields: { title: "x", "service.tier": "A" }, source: "Datadog" },
  ];
  const secrets = {
    conditions: new Map(),
    hasSecretField: false,
    outcome: new Set<string>(),
    derived: new Set<string>(),
  };

  test.each<readonly [what: string, more: object, names: readonly string[], without: number]>([
    ["are those of tests and rules", {}, ["one", "two", "three", 'an alert with service.tier "A"'], 0],
    ["have no scope with a secret condition", { conditions: new Map([["Datadog", new Set()]]) }, ["one"], 1],
    ["have nothing if the workspace has one", { conditions: new Map([["", new Set()]]) }, [], 2],
    [
      "name what the catalog would add, where an entry has a secret",
      { derived: new Set(["service.repository"]) },
      ["one", "three", 'an alert with service.tier "A"'],
      0,
    ],
  ])("%s", (_what, more, names, without) => {
    const made = samplesOf(tests, rows, planOf([]), { ...secrets, ...more });
    expect(made.samples.map(({ name }) => name).filter((name) => !name.includes("nothing known"))).toEqual(names);
    expect(made).toMatchObject({ without, leftOut: tests.length - names.filter((name) => name.length < 6).length });
  });
});
