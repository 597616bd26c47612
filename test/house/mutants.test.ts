/** The list of planted mutants is true: each text is where it is said to be. `npm run mutants` plants them. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { mutants } from "../mutants/list.ts";
import { mutated } from "../mutants/mutant.ts";
import { rules } from "../mutants/rules.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

test.each(mutants)("$id can be planted, and its tests exist", (mutant) => {
  expect(mutated(readFileSync(join(root, mutant.file), "utf8"), mutant)).toContain(mutant.edits[0]?.replace);
  expect(mutant.redBy.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(mutant.redBy).not.toEqual([]);
});

test("every rule is broken by a mutant, every mutant breaks a rule, and no two are called the same", () => {
  expect([...new Set(mutants.map(({ rule }) => rule))].sort()).toEqual(Object.keys(rules).sort());
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  expect(mutants.length).toBeGreaterThanOrEqual(40);
});
