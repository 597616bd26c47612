/**
 * One edit takes the fewest writes: for every list of up to four rules, every insertion, removal, change and move is held against what
 * trying everything finds. The lists hold rules that are off, rules that match every alert, rules with the same conditions, and rules with
 * the same effect; only the same rule twice is left out.
 */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RankedRule } from "../../../src/plan/ranked/rule.ts";
import { transition } from "../../../src/plan/ranked/transition.ts";
import { isSafe } from "../../../src/plan/ranked/transition-safety.ts";
import { fewestWrites, moved, ruleOf, textOf } from "./rule-lists.ts";

/** Every list of so many rules, up to the names of conditions and effects. */
function listsOf(length: number): readonly (readonly RankedRule[])[] {
  const longer = (lists: readonly (readonly RankedRule[])[]) =>
    lists.flatMap((rules) =>
      nextRules(rules).flatMap((rule) => (rules.some((other) => isEqual(other, rule)) ? [] : [[...rules, rule]])),
    );
  let lists: readonly (readonly RankedRule[])[] = [[]];
  for (let at = 0; at < length; at += 1) lists = longer(lists);
  return lists;
}

/** The rules that can follow, each new condition and each new effect by its next name. */
function nextRules(rules: readonly RankedRule[]): readonly RankedRule[] {
  const letters = [...new Set(rules.map(({ match }) => match))].filter((match) => !"*-".includes(match));
  const effects = [...new Set(rules.map(({ effect }) => effect))];
  const matches = ["*", "-", ...letters, String.fromCharCode(97 + letters.length)];
  return matches.flatMap((match) => [...effects, String(effects.length + 1)].map((effect) => ruleOf(match, effect)));
}

function isEqual(left: RankedRule, right: RankedRule): boolean {
  return left.match === right.match && left.effect === right.effect;
}

/** The transitions that are unsafe, or that trying everything shortens. */
function shortened(pairs: readonly (readonly [live: readonly RankedRule[], declared: readonly RankedRule[]])[]) {
  return pairs.flatMap(([live, declared]) => {
    const { steps } = transition(live, declared);
    const fewest = fewestWrites(live, declared, steps.length - 1);
    if (fewest === steps.length && isSafe(live, declared, steps)) return [];
    return [`${textOf(live)} → ${textOf(declared)}: ${steps.length} writes, ${fewest} would do`];
  });
}

describe("the fewest writes are made", () => {
  test.each([2, 3, 4])("if one rule of %d is moved", (length) => {
    const places = Array.from({ length }, (_unused, at) => at);
    const pairs = listsOf(length).flatMap((live) =>
      places.flatMap((from) =>
        places.flatMap((to) => {
          const declared = moved(live, from, to);
          return textOf(live) === textOf(declared) ? [] : [[live, declared] as const];
        }),
      ),
    );
    expect(pairs.length).toBeGreaterThan(length ** 4);
    expect(shortened(pairs)).toEqual([]);
  });

  test.each([1, 2, 3])("if one rule is inserted into a list, or removed from one, and %d are left", (length) => {
    const pairs = listsOf(length + 1).flatMap((longer) =>
      longer.flatMap((_rule, at) => {
        const shorter = longer.toSpliced(at, 1);
        return [[shorter, longer] as const, [longer, shorter] as const];
      }),
    );
    expect(pairs.length).toBeGreaterThan(length ** 4);
    expect(shortened(pairs)).toEqual([]);
  });

  test.each([1, 2, 3])("if one rule of %d is changed, its conditions, its effect or both", (length) => {
    const pairs = listsOf(length).flatMap((live) =>
      live.flatMap((old, at) =>
        nextRules(live).flatMap((rule) => (isEqual(old, rule) ? [] : [[live, live.with(at, rule)] as const])),
      ),
    );
    expect(pairs.length).toBeGreaterThan(length ** 4);
    expect(pairs.filter(([live, declared]) => transition(live, declared).steps.length !== 1)).toEqual([]);
  });

  test("if one rule of five or six is moved and no two rules have the same effect", () => {
    const list = fc
      .array(fc.constantFrom("a", "b", "c", "d", "e", "f", "*", "-"), { minLength: 5, maxLength: 6 })
      .map((letters) => letters.map((letter, at) => ruleOf(letter, String(at))));
    fc.assert(
      fc.property(list, fc.nat(5), fc.nat(5), (live, from, to) => {
        fc.pre(from < live.length && to < live.length && from !== to);
        expect(shortened([[live, moved(live, from, to)]])).toEqual([]);
      }),
      { numRuns: Number(process.env.CAMPAIGN_RUNS ?? 150) },
    );
  });
});
