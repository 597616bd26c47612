/** Scope of the measurement: the source files that are mutated, and the tests that must notice. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Folders and files of the planner and of what works like it: values in, values out. */
export const MEASURED: readonly string[] = [
  "src/plan",
  "src/workspace/match",
  "src/workspace/read",
  "src/app/pull",
  "src/kinds/values/equality.ts",
  "src/kinds/values/slug.ts",
];

/** Folders of the tests: of functions, and of whole commands in this process with the service embedded. */
export const TESTS: readonly string[] = [
  "test/plan",
  "test/workspace",
  "test/preview",
  "test/run",
  "test/app/undo",
  "test/app/pull",
  "test/app/drift",
  "test/app/rehearse",
  "test/app/run",
  "test/app/saved-plan",
  "test/commands",
  "test/kinds",
  "test/refusals",
  "test/stored",
];

/** What a test has in its text that starts processes or replaces modules. */
const OUTSIDE = /\bvi\b.*from "vitest"|\b(?:spawn|fork)|dist\/cli|worker_threads/;

/** Source files to mutate, as paths below the root. */
export function measuredFiles(root: string): readonly string[] {
  return filesBelow(root, MEASURED, ".ts");
}

/** Test files to run, as paths below the root. */
export function quickTests(root: string): readonly string[] {
  return filesBelow(root, TESTS, ".test.ts").filter(
    (path) => !path.endsWith(".long.test.ts") && !OUTSIDE.test(readFileSync(join(root, path), "utf8")),
  );
}

function filesBelow(root: string, paths: readonly string[], ending: string): readonly string[] {
  return paths.flatMap((path) =>
    statSync(join(root, path)).isFile()
      ? [path]
      : readdirSync(join(root, path), { recursive: true, encoding: "utf8" })
          .filter((name) => name.endsWith(ending))
          .map((name) => join(path, name))
          .sort(),
  );
}
