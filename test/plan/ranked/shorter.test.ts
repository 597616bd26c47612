import { describe, expect, test } from "vitest";
import type { Rule } from "../../../src/plan/ranked/rule-list.ts";
import { shorter } from "../../../src/plan/ranked/shorter.ts";
import { transition } from "../../../src/plan/ranked/transition.ts";
import { keepsPromise } from "../../../src/plan/ranked/transition-safety.ts";
import { states, textOf } from "./rule-lists.ts";

/** Rules by a letter: `a2` is `a` with another outcome, `*` matches everything, `-` is off. */
const named = (text: string): readonly Rule[] =>
  text
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => ({
      match: word.charAt(0),
      outcome: word.toUpperCase(),
      ...(word.startsWith("*") ? { reach: "all" as const } : word.startsWith("-") ? { reach: "none" as const } : {}),
    }));

/** Lists, and the fewest writes between them: fewer than the layout of slots finds. */
const cases: readonly (readonly [string, string, number])[] = [
  ["e b2 c d", "c2 - d b", 4],
  ["a c", "a * b2", 2],
  ["b c2 d", "d - c2 a2", 4],
  ["b2 * a2 - d", "b2 a *", 4],
  ["b c2 a2 e", "* - d", 4],
  ["d a2", "* e", 2],
  ["d c2 a2 b2 *", "* c - d a2", 5],
  ["p b d a c e", "p e c b a2", 5],
  ["p a2 c b2 * e", "p d b2 c", 5],
  ["p e c2 d", "p c * b2 e a", 6],
  ["p b2 c2 d e", "p b2 a2 d -", 3],
  ["p q c e b - a2 *", "p q b2 e c", 5],
  ["p q a b2 d c2", "p q c2 a2 - b", 5],
  ["p q a -", "p q b2 * a c", 4],
  ["p q b2 e *", "p q * e c", 2],
  ["p q c2 a * e d b", "p q d b a2", 5],
  ["* a b", "* b a2 c", 3],
];

describe("a shorter way that trying finds", () => {
  test.each(cases)("%s → %s keeps the promise and ends at the declared list, in %d writes", (left, right, count) => {
    const [live, declared] = [named(left), named(right)];
    const { steps } = transition(live, declared);
    expect(textOf(states(live, declared, steps).at(-1) ?? [])).toBe(textOf(declared));
    expect(keepsPromise(live, declared, steps)).toBe(true);
    expect(steps.length).toBe(count);
  });

  test.each(cases.slice(0, -1))(
    "%s → %s is found whatever is known, and none where as few are known",
    (left, right, count) => {
      const [live, declared] = [named(left), named(right)];
      const found = shorter(live, declared, 99);
      expect(found).toHaveLength(count);
      expect(textOf(states(live, declared, found ?? []).at(-1) ?? [])).toBe(textOf(declared));
      expect(keepsPromise(live, declared, found ?? [])).toBe(true);
      expect(shorter(live, declared, count + 1)).toHaveLength(count);
      expect(shorter(live, declared, count)).toBeUndefined();
    },
  );

  test("is not looked for in lists of more than twelve", () => {
    const list = (length: number): readonly Rule[] =>
      Array.from({ length }, (_unused, at) => ({ match: `m${at}`, outcome: `o${at}` }));
    expect(shorter(list(12), list(11), 9)).toEqual([{ does: "delete", row: 11 }]);
    expect(shorter(list(13), list(12), 9)).toBeUndefined();
    expect(shorter(list(12), list(13), 9)).toBeUndefined();
  });
});
