/** Finds and reads the files of a configuration: regular files inside its root, in path order, within limits. */

import native, { dirname, isAbsolute, join, type PlatformPath, sep } from "node:path";
import type { Location } from "../../core/diagnostic.ts";
import type { Findings } from "../../core/findings.ts";
import { DISK } from "./disk.ts";
import { type FileTree, isInside, readFailure, type UnreadableFile } from "./file-tree.ts";
import type { Limits } from "./limits.ts";

/** The name of the settings file, which is never a configuration file. */
const SETTINGS_FILE = "incidentctl.yaml";

/** A file, and its content. */
export interface FileBytes {
  /** Relative to the root, with forward slashes. */
  readonly file: string;
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The files that a directory stands for. */
export interface FileType {
  matches(path: string): boolean;
  /** For people. */
  readonly title: string;
}

const YAML = /\.ya?ml$/;

/** Files with resources. */
const CONFIGURATION_FILES: FileType = {
  matches: (path) => YAML.test(path) && !TEST_FILES.matches(path) && !path.endsWith(`${sep}${SETTINGS_FILE}`),
  title: "configuration file (*.yaml, *.yml)",
};

/** The names in a directory, sorted; none if it cannot be listed. For hints only: a configuration is read by {@link readFiles}. */
export function namesIn(directory: string, tree: FileTree): readonly string[] {
  try {
    return tree
      .list(directory)
      .map(({ name }) => name)
      .sort();
  } catch {
    return [];
  }
}

/** Whether a path is named like a file with resources, routing tests or settings. */
export function isYaml(path: string): boolean {
  return YAML.test(path);
}

/** Whether a path is named like a file with resources. */
export function isConfigurationFile(path: string): boolean {
  return CONFIGURATION_FILES.matches(path);
}

/** Files with routing tests. */
export const TEST_FILES: FileType = {
  matches: (path) => /\.test\.ya?ml$/.test(path),
  title: "routing test (*.test.yaml)",
};

/** A path to read, with its place in the settings if it is from there. */
export interface ConfigurationPath {
  readonly path: string;
  readonly at?: Location | undefined;
}

/** Files to look for. */
export interface FileSearch {
  /** Files outside it are not read, and paths in messages are relative to it. */
  readonly root: string;
  /** Default: the disk. */
  readonly tree?: FileTree;
  readonly limits: Limits;
  /** Default: files with resources. */
  readonly type?: FileType;
  /** The paths need not exist, nor have files. */
  readonly mayBeEmpty?: boolean;
}

/** Reads every file of a type at or below the paths, and every named file, sorted by its path relative to the root. */
export function readFiles(
  paths: readonly ConfigurationPath[],
  { root, tree = DISK, limits, type = CONFIGURATION_FILES, mayBeEmpty = false }: FileSearch,
  findings: Findings,
): readonly FileBytes[] {
  const refuse: Refuse = (path, { code, message }) => {
    // Tests that need not exist are looked for where anything may be: other links and directories are not their files.
    if (mayBeEmpty && type === TEST_FILES && !type.matches(path)) return;
    const file = fileName(root, path);
    const named = paths.find((one) => one.path === path)?.at;
    const help = named === undefined ? undefined : (slashHelp(file) ?? MISPLACED);
    findings.error(code, message, named ?? (file === "" ? undefined : { file, line: 1, column: 1 }), { help });
  };
  const hasErrors = findings.errorCount > 0;
  const existing = mayBeEmpty ? paths.filter(({ path }) => tree.typeOf(path) !== undefined) : paths;
  const { found, empty } = findFiles(existing, { root, tree, limits, type }, refuse);
  if (!mayBeEmpty && type === CONFIGURATION_FILES) {
    // Also one empty directory among several: an apply would remove the resources that were in it.
    for (const { path, at } of hasErrors ? [] : empty) {
      const message = `there is no ${type.title} in "${fileName(root, path) || "."}"`;
      const create = at === undefined ? "create one: incidentctl init" : "write the live one into it with pull";
      const help = `Name the directory of the configuration, or ${create}.`;
      findings.error("E_EMPTY", message, at, { help });
    }
  } else if (!mayBeEmpty && found.length === 0 && findings.errorCount === 0) {
    const where = paths.map(({ path }) => `"${fileName(root, path) || "."}"`).join(", ");
    findings.error("E_EMPTY", `there is no ${type.title} in ${where}`, undefined, {
      help: "Name their directory, or write one (docs/routing-tests.md).",
    });
  }
  const read: FileBytes[] = [];
  let total = 0;
  for (const { file, path } of found) {
    const bytes = tree.read(path, { root, maximum: limits.fileBytes, mayBeHidden: true });
    if ("code" in bytes) {
      refuse(path, bytes);
      continue;
    }
    total += bytes.length;
    if (total > limits.totalBytes) {
      refuse(path, { code: "E_TOO_LARGE", message: `the files have more than ${limits.totalBytes} bytes together` });
      break;
    }
    read.push({ file, path, bytes });
  }
  return read;
}

const MISPLACED = "Move the files there, or name the directory where they are.";

/** Help for a path that does not exist and has the slashes of Windows; undefined for other paths. */
export function slashHelp(path: string): string | undefined {
  return path.includes("\\") ? `Write ${path.replaceAll("\\", "/")}.` : undefined;
}

/** The configuration files; none if there are more than the limit, which is recorded. */
export function withinFileCount(files: readonly FileBytes[], limits: Limits, findings: Findings): readonly FileBytes[] {
  if (files.length <= limits.files) return files;
  findings.error("E_TOO_LARGE", `the configuration has more than ${limits.files} files`, undefined, {
    help: "If other programs own some of them, name the directories of the configuration under config in incidentctl.yaml.",
  });
  return [];
}

/** Whether a path is relative: without a root, home directory, drive, share or URL scheme. */
export function isRelative(path: string): boolean {
  return !isAbsolute(path) && !/^(?:~|[a-z][a-z0-9+.-]*:|\\\\)/i.test(path);
}

/** A path without links; unchanged if it does not exist. */
export function realPath(path: string, tree: FileTree): string {
  try {
    return tree.realPath(path);
  } catch {
    return path;
  }
}

/** A path in messages and reports: relative to the root, with forward slashes on every platform, whose rules are `platform`. */
export function fileName(root: string, path: string, platform: PlatformPath = native): string {
  const { sep } = platform;
  // Most paths are below the root, and resolved: for 10,000 files, computing the way to each takes a while.
  const below = path.startsWith(root + sep) ? path.slice(root.length + 1) : platform.relative(root, path);
  return sep === "/" ? below : below.split(sep).join("/");
}

type Refuse = (path: string, problem: UnreadableFile) => void;

interface Candidate {
  readonly file: string;
  readonly path: string;
}

interface Search {
  readonly found: readonly Candidate[];
  /** The paths without files. */
  readonly empty: readonly ConfigurationPath[];
}

function findFiles(
  paths: readonly ConfigurationPath[],
  { root, tree, limits, type }: Required<Pick<FileSearch, "root" | "tree" | "limits" | "type">>,
  refuse: Refuse,
): Search {
  const found = new Map<string, Candidate>();
  const visited = new Map<string, ConfigurationPath>();
  const empty = new Set(paths);
  const queue = paths.map((from) => ({ path: from.path, from, named: true }));
  for (let next = queue.shift(); next !== undefined && found.size <= limits.files; next = queue.shift()) {
    const { path, from, named } = next;
    try {
      const real = tree.realPath(path);
      if (!isInside(real, tree.realPath(root))) {
        empty.delete(from);
        refuse(path, { code: "E_INCLUDE_ROOT", message: "the link leads outside the configuration root" });
        continue;
      }
      if (tree.typeOf(real) !== "directory") {
        // A directory with only tests is not empty.
        if (named || type.matches(path) || TEST_FILES.matches(path)) empty.delete(from);
        if (!named && !type.matches(path)) continue;
        // Settings and links could name any file of the project, and messages quote the line of an error.
        if (YAML.test(real) || (named && from.at === undefined)) {
          found.set(real, { file: fileName(root, path), path });
        } else {
          refuse(path, { code: "E_FILE", message: `"${fileName(root, real)}" is not named *.yaml or *.yml` });
        }
        continue;
      }
      if (visited.has(real)) {
        // The first path to it reports if it is empty.
        if (visited.get(real) !== from) empty.delete(from);
        continue;
      }
      visited.set(real, from);
      for (const entry of tree.list(path)) {
        const below = join(path, entry.name);
        const wellNamed = type.matches(below) || TEST_FILES.matches(below);
        if (isSkipped(entry.name) || !(entry.isDirectory() || entry.isSymbolicLink() || wellNamed)) continue;
        if (entry.isSymbolicLink() && !wellNamed && tree.typeOf(below) !== "directory") continue;
        queue.push({ path: below, from, named: false });
      }
    } catch (error) {
      empty.delete(from);
      refuse(path, {
        code: "E_FILE",
        message: `"${fileName(root, path) || path}" cannot be read: ${readFailure(error)}`,
      });
    }
  }
  if (found.size > limits.files) {
    refuse(root, { code: "E_TOO_LARGE", message: `the configuration has more than ${limits.files} files` });
    return { found: [], empty: [] };
  }
  return { found: [...found.values()].sort((left, right) => (left.file < right.file ? -1 : 1)), empty: [...empty] };
}

/** Whether a name in a directory is passed over: hidden files, backups of editors, and packages. */
export function isSkipped(name: string): boolean {
  return name.startsWith(".") || name.endsWith("~") || name.startsWith("#") || name === "node_modules";
}

/**
 * The settings file in the directory or the nearest one above it, up to the root of a repository. Returns it even if it is not a
 * regular file: settings that cannot be read must not count as none.
 */
export function findSettings(directory: string, tree: FileTree): string | undefined {
  for (let at = directory; ; at = dirname(at)) {
    const path = join(at, SETTINGS_FILE);
    if (tree.has(path)) return path;
    if (dirname(at) === at || tree.has(join(at, ".git"))) return undefined;
  }
}
