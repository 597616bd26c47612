/** The location of a configuration: its paths, its root, and its settings file. */

import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { Findings } from "../../core/findings.ts";
import { defined } from "../../core/json.ts";
import { didYouMean } from "../../core/suggest.ts";
import { DISK } from "../source/disk.ts";
import type { FileTree } from "../source/file-tree.ts";
import { findSettings, namesIn, slashHelp } from "../source/files.ts";

/** The absolute paths of a configuration. */
export interface Project {
  /** The files to read. */
  readonly tree: FileTree;
  /** The base of paths in messages. Files outside it are not read. */
  readonly root: string;
  /** The directory of the settings file, or else the root. */
  readonly home: string;
  readonly settings?: string;
  /** The paths on the command line; empty if the settings decide. */
  readonly given: readonly string[];
}

/** Finds the settings and the root; undefined if a given path does not exist. */
export function locate(
  paths: readonly string[],
  cwd: string,
  findings: Findings,
  tree: FileTree = DISK,
): Project | undefined {
  const given = paths.map((path) => resolve(cwd, path));
  const directories = given.map((path, index) => directoryOf(path, paths[index] ?? path, tree, findings));
  const [first = cwd, ...rest] = directories.flatMap((directory) => directory ?? []);
  if (directories.includes(undefined)) return undefined;
  const settings = findSettings(first, tree);
  const other = rest.find((directory) => findSettings(directory, tree) !== settings);
  if (other !== undefined) {
    findings.error("E_SETTINGS", `"${relative(cwd, other) || "."}" has other settings than the first path`, undefined, {
      help: "Load them one at a time.",
    });
    return undefined;
  }
  const root = given.length === 0 && settings !== undefined ? dirname(settings) : rest.reduce(common, first);
  const home = settings === undefined ? root : dirname(settings);
  return { tree, root, home, given, ...defined({ settings }) };
}

function directoryOf(path: string, typed: string, tree: FileTree, findings: Findings): string | undefined {
  const type = tree.typeOf(path);
  if (type !== undefined) return type === "directory" ? path : dirname(path);
  findings.error("E_FILE", `there is no file or directory "${typed}"`, undefined, {
    help: slashHelp(typed) ?? didYouMean(basename(path), namesIn(dirname(path), tree)),
  });
  return undefined;
}

/** The deepest directory above both. */
function common(left: string, right: string): string {
  const parts = right.split(sep);
  const shared = left.split(sep).findIndex((part, index) => part !== parts[index]);
  return shared < 0 ? left : left.split(sep).slice(0, shared).join(sep) || sep;
}

/** The configuration paths: as given, as in the settings, or else the root. */
export function configuredPaths(project: Project, config: readonly string[]): readonly string[] {
  if (project.given.length > 0) return project.given;
  return config.length === 0 ? [project.root] : config.map((path) => join(project.home, path));
}
