import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RankedStep, Rule } from "../../../src/plan/ranked/rule-list.ts";
import { entering, leaving, transition } from "../../../src/plan/ranked/transition.ts";
import { keepsPromise } from "../../../src/plan/ranked/transition-safety.ts";
import { answer, type Bits, CLASSES, EVERYTHING, edited, fewest, lists, rule, states, textOf } from "./rule-lists.ts";

const ALERTS = Array.from({ length: CLASSES }, (_unused, alert) => alert);

/** Rules whose conditions and outcomes are their letter: `a`, `a2` with another outcome, `*` matches everything. */
const named = (text: string): readonly Rule[] =>
  text
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => ({
      match: word.charAt(0),
      outcome: word.toUpperCase(),
      ...(word.startsWith("*") ? { reach: "all" as const } : word.startsWith("-") ? { reach: "none" as const } : {}),
    }));

const writes = (live: string, declared: string) => transition(named(live), named(declared)).steps.length;

function expectPromiseKept(live: readonly Bits[], declared: readonly Bits[]): void {
  const { steps, window } = transition(live, declared);
  const all = states(live, declared, steps);
  expect(window).toBe(0);
  expect(textOf(all.at(-1) ?? [])).toBe(textOf(declared));
  const third = all.flatMap((list) =>
    ALERTS.filter((alert) => ![answer(live, alert), answer(declared, alert)].includes(answer(list, alert))),
  );
  expect(third).toEqual([]);
}

describe("the transition of a first-match-wins list", () => {
  test("at every moment every alert gets its old or its new answer, and the declared list is reached", () => {
    fc.assert(
      fc.property(
        fc.oneof(edited(6, 3), edited(9, 6), fc.record({ live: lists(6), declared: lists(6) })),
        ({ live, declared }) => {
          expectPromiseKept(live, declared);
        },
      ),
      { numRuns: Number(process.env.CAMPAIGN_RUNS ?? 600) },
    );
  });

  test("equal lists need nothing", () => {
    fc.assert(
      fc.property(lists(6), (live) => {
        expect(transition(live, live).steps).toEqual([]);
      }),
    );
  });

  test.each([
    ["a changed outcome", "a b c", "a b2 c", 1],
    ["all outcomes changed", "a b c *", "a2 b2 c2 *2", 4],
    ["changed conditions", "a b c *", "a x c *", 1],
    ["conditions changed beneath changed outcomes", "a b c d", "a2 b2 x d", 3],
    ["a rule deleted in the middle", "a b c *", "a c *", 1],
    ["three rules deleted", "a b c d *", "c *", 3],
    ["a rule appended", "a b", "a b x", 1],
    ["a rule appended above the one that matches everything", "a b *", "a b x *", 2],
    ["three rules appended above the one that matches everything", "a b *", "a b x y z *", 4],
    ["a rule inserted above four others", "a b c *", "x a b c *", 5],
    ["two rules inserted above four others", "a b c *", "x a y b c *", 7],
    ["two neighbours that change sides", "a b c *", "b a c *", 4],
    ["a rule that moves to the end", "a b c d", "b c d a", 2],
    ["conditions of two rules changed", "a b c d e *", "x b c d y *", 6],
    ["one rule changed and one far below deleted", "a b c d e *", "x b c d *", 3],
    ["a rule that is off replaced", "- b c", "x b c", 1],
    ["a rule inserted above one that is off and goes", "a b - *", "x a b *", 3],
  ])("%s: %s → %s is %d writes", (_what, live, declared, count) => {
    expect(writes(live, declared)).toBe(count);
  });

  test("a rule rewritten above a changed outcome is not rewritten first: an alert could get a third answer", () => {
    const live = [rule(1, "page"), rule(3, "note")];
    const declared = [rule(2, "page"), rule(3, "drop")];
    expectPromiseKept(live, declared);
    const first = [{ does: "write", row: 0, text: { of: "declared", rule: 0 } }] as const;
    const second = [{ does: "write", row: 1, text: { of: "declared", rule: 1 } }] as const;
    expect(keepsPromise(live, declared, [...first, ...second])).toBe(false);
    expect(keepsPromise(live, declared, [...second, ...first])).toBe(false);
  });
});

