/** Finds and reads the files of a configuration: regular files inside its root, in path order, never too much. */

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import type { Location } from "../../core/diagnostic.ts";
import type { Findings } from "../../core/findings.ts";
import type { Limits } from "./limits.ts";

/** The name of the settings file, which is never a configuration file. */
const SETTINGS_FILE = "incidentctl.yaml";

/** A file that was read. */
export interface FileBytes {
  /** Relative to the root, with forward slashes. */
  readonly file: string;
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Which files are meant, where a directory is named. */
export interface FileSort {
  is(path: string): boolean;
  /** For people. */
  readonly title: string;
}

const YAML = /\.ya?ml$/;

/** The files that declare something. */
const CONFIGURATION_FILES: FileSort = {
  is: (path) => YAML.test(path) && !TEST_FILES.is(path) && !path.endsWith(`${sep}${SETTINGS_FILE}`),
  title: "configuration file (*.yaml, *.yml)",
};

/** The files that hold tests of what is declared. */
export const TEST_FILES: FileSort = {
  is: (path) => /\.test\.ya?ml$/.test(path),
  title: "routing test (*.test.yaml)",
};

/** Why a file was not read. */
export interface UnreadableFile {
  readonly code: string;
  readonly message: string;
}

/** A path to look at, and where the settings name it; nowhere when a person did. */
export interface Wanted {
  readonly path: string;
  readonly at?: Location | undefined;
}

/**
 * Every file of a sort at or below the paths, and every file named, sorted by its path relative to the root. Where contents are
 * given `instead`, by that path, they count for what is on the disk, and there need be nothing there.
 */
export function readFiles(
  wanted: readonly Wanted[],
  root: string,
  limits: Limits,
  findings: Findings,
  sort: FileSort = CONFIGURATION_FILES,
  instead?: ReadonlyMap<string, Uint8Array>,
): readonly FileBytes[] {
  const refuse: Refuse = (path, { code, message }) => {
    const file = fileName(root, path);
    const named = wanted.find((one) => one.path === path)?.at;
    findings.error(code, message, named ?? (file === "" ? undefined : { file, line: 1, column: 1 }));
  };
  const there =
    instead === undefined
      ? wanted
      : wanted.filter(({ path }) => statSync(path, { throwIfNoEntry: false }) !== undefined);
  const { found, empty } = find(there, root, limits, sort, refuse);
  if (instead !== undefined) {
    // What is not there yet is no slip.
  } else if (sort === CONFIGURATION_FILES) {
    // An empty one among several is no less a slip: what it used to hold would be taken for unwanted.
    for (const { path, at } of empty) {
      const message = `there is no ${sort.title} in "${fileName(root, path) || "."}"`;
      const help = "Name the directory that holds the configuration, or begin one: incidentctl init.";
      findings.error("E_EMPTY", message, at, { help });
    }
  } else if (found.length === 0 && findings.errorCount === 0) {
    const where = wanted.map(({ path }) => `"${fileName(root, path) || "."}"`).join(", ");
    findings.error("E_EMPTY", `there is no ${sort.title} in ${where}`, undefined, {
      help: "Name the directory that holds them.",
    });
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
      refuse(path, { code: "E_TOO_LARGE", message: `the files hold more than ${limits.totalBytes} bytes together` });
      break;
    }
    read.push({ file, path, bytes: instead?.get(file) ?? bytes });
  }
  const more = [...(instead ?? [])]
    .filter(([file]) => read.every((one) => one.file !== file))
    .map(([file, bytes]): FileBytes => ({ file, path: join(root, file), bytes }));
  return more.length === 0 ? read : [...read, ...more].sort((left, right) => (left.file < right.file ? -1 : 1));
}

