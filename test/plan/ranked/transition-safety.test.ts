/** The safety check of transitions, held against every alert that there can be. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HoldingRule, RankedRule, RankedStep, RuleReference } from "../../../src/plan/ranked/rule.ts";
import { isSafe, SafetyChecker } from "../../../src/plan/ranked/transition-safety.ts";
import { rulesOf, states } from "./rule-lists.ts";

const CONDITIONS = ["a", "b", "c"];
/** Every set of conditions that may hold for an alert at once. */
const ALERTS: readonly string[] = Array.from({ length: 2 ** CONDITIONS.length }, (_unused, set) =>
  CONDITIONS.filter((_condition, bit) => (set & (1 << bit)) !== 0).join(""),
);

function effectFor(rules: readonly RankedRule[], alert: string): string | undefined {
  return rules.find(({ match, reach }) => reach === "all" || (reach === undefined && alert.includes(match)))?.effect;
}

/** Whether each alert has its old or its new effect, found by trying them all. */
function isRight(live: readonly RankedRule[], declared: readonly RankedRule[], list: readonly RankedRule[]): boolean {
  return ALERTS.every((alert) => [effectFor(live, alert), effectFor(declared, alert)].includes(effectFor(list, alert)));
}

describe("a list is safe", () => {
  test("exactly if each alert has its old or its new outcome", () => {
    const words = fc.array(
      fc.tuple(fc.constantFrom(...CONDITIONS, "*", "-"), fc.constantFrom("1", "2", "3")).map((word) => word.join("")),
      { maxLength: 5 },
    );
    // A list of rules from either side is safe far more often than any.
    const between = fc.tuple(words, words).chain(([live, declared]) =>
      fc.record({
        live: fc.constant(live),
        declared: fc.constant(declared),
        list: fc.shuffledSubarray([...live, ...declared]),
      }),
    );
    fc.assert(
      fc.property(fc.oneof(between, fc.record({ live: words, declared: words, list: words })), (lists) => {
        const [live, declared, list] = [lists.live, lists.declared, lists.list].map((all) => rulesOf(all.join(" ")));
        const checker = new SafetyChecker(live ?? [], declared ?? []);
        expect(checker.isSafe(list ?? [])).toBe(isRight(live ?? [], declared ?? [], list ?? []));
      }),
      {
        numRuns: 1000,
        examples: [
          [{ live: ["a1", "b2", "c3"], declared: ["a2", "c3", "b2"], list: ["b2", "a1", "c3"] }],
          [{ live: ["a1", "b2"], declared: ["*2"], list: ["b2", "*2"] }],
          [{ live: ["*1"], declared: ["a2", "b3", "*1"], list: ["b3", "a2", "*1"] }],
        ],
      },
    );
  });
});

describe("steps are safe", () => {
  const letters = fc.array(fc.constantFrom("a", "a2", "b", "b2", "c", "*", "*2", "-"), { maxLength: 4 });

  test("exactly if every list on the way is, in whatever order they are made", () => {
    fc.assert(
      fc.property(letters, letters, fc.array(fc.nat(), { minLength: 9, maxLength: 9 }), (left, right, order) => {
        const [live, declared] = [rulesOf(left.join(" ")), rulesOf(right.join(" "))];
        const deletes = live.map((_rule, row): RankedStep => ({ action: "delete", row }));
        const appends = declared.map((_rule, index): RankedStep => {
          return { action: "append", row: live.length + index, rule: { list: "declared", index } };
        });
        const shuffled = deletes.map((step, at) => ({ step, by: (order[at] ?? 0) % 7 }));
        const steps = [...shuffled, ...appends.map((step, at) => ({ step, by: (order[8] ?? 0) % 7 >= 4 ? at : 3 }))]
          .sort((one, other) => one.by - other.by)
          .map(({ step }) => step);
        const allRight = states(live, declared, steps).every((list) => isRight(live, declared, list));
        expect(isSafe(live, declared, steps)).toBe(allRight);
      }),
      { numRuns: 1000 },
    );
  });

  const write = (rule: RuleReference | HoldingRule): RankedStep => ({ action: "write", row: 0, rule });
  const restore = write({ list: "live", index: 0 });

  test("only if they end at the declared list", () => {
    expect(isSafe(rulesOf("a"), rulesOf("a b"), [])).toBe(false);
    expect(isSafe(rulesOf("a b"), rulesOf("a"), [])).toBe(false);
    expect(isSafe(rulesOf("a b"), rulesOf("a"), [{ action: "delete", row: 1 }])).toBe(true);
    expect(isSafe(rulesOf("a"), rulesOf("a2"), [])).toBe(false);
    expect(isSafe([{ match: "a", effect: "X" }], [{ match: "b", effect: "X" }], [])).toBe(false);
  });

  test("only if each writes a rule of one of the lists, not the holding rule", () => {
    expect(isSafe(rulesOf("a"), rulesOf("a"), [write({ list: "declared", index: 7 }), restore])).toBe(false);
    expect(isSafe(rulesOf("a"), rulesOf("a"), [write({ list: "holding" }), restore])).toBe(false);
  });

  test("only if rows are appended one after another, and written and deleted while they exist", () => {
    const [live, declared] = [rulesOf("*"), rulesOf("* a b")];
    const append = (index: number): RankedStep => ({ action: "append", row: index, rule: { list: "declared", index } });
    expect(isSafe(live, declared, [append(1), append(2)])).toBe(true);
    expect(isSafe(live, declared, [append(2), append(1)])).toBe(false);
    const early: RankedStep = { action: "write", row: 1, rule: { list: "declared", index: 1 } };
    expect(isSafe(live, declared, [early, append(2)])).toBe(false);
    const deletion: RankedStep = { action: "delete", row: 1 };
    expect(isSafe(rulesOf("* a"), live, [deletion])).toBe(true);
    expect(isSafe(rulesOf("* a"), live, [deletion, deletion])).toBe(false);
  });

  test("not if a rule that no alert reaches in either list comes above the others, unless it has the same effect", () => {
    const raise = [write({ list: "live", index: 1 }), restore];
    expect(isSafe(rulesOf("* a"), rulesOf("* a"), raise)).toBe(false);
    expect(isSafe(rulesOf("* * a"), rulesOf("* * a"), raise)).toBe(true);
  });

  test("not if a rule is overwritten above a changed outcome, whichever is first", () => {
    const [live, declared] = [rulesOf("a b1"), rulesOf("x b2")];
    const steps = [0, 1].map(
      (index): RankedStep => ({ action: "write", row: index, rule: { list: "declared", index } }),
    );
    expect(isSafe(live, declared, steps)).toBe(false);
    expect(isSafe(live, declared, steps.toReversed())).toBe(false);
  });
});
