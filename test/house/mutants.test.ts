/** The planted mutants and the files that the mutation measurement names exist. `npm run mutants` and `npm run mutation` use them. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { mutantsIn, SUBJECTS } from "../mutants/list.ts";
import { MEASURED, measuredFiles, quickTests, TESTS } from "../mutants/measure/scope.ts";
import { mutated } from "../mutants/mutant.ts";
import { rules } from "../mutants/rules.ts";
import { COPIED } from "../mutants/tree.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const mutants = mutantsIn(root);

test.each(mutants)("$id is stated in full", (mutant) => {
  const text: unknown = expect.any(String);
  const edits = mutant.edits.map(() => ({ find: text, replace: text }));
  expect(mutant).toEqual({ id: text, rule: text, does: text, file: text, edits, redBy: mutant.redBy.map(() => text) });
});

test("every file of the list is read", () => {
  const files = readdirSync(join(root, "test", "mutants", "list"));
  expect(files.sort()).toEqual(SUBJECTS.map((subject) => `${subject}.yaml`).sort());
});

test.each(mutants)("$id can be planted, and its tests exist", (mutant) => {
  expect(mutated(readFileSync(join(root, mutant.file), "utf8"), mutant)).toContain(mutant.edits[0]?.replace);
  expect(mutant.redBy.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(mutant.redBy).not.toEqual([]);
});

test("every rule is broken by a mutant, every mutant breaks a rule, and every id is unique", () => {
  expect([...new Set(mutants.map(({ rule }) => rule))].sort()).toEqual(Object.keys(rules).sort());
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  expect(mutants.length).toBeGreaterThanOrEqual(40);
});

test("every file and folder that the mutants need exists", () => {
  const paths = [...COPIED, ...MEASURED, ...TESTS];
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("the measurement covers the planner and has tests for it", () => {
  const files = measuredFiles(root);
  expect(files).toContain("src/plan/make/make.ts");
  expect(files.length).toBeGreaterThan(30);
  expect(new Set(files).size, "no file is counted twice").toBe(files.length);
  expect(quickTests(root).length).toBeGreaterThan(30);
});

test("the quick tests and their worlds use what stands in for vitest", () => {
  const textOf = (path: string) => readFileSync(join(root, path), "utf8");
  const standIn = textOf("test/mutants/measure/tests.ts");
  const known = [...standIn.matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)].map(([, name]) => name);
  const worlds = [...TESTS, "test/support"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .map((name) => join(folder, name)),
  );
  const others = [...quickTests(root), ...worlds].flatMap((path) => {
    const names = /^import \{ (.*) \} from "vitest";$/m.exec(textOf(path))?.[1]?.split(", ") ?? [];
    return names.filter((name) => !known.includes(name)).map((name) => `${name} in ${path}`);
  });
  expect(others, "these names are missing in test/mutants/measure/tests.ts").toEqual([]);
});
