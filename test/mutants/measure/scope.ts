/** Scope of the measurement: the source files that are mutated, and the tests that must notice. */

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Folders and files of the planner and of what works like it: values in, values out, without a service. */
export const MEASURED: readonly string[] = [
  "src/plan",
  "src/workspace/match",
  "src/workspace/read",
  "src/app/pull",
  "src/plan/drift/drift.ts",
  "src/kinds/values/equality.ts",
  "src/kinds/values/slug.ts",
];

/** Files among them that only whole commands reach, with a service and files. */
export const COMMANDS_ONLY: readonly string[] = [
  "src/app/pull/files.ts",
  "src/app/pull/live-document.ts",
  "src/app/pull/list-editor.ts",
  "src/app/pull/read-live.ts",
  "src/app/pull/remaining-differences.ts",
  "src/workspace/read/observe-references.ts",
  "src/workspace/read/refresh.ts",
  "src/app/undo/desired-state.ts",
];

/** Folders of the tests. */
export const TESTS: readonly string[] = [
  "test/plan",
  "test/workspace/match",
  "test/workspace/read",
  "test/app/undo",
  "test/app/pull",
  "test/app/drift",
  "test/kinds",
];

/** Tests among them that run for seconds, most of them whole commands. */
export const SLOW: readonly string[] = [
  "test/app/drift/accept.test.ts",
  "test/app/drift/accepted-elsewhere.test.ts",
  "test/plan/diff/forms.test.ts",
  "test/plan/diff/update.test.ts",
  "test/plan/ranked/alerts.test.ts",
  "test/plan/ranked/single-edits.test.ts",
  "test/plan/ranked/speed.test.ts",
  "test/plan/removal/draft.test.ts",
  "test/plan/scale.test.ts",
  "test/app/pull/layouts.test.ts",
  "test/app/pull/limits.test.ts",
  "test/app/pull/list-editor.test.ts",
  "test/app/undo/order.test.ts",
  "test/app/undo/state-before.test.ts",
  "test/app/undo/twins.test.ts",
  "test/app/undo/undo.test.ts",
  "test/app/undo/unrestorable.test.ts",
  "test/workspace/read/once.test.ts",
];

/** Source files to mutate, as paths below the root. */
export function measuredFiles(root: string): readonly string[] {
  return filesBelow(root, MEASURED, ".ts").filter((path) => !COMMANDS_ONLY.includes(path));
}

/** Test files to run, as paths below the root. */
export function quickTests(root: string): readonly string[] {
  return filesBelow(root, TESTS, ".test.ts").filter((path) => !SLOW.includes(path));
}

/** Folders of the files that the tests read or compare with, as paths below the root. */
export function dataFolders(root: string): readonly string[] {
  return TESTS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /(?:^|\/)(?:golden|rows)$/.test(name))
      .map((name) => join(folder, name)),
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
