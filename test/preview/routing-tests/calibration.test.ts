import { expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { buildContext, type CatalogEntry, indexCatalog } from "../../../src/kinds/routing/context.ts";
import { evaluate } from "../../../src/kinds/routing/evaluate.ts";
import { toRoutingRule } from "../../../src/kinds/routing/rules.ts";
import { Calibration } from "../../../src/preview/routing-tests/calibration.ts";
import { readServiceEvaluation } from "../../../src/preview/routing-tests/service-evaluation.ts";

const catalog: readonly CatalogEntry[] = [
  { type: "service", slug: "web", name: "Web", attributes: { tier: "Critical" }, references: [] },
];
const fields = { service: "web", title: "Disk full" };
const context = buildContext(fields, indexCatalog(catalog));

const isOneOf: Fields = { field: "service", operator: "is_one_of", value: ["web"] };
const contains: Fields = { field: "title", operator: "contains", value: "full" };
const startsWith: Fields = { field: "title", operator: "starts_with", value: "Disk" };
const tier: Fields = { field: "service.tier", operator: "is_one_of", value: ["Critical"] };

const own = (...rules: readonly (readonly Fields[])[]) =>
  evaluate(
    rules.map((conditions, index) =>
      toRoutingRule({ conditions, outcome: { action: "drop" } }, { priority: index + 1 }),
    ),
    context,
  );

/** The evaluation by a service whose only rule has these conditions; `results` holds their texts and results. */
function served(conditions: readonly Fields[], results: readonly Fields[], more: Fields = {}) {
  const matched = results.every((one) => one.matched === true);
  const answer = readServiceEvaluation({
    matched,
    matched_rule_priority: matched ? 1 : null,
    outcome: null,
    trace: [
      { priority: 1, matched, skipped: false, conditions: conditions.map((one, at) => ({ ...one, ...results[at] })) },
    ],
    ...more,
  });
  if (answer === undefined) throw new Error("the answer is not one");
  return answer;
}

const asWeb: Fields = { actual: "web", matched: true };
const asDisk: Fields = { actual: "Disk full", matched: true };

test("an operator is trusted if both evaluations agree on it, and not if it never occurs", () => {
  const calibration = new Calibration();
  calibration.compare(own([isOneOf]), context, served([isOneOf], [asWeb]), 1);
  expect(calibration.operators).toEqual({ trusted: ["is_one_of"], doubted: [] });
  expect(calibration.doubts(own([isOneOf]))).toEqual([]);
  expect(calibration.doubts(own([contains]))).toEqual(["the live rules never use contains on these samples"]);
});

test("an operator is never trusted after a disagreement, and other operators stay trusted", () => {
  const calibration = new Calibration();
  calibration.compare(own([contains]), context, served([contains], [asDisk]), 1);
  for (let twice = 0; twice < 2; twice++) {
    const wrong = served([isOneOf, contains], [asWeb, { ...asDisk, matched: false }]);
    calibration.compare(own([isOneOf, contains]), context, wrong, 1);
  }
  expect(calibration.operators).toEqual({ trusted: ["is_one_of"], doubted: ["contains"] });
  expect(calibration.doubts(own([contains]))).toEqual(["the service evaluates contains differently, on field title"]);
});

test("a doubtful condition does not matter if a trusted one fails", () => {
  const calibration = new Calibration();
  calibration.compare(own([isOneOf]), context, served([isOneOf], [asWeb]), 1);
  const other = { ...isOneOf, value: ["db"] };
  expect(calibration.doubts(own([contains, other]))).toEqual([]);
  expect(calibration.doubts(own([{ ...contains, value: "empty" }, isOneOf]))).toHaveLength(1);
  expect(calibration.doubts(own([contains, isOneOf]))).toHaveLength(1);
});

test("a field from the catalog is trusted only if the service has the same text", () => {
  const calibration = new Calibration();
  calibration.compare(own([isOneOf]), context, served([isOneOf], [asWeb]), 1);
  expect(calibration.doubts(own([tier]))).toEqual([
    "no sample shows that the service takes service.tier from the catalog",
  ]);
  const knowing = { context: { ...fields, "service.tier": "Critical" } };
  calibration.compare(own([isOneOf]), context, served([isOneOf], [asWeb], knowing), 1);
  expect(calibration.doubts(own([tier]))).toEqual([]);
  const otherwise = served([tier], [{ actual: null, matched: false }]);
  calibration.compare(own([tier]), context, otherwise, 1);
  expect(calibration.doubts(own([tier]))).toEqual(["the service has another text for service.tier than this program"]);
  expect(calibration.operators.doubted).toEqual([]);
});

test("a field that only the service has is doubtful", () => {
  const calibration = new Calibration();
  const knowing = { context: { ...fields, team: "Payments" } };
  calibration.compare(own([isOneOf]), context, served([isOneOf], [asWeb], knowing), 1);
  const asks = { field: "team", operator: "is_one_of", value: ["Payments"] };
  expect(calibration.doubts(own([asks]))).toHaveLength(1);
});

test("without a trace the matching rule is compared", () => {
  const silent = (priority: number) =>
    readServiceEvaluation({ matched: true, matched_rule_priority: priority, outcome: {} }) ?? expect.fail();
  const agreeing = new Calibration();
  agreeing.compare(own([startsWith]), context, silent(1), 1);
  expect(agreeing.operators).toEqual({ trusted: ["starts_with"], doubted: [] });
  const differing = new Calibration();
  differing.compare(own([startsWith]), context, silent(2), 1);
  expect(differing.operators).toEqual({ trusted: [], doubted: ["starts_with"] });
});

test("a fallback is trusted only for sources that have fallen back", () => {
  const calibration = new Calibration();
  calibration.compareFallback("Grafana", true);
  calibration.compareFallback("Datadog", false);
  expect(calibration.fallbackDoubt("Grafana")).toBeUndefined();
  expect(calibration.fallbackDoubt("Datadog")).toContain("does not let");
  expect(calibration.fallbackDoubt("Nagios")).toContain("no sample shows");
});
