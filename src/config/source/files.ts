/** Finds and reads the files of a configuration: regular files inside its root, in path order, within limits. */

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import native, { dirname, isAbsolute, join, type PlatformPath, sep } from "node:path";
import type { Location } from "../../core/diagnostic.ts";
import type { Findings } from "../../core/findings.ts";
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
export function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
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

/** The error of a file that cannot be read. */
export interface UnreadableFile {
  readonly code: string;
  readonly message: string;
}

/** A path to read, with its place in the settings if it is from there. */
export interface ConfigurationPath {
  readonly path: string;
  readonly at?: Location | undefined;
}

/**
 * Reads every file of a type at or below the paths, and every named file, sorted by its path relative to the root.
 * `contentOverrides`, by that path, replaces the content on disk; with it, files need not exist.
 */
export function readFiles(
  paths: readonly ConfigurationPath[],
  root: string,
  limits: Limits,
  findings: Findings,
  type: FileType = CONFIGURATION_FILES,
  contentOverrides?: ReadonlyMap<string, Uint8Array>,
): readonly FileBytes[] {
  const refuse: Refuse = (path, { code, message }) => {
    const file = fileName(root, path);
    const named = paths.find((one) => one.path === path)?.at;
    const help = named === undefined ? undefined : (slashHelp(file) ?? MISPLACED);
    findings.error(code, message, named ?? (file === "" ? undefined : { file, line: 1, column: 1 }), { help });
  };
  const hasErrors = findings.errorCount > 0;
  const existing =
    contentOverrides === undefined
      ? paths
      : paths.filter(({ path }) => statSync(path, { throwIfNoEntry: false }) !== undefined);
  const { found, empty } = findFiles(existing, root, limits, type, refuse);
  // With overrides, the files need not exist yet.
  if (contentOverrides === undefined && type === CONFIGURATION_FILES) {
    // Also one empty directory among several: an apply would remove the resources that were in it.
    for (const { path, at } of hasErrors ? [] : empty) {
      const message = `there is no ${type.title} in "${fileName(root, path) || "."}"`;
      const create = at === undefined ? "create one: incidentctl init" : "write the live one into it: incidentctl pull";
      const help = `Name the directory of the configuration, or ${create}.`;
      findings.error("E_EMPTY", message, at, { help });
    }
  } else if (contentOverrides === undefined && found.length === 0 && findings.errorCount === 0) {
    const where = paths.map(({ path }) => `"${fileName(root, path) || "."}"`).join(", ");
    findings.error("E_EMPTY", `there is no ${type.title} in ${where}`, undefined, { help: "Name their directory." });
  }
  const read: FileBytes[] = [];
  let total = 0;
  for (const { file, path } of found) {
    const bytes = readInside(path, root, limits.fileBytes);
    if ("code" in bytes) {
      refuse(path, bytes);
      continue;
    }
    total += bytes.length;
    if (total > limits.totalBytes) {
      refuse(path, { code: "E_TOO_LARGE", message: `the files have more than ${limits.totalBytes} bytes together` });
      break;
    }
    read.push({ file, path, bytes: contentOverrides?.get(file) ?? bytes });
  }
  const more = [...(contentOverrides ?? [])]
    .filter(([file]) => read.every((one) => one.file !== file))
    .map(([file, bytes]): FileBytes => ({ file, path: join(root, file), bytes }));
  return more.length === 0 ? read : [...read, ...more].sort((left, right) => (left.file < right.file ? -1 : 1));
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

/** Reads a regular file whose real path is inside the root. Checks the opened file, so that it cannot be exchanged. */
export function readInside(path: string, root: string, maximum: number): Uint8Array | UnreadableFile {
  return readChecked(path, root, maximum, true);
}

/** Like {@link readInside}, for a file that a configuration names. Hidden files, such as `.git/config`, may have secrets. */
export function readVisible(path: string, root: string, maximum: number): Uint8Array | UnreadableFile {
  return readChecked(path, root, maximum, false);
}

function readChecked(path: string, root: string, maximum: number, mayBeHidden: boolean): Uint8Array | UnreadableFile {
  let handle: number | undefined;
  try {
    // Without O_NONBLOCK, opening a named pipe waits for a writer.
    handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const opened = fstatSync(handle);
    if (!opened.isFile()) return { code: "E_FILE", message: "not a regular file" };
    const real = pathOfOpen(handle, opened) ?? checkedPath(path, opened);
    // A beginning of a real path is a real path.
    const realRoot = real === undefined || isInside(real, root) ? root : realpathSync.native(root);
    if (real === undefined || !isInside(real, realRoot)) {
      return { code: "E_INCLUDE_ROOT", message: "the file is outside the configuration root" };
    }
    if (opened.size > maximum) return { code: "E_TOO_LARGE", message: `the file has more than ${maximum} bytes` };
    if (!mayBeHidden && /[\\/]\./.test(real.slice(realRoot.length))) {
      return { code: "E_INCLUDE_ROOT", message: "hidden files cannot be part of a configuration" };
    }
    // Files of the system, such as in /proc, report size 0.
    if (opened.size === 0 && readSync(handle, Buffer.alloc(1)) > 0) {
      return { code: "E_FILE", message: "not a regular file" };
    }
    return readWhole(handle, opened.size);
  } catch (error) {
    return { code: "E_FILE", message: `the file cannot be read: ${readFailure(error)}` };
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** The real path of an open file, as Linux names it. Undefined elsewhere, and for a file without a name. */
function pathOfOpen(handle: number, { nlink }: Stats): string | undefined {
  if (process.platform !== "linux" || nlink === 0) return undefined;
  try {
    return readlinkSync(`/proc/self/fd/${handle}`);
  } catch {
    // A container need not have /proc.
    return undefined;
  }
}

/** The real path of a file; undefined if another file than the open one is there by now. */
function checkedPath(path: string, opened: Stats): string | undefined {
  const real = realpathSync.native(path);
  const { ino, dev } = statSync(real);
  return ino === opened.ino && dev === opened.dev ? real : undefined;
}

/** Reads a file, at most the size that it had when it was opened. */
function readWhole(handle: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let read = 0;
  for (;;) {
    const more = readSync(handle, bytes, read, size - read, read);
    read += more;
    if (more === 0 || read === size) return bytes.subarray(0, read);
  }
}

/** Whether a path is relative: without a root, home directory, drive, share or URL scheme. */
export function isRelative(path: string): boolean {
  return !isAbsolute(path) && !/^(?:~|[a-z][a-z0-9+.-]*:|\\\\)/i.test(path);
}

/** Whether a path is a directory or inside it; both are real paths, or both are not. */
export function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/** A path without links; unchanged if it does not exist. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
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

/** The system's reason of a failed access, without the path. */
function readFailure(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  EACCES: "access is denied",
  EISDIR: "it is a directory",
  ELOOP: "its symbolic links form a circle",
  ENOTDIR: "a part of its path is not a directory",
  ENXIO: "not a regular file",
};

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
  root: string,
  limits: Limits,
  type: FileType,
  refuse: Refuse,
): Search {
  const found = new Map<string, Candidate>();
  const visited = new Map<string, ConfigurationPath>();
  const empty = new Set(paths);
  const queue = paths.map((from) => ({ path: from.path, from, named: true }));
  for (let next = queue.shift(); next !== undefined && found.size <= limits.files; next = queue.shift()) {
    const { path, from, named } = next;
    try {
      const real = realpathSync(path);
      if (!isInside(real, realpathSync(root))) {
        empty.delete(from);
        refuse(path, { code: "E_INCLUDE_ROOT", message: "the link leads outside the configuration root" });
        continue;
      }
      if (!statSync(real).isDirectory()) {
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
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        const below = join(path, entry.name);
        const wellNamed = type.matches(below) || TEST_FILES.matches(below);
        if (isSkipped(entry.name) || !(entry.isDirectory() || entry.isSymbolicLink() || wellNamed)) continue;
        if (entry.isSymbolicLink() && !wellNamed && !leadsToDirectory(below)) continue;
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

/** Hidden files, backups of editors, and packages. */
function isSkipped(name: string): boolean {
  return name.startsWith(".") || name.endsWith("~") || name.startsWith("#") || name === "node_modules";
}

function leadsToDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * The settings file in the directory or the nearest one above it, up to the root of a repository. Returns it even if it is not a
 * regular file: settings that cannot be read must not count as none.
 */
export function findSettings(directory: string): string | undefined {
  for (let at = directory; ; at = dirname(at)) {
    const path = join(at, SETTINGS_FILE);
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return path;
    if (dirname(at) === at || statSync(join(at, ".git"), { throwIfNoEntry: false }) !== undefined) return undefined;
  }
}
