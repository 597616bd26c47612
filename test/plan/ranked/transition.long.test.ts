/** The writes between two lists of rules: safe for any two, and bounded. `single-edits.test.ts` shows that one edit takes the fewest. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RankedRule, RankedStep } from "../../../src/plan/ranked/rule.ts";
import {
  addFirstRules,
  growThenShrink,
  removeLastRules,
  replacement,
  transition,
} from "../../../src/plan/ranked/transition.ts";
import { isSafe } from "../../../src/plan/ranked/transition-safety.ts";
import {
  type BitRule,
  bitRule,
  CLASSES,
  differingRows,
  EVERYTHING,
  editedLists,
  effectFor,
  lists,
  rulesOf,
  states,
  textOf,
  walk,
} from "./rule-lists.ts";

const ALERTS = Array.from({ length: CLASSES }, (_unused, alert) => alert);

const anyLists = fc.oneof(editedLists(6, 3), editedLists(9, 6), fc.record({ live: lists(6), declared: lists(6) }));

/** Expects the declared list at the end, and of each list on the way only old and new outcomes. */
function expectNoGap(live: readonly BitRule[], declared: readonly BitRule[], steps: readonly RankedStep[]): void {
  const all = states(live, declared, steps);
  expect(textOf(all.at(-1) ?? [])).toBe(textOf(declared));
  const third = all.flatMap((list) =>
    ALERTS.filter((alert) => ![effectFor(live, alert), effectFor(declared, alert)].includes(effectFor(list, alert))),
  );
  expect(third).toEqual([]);
}

const grow = (live: string, declared: string) => walk(live, declared, growThenShrink);

describe("a transition", () => {
  test("gives each alert its old or its new outcome after every write, and ends at the declared list", () => {
    fc.assert(
      fc.property(anyLists, ({ live, declared }) => {
        const { steps, window } = transition(live, declared);
        expect(window).toBe(0);
        expectNoGap(live, declared, steps);
      }),
      { numRuns: Number(process.env.CAMPAIGN_RUNS ?? 300) },
    );
  });

  test("takes at most two writes for each differing row", () => {
    fc.assert(
      fc.property(anyLists, ({ live, declared }) => {
        expect(transition(live, declared).steps.length).toBeLessThanOrEqual(2 * differingRows(live, declared));
      }),
      { numRuns: Number(process.env.CAMPAIGN_RUNS ?? 300) },
    );
  });

  test("is safe and bounded for every two lists of up to three rules", () => {
    const words = ["a1", "a2", "b1", "c3", "*2", "-1"];
    const longer = (texts: readonly string[]) => texts.flatMap((text) => words.map((word) => `${text} ${word}`));
    const [one, two] = [longer([""]), longer(longer([""]))];
    const all = ["", ...one, ...two, ...longer(two)].map(rulesOf);
    const wrong = all.flatMap((live) =>
      all.flatMap((declared) => {
        const { steps } = transition(live, declared);
        const isBounded = steps.length <= 2 * differingRows(live, declared);
        return isBounded && isSafe(live, declared, steps) ? [] : [`${textOf(live)} → ${textOf(declared)}`];
      }),
    );
    expect(all).toHaveLength(259);
    expect(wrong).toEqual([]);
  });

  test("between equal lists takes no write", () => {
    fc.assert(
      fc.property(lists(6), (live) => {
        expect(transition(live, live).steps).toEqual([]);
      }),
    );
  });

  test.each([
    ["all outcomes changed", "a b c *", "a2 b2 c2 *2", 4],
    ["conditions changed below changed outcomes", "a b c d", "a2 b2 x d", 3],
    ["conditions changed above a changed outcome", "a b c d", "x b c2 d", 6],
    ["three rules deleted", "a b c d *", "c *", 3],
    ["a rule appended above the one that matches everything", "a b *", "a b x *", 2],
    ["three rules appended above the one that matches everything", "a b *", "a b x y z *", 4],
    ["two rules inserted above three others", "a b c *", "x a y b c *", 7],
    ["conditions of two rules changed", "a b c d e *", "x b c d y *", 6],
    ["conditions of one rule changed and one far below deleted", "a b c d e *", "x b c d *", 6],
    ["everything replaced", "a b c", "x y z", 6],
    ["everything replaced by rules that are off", "a", "- -", 2],
  ])("with %s: %s → %s takes %d writes", (_what, live, declared, count) => {
    expect(transition(rulesOf(live), rulesOf(declared)).steps).toHaveLength(count);
  });
});