describe("the judge of a transition", () => {
  const letters = fc.array(fc.constantFrom("a", "a2", "b", "b2", "c", "*", "*2", "-"), { maxLength: 4 });

  test("finds what trying every alert finds, for requests in any order", () => {
    fc.assert(
      fc.property(letters, letters, fc.array(fc.nat(), { minLength: 9, maxLength: 9 }), (left, right, order) => {
        const [live, declared] = [named(left.join(" ")), named(right.join(" "))];
        const rowsOfLive: readonly RankedStep[] = live.map((_rule, row) => ({ does: "delete", row }));
        const appends: readonly RankedStep[] = declared.map((_rule, index) => ({
          does: "append",
          row: live.length + index,
          text: { of: "declared", rule: index },
        }));
        const shuffled = rowsOfLive.map((step, at) => ({ step, by: (order[at] ?? 0) % 7 }));
        const steps = [...shuffled, ...appends.map((step, at) => ({ step, by: (order[8] ?? 0) % 7 >= 4 ? at : 3 }))]
          .sort((one, other) => one.by - other.by)
          .map(({ step }) => step);
        const fair = states(live, declared, steps).every((list) => isFair(live, declared, list));
        expect(keepsPromise(live, declared, steps)).toBe(fair);
      }),
      { numRuns: 1000 },
    );
  });

  test("refuses requests that do not end at the declared list", () => {
    expect(keepsPromise(named("a b"), named("a"), [])).toBe(false);
    expect(keepsPromise(named("a b"), named("a b2"), [])).toBe(false);
    expect(keepsPromise(named("a b"), named("a"), [{ does: "delete", row: 1 }])).toBe(true);
  });
});

describe("the number of writes", () => {
  /** Up to four rules, some of them equal, off, or matching everything. */
  const words = fc.array(fc.constantFrom("a", "a2", "b", "b2", "c", "d", "*", "*2", "-"), { maxLength: 4 });
  const apart = fc.shuffledSubarray(["a", "b", "c", "d", "*"], { maxLength: 4 });

  test("is the fewest that there can be for short lists, as trying everything shows", () => {
    fc.assert(
      fc.property(fc.oneof(words, apart), fc.oneof(words, apart), fc.boolean(), (left, right, alike) => {
        // With outcomes that many rules share, other ways are safe than with outcomes of their own.
        const of = (list: readonly string[]) =>
          named(list.join(" ")).map((one) => (alike ? { ...one, outcome: one.outcome < "B" ? "X" : "Y" } : one));
        const [live, declared] = [of(left), of(right)];
        const count = transition(live, declared).steps.length;
        expect(fewest(live, declared, count - 1)).toBe(count);
      }),
      { numRuns: Number(process.env.CAMPAIGN_RUNS ?? 250) },
    );
  });
});

