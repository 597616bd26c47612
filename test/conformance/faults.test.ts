/** The suite's ability to fail: each planted fault is found by every rule that names it, and by none without the fault. */

import { describe, expect, test } from "vitest";
import { findRule } from "../../src/conformance/all-rules.ts";
import { wrapEmulatorTarget } from "../../src/conformance/emulator-target.ts";
import { allFaults } from "../../src/conformance/faults/all-faults.ts";
import type { RuleResult } from "../../src/conformance/rule.ts";
import { openSession } from "../../src/conformance/session.ts";
import { resultLines } from "../../src/report/conformance/text.ts";

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

describe.each(allFaults)("$title", ({ foundBy, wrap }) => {
  test(`is found by ${foundBy.join(" and ")}`, async () => {
    const sound = await check(foundBy, (fetch) => fetch);
    const lines = sound.flatMap(resultLines).join("\n");
    expect(kinds(sound), lines).toEqual(Object.fromEntries(foundBy.map((id) => [id, "passed"])));
    const faulty = await check(foundBy, wrap);
    expect(kinds(faulty)).toEqual(Object.fromEntries(foundBy.map((id) => [id, "failed"])));
  });
});
