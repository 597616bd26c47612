import { expect, test } from "vitest";
import type { Rule } from "../../../src/plan/ranked/rule-list.ts";
import { transition } from "../../../src/plan/ranked/transition.ts";
import { keepsPromise } from "../../../src/plan/ranked/transition-safety.ts";
import { leastTime } from "../../support/least.ts";
import { textOf } from "./rule-lists.ts";

const ALL: Rule = { match: "*", outcome: "rest", reach: "all" };

test("for 200 rules with 30 edits is far below what replacing the changed end takes, and planned at once", async () => {
  const live = [...Array.from({ length: 199 }, (_unused, at) => ({ match: `m${at}`, outcome: `o${at % 9}` })), ALL];
  const declared = [...live];
  for (let edit = 0; edit < 30; edit += 1) {
    const at = (edit * 67 + 11) % (declared.length - 1);
    const old = declared[at] ?? ALL;
    if (edit % 5 === 0) declared.splice(at, 0, { match: `new${edit}`, outcome: "o1" });
    else if (edit % 5 === 1) declared[at] = { ...old, outcome: `p${edit}` };
    else if (edit % 5 === 2) declared[at] = { ...old, match: `changed${edit}` };
    else declared.splice(at, 1);
    if (edit % 5 === 3) declared.splice((at * 3) % (declared.length - 1), 0, old);
  }
  const { steps } = transition(live, declared);
  const took = await leastTime(async () => void transition(live, declared));
  const first = live.findIndex(({ match }, at) => match !== declared[at]?.match);
  const replaced = live.length - first + (declared.length - first);
  const atLeast = fewestEdits(live, declared);
  console.info(`200 rules, 30 edits: ${steps.length} writes (replacing takes ${replaced}, never less than ${atLeast})`);
  expect(keepsPromise(live, declared, steps)).toBe(true);
  expect(steps.length).toBeLessThan(replaced * 0.75);
  expect(steps.length).toBeGreaterThanOrEqual(atLeast);
  expect(took).toBeLessThan(1000);
});

/** Rules that count how often somebody looks at what they match. */
function watched(words: readonly string[]): { readonly rules: readonly Rule[]; readonly looks: () => number } {
  let looks = 0;
  const rules = words.map((word) => ({
    get match() {
      looks += 1;
      return word;
    },
    outcome: `goes to ${word}`,
  }));
  return { rules, looks: () => looks };
}

test("judges the lists on the way by numbers: how often a rule is looked at does not grow with the lists", () => {
  const looksAt = (size: number): number => {
    const words = Array.from({ length: size }, (_unused, at) => `m${at}`);
    const live = watched(words.toReversed());
    const declared = watched(words);
    const { steps } = transition(live.rules, declared.rules);
    const before = live.looks() + declared.looks();
    expect(keepsPromise(live.rules, declared.rules, steps)).toBe(true);
    return (live.looks() + declared.looks() - before) / size;
  };
  expect(looksAt(200)).toBe(looksAt(50));
});

test("replaces lists that are too long to be laid into one, from where they differ on", () => {
  const declared = Array.from({ length: 5000 }, (_unused, at) => ({ match: `m${at}`, outcome: `o${at % 9}` }));
  const [first, ...others] = declared;
  const live = [...(first === undefined ? [] : [first]), ...others.toReversed()];
  const { steps } = transition(live, declared);
  expect(steps).toHaveLength(2 * (others.length - 1));
  expect(steps.slice(0, others.length - 1).every(({ does }) => does === "append")).toBe(true);
});

/** A bound for any way, safe or not: rows that are written or deleted, and rules that are appended below them all. */
function fewestEdits(live: readonly Rule[], declared: readonly Rule[]): number {
  const edits = (i: number, j: number, found: number) =>
    textOf(live.slice(i, i + 1)) === textOf(declared.slice(j, j + 1)) ? found : found + 1;
  let below = declared.map((_rule, j) => declared.length - j).concat(0);
  for (let i = live.length - 1; i >= 0; i -= 1) {
    const row = [...below];
    for (let j = 0; j <= declared.length; j += 1) {
      const written = j < declared.length ? edits(i, j, below[j + 1] ?? 0) : Number.POSITIVE_INFINITY;
      row[j] = Math.min(written, (below[j] ?? 0) + 1);
    }
    below = row;
  }
  return below[0] ?? 0;
}