describe("the list grows and shrinks", () => {
  test("by copies from the bottom up, incoming rules from the top down, and outgoing ones from the bottom up", () => {
    expect(grow("a b c d", "a x b y")).toEqual([
      "a b c d",
      "a b c d d",
      "a b c c d",
      "a b b c d",
      "a x b c d",
      "a x b c y",
      "a x b y",
    ]);
  });

  test("with a copy of the rule below in the row of each incoming rule but the first", () => {
    expect(grow("a b c", "x y a z b c")).toEqual([
      "a b c",
      "a b c b",
      "a b c b b",
      "a b c b b c",
      "a b a b b c",
      "a a a b b c",
      "x a a b b c",
      "x y a b b c",
      "x y a z b c",
    ]);
  });

  test("with the first incoming rule in the row of the outgoing one above it, which waits above the next change", () => {
    expect(grow("a b c d e", "x b c d2 e")).toEqual([
      "a b c d e",
      "a b c d e e",
      "a b c d d e",
      "a b c a d e",
      "x b c a d e",
      "x b c a 2 e",
      "x b c 2 e",
    ]);
  });

  test("with the last incoming rule over the outgoing one above it, unless something below changes", () => {
    expect(grow("a b c", "a x c")).toEqual(["a b c", "a x c"]);
    expect(grow("a b c", "a b x y")).toEqual(["a b c", "a b c c", "a b x c", "a b x y"]);
    expect(grow("a b c", "a x")).toEqual(["a b c", "a b x", "a x"]);
    expect(grow("a b c", "x a y c2").slice(-4)).toEqual(["x a b c c", "x a b y c", "x a b y 2", "x a y 2"]);
  });

  test("with incoming rules in the rows of outgoing ones that no alert reaches", () => {
    expect(grow("a -1 c d", "a x c")).toEqual(["a 1 c d", "a x c d", "a x c"]);
    expect(grow("-1 o -2 c", "x y c")).toEqual(["1 o 2 c", "x o 2 c", "x o y c", "x y c"]);
    expect(grow("a -1 b", "x a y b")).toEqual(["a 1 b", "a 1 b b", "a a b b", "x a b b", "x a y b"]);
  });

  test("with new outcomes in their turn from the top", () => {
    expect(grow("a1 b2 c3", "a4 b2 c5")).toEqual(["1 2 3", "4 2 3", "4 2 5"]);
    expect(grow("b2 c3", "x1 b2 c5")).toEqual(["2 3", "2 3 3", "2 2 3", "1 2 3", "1 2 5"]);
  });

  test("around the longest run of rules that are in both lists", () => {
    expect(grow("a b c d", "d b c a")).toEqual([
      "a b c d",
      "a b c d d",
      "a b c a d",
      "d b c a d",
      "d b c a a",
      "d b c a",
    ]);
    expect(grow("a a2 b", "a2 b")).toEqual(["a 2 b", "2 b"]);
  });

  test("by safe lists only, whatever the two lists are", () => {
    fc.assert(
      fc.property(anyLists, ({ live, declared }) => expectNoGap(live, declared, growThenShrink(live, declared))),
      { numRuns: 300 },
    );
  });
});

describe("a replacement", () => {
  test("changes outcomes at the top, appends the rest, and deletes from the bottom", () => {
    expect(walk("x a y b c", "a2 b d c", replacement)).toEqual([
      "x a y b c",
      "x 2 y b c",
      "x 2 y b c d",
      "x 2 y b c d c",
      "x 2 y b d c",
      "x 2 b d c",
      "2 b d c",
    ]);
    expect(walk("a b", "a b", replacement)).toEqual(["a b"]);
    expect(walk("a b", "b a", replacement)).toEqual(["a b", "a b a", "b a"]);
    expect(walk("a a b", "a a2", replacement)).toEqual(["a a b", "a 2 b", "a 2"]);
  });

  test("is safe whatever the two lists are", () => {
    fc.assert(
      fc.property(anyLists, ({ live, declared }) => expectNoGap(live, declared, replacement(live, declared))),
      { numRuns: 300 },
    );
  });

  test("is made if it is the shortest way", () => {
    const [live, declared] = [rulesOf("a b c d e"), rulesOf("e d c b a")];
    expect(transition(live, declared).steps).toEqual(replacement(live, declared));
  });
});

describe("a scope that gets its first rules, or loses its last ones", () => {
  const fallback = [bitRule(3, "old"), bitRule(EVERYTHING, "rest")];
  const hold = bitRule(EVERYTHING, "hold");
  const someRules = lists(6).filter((rules) => rules.length > 0);

  test("gives each alert its old, its new or the holding outcome while the first rules come", () => {
    fc.assert(
      fc.property(someRules, (declared) => {
        const { steps, window } = addFirstRules(declared, true);
        const all = states([], declared, steps, hold);
        expect(textOf(all.at(-1) ?? [])).toBe(textOf(declared));
        for (const list of all.slice(1)) {
          for (const alert of ALERTS) {
            const right = [effectFor(fallback, alert), effectFor(declared, alert), ...(window > 0 ? ["hold"] : [])];
            expect(right).toContain(effectFor(list, alert));
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test("gives each alert its old, its new or the holding outcome while the last rules go", () => {
    fc.assert(
      fc.property(someRules, (live) => {
        const { steps, window } = removeLastRules(live, true);
        const all = states(live, [], steps, hold);
        expect(all.at(-1)).toEqual([]);
        expect(window).toBe(steps.length === live.length ? 0 : live.length);
        for (const list of all.slice(0, -1)) {
          for (const alert of ALERTS) {
            const right = [effectFor(fallback, alert), effectFor(live, alert), ...(window > 0 ? ["hold"] : [])];
            expect(right).toContain(effectFor(list, alert));
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  test("has no window for one rule, or for a first rule that matches everything", () => {
    expect(addFirstRules([bitRule(1, "a")], true).window).toBe(0);
    expect(addFirstRules([bitRule(EVERYTHING, "a"), bitRule(1, "b")], true).window).toBe(0);
    expect(removeLastRules([bitRule(1, "a")], true).window).toBe(0);
    expect(removeLastRules([bitRule(EVERYTHING, "a"), bitRule(1, "b")], true)).toMatchObject({
      window: 0,
      steps: { length: 2 },
    });
    expect(addFirstRules([], true)).toEqual({ window: 0, steps: [] });
    expect(removeLastRules([], true)).toEqual({ window: 0, steps: [] });
    expect(addFirstRules([], false).window).toBe(0);
  });

  test("has a window of every write after the first without an outcome for a holding rule", () => {
    const rules: readonly RankedRule[] = [bitRule(1, "a"), bitRule(2, "b"), bitRule(4, "c")];
    expect(addFirstRules(rules, false)).toMatchObject({ window: 2 });
    expect(removeLastRules(rules, false)).toMatchObject({ window: 2 });
  });
});
