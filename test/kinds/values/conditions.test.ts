import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import type { IdLookup } from "../../../src/kinds/model/lookup.ts";
import { conditionDecoder, equalConditions } from "../../../src/kinds/values/conditions.ts";

const fields: readonly Fields[] = [
  { slug: "region", options: [{ id: "o1", label: "EU" }] },
  { slug: "vendor", options: [{ id: "e1", label: "Nordbank" }] },
  { slug: "payer", options: [{ id: "e2", label: "Prairie" }] },
  { slug: "payee", options: [{ id: "e2", label: "Prairie" }] },
];
const keys: Readonly<Record<string, string>> = { s1: "critical", e1: "nordbank", e2: "prairie_acquiring" };

const names: IdLookup = {
  fields: () => undefined,
  declaredFields: () => undefined,
  live: () => undefined,
  id: (_kind, key) => key,
  key: (_kind, id) => keys[id],
  rows: (kind) =>
    kind === "custom_fields" ? fields : kind === "catalog_entries" ? [{ id: "e1", slug: "nordbank" }] : [],
  rowsSoFar: () => [],
};

const live = (condition_field: string, value: string): Fields => ({
  condition_field,
  operator: "one_of",
  values: [value],
});

test.each([
  ["a severity by its slug", live("severity", "s1"), { values: ["critical"] }],
  ["an option by its label, and its field", live("custom_field", "o1"), { custom_field: "region", values: ["EU"] }],
  ["a catalog entry by its slug", live("custom_field", "e1"), { custom_field: "vendor", values: ["nordbank"] }],
  [
    "the field of a catalog entry that is told by its slug",
    live("custom_field", "nordbank"),
    { custom_field: "vendor", values: ["nordbank"] },
  ],
  ["no field when several offer the entry", live("custom_field", "e2"), { values: ["prairie_acquiring"] }],
  ["what it does not know as it is", live("custom_field", "gone"), { values: ["gone"] }],
])("a live condition is decoded to the form of the configuration: %s", (_title, condition, expected) => {
  const { condition_field, operator } = condition;
  expect(conditionDecoder(names)([condition])).toEqual([{ condition_field, operator, ...expected }]);
});

describe("a declared condition", () => {
  const declared = { condition_field: "custom_field", custom_field: "region", operator: "one_of", values: ["EU"] };

  test("matches a live one without its custom field", () => {
    const { custom_field: _untold, ...untold } = declared;
    expect(equalConditions([untold], [declared])).toBe(true);
  });

  test("does not match a live one with another custom field or another value", () => {
    expect(equalConditions([{ ...declared, custom_field: "vendor" }], [declared])).toBe(false);
    const severity = { condition_field: "severity", operator: "one_of", values: ["EU"] };
    expect(equalConditions([severity], [declared])).toBe(false);
    expect(equalConditions([severity], [{ ...severity, custom_field: "region" }])).toBe(false);
  });
});
