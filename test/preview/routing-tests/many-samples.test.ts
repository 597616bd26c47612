/** Thousands of samples on thousands of rules: traces are built on demand, and the catalog is indexed once. */

import { expect, test } from "vitest";
import { buildContext, type CatalogEntry, indexCatalog } from "../../../src/kinds/routing/context.ts";
import { evaluate } from "../../../src/kinds/routing/evaluate.ts";
import { search } from "../../../src/kinds/routing/regular-expression.ts";
import type { RoutingRule } from "../../../src/kinds/routing/rules.ts";

/** A rule that never matches, and counts how often its name is asked for: only a trace tells names. */
function named(count: () => void): RoutingRule {
  return {
    get label() {
      count();
      return "named";
    },
    enabled: true,
    conditions: [{ field: "title", operator: "contains", value: "nothing like it" }],
    outcome: {},
  };
}

test("a trace is computed when it is read", () => {
  let asked = 0;
  const rules = Array.from({ length: 20 }, () => named(() => (asked += 1)));
  const evaluations = Array.from({ length: 30 }, (_unused, at) =>
    evaluate(rules, buildContext({ title: `${at}` }, new Map())),
  );
  expect(asked).toBe(0);
  expect(evaluations[7]?.trace().map(({ label, matched }) => [label, matched])).toEqual(
    rules.map(() => ["named", false]),
  );
  expect(asked).toBe(20);
});

test("the catalog is indexed once for all samples", () => {
  let looks = 0;
  const catalog = Array.from(
    { length: 50 },
    (_unused, at): CatalogEntry => ({
      get name() {
        looks += 1;
        return `Entry ${at}`;
      },
      ...{ type: "service", slug: `entry_${at}`, externalId: `x${at}`, attributes: { tier: `${at}` }, references: [] },
    }),
  );
  const index = indexCatalog(catalog);
  for (let sample = 0; sample < 50; sample += 1) {
    for (const service of [`ENTRY ${sample}`, `entry_${sample}`, `x${sample}`]) {
      expect(buildContext({ service }, index).get("service.tier")?.text).toBe(`${sample}`);
    }
  }
  expect(looks).toBe(50);
});

test("of several entries with the same name, slug or external id the first applies", () => {
  const entry = (slug: string, name: string, externalId: string): CatalogEntry => ({
    ...{ type: "service", slug, name, externalId },
    ...{ attributes: { found: slug }, references: [] },
  });
  const catalog = [entry("a", "One", "b"), entry("b", "c", "d"), entry("c", "B", "a"), entry("d", "One", "e")];
  const found = (service: string) => buildContext({ service }, indexCatalog(catalog)).get("service.found")?.text;
  expect(["a", "b", "B", "c", "C", "d", "one", "e", "E", "x"].map(found)).toEqual([
    "a",
    "a",
    "c",
    "b",
    "b",
    "b",
    "a",
    "d",
    undefined,
    undefined,
  ]);
});

test("a search is not repeated", () => {
  const first = search("^(a+)+b", "aaaac");
  expect(first).toEqual({ isFound: false });
  expect(search("^(a+)+b", "aaaac")).toBe(first);
  expect(search("^(a+)+b", "aaaab")).toEqual({ isFound: true });
});
