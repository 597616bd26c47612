/** The suite's ability to fail: each planted fault is found by every rule that names it, and by none without the fault. */

import { describe, expect, test } from "vitest";
import { ruleOf } from "../../src/conformance/catalogue.ts";
import { faults } from "../../src/conformance/faults.ts";
import { wrappedEmulator } from "../../src/conformance/own-emulator.ts";
import { resultLines } from "../../src/conformance/report.ts";
import type { Result } from "../../src/conformance/rule.ts";
import { openSession } from "../../src/conformance/session.ts";

async function check(ids: readonly string[], wrap: Parameters<typeof wrappedEmulator>[0]): Promise<readonly Result[]> {
  const own = wrappedEmulator(wrap);
  const session = openSession(own.target);
  const results: Result[] = [];
  for (const id of ids) results.push(await session.check(ruleOf(id)));
  await session.close();
  await own.close();
  return results;
}

function kinds(results: readonly Result[]): Readonly<Record<string, string>> {
  return Object.fromEntries(results.map(({ rule, outcome }) => [rule.id, outcome.kind]));
}

test("at least twenty faults are planted, each with its own title", () => {
  expect(new Set(faults.map((fault) => fault.title)).size).toBe(faults.length);
  expect(faults.length).toBeGreaterThanOrEqual(20);
});

describe.each(faults)("$title", ({ foundBy, wrap }) => {
  test(`is found by ${foundBy.join(" and ")}`, async () => {
    const sound = await check(foundBy, (fetch) => fetch);
    const lines = sound.flatMap(resultLines).join("\n");
    expect(kinds(sound), lines).toEqual(Object.fromEntries(foundBy.map((id) => [id, "passed"])));
    const faulty = await check(foundBy, wrap);
    expect(kinds(faulty)).toEqual(Object.fromEntries(foundBy.map((id) => [id, "failed"])));
  });
});
