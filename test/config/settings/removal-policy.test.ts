import { describe, expect, test } from "vitest";
import { matchesPattern, removalLimitFor, removalPolicyOf } from "../../../src/config/settings/removal-policy.ts";
import type { Settings } from "../../../src/config/settings/settings.ts";
import { kinds } from "../../../src/kinds/index.ts";

test.each([
  [undefined, 0, 3],
  [undefined, 9, 3],
  [undefined, 10, 3],
  [undefined, 19, 5],
  [undefined, 40, 12],
  [{ percent: 30 }, 9, 2],
  [{ percent: 30 }, 3, 0],
  [{ percent: 0 }, 50, 0],
  [{ percent: 0 }, 3, 0],
  [{ percent: 30 }, 11, 3],
  [{ percent: 50 }, 10, 5],
  [{ percent: 1 }, 10, 0],
  [{ percent: 100 }, 30, 30],
  [{ entries: 0 }, 100, 0],
  [{ entries: 7 }, 2, 7],
])("with the ceiling %j and %i enabled entries, %i may go", (ceiling, enabled, most) => {
  expect(removalLimitFor(ceiling, enabled)).toBe(most);
});

describe("a pattern of addresses", () => {
  test.each([
    ["severities/major", "severities/major", true],
    ["severities/major", "severities/major_2", false],
    ["severities/major", "old severities/major", false],
    ["severities/*", "severities/major", true],
    ["*/major", "severities/major", true],
    ["*", "catalog_types/team/entries/web", true],
    ["catalog_types/*/entries/web", "catalog_types/team/entries/web", true],
    ["webhooks/a.b", "webhooks/a.b", true],
    ["webhooks/a.b", "webhooks/axb", false],
    ["webhooks/(a)+", "webhooks/(a)+", true],
    ["webhooks/[ab]", "webhooks/a", false],
    ["webhooks/*!", "webhooks/two\nlines!", true],
    ["webhooks/ab*bc", "webhooks/abc", false],
    ["*a*a*", "severities/a", false],
    ["**", "", true],
    [`webhooks/${"*a".repeat(30)}*b`, `webhooks/${"a".repeat(200)}`, false],
  ])("%s matches %j: %s", (pattern, address, expected) => {
    expect(matchesPattern(pattern, address)).toBe(expected);
  });
});

test("the policy is that of the kind, else that of its parent's kind, else the default", () => {
  const settings = (own: Settings["removal"]["kinds"]): Settings => ({
    config: [],
    removal: { default: "keep", kinds: own },
    requestsPerMinute: 1,
    maxIncidentsRead: 1,
    environments: [],
    protected: [],
    vars: {},
    home: ".",
  });
  const policy = (name: string, own: Settings["removal"]["kinds"]) =>
    kinds.filter((kind) => kind.name === name).map((kind) => removalPolicyOf(settings(own), kind));
  expect(policy("severities", { severities: "delete" })).toEqual(["delete"]);
  expect(policy("severities", { statuses: "delete" })).toEqual(["keep"]);
  expect(policy("catalog_entries", { catalog_types: "delete" })).toEqual(["delete"]);
  expect(policy("catalog_entries", { catalog_types: "delete", catalog_entries: "disable" })).toEqual(["disable"]);
  expect(policy("forms", { custom_fields: "delete" })).toEqual(["keep"]);
});
