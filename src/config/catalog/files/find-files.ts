/** Finds the files that globs match inside a git repository: the only file that imports tinyglobby. */

import type { readdirSync } from "node:fs";
import { dirname, isAbsolute, join, posix, relative } from "node:path";
import { escapePath, globSync } from "tinyglobby";
import { type FileTree, isInside, type TreeEntry } from "../../source/file-tree.ts";
import { fileName, isRelative } from "../../source/files.ts";
import type { Limits } from "../../source/limits.ts";

/** The files of some globs. */
export interface FoundFiles {
  /** Absolute paths, sorted by path. */
  readonly files: readonly string[];
  /** Globs that matched no file, in their order, as they are written; never one that excludes. */
  readonly unmatched: readonly string[];
  /**
   * Symbolic links that globs matched or would enter, which are not read; relative to the root, sorted. One to a directory ends with a
   * slash, and is left out if all that matches behind it is read under its own path.
   */
  readonly links: readonly string[];
}

/** The error of a glob, or of a folder that cannot be listed. */
export interface GlobError {
  readonly code: string;
  readonly message: string;
  readonly help: string;
}

/** The place from which globs are read; both paths are absolute. */
export interface GlobPlace {
  readonly tree: FileTree;
  /** The root of the repository. Nothing above it is read. */
  readonly root: string;
  /** The folder of the file that has the globs. */
  readonly folder: string;
}

/** A glob that begins at the root. */
interface RootedGlob {
  readonly written: string;
  readonly pattern: string;
  readonly isExcluding: boolean;
}

/**
 * Returns the files that some glob matches and no glob that begins with `!` does. Globs that begin with `./` or `../` begin at the
 * folder, all others at the root. Hidden files, `node_modules` and what is behind symbolic links never match.
 */
export function findFiles(
  globs: readonly string[],
  place: GlobPlace,
  limits: Pick<Limits, "files">,
): FoundFiles | readonly GlobError[] {
  const errors: GlobError[] = [];
  const rooted = globs.flatMap((glob) => {
    const read = rootGlob(glob, place);
    if (!("code" in read)) return [read];
    errors.push(read);
    return [];
  });
  const including = rooted.filter(({ isExcluding }) => !isExcluding);
  if (errors.length === 0 && including.length === 0) {
    const help = 'Add a glob of the files to read, such as "services/**/*.yaml".';
    errors.push({ code: "E_GLOB", message: "no glob names a file: each of them excludes files", help });
  }
  if (errors.length > 0) return errors;
  const listing = new Listing(place, limits.files);
  const ignore = [...ALWAYS, ...rooted.filter(({ isExcluding }) => isExcluding).map(({ pattern }) => pattern)];
  const files = new Set<string>();
  const links = new Set<string>();
  const behind: (readonly [file: string, link: string])[] = [];
  const unmatched: string[] = [];
  for (const { pattern, written } of including) {
    const found = listing.files(pattern, ignore);
    if (found.files.length === 0) unmatched.push(written);
    for (const file of found.files) files.add(file);
    for (const link of found.links) links.add(link);
    for (const one of found.behind) behind.push(one);
  }
  for (const [file, link] of behind) if (!files.has(file)) links.add(link);
  if (files.size > limits.files) listing.refuseCount();
  if (listing.errors.length > 0) return listing.errors;
  return { files: [...files].sort().map((file) => join(place.root, file)), unmatched, links: [...links].sort() };
}

const ALWAYS: readonly string[] = ["**/node_modules/**"];

/** Directories behind links that are listed to tell whether a glob matches a file there: a link may lead to all of the repository. */
const LISTED_BEHIND_LINKS = 1000;

/** The files of a glob; all paths are relative to the root, with forward slashes. */
interface Listed {
  readonly files: readonly string[];
  /** Links that the glob matches, and links to directories that it would enter and that were not listed. */
  readonly links: readonly string[];
  /** The real path of each file behind a link to a directory, and the link. */
  readonly behind: readonly (readonly [file: string, link: string])[];
}

/** Lists directories for globs, and remembers what cannot be listed: files that cannot be found must not count as removed. */
class Listing {
  readonly errors: GlobError[] = [];
  readonly #tree: FileTree;
  readonly #root: string;
  readonly #realRoot: string;
  readonly #maximum: number;
  /** Directories inside the root. */
  readonly #listed = new Set<string>();
  /** Links to files, and to nothing. */
  readonly #links = new Set<string>();
  /** Links to directories, each with a slash at its end. */
  readonly #folderLinks = new Set<string>();
  /** Links to directories that the glob would enter and that were not listed, or only in part. */
  #closed = new Set<string>();
  #listedBehindLinks = 0;
  /** The directory that the search of a glob began at. */
  #base: string | undefined;

  constructor({ tree, root }: GlobPlace, maximum: number) {
    this.#tree = tree;
    this.#root = root;
    this.#realRoot = tree.realPath(root);
    this.#maximum = maximum;
  }

