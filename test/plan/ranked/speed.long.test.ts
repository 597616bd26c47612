/** Long lists: how many writes they take, and how long the transition takes to find. */

import { describe, expect, test } from "vitest";
import type { RankedRule } from "../../../src/plan/ranked/rule.ts";
import { replacement, transition } from "../../../src/plan/ranked/transition.ts";
import { isSafe } from "../../../src/plan/ranked/transition-safety.ts";
import { leastTime } from "../../support/times.ts";
import { differingRows, fewestUnsafeWrites } from "./rule-lists.ts";

const numbered = (length: number): readonly RankedRule[] =>
  Array.from({ length }, (_unused, at) => ({ match: `m${at}`, effect: `o${at % 9}` }));

test("a transition of 200 rules with 30 edits takes far fewer writes than a replacement, in less than a second", async () => {
  const everything: RankedRule = { match: "*", effect: "rest", reach: "all" };
  const live = [...numbered(199), everything];
  const declared = [...live];
  for (let edit = 0; edit < 30; edit += 1) {
    const at = (edit * 67 + 11) % (declared.length - 1);
    const old = declared[at] ?? everything;
    if (edit % 5 === 0) declared.splice(at, 0, { match: `new${edit}`, effect: "o1" });
    else if (edit % 5 === 1) declared[at] = { ...old, effect: `p${edit}` };
    else if (edit % 5 === 2) declared[at] = { ...old, match: `changed${edit}` };
    else declared.splice(at, 1);
    if (edit % 5 === 3) declared.splice((at * 3) % (declared.length - 1), 0, old);
  }
  const { steps } = transition(live, declared);
  const took = await leastTime(async () => void transition(live, declared));
  const replaced = replacement(live, declared).length;
  expect(isSafe(live, declared, steps)).toBe(true);
  expect(steps.length).toBeLessThan(replaced * 0.75);
  expect(steps.length).toBeGreaterThanOrEqual(fewestUnsafeWrites(live, declared));
  expect(took).toBeLessThan(1000);
});

describe("5,000 rules", () => {
  const declared = numbered(5000);
  const lists: readonly (readonly [what: string, live: readonly RankedRule[], writes: number])[] = [
    ["reversed below the first", [...declared.slice(0, 1), ...declared.slice(1).reverse()], 9996],
    ["with one at the end that moves to the top", [...declared.slice(1), ...declared.slice(0, 1)], 5001],
    [
      "with every second outcome changed",
      declared.map((rule, at) => (at % 2 === 0 ? rule : { ...rule, effect: "x" })),
      2500,
    ],
  ];

  test.each(lists)(
    "%s take at most two writes for each differing row, and seconds to find",
    async (_what, live, writes) => {
      const started = performance.now();
      const { steps } = transition(live, declared);
      expect(performance.now() - started).toBeLessThan(30_000);
      expect(steps).toHaveLength(writes);
      expect(writes).toBeLessThanOrEqual(2 * differingRows(live, declared));
    },
  );
});

/** Rules that count how often their conditions are looked at. */
function watched(words: readonly string[]): { readonly rules: readonly RankedRule[]; readonly looks: () => number } {
  let looks = 0;
  const rules = words.map((word) => ({
    get match() {
      looks += 1;
      return word;
    },
    effect: `goes to ${word}`,
  }));
  return { rules, looks: () => looks };
}

test("the safety check compares numbers: how often it looks at a rule does not grow with the lists", () => {
  const looksAt = (size: number): number => {
    const words = Array.from({ length: size }, (_unused, at) => `m${at}`);
    const live = watched(words.toReversed());
    const declared = watched(words);
    const { steps } = transition(live.rules, declared.rules);
    const before = live.looks() + declared.looks();
    expect(isSafe(live.rules, declared.rules, steps)).toBe(true);
    return (live.looks() + declared.looks() - before) / size;
  };
  expect(looksAt(200)).toBe(looksAt(50));
});