describe("the number of writes for longer lists", () => {
  const numbered = (length: number): readonly Rule[] =>
    Array.from({ length }, (_unused, at) => ({ match: `m${at}`, outcome: `o${at % 5}` }));

  test("is what new rules, pushed rules and old rules come to where trades would get in each other's way", () => {
    const live = numbered(36);
    const declared = live
      .map((one, at) => (at === 0 || at === 22 ? { ...one, match: `new ${at}` } : one))
      .filter((_one, at) => at !== 6);
    expect(transition(live, declared).steps).toHaveLength(41);
  });

  test("is never more than that of changing outcomes at the top and replacing the rest", () => {
    const list = fc.shuffledSubarray([...numbered(16)], { minLength: 13 });
    const edited = fc
      .tuple(list, fc.array(fc.nat(12), { maxLength: 4 }))
      .map(([rules, places]) => rules.map((one, at) => (places.includes(at) ? { ...one, outcome: "changed" } : one)));
    fc.assert(
      fc.property(list, edited, (live, declared) => {
        const kept: number[] = [];
        for (const { match } of declared) {
          const at = live.findIndex((one, index) => index > (kept.at(-1) ?? -1) && one.match === match);
          if (at < 0) break;
          kept.push(at);
        }
        const outcomes = kept.filter((at, index) => live[at]?.outcome !== declared[index]?.outcome).length;
        const { steps } = transition(live, declared);
        expect(steps.length).toBeLessThanOrEqual(outcomes + live.length + declared.length - 2 * kept.length);
        expect(keepsPromise(live, declared, steps)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});

/** Whether every set of conditions that may hold gets the answer of one of the two lists. */
function isFair(live: readonly Rule[], declared: readonly Rule[], list: readonly Rule[]): boolean {
  return Array.from({ length: 8 }, (_unused, alert) => alert).every((alert) => {
    const given = (rules: readonly Rule[]) =>
      rules.find(
        ({ match, reach }) => reach === "all" || (reach === undefined && (alert & (1 << "abc".indexOf(match))) !== 0),
      )?.outcome;
    return [given(live), given(declared)].includes(given(list));
  });
}

describe("a scope that gets its first rules, or loses its last ones", () => {
  const fallback = [rule(3, "old"), rule(EVERYTHING, "rest")];
  const hold = rule(EVERYTHING, "hold");

  test("with a holding rule every alert gets its old, its new or the holding answer, and the declared list is reached", () => {
    fc.assert(
      fc.property(
        lists(6).filter((all) => all.length > 0),
        (declared) => {
          const { steps, window } = entering(declared, true);
          const all = states([], declared, steps, hold);
          expect(textOf(all.at(-1) ?? [])).toBe(textOf(declared));
          for (const list of all.slice(1)) {
            for (const alert of ALERTS) {
              const fair = [answer(fallback, alert), answer(declared, alert), ...(window > 0 ? ["hold"] : [])];
              expect(fair).toContain(answer(list, alert));
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test("with a holding rule nothing but the old answers, the others' and the holding one are given while the last go", () => {
    fc.assert(
      fc.property(
        lists(6).filter((all) => all.length > 0),
        (live) => {
          const { steps, window } = leaving(live, true);
          const all = states(live, [], steps, hold);
          expect(all.at(-1)).toEqual([]);
          expect(window).toBe(steps.length === live.length ? 0 : live.length);
          for (const list of all.slice(0, -1)) {
            for (const alert of ALERTS) {
              const fair = [answer(fallback, alert), answer(live, alert), ...(window > 0 ? ["hold"] : [])];
              expect(fair).toContain(answer(list, alert));
            }
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  test("one rule, or a first rule that matches everything, needs no window", () => {
    expect(entering([rule(1, "a")], true).window).toBe(0);
    expect(entering([rule(EVERYTHING, "a"), rule(1, "b")], true).window).toBe(0);
    expect(leaving([rule(1, "a")], true).window).toBe(0);
    expect(leaving([rule(EVERYTHING, "a"), rule(1, "b")], true)).toMatchObject({ window: 0, steps: { length: 2 } });
    expect(entering([], true)).toEqual({ window: 0, steps: [] });
    expect(leaving([], true)).toEqual({ window: 0, steps: [] });
    expect(entering([], false).window).toBe(0);
  });

  test("without an outcome to hold on, the window is every request after the first", () => {
    expect(entering([rule(1, "a"), rule(2, "b"), rule(4, "c")], false)).toMatchObject({ window: 2 });
    expect(leaving([rule(1, "a"), rule(2, "b"), rule(4, "c")], false)).toMatchObject({ window: 2 });
  });
});
