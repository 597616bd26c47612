/** The ways to move one rule: which row is free at first, and how many writes that takes. */

import { describe, expect, test } from "vitest";
import { moveRule } from "../../../src/plan/ranked/move.ts";
import type { RankedRule } from "../../../src/plan/ranked/rule.ts";
import { transition } from "../../../src/plan/ranked/transition.ts";
import { isSafe } from "../../../src/plan/ranked/transition-safety.ts";
import { moved, rulesOf, walk } from "./rule-lists.ts";

/** The lists on the shortest way. */
const shortest = (live: string, declared: string) => walk(live, declared, (from, to) => transition(from, to).steps);

describe("a rule moves by a free row", () => {
  test("that is appended, if it moves down", () => {
    expect(shortest("a b c", "b a c")).toEqual(["a b c", "a b c c", "a b a c", "b a c"]);
    expect(shortest("a b c", "b c a")).toEqual(["a b c", "a b c a", "b c a"]);
  });

  test("that is appended, if it moves up: the rules that it passes go around it", () => {
    expect(shortest("a b c d", "c a b d")).toEqual([
      "a b c d",
      "a b c d d",
      "a b c b d",
      "a a c b d",
      "c a c b d",
      "c a b d",
    ]);
  });

  test("of a rule without an effect among those that move", () => {
    expect(shortest("a -1 c d e", "c a -1 d e")).toEqual(["a 1 c d e", "a a c d e", "c a c d e", "c a 1 d e"]);
    expect(shortest("a b -1 d e", "b -1 a d e")).toEqual(["a b 1 d e", "a b a d e", "b b a d e", "b 1 a d e"]);
  });

  test("of a rule without an effect below", () => {
    expect(shortest("a b -1 d e f", "b a -1 d e f")).toEqual([
      "a b 1 d e f",
      "a b a d e f",
      "b b a d e f",
      "b a a d e f",
      "b a 1 d e f",
    ]);
  });

  test("of a rule without an effect above", () => {
    expect(shortest("-1 a b d e f", "-1 b a d e f")).toEqual([
      "1 a b d e f",
      "b a b d e f",
      "b a a d e f",
      "b b a d e f",
      "1 b a d e f",
    ]);
  });

  test("of a rule that has no effect after the move", () => {
    expect(shortest("a b *", "* a b")).toEqual(["a b *", "a a *", "* a *", "* a b"]);
    expect(shortest("a b * k l", "b * a k l")).toEqual(["a b * k l", "b b * k l", "b * * k l", "b * a k l"]);
    expect(shortest("a1 b2 *1 k l", "b2 a1 *1 k l")).toEqual(["1 2 1 k l", "2 2 1 k l", "2 1 1 k l"]);
  });

  test("of a rule that repeats one above, is below one that matches everything, or has the effect that follows anyway", () => {
    expect(shortest("a a2 c d e", "c a a2 d e")).toHaveLength(4);
    expect(shortest("* b c d e", "* c b d e")).toHaveLength(3);
    expect(shortest("b a1 c1 *1 k l m", "a1 b c1 *1 k l m")).toHaveLength(3);
  });
});

describe("a move", () => {
  const below = rulesOf("k l m n o p q r *");
  const list = (text: string) => [...rulesOf(text), ...below];

  test.each([
    ["two neighbours that change places: 2, and 1 for each rule below both", "a b c", "b a c", 12],
    ["a rule that moves up over three: 2, and 1 for each rule below it", "a b c d", "d a b c", 14],
    ["a rule that moves down over three: 2, and 1 for each rule below it", "a b c d", "b c d a", 11],
    ["neighbours above a rule that is off", "a b - c", "b a - c", 4],
    ["neighbours below a rule that is off", "a - b c", "a - c b", 4],
    ["neighbours two rows above a rule that is off", "a b c -", "b a c -", 6],
    ["neighbours two rows below a rule that is off", "- a b c", "- a c b", 6],
    ["a rule that moves up over a rule that is off", "a - b c", "c a - b", 4],
    ["a rule that moves up over three above a rule that is off", "a b c d -", "d a b c -", 6],
    ["a rule that moves up over three below a rule that is off", "- a b c d", "- d a b c", 6],
    ["a rule that moves down over a rule that is off", "a b - c", "b - c a", 4],
    ["a rule that moves down over three above a rule that is off", "a b c d -", "b c d a -", 6],
    ["a rule that moves down over three below a rule that is off", "- a b c d", "- b c d a", 6],
    ["a rule that is off", "a b - c", "- a b c", 3],
  ])("%s: %s → %s", (_move, live, declared, count) => {
    const { steps } = transition(list(live), list(declared));
    expect(isSafe(list(live), list(declared), steps)).toBe(true);
    expect(steps).toHaveLength(count);
  });

  test("to the end takes two writes, and from the end to the top one more than the list is long", () => {
    const rules = rulesOf("a b c d e f");
    expect(transition(rules, moved(rules, 0, 5)).steps).toHaveLength(2);
    expect(transition(rules, moved(rules, 5, 0)).steps).toHaveLength(7);
  });

  test("writes the declared rule wherever a row gets its last one", () => {
    const ways = moveRule(rulesOf("a b c"), rulesOf("b a c"));
    expect(ways[1]).toEqual([
      { action: "append", row: 3, rule: { list: "declared", index: 2 } },
      { action: "write", row: 2, rule: { list: "declared", index: 1 } },
      { action: "delete", row: 0 },
    ]);
  });

  test("is none if nothing or more than one rule moves", () => {
    const ways = (live: readonly RankedRule[], declared: readonly RankedRule[]) => moveRule(live, declared).length;
    expect(ways(rulesOf("a b c"), rulesOf("a b c"))).toBe(0);
    expect(ways(rulesOf("a b c"), rulesOf("a b"))).toBe(0);
    expect(ways(rulesOf("a b c d"), rulesOf("b a d c"))).toBe(0);
    expect(ways(rulesOf("a b c d"), rulesOf("d b c a"))).toBe(0);
    expect(ways(rulesOf("a b c"), rulesOf("a x c"))).toBe(0);
  });
});
