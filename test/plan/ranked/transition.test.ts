/** The writes between two lists of rules where some ways may not be taken; `transition.long.test.ts` tries many lists. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RankedStep } from "../../../src/plan/ranked/rule.ts";
import { addFirstRules, removeLastRules, transition } from "../../../src/plan/ranked/transition.ts";
import { isSafe } from "../../../src/plan/ranked/transition-safety.ts";
import { editedLists, rulesOf } from "./rule-lists.ts";

const copiesLive = (steps: readonly RankedStep[]): boolean =>
  steps.some((step) => step.action !== "delete" && step.rule.list === "live");

describe("a transition", () => {
  const anyLists = editedLists(6, 3);
  const left = fc.tuple(anyLists, editedLists(6, 3)).map(([lists, other]) => ({
    ...lists,
    remaining: transition(other.live, other.declared).steps,
  }));

  test("is safe whatever writes an interrupted run has left, and takes those if they are", () => {
    fc.assert(
      fc.property(left, ({ live, declared, remaining }) => {
        const { steps } = transition(live, declared, remaining);
        expect(isSafe(live, declared, steps)).toBe(true);
        if (isSafe(live, declared, remaining)) expect(steps).toBe(remaining);
      }),
      { numRuns: 200 },
    );
  });

  test("is safe and takes no way that is not allowed", () => {
    fc.assert(
      fc.property(left, ({ live, declared, remaining }) => {
        const { steps } = transition(live, declared, remaining, (one) => !copiesLive(one));
        expect([isSafe(live, declared, steps), copiesLive(steps)]).toEqual([true, false]);
      }),
      { numRuns: 200 },
    );
  });

  test("has the fewest writes of the ways that are safe", () => {
    expect(transition(rulesOf("a b c"), rulesOf("b c")).steps).toHaveLength(1);
    expect(transition(rulesOf("a b c"), rulesOf("a b c d")).steps).toHaveLength(1);
    expect(transition(rulesOf("a b c"), rulesOf("a b2 c")).steps).toHaveLength(1);
  });
});

describe("a scope that falls back to other rules", () => {
  const actions = ({ steps, window }: ReturnType<typeof addFirstRules>) => [
    ...steps.map((step) => `${step.action} ${step.row}${"rule" in step ? ` ${step.rule.list}` : ""}`),
    window,
  ];

  test.each([
    ["one rule", "a", true, ["append 0 declared", 0]],
    ["a first rule that matches every alert", "* a", true, ["append 0 declared", "append 1 declared", 0]],
    ["two rules and no holding outcome", "a b", false, ["append 0 declared", "append 1 declared", 1]],
    ["two rules", "a *", true, ["append 0 holding", "append 1 declared", "write 0 declared", 2]],
  ] as const)("gets %s with the shortest window", (_title, rules, hasHolding, expected) => {
    expect(actions(addFirstRules(rulesOf(rules), hasHolding))).toEqual(expected);
  });

  test.each([
    ["one rule", "a", true, ["delete 0", 0]],
    ["a first rule that matches every alert", "* a", true, ["delete 1", "delete 0", 0]],
    ["two rules and no holding outcome", "a b", false, ["delete 1", "delete 0", 1]],
    ["two rules", "a *", true, ["write 0 holding", "delete 1", "delete 0", 2]],
  ] as const)("loses %s with the shortest window", (_title, rules, hasHolding, expected) => {
    expect(actions(removeLastRules(rulesOf(rules), hasHolding))).toEqual(expected);
  });
});
