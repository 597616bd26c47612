/** Splits the paths of `test` into those of the configuration and those of the tests. */

import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Paths of the configuration and of the tests. */
export interface TestPaths {
  /** Base of relative paths; without paths, the settings are searched from here upwards. */
  readonly cwd: string;
  readonly configuration: readonly string[];
  readonly tests: readonly string[];
}

/**
 * The paths, split. A test file runs with the configuration in the other paths, or with the one around it if there are no others. The tests
 * of a configuration file are beside it.
 */
export function splitPaths(paths: readonly string[], cwd: string, isTest: (path: string) => boolean): TestPaths {
  const files = paths.map((path) => resolve(cwd, path)).filter((path) => isTest(path));
  const others = paths.filter((path) => !isTest(resolve(cwd, path)));
  const [first] = files;
  if (first === undefined) return { cwd, configuration: paths, tests: paths.map((path) => folderOf(path, cwd)) };
  if (others.length === 0) return { cwd: dirname(first), configuration: [], tests: files };
  const folders = others.filter((path) => folderOf(path, cwd) === path);
  return { cwd, configuration: others, tests: [...files, ...folders] };
}

/** The path, or the directory of the file. A path that does not exist is left for the loader to report. */
function folderOf(path: string, cwd: string): string {
  return statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isFile() === true ? dirname(path) : path;
}
