import { expect, test } from "vitest";
import { planJson } from "../../src/report/plan/json.ts";
import { isPlan } from "../../src/run/plan-shape.ts";
import { everything, planOf } from "../report/plans.ts";

test.each([
  ["a plan with everything in it", everything],
  ["an empty plan", planOf([])],
])("%s is a plan", (_what, plan) => {
  expect(isPlan(JSON.parse(planJson(plan)))).toBe(true);
});

test.each([
  ["a number", 1],
  ["an empty object", {}],
  ["another version", { ...everything, format_version: 2 }],
  ["changes that are no list", { ...everything, changes: {} }],
  ["a change without fields", { ...everything, changes: [{ address: "a/b" }] }],
  ["a summary without counts", { ...everything, summary: {} }],
  ["a query that holds no texts", { ...everything, operations: [{ ...everything.operations[0], query: { a: 1 } }] }],
])("%s is no plan", (_what, value) => {
  expect(isPlan(JSON.parse(JSON.stringify(value)))).toBe(false);
});
