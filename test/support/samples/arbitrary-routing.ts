/** Random conditions of routing rules, and alerts of which some match them, with a catalog that both name. */

import fc from "fast-check";
import type { Fields } from "../../../src/core/json.ts";

const FIELDS = ["service", "team", "environment", "title", "severity_raw", "service.tier", "team.description"];
const TEXTS = [
  "web",
  "Web",
  "ledger_core",
  "Ledger core",
  "Critical",
  "P1",
  "",
  " ",
  "a\nb",
  "1",
  "disk 90%",
  "Ledger",
];
const EXPRESSIONS = ["^b$", "\\Aw", "(?i)WEB", "\\d+%", "[[:upper:]]\\d", "a.b", "(?m)a.b", "e[bd]|core\\z"];

/** The entries that the texts of conditions and alerts name. */
export const routedCatalog: Fields = {
  catalog_types: [
    { slug: "team", entries: [{ slug: "ledger", name: "Ledger", attributes: { description: "Every cent." } }] },
    {
      slug: "service",
      entries: [
        { slug: "ledger_core", name: "Ledger core", attributes: { owner_team: "ledger", tier: "Critical" } },
        { slug: "web", name: "Web", attributes: { tier: "Standard" } },
      ],
    },
    { slug: "environment", entries: [{ slug: "p1", name: "P1", attributes: { is_production: true } }] },
  ],
};

const operand = fc.constantFrom(...TEXTS.filter((text) => text !== ""));

const test = fc.oneof(
  fc.record({ operator: fc.constant("is_one_of"), value: fc.uniqueArray(operand, { minLength: 1, maxLength: 4 }) }),
  fc.record({ operator: fc.constantFrom("contains", "starts_with"), value: operand }),
  fc.record({ operator: fc.constant("matches_regex"), value: fc.constantFrom(...EXPRESSIONS) }),
  fc.record({ operator: fc.constant("is_empty") }),
);

/** Lists of rules with these outcomes. */
export function arbitraryRules(...outcomes: readonly Fields[]): fc.Arbitrary<readonly Fields[]> {
  const condition = fc.tuple(fc.constantFrom(...FIELDS), test).map(([field, rest]): Fields => ({ field, ...rest }));
  return fc.array(
    fc.record({
      conditions: fc.array(condition, { maxLength: 3 }),
      enabled: fc.boolean(),
      outcome: fc.constantFrom(...outcomes),
    }),
    { maxLength: 4 },
  );
}

/** The fields of an alert. */
export const arbitraryAlert: fc.Arbitrary<Record<string, string>> = fc.dictionary(
  fc.constantFrom(...FIELDS),
  fc.constantFrom(...TEXTS),
  { maxKeys: 5 },
);
