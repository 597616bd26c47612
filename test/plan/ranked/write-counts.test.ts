/** How many writes lists take that are too long to be searched: what the layout of slots comes to. */

import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Rule } from "../../../src/plan/ranked/rule-list.ts";
import { transition } from "../../../src/plan/ranked/transition.ts";
import { keepsPromise } from "../../../src/plan/ranked/transition-safety.ts";
import { states, textOf } from "./rule-lists.ts";

const golden = fileURLToPath(new URL("golden/write-counts.txt", import.meta.url));

/** Rules by a letter: `a2` is `a` with another outcome, `*` matches everything, `-` is off. */
const named = (words: readonly string[]): readonly Rule[] =>
  words.map((word) => ({
    match: word.charAt(0),
    outcome: word.toUpperCase(),
    ...(word.startsWith("*") ? { reach: "all" as const } : word.startsWith("-") ? { reach: "none" as const } : {}),
  }));

/** Rules that stand below in both lists, so many that no other way is looked for. */
const below: readonly Rule[] = Array.from({ length: 13 }, (_unused, at) => ({ match: `m${at}`, outcome: `o${at}` }));

const words = fc.array(fc.constantFrom("a", "a2", "b", "b2", "c", "c2", "d", "e", "*", "*2", "-"), { maxLength: 6 });

test("long lists take the writes that their layout comes to, and every one of these is safe", async () => {
  const pairs = fc.sample(fc.tuple(words, words), { seed: 7, numRuns: 150 });
  const lines = pairs.map(([left, right]) => {
    const [live, declared] = [
      [...named(left), ...below],
      [...named(right), ...below],
    ];
    const { steps } = transition(live, declared);
    expect(textOf(states(live, declared, steps).at(-1) ?? [])).toBe(textOf(declared));
    expect(keepsPromise(live, declared, steps)).toBe(true);
    return `${left.join(" ")} → ${right.join(" ")}: ${steps.length}`;
  });
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(golden);
});
