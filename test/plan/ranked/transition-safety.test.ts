/** What the judge of a transition refuses whatever the requests are, and how much of two lists it need not look at. */

import { expect, test } from "vitest";
import { sharedPrefix } from "../../../src/plan/ranked/alignment.ts";
import type { RankedStep, Rule, Text } from "../../../src/plan/ranked/rule-list.ts";
import { keepsPromise } from "../../../src/plan/ranked/transition-safety.ts";

/** Rules by a letter, `*` matches everything; `a2` has another outcome than `a`. */
const rules = (...words: readonly string[]): readonly Rule[] =>
  words.map((word) => ({
    match: word.charAt(0),
    outcome: word,
    ...(word.startsWith("*") ? { reach: "all" as const } : {}),
  }));

const put = (text: Text): RankedStep => ({ does: "write", row: 0, text });
const back = put({ of: "live", rule: 0 });

test("requests that do not end at the declared list are refused", () => {
  expect(keepsPromise(rules("a"), rules("a", "b"), [])).toBe(false);
  expect(keepsPromise(rules("a", "b"), rules("a"), [])).toBe(false);
  expect(keepsPromise(rules("a"), rules("a2"), [])).toBe(false);
  expect(keepsPromise([{ match: "a", outcome: "X" }], [{ match: "b", outcome: "X" }], [])).toBe(false);
});

test("a rule that nobody has is refused, and one that stands for the time being", () => {
  expect(keepsPromise(rules("a"), rules("a"), [put({ of: "declared", rule: 7 }), back])).toBe(false);
  expect(keepsPromise(rules("a"), rules("a"), [put({ of: "holding" }), back])).toBe(false);
});

test("rows that are appended out of turn, written where none is, or deleted twice are refused", () => {
  const [live, declared] = [rules("*"), rules("*", "a", "b")];
  const append = (rule: number): RankedStep => ({ does: "append", row: rule, text: { of: "declared", rule } });
  expect(keepsPromise(live, declared, [append(1), append(2)])).toBe(true);
  expect(keepsPromise(live, declared, [append(2), append(1)])).toBe(false);
  expect(keepsPromise(live, declared, [{ does: "write", row: 1, text: { of: "declared", rule: 1 } }, append(2)])).toBe(
    false,
  );
  const gone: RankedStep = { does: "delete", row: 1 };
  expect(keepsPromise(rules("*", "a"), live, [gone])).toBe(true);
  expect(keepsPromise(rules("*", "a"), live, [gone, gone])).toBe(false);
});

test("a rule that nothing reaches in either list is refused above what alerts reach, unless it says the same", () => {
  const risen = [put({ of: "live", rule: 1 }), back];
  expect(keepsPromise(rules("*", "a"), rules("*", "a"), risen)).toBe(false);
  expect(keepsPromise(rules("*", "*", "a"), rules("*", "*", "a"), risen)).toBe(true);
});

test("two lists share the rules at the top that match and do the same", () => {
  expect(sharedPrefix(rules("a", "b", "c"), rules("a", "b2", "c"))).toBe(1);
  expect(sharedPrefix(rules("a", "b"), rules("a", "b", "c"))).toBe(2);
  expect(sharedPrefix(rules("a", "b", "c"), rules("a", "b"))).toBe(2);
  expect(sharedPrefix(rules("a"), rules("b"))).toBe(0);
  expect(sharedPrefix([{ match: "a", outcome: "X" }], [{ match: "b", outcome: "X" }])).toBe(0);
});
