/** The location of a configuration: its paths, its root, and its settings file. */

import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { Findings } from "../../core/findings.ts";
import { defined } from "../../core/json.ts";
import { didYouMean } from "../../core/suggest.ts";
import { type Kind, kindCalled } from "../../kinds/model/kind.ts";
import { DISK } from "../source/disk.ts";
import { type FileTree, isInside } from "../source/file-tree.ts";
import { fileName, findSettings, isSkipped, isYaml, namesIn, realPath, slashHelp } from "../source/files.ts";

/** The absolute paths of a configuration. */
export interface Project {
  /** The files to read. */
  readonly tree: FileTree;
  /** The base of paths in messages. Files outside it are not read. */
  readonly root: string;
  /** The directory of the settings file, or else the root. */
  readonly home: string;
  readonly settings?: string;
  /** The paths on the command line; none if there are no such. */
  readonly given: readonly string[];
}

/** The paths of a configuration, chosen between the command line and the settings. */
export interface ConfiguredPaths {
  readonly paths: readonly string[];
  /** The settings decide. */
  readonly isOfSettings: boolean;
  /** The paths on the command line, relative to the root, if they are a part of what the settings name. */
  readonly part?: readonly string[];
}

/** Finds the settings and the root; undefined if a given path does not exist. `kinds`: those whose names are no typing errors of paths. */
export function locate(
  paths: readonly string[],
  cwd: string,
  findings: Findings,
  tree: FileTree = DISK,
  kinds: readonly Kind[] = [],
): Project | undefined {
  const given = paths.map((path) => resolve(cwd, path));
  const directories = given.map((path, index) => directoryOf(path, paths[index] ?? path, { tree, kinds }, findings));
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
  const root = settings === undefined ? rest.reduce(common, first) : dirname(settings);
  return { tree, root, home: root, given, ...defined({ settings }) };
}

function directoryOf(
  path: string,
  typed: string,
  { tree, kinds }: { readonly tree: FileTree; readonly kinds: readonly Kind[] },
  findings: Findings,
): string | undefined {
  const type = tree.typeOf(path);
  if (type !== undefined) return type === "directory" ? path : dirname(path);
  findings.error("E_FILE", `there is no file or directory "${typed}"`, undefined, {
    help: slashHelp(typed) ?? didYouMean(basename(path), namesIn(dirname(path), tree)) ?? kindHelp(typed, kinds),
  });
  return undefined;
}

/** Help for a kind or an address in the place of a path; undefined for other paths. */
function kindHelp(typed: string, kinds: readonly Kind[]): string | undefined {
  const [first = "", ...rest] = typed.split("/");
  const name = kindCalled(kinds, first)?.name;
  if (name === undefined) return undefined;
  const flag = rest.length === 0 ? `--kinds ${name}` : `--target ${[name, ...rest].join("/")}`;
  return `A path names files and directories. For a plan of ${rest.length === 0 ? "one kind" : "one resource"}: ${flag}`;
}

/** The deepest directory above both. */
function common(left: string, right: string): string {
  const parts = right.split(sep);
  const shared = left.split(sep).findIndex((part, index) => part !== parts[index]);
  return shared < 0 ? left : left.split(sep).slice(0, shared).join(sep) || sep;
}

/**
 * The paths of the configuration. Paths on the command line that cover all that the settings name are the whole configuration; those that
 * cover less are a part of it, and those outside it a configuration of their own.
 */
export function configuredPaths(
  { tree, given, home, root, settings }: Project,
  config: readonly string[],
  findings: Findings,
): ConfiguredPaths {
  if (settings === undefined) return { paths: given.length === 0 ? [root] : given, isOfSettings: given.length === 0 };
  const named = config.length === 0 ? [home] : config.map((path) => join(home, path));
  const whole = { paths: named, isOfSettings: true };
  const covers = (path: string, other: string): boolean => isInside(realPath(other, tree), realPath(path, tree));
  const outside = given.filter((path) => !named.some((one) => covers(path, one) || names(one, path, tree)));
  const isWhole = given.length === 0 || named.every((path) => given.some((one) => covers(one, path)));
  const [other] = outside;
  if (other !== undefined && (isWhole || outside.length === given.length)) return { paths: given, isOfSettings: false };
  if (isWhole) return whole;
  if (other !== undefined) {
    const message = `"${fileName(root, other)}" is outside the paths that the settings name, and another path is a part of them`;
    findings.error("E_SETTINGS", message, undefined, { help: "Load them one at a time." });
  }
  const part = given.map((path) => fileName(root, isInside(path, home) ? path : realPath(path, tree)));
  return { ...whole, part: part.map((path) => (path.startsWith("-") ? `./${path}` : path)) };
}

/** Whether a path of the settings makes the configuration read another one. */
function names(path: string, other: string, tree: FileTree): boolean {
  const [from, to] = [realPath(path, tree), realPath(other, tree)];
  if (from === to) return true;
  if (!isInside(to, from)) return false;
  const isFolder = tree.typeOf(to) === "directory";
  return !relative(from, to).split(sep).some(isSkipped) && (isFolder || isYaml(to));
}
