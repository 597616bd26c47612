/** Finds and reads the files of a configuration: regular files inside its root, in path order, never too much. */

import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { Findings } from "./findings.ts";
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

/** The files that declare something. */
const CONFIGURATION_FILES: FileSort = {
  is: (path) => /\.ya?ml$/.test(path) && !TEST_FILES.is(path) && !path.endsWith(`${sep}${SETTINGS_FILE}`),
  title: "configuration file (*.yaml, *.yml)",
};

/** The files that hold tests of what is declared. */
export const TEST_FILES: FileSort = {
  is: (path) => /\.test\.ya?ml$/.test(path),
  title: "routing test (*.test.yaml)",
};

/** Why a file was not read. */
export interface Unreadable {
  readonly code: string;
  readonly message: string;
}

/** Every file of a sort at or below the paths, and every file named, sorted by its path relative to the root. */
export function readFiles(
  paths: readonly string[],
  root: string,
  limits: Limits,
  findings: Findings,
  sort: FileSort = CONFIGURATION_FILES,
): readonly FileBytes[] {
  const refuse = (path: string, { code, message }: Unreadable): void => {
    const file = fileName(root, path);
    findings.error(code, message, file === "" ? undefined : { file, line: 1, column: 1 });
  };
  const found = find(paths, root, limits, sort, refuse);
  if (found.length === 0 && findings.errorCount === 0) {
    const where = paths.map((path) => `"${fileName(root, path) || "."}"`).join(", ");
    findings.error("E_EMPTY", `there is no ${sort.title} in ${where}`, undefined, {
      help:
        sort === CONFIGURATION_FILES
          ? "Name the directory that holds the configuration."
          : "Name the directory that holds them.",
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
    read.push({ file, path, bytes });
  }
  return read;
}

/** The bytes of a regular file whose real path lies in the root. What was opened is what is checked. */
export function readInside(path: string, root: string, maximum: number): Uint8Array | Unreadable {
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
    return readFileSync(handle);
  } catch (error) {
    return { code: "E_FILE", message: `the file cannot be read: ${reason(error)}` };
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** Whether a path is the directory or lies in it; both are real paths. */
function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
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

interface Candidate {
  readonly file: string;
  readonly path: string;
}

function find(
  paths: readonly string[],
  root: string,
  limits: Limits,
  sort: FileSort,
  refuse: (path: string, problem: Unreadable) => void,
): readonly Candidate[] {
  const found = new Map<string, Candidate>();
  const visited = new Set<string>();
  const queue = paths.map((path) => ({ path, named: true }));
  for (let next = queue.shift(); next !== undefined && found.size <= limits.files; next = queue.shift()) {
    const { path, named } = next;
    try {
      const real = realpathSync(path);
      if (!isInside(real, realpathSync(root))) {
        refuse(path, { code: "E_INCLUDE_ROOT", message: "the link leads outside the configuration root" });
        continue;
      }
      if (!statSync(real).isDirectory()) {
        if (named || sort.is(path)) found.set(real, { file: fileName(root, path), path });
        continue;
      }
      if (visited.has(real)) continue;
      visited.add(real);
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        const below = join(path, entry.name);
        if (isSkipped(entry.name) || !(entry.isDirectory() || entry.isSymbolicLink() || sort.is(below))) continue;
        if (entry.isSymbolicLink() && !sort.is(below) && !leadsToDirectory(below)) continue;
        queue.push({ path: below, named: false });
      }
    } catch (error) {
      refuse(path, { code: "E_FILE", message: `"${fileName(root, path) || path}" cannot be read: ${reason(error)}` });
    }
  }
  if (found.size > limits.files) {
    refuse(root, { code: "E_TOO_LARGE", message: `the configuration has more than ${limits.files} files` });
    return [];
  }
  return [...found.values()].sort((left, right) => (left.file < right.file ? -1 : 1));
}

/** Hidden files, what editors leave behind, and other people's packages. */
function isSkipped(name: string): boolean {
  return name.startsWith(".") || name.endsWith("~") || name.startsWith("#") || name === "node_modules";
}

function leadsToDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The settings file in the directory or the nearest one above it, not looking past the root of a repository. */
export function findSettings(directory: string): string | undefined {
  for (let at = directory; ; at = dirname(at)) {
    const path = join(at, SETTINGS_FILE);
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return path;
    if (dirname(at) === at || statSync(join(at, ".git"), { throwIfNoEntry: false }) !== undefined) return undefined;
  }
}
