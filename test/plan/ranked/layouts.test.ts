/**
 * The writes that layouts of slots come to. Thirteen rules that stay stand below the ones that change, so that nobody searches
 * for a shorter way. Between them the cases need every kind of slot, alone and beside others.
 */

import { describe, expect, test } from "vitest";
import type { Rule } from "../../../src/plan/ranked/rule-list.ts";
import { replacement, transition } from "../../../src/plan/ranked/transition.ts";
import { keepsPromise } from "../../../src/plan/ranked/transition-safety.ts";
import { states, textOf } from "./rule-lists.ts";

/** Rules by a letter: `a2` is `a` with another outcome, `*` matches everything, `-` is off. */
const named = (text: string): readonly Rule[] =>
  text
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => ({
      match: word.charAt(0),
      outcome: word,
      ...(word.startsWith("*") ? { reach: "all" as const } : word.startsWith("-") ? { reach: "none" as const } : {}),
    }));

const below = Array.from({ length: 13 }, (_unused, at): Rule => ({ match: `t${at}`, outcome: `T${at}` }));

/** What stands above the thirteen, what is to stand there, and the writes that it takes. */
const cases: readonly (readonly [live: string, declared: string, writes: number])[] = [
  ["a2 d2 a", "* a d f *2 a3", 21],
  ["e b f c f", "e2 d2 a3 b -2 -", 22],
  ["e2 f b2 e d", "a3 f d2 b b", 20],
  ["f - d2", "d2 f d - d2", 18],
  ["e e d2 a", "b e d c a2 e", 18],
  ["a f e c2 f", "* f d e2 d *2", 24],
  ["e c c2 b2 d2", "a c d3", 5],
  ["a2 a2 a b e", "* a2 b e3", 4],
  ["b f d f", "f2 a b *", 19],
  ["a2 f a2 d", "a c2 -2 a2", 5],
  ["b d2 d", "b2 c3 c2", 4],
  ["a2 c c2", "d - c3", 5],
  ["d2 a2 e -", "f2 d3 a3 b2", 6],
  ["e d b2 e", "d e2 d2 f", 6],
  ["d d2 e2", "a d e3", 3],
  ["c2 e2 e", "e2 c2 e", 4],
  ["- a d a", "f f2 d e * d2", 20],
  ["d a2 a", "c2 a2 c a e", 20],
  ["b c b", "f c d2 f -2 *", 21],
  ["d2 d", "b -3 - f3", 18],
  ["f e e2", "b e2 e d3 c", 19],
  ["b e d b2", "f d f2 f", 20],
  ["b b", "f - e a2", 18],
  ["a a2", "b a e2 *", 18],
  ["b a2 c d2 a", "e a2 e d", 20],
  ["b e a2 c2 a", "c a2 f -2 b2", 21],
  ["b2 *", "f2 b2 * d", 17],
  ["e -", "b e3 * -", 17],
  ["e2 a2 f2 d2 *", "* a2 d2 f d2", 21],
  ["e d *2", "a3 d", 5],
  ["b d c *", "f2 d b", 7],
  ["a2 d *", "* d", 5],
  ["b f *2", "*2 f", 5],
  ["c c2", "b -2 e", 17],
  ["e2 a *", "c e", 6],
  ["b -2", "* *", 3],
  ["f2 f", "b d2", 3],
  ["d c2 e *", "b e", 19],
  ["b2 e2 d f *2", "a d", 20],
  ["c *2", "a c", 4],
  ["e e2", "d e d", 16],
  ["b d a -2", "d2 d", 4],
  ["c a e2 e2", "d a", 4],
  ["b *", "* b", 4],
  ["f2 *2", "*2 f2", 4],
  ["c b d", "f b * d3 - f", 23],
  ["c e2", "c2 c b a", 18],
  ["d2 e2", "e d2 b b2", 19],
  ["-2", "- * e", 17],
  ["c", "c2 e2 d", 17],
  ["c2", "c c2 *2", 16],
  ["f2", "f3 - d", 16],
  ["*", "*3 - *", 16],
  ["*2", "* a -2", 16],
  ["f e b2", "f3 f c *", 18],
  ["-2 c f b", "- - d2 *", 19],
  ["f b2", "f2 e c", 17],
  ["c a2", "c3 d2 f", 17],
  ["a", "a3 f", 15],
  ["b", "b2 -3", 15],
  ["f2 e f2 c2 a2", "f3 a2 f2 c2", 3],
  ["c f c b f", "c2 e2 c c", 5],
  ["d", "d3", 1],
  ["-", "-3", 1],
  ["a2 e", "*2 e c d2", 20],
  ["a c", "b c e b b a2", 23],
  ["", "-2 f a", 17],
  ["", "- b2 f", 17],
  ["", "e2 c2", 16],
  ["", "b d2", 16],
  ["a2 f e", "d3 e c * e", 22],
  ["d2 c b a2", "e2 c e2 a", 20],
  ["", "f2 -", 15],
  ["", "a -2", 15],
  ["e f c a b", "a f e e b", 19],
  ["b a c e f2", "e c b a3 f2", 20],
  ["*", "* - *", 15],
  ["*", "* c -", 15],
  ["a2 e b2", "d2 e f", 18],
  ["d2 b e a2 c", "f b *2 * e a2", 24],
  ["b f", "c2 - a", 18],
  ["b a", "- e *", 17],
  ["d2", "a a3", 16],
  ["a", "b c2", 16],
  ["", "f", 14],
  ["", "e3", 14],
  ["f c a2", "c3 c", 3],
  ["e d f2", "f3 d", 3],
];

describe("a list above thirteen rules that stay", () => {
  test.each(cases)("%s → %s keeps the promise, and takes no more than %d writes", (left, right, writes) => {
    const [live, declared] = [
      [...named(left), ...below],
      [...named(right), ...below],
    ];
    const { steps } = transition(live, declared);
    expect(textOf(states(live, declared, steps).at(-1) ?? [])).toBe(textOf(declared));
    expect(keepsPromise(live, declared, steps)).toBe(true);
    expect(steps.length).toBeLessThanOrEqual(writes);
  });

  test.each(cases)("%s → %s could be replaced from the first rule that changes its place", (left, right) => {
    const [live, declared] = [
      [...named(left), ...below],
      [...named(right), ...below],
    ];
    const steps = replacement(live, declared);
    expect(textOf(states(live, declared, steps).at(-1) ?? [])).toBe(textOf(declared));
    expect(keepsPromise(live, declared, steps)).toBe(true);
  });
});

test("a replacement changes outcomes where the beginning stands, appends the rest, and deletes from the bottom", () => {
  const written = (row: number, rule: number) => ({ does: "write", row, text: { of: "declared", rule } });
  const appended = (row: number, rule: number) => ({ does: "append", row, text: { of: "declared", rule } });
  expect(replacement(named("x a y b c"), named("a2 b d c"))).toEqual([
    written(1, 0),
    appended(5, 2),
    appended(6, 3),
    { does: "delete", row: 4 },
    { does: "delete", row: 2 },
    { does: "delete", row: 0 },
  ]);
  expect(replacement(named("a b"), named("a b"))).toEqual([]);
  expect(replacement(named("a b"), named("b a"))).toEqual([appended(2, 1), { does: "delete", row: 0 }]);
  expect(replacement(named("a a b"), named("a a2"))).toEqual([written(1, 1), { does: "delete", row: 2 }]);
});
