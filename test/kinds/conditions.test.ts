import { expect, test } from "vitest";
import type { Fields } from "../../src/json.ts";
import { decodeConditions } from "../../src/kinds/conditions.ts";
import type { Names } from "../../src/kinds/kind.ts";

const fields: readonly Fields[] = [
  { slug: "region", options: [{ id: "o1", label: "EU" }] },
  { slug: "vendor", options: [{ id: "e1", label: "Nordbank" }] },
  { slug: "payer", options: [{ id: "e2", label: "Prairie" }] },
  { slug: "payee", options: [{ id: "e2", label: "Prairie" }] },
];
const keys: Readonly<Record<string, string>> = { s1: "critical", e1: "nordbank", e2: "prairie_acquiring" };

const names: Names = {
  fields: () => undefined,
  stated: () => undefined,
  id: (_kind, key) => key,
  key: (_kind, id) => keys[id],
  rows: (kind) => (kind === "custom_fields" ? fields : []),
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
  ["no field when several offer the entry", live("custom_field", "e2"), { values: ["prairie_acquiring"] }],
  ["what it does not know as it is", live("custom_field", "gone"), { values: ["gone"] }],
])("a live condition is read in the words of the configuration: %s", (_title, condition, expected) => {
  const { condition_field, operator } = condition;
  expect(decodeConditions([condition], names)).toEqual([{ condition_field, operator, ...expected }]);
});
