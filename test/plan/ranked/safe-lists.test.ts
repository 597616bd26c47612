/** Whether a list keeps the promise between two others, held against every alert that there can be. */

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Rule } from "../../../src/plan/ranked/rule-list.ts";
import { fairness } from "../../../src/plan/ranked/transition-safety.ts";

/** Rules by the condition and the outcome of each: `a1` for what matches a, `*2` for everything. */
const rules = (words: readonly string[]): readonly Rule[] =>
  words.map((word) => ({
    match: word.charAt(0),
    outcome: word.slice(1),
    ...(word.startsWith("*") ? { reach: "all" as const } : {}),
  }));

const CONDITIONS = ["a", "b", "c"];
/** Every set of conditions that may hold at once. */
const ALERTS: readonly string[] = Array.from({ length: 2 ** CONDITIONS.length }, (_unused, set) =>
  CONDITIONS.filter((_condition, bit) => (set & (1 << bit)) !== 0).join(""),
);

/** What becomes of an alert; undefined where no rule matches. */
function answer(words: readonly string[], alert: string): string | undefined {
  return words.find((word) => word.startsWith("*") || alert.includes(word.charAt(0)))?.slice(1);
}

function holds(live: readonly string[], declared: readonly string[], list: readonly string[]): void {
  const fair = ALERTS.every((alert) => [answer(live, alert), answer(declared, alert)].includes(answer(list, alert)));
  expect(fairness(rules(live), rules(declared))(rules(list))).toBe(fair);
}

test("is so exactly when every alert gets its old answer or its new one", () => {
  const words = fc.array(
    fc.tuple(fc.constantFrom(...CONDITIONS, "*"), fc.constantFrom("1", "2", "3")).map((word) => word.join("")),
    { maxLength: 5 },
  );
  // A list of rules from either side is fair far more often than any.
  const between = fc.tuple(words, words).chain(([live, declared]) =>
    fc.record({
      live: fc.constant(live),
      declared: fc.constant(declared),
      list: fc.shuffledSubarray([...live, ...declared]),
    }),
  );
  fc.assert(
    fc.property(fc.oneof(between, fc.record({ live: words, declared: words, list: words })), (one) =>
      holds(one.live, one.declared, one.list),
    ),
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