/** The bytes of a regular file whose real path lies in the root. What was opened is what is checked. */
export function readInside(path: string, root: string, maximum: number): Uint8Array | UnreadableFile {
  let handle: number | undefined;
  try {
    // Without O_NONBLOCK a named pipe would wait for its other end.
    handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const opened = fstatSync(handle);
    if (!opened.isFile()) return { code: "E_FILE", message: "only regular files are read" };
    const real = realpathSync(path);
    const checked = statSync(real);
    if (!isInside(real, realpathSync(root)) || checked.ino !== opened.ino || checked.dev !== opened.dev) {
      return { code: "E_INCLUDE_ROOT", message: "the file lies outside the configuration root" };
    }
    if (opened.size > maximum) return { code: "E_TOO_LARGE", message: `the file has more than ${maximum} bytes` };
    // A file of the system, such as those in /proc, has no size until it is read.
    if (opened.size === 0 && readSync(handle, Buffer.alloc(1)) > 0) {
      return { code: "E_FILE", message: "only regular files are read" };
    }
    return readWhole(handle, opened.size);
  } catch (error) {
    return { code: "E_FILE", message: `the file cannot be read: ${reason(error)}` };
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** The bytes of a file from its start, at most as many as it had when it was opened. */
function readWhole(handle: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let read = 0;
  for (;;) {
    const more = readSync(handle, bytes, read, size - read, read);
    read += more;
    if (more === 0 || read === size) return bytes.subarray(0, read);
  }
}

/** The same for a file that a configuration names: hidden ones hold what is nobody's to show, such as `.git/config`. */
export function readVisible(path: string, root: string, maximum: number): Uint8Array | UnreadableFile {
  const bytes = readInside(path, root, maximum);
  if ("code" in bytes || !/(?:^|[\\/])\.(?!\.)/.test(relative(realpathSync(root), realpathSync(path)))) return bytes;
  return { code: "E_INCLUDE_ROOT", message: "hidden files are no part of a configuration" };
}

/** Whether a relative path is written as one: no root, home directory, drive, share or address. */
export function isRelative(path: string): boolean {
  return !isAbsolute(path) && !/^(?:~|[a-z][a-z0-9+.-]*:|\\\\)/i.test(path);
}

/** Whether a path is the directory or lies in it; both are real paths, or both are not. */
export function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/** A path without links; as it is when nothing is there. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** A path as it is shown: relative to the root, with forward slashes. */
export function fileName(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}

/** What the system says about a failed access, without the path. */
function reason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  EACCES: "access is denied",
  EISDIR: "it is a directory",
  ELOOP: "its symbolic links form a circle",
  ENOTDIR: "a part of its path is not a directory",
  ENXIO: "only regular files are read",
};

type Refuse = (path: string, problem: UnreadableFile) => void;

interface Candidate {
  readonly file: string;
  readonly path: string;
}

interface Search {
  readonly found: readonly Candidate[];
  /** The paths that hold nothing to speak of. */
  readonly empty: readonly Wanted[];
}

function find(wanted: readonly Wanted[], root: string, limits: Limits, sort: FileSort, refuse: Refuse): Search {
  const found = new Map<string, Candidate>();
  const visited = new Set<string>();
  const empty = new Set(wanted);
  const queue = wanted.map((from) => ({ path: from.path, from, named: true }));
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
        // Tests belong to what they lie beside.
        if (named || sort.is(path) || TEST_FILES.is(path)) empty.delete(from);
        if (!named && !sort.is(path)) continue;
        // What settings or links name could be any file of the project, and a message shows the line that is wrong.
        if (YAML.test(real) || (named && from.at === undefined)) {
          found.set(real, { file: fileName(root, path), path });
        } else {
          refuse(path, { code: "E_FILE", message: `"${fileName(root, real)}" is not named like a YAML file` });
        }
        continue;
      }
      if (visited.has(real)) {
        // Whether it holds anything was or will be told of the path that came first.
        empty.delete(from);
        continue;
      }
      visited.add(real);
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        const below = join(path, entry.name);
        const wellNamed = sort.is(below) || TEST_FILES.is(below);
        if (isSkipped(entry.name) || !(entry.isDirectory() || entry.isSymbolicLink() || wellNamed)) continue;
        if (entry.isSymbolicLink() && !wellNamed && !leadsToDirectory(below)) continue;
        queue.push({ path: below, from, named: false });
      }
    } catch (error) {
      empty.delete(from);
      refuse(path, { code: "E_FILE", message: `"${fileName(root, path) || path}" cannot be read: ${reason(error)}` });
    }
  }
  if (found.size > limits.files) {
    refuse(root, { code: "E_TOO_LARGE", message: `the configuration has more than ${limits.files} files` });
    return { found: [], empty: [] };
  }
  return { found: [...found.values()].sort((left, right) => (left.file < right.file ? -1 : 1)), empty: [...empty] };
}

/** Hidden files, what editors leave behind, and other people's packages. */
function isSkipped(name: string): boolean {
  return name.startsWith(".") || name.endsWith("~") || name.startsWith("#") || name === "node_modules";
}

function leadsToDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * The settings file in the directory or the nearest one above it, not looking past the root of a repository. What bears its
 * name and is no file is given as well: settings that cannot be read must not count as none.
 */
export function findSettings(directory: string): string | undefined {
  for (let at = directory; ; at = dirname(at)) {
    const path = join(at, SETTINGS_FILE);
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return path;
    if (dirname(at) === at || statSync(join(at, ".git"), { throwIfNoEntry: false }) !== undefined) return undefined;
  }
}