  files(pattern: string, ignore: readonly string[]): Listed {
    this.#base = undefined;
    this.#closed = new Set();
    const found = globSync(pattern, {
      cwd: this.#root,
      ignore,
      dot: false,
      expandDirectories: false,
      // Extended globs, such as +(a|b), can take exponential time.
      extglob: false,
      followSymbolicLinks: false,
      fs: { readdirSync: this.#list as typeof readdirSync },
    }).filter((file) => !HIDDEN.test(file));
    const isOwn = (file: string) => !this.#links.has(file) && this.#linkAbove(file) === undefined;
    return {
      files: found.filter(isOwn),
      links: [...this.#closed, ...found.filter((file) => this.#links.has(file) && this.#linkAbove(file) === undefined)],
      behind: found.flatMap((file) => {
        const link = this.#linkAbove(file);
        return link === undefined ? [] : [[this.#realName(file), link] as const];
      }),
    };
  }

  /** Whether a link leads to a directory. */
  #isDirectory(path: string): boolean {
    try {
      return this.#tree.typeOf(path) === "directory";
    } catch (error) {
      if (isFileError(error)) return false;
      throw error;
    }
  }

  refuseCount(): void {
    this.errors.push({
      code: "E_TOO_LARGE",
      message: `the globs match more than ${this.#maximum} files`,
      help: "Narrow the globs, or exclude folders with globs that begin with !.",
    });
  }

  /** The link to a directory that a path is behind, though the glob begins above it. */
  #linkAbove(path: string): string | undefined {
    if (this.#folderLinks.size === 0) return undefined;
    const whole = `${path}/`;
    for (let end = whole.indexOf("/", this.#base?.length); end >= 0; end = whole.indexOf("/", end + 1)) {
      const folder = whole.slice(0, end + 1);
      if (end !== this.#base?.length && this.#folderLinks.has(folder)) return folder;
    }
    return undefined;
  }

  /** The real path relative to the root; the path itself if nothing is there. */
  #realName(file: string): string {
    try {
      return fileName(this.#realRoot, this.#tree.realPath(join(this.#root, file)));
    } catch (error) {
      if (isFileError(error)) return file;
      throw error;
    }
  }

  /** A symbolic link as the file or directory that it leads to, since the library leaves links out; any other entry as it is. */
  #withTarget(entry: TreeEntry, directory: string): TreeEntry {
    const name = fileName(this.#root, join(directory, entry.name));
    // A link behind a link may lead back.
    if (!entry.isSymbolicLink() || this.#linkAbove(name) !== undefined) return entry;
    const isFolder = this.#isDirectory(join(directory, entry.name));
    if (isFolder) this.#folderLinks.add(`${name}/`);
    else this.#links.add(name);
    const type = { isFile: () => !isFolder, isDirectory: () => isFolder, isSymbolicLink: () => false };
    return Object.assign(Object.create(entry), type);
  }

  /** `readdirSync`. The library takes a directory that cannot be listed for an empty one. */
  readonly #list = (listed: string): unknown => {
    // The library ends some paths with a slash.
    const path = join(listed, ".");
    const name = () => fileName(this.#root, path) || ".";
    this.#base ??= fileName(this.#root, path);
    const link = this.#linkAbove(fileName(this.#root, path));
    try {
      // A glob can begin behind a link. Below a listed directory, links are followed only to warn of what is there.
      const isBelow = link === undefined && this.#listed.has(dirname(path));
      const isIncluded = isBelow || isInside(this.#tree.realPath(path), this.#realRoot);
      if (link !== undefined) {
        this.#listedBehindLinks += 1;
        if (!isIncluded || this.#listedBehindLinks > LISTED_BEHIND_LINKS) {
          this.#closed.add(link);
          return [];
        }
      }
      if (isIncluded) {
        this.#listed.add(path);
        return this.#tree.list(path).map((one) => this.#withTarget(one, path));
      }
      this.errors.push({
        code: "E_INCLUDE_ROOT",
        message: `the link "${name()}" leads outside the repository`,
        help: "Name files inside the repository.",
      });
      return [];
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      // A glob that names a directory or a file that does not exist matches nothing, which the caller reports.
      if (link !== undefined) this.#closed.add(link);
      else if (code !== "ENOENT" && code !== "ENOTDIR") {
        this.errors.push({
          code: "E_FILE",
          message: `the directory "${name()}" cannot be listed: ${code}`,
          help: `Make it readable, or exclude it: "!${name()}/**".`,
        });
      }
      throw error;
    }
  };
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && "code" in error;
}

const HIDDEN = /(?:^|\/)\./;

/** Reads a glob; returns its error if it has one. */
function rootGlob(written: string, { root, folder }: GlobPlace): RootedGlob | GlobError {
  const isExcluding = written.startsWith("!");
  const glob = isExcluding ? written.slice(1) : written;
  const error = (message: string, help: string): GlobError => ({ code: "E_GLOB", message, help });
  if (glob.trim() === "" || glob.startsWith("!")) {
    return error(`the glob "${written}" is empty`, 'Write a path with wildcards: "services/**/*.yaml".');
  }
  if (!isRelative(glob)) {
    const help =
      "Begin it at the root of the repository, as in services/**/*.yaml, or with ./ at the folder of this file.";
    return error(`the glob "${written}" is not a relative path`, help);
  }
  const [lead = ""] = /^(?:\.\.?\/)*/.exec(glob) ?? [];
  const rest = glob.slice(lead.length);
  if (PARENT.test(rest)) return error(`the glob "${written}" has .. in the middle`, "Write .. only at its beginning.");
  if (/(?:^|[/{,])\.(?!\/)[^/]/.test(rest)) {
    return error(`the glob "${written}" names hidden files`, "Name other files: hidden files may have secrets.");
  }
  const start = lead === "" ? "" : relative(root, join(folder, lead));
  if (isAbsolute(start) || /^\.\.(?:[\\/]|$)/.test(start)) {
    return error(`the glob "${written}" leads above the root of the repository`, "Name files inside the repository.");
  }
  return { written, isExcluding, pattern: posix.join(escapePath(start.split("\\").join("/")), rest) };
}

/** A step upwards, also as an alternative in braces; `{1..3}` is a range. */
const PARENT = /(?:^|[/{,])\.\.(?:[/},]|$)/;
