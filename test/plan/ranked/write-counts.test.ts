/** A record of how many writes 150 pairs of lists take, so that a change of the transition shows what it costs. */

import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { transition } from "../../../src/plan/ranked/transition.ts";
import { isSafe } from "../../../src/plan/ranked/transition-safety.ts";
import { differingRows, rulesOf } from "./rule-lists.ts";

const golden = fileURLToPath(new URL("golden/write-counts.txt", import.meta.url));

/** Thirteen rules below, the same in both lists: pushing them down costs a write for each. */
const below = " k l m n o p q r s t u v w";

const words = fc.array(fc.constantFrom("a", "a2", "b", "b2", "c", "c2", "d", "e", "*", "*2", "-"), { maxLength: 6 });

test("lists above thirteen rules take as many writes as recorded, all of them safe", async () => {
  const pairs = fc.sample(fc.tuple(words, words), { seed: 7, numRuns: 150 });
  const lines = pairs.map(([left, right]) => {
    const [live, declared] = [rulesOf(left.join(" ") + below), rulesOf(right.join(" ") + below)];
    const { steps } = transition(live, declared);
    expect(isSafe(live, declared, steps)).toBe(true);
    expect(steps.length).toBeLessThanOrEqual(2 * differingRows(live, declared));
    return `${left.join(" ")} → ${right.join(" ")}: ${steps.length}`;
  });
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(golden);
});
