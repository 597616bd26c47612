/**
 * The suite's ability to fail: each planted fault is found by every rule that names it. Without a fault all rules pass: rules.test.ts
 * checks that.
 */

import { describe, expect, test } from "vitest";
import { allRules } from "../../src/conformance/all-rules.ts";
import { openSession } from "../../src/conformance/check.ts";
import type { ConformanceRule, RuleResult } from "../../src/conformance/rule.ts";
import { someOf } from "../support/samples/sample-size.ts";
import { allFaults } from "./faults/all-faults.ts";
import { wrapEmulatorTarget } from "./wrapped-emulator.ts";

/** The rule of this id. Throws if there is none. */
function findRule(id: string): ConformanceRule {
  const rule = allRules.find((rule) => rule.id === id);
  if (rule === undefined) throw new Error(`there is no rule "${id}"`);
  return rule;
}

async function check(
  ids: readonly string[],
  wrap: Parameters<typeof wrapEmulatorTarget>[0],
): Promise<readonly RuleResult[]> {
  const own = wrapEmulatorTarget(wrap);
  const session = openSession(own.target);
  const results: RuleResult[] = [];
  for (const id of ids) results.push(await session.check(findRule(id)));
  await session.close();
  await own.close();
  return results;
}

function kinds(results: readonly RuleResult[]): Readonly<Record<string, string>> {
  return Object.fromEntries(results.map(({ rule, outcome }) => [rule.id, outcome.kind]));
}

test("at least twenty faults are planted, each with its own title", () => {
  expect(new Set(allFaults.map((fault) => fault.title)).size).toBe(allFaults.length);
  expect(allFaults.length).toBeGreaterThanOrEqual(20);
});

describe.each(someOf(allFaults, 0, 40))("$title", ({ foundBy, wrap }) => {
  test(`is found by ${foundBy.join(" and ")}`, async () => {
    const found = foundBy.map((id) => [id, findRule(id).basis === "wire" ? "differs" : "failed"]);
    expect(kinds(await check(foundBy, wrap))).toEqual(Object.fromEntries(found));
  });
});
