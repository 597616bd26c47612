/** The paths of `test`: which of them hold the configuration, and which the tests. */

import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Where to look. */
export interface TestPaths {
  /** Relative paths begin here, and without paths the settings are looked for from here upwards. */
  readonly cwd: string;
  readonly configuration: readonly string[];
  readonly tests: readonly string[];
}

/**
 * A file of tests is run with the configuration that the other paths hold, or with the one that it lies in when there are no
 * others. Tests of a configuration file that is named lie beside it.
 */
export function placesOf(paths: readonly string[], cwd: string, isTest: (path: string) => boolean): TestPaths {
  const files = paths.map((path) => resolve(cwd, path)).filter((path) => isTest(path));
  const others = paths.filter((path) => !isTest(resolve(cwd, path)));
  const [first] = files;
  if (first === undefined) return { cwd, configuration: paths, tests: paths.map((path) => folderOf(path, cwd)) };
  if (others.length === 0) return { cwd: dirname(first), configuration: [], tests: files };
  const folders = others.filter((path) => folderOf(path, cwd) === path);
  return { cwd, configuration: others, tests: [...files, ...folders] };
}

/** The path, or the directory that holds the file of this name; what does not exist is left for the loader to tell. */
function folderOf(path: string, cwd: string): string {
  return statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isFile() === true ? dirname(path) : path;
}
