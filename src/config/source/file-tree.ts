/** Files to read a configuration from: those on the disk, those of a commit, or the disk with other contents. */

import type { Dirent } from "node:fs";
import { basename, dirname, join, sep } from "node:path";

/** The error of a file that cannot be read. */
export interface UnreadableFile {
  readonly code: string;
  readonly message: string;
}

/** An entry of a directory. */
export type TreeEntry = Pick<Dirent, "name" | "isFile" | "isDirectory" | "isSymbolicLink">;

/** The conditions under which a file is read. */
export interface ReadCondition {
  /** Only a file whose real path is inside it is read. */
  readonly root: string;
  /** Bytes. */
  readonly maximum: number;
  /** A hidden file may be read. Those that a configuration names, such as `.git/config`, may have secrets. */
  readonly mayBeHidden: boolean;
}

/** A tree of files; paths are absolute. A function that throws does so as `node:fs` does, with the code of the error. */
export interface FileTree {
  /** The type of what a path leads to; undefined if nothing is there. */
  typeOf(path: string): "file" | "directory" | "other" | undefined;
  /** Whether its directory has the name of the path, even if that is a link to nothing. */
  has(path: string): boolean;
  /** The path without links. Throws if nothing is there. */
  realPath(path: string): string;
  /** The entries of a directory. Throws if it cannot be listed. */
  list(path: string): readonly TreeEntry[];
  /** The bytes of a regular file. */
  read(path: string, condition: ReadCondition): Uint8Array | UnreadableFile;
}

/** The error of a path where nothing is. */
export function noSuchFile(path: string): Error {
  return Object.assign(new Error(`there is nothing at ${path}`), { code: "ENOENT" });
}

/** The problem of a file that cannot be read, in the system's reason without the path. */
export function unreadable(error: unknown): UnreadableFile {
  return { code: "E_FILE", message: `the file cannot be read: ${readFailure(error)}` };
}

/** The system's reason of a failed access, without the path. */
export function readFailure(error: unknown): string {
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

/** Whether a path is a directory or inside it; both are real paths, or both are not. */
export function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/** An entry of a directory in memory. */
export function treeEntry(name: string, type: "file" | "directory" | "link"): TreeEntry {
  return {
    name,
    isFile: () => type === "file",
    isDirectory: () => type === "directory",
    isSymbolicLink: () => type === "link",
  };
}

/** A tree in which some files have other contents, or exist at all. `contents` is by absolute path. */
export function withContents(tree: FileTree, contents: ReadonlyMap<string, Uint8Array>): FileTree {
  const isNew = (path: string): boolean => contents.has(path) && !tree.has(path);
  return {
    typeOf: (path) => tree.typeOf(path) ?? (contents.has(path) ? "file" : undefined),
    has: (path) => contents.has(path) || tree.has(path),
    realPath: (path) => (isNew(path) ? join(tree.realPath(dirname(path)), basename(path)) : tree.realPath(path)),
    list: (path) => {
      const added = [...contents.keys()].filter((file) => dirname(file) === path && isNew(file));
      return [...tree.list(path), ...added.map((file) => treeEntry(basename(file), "file"))];
    },
    read: (path, condition) => {
      const bytes = isNew(path) ? undefined : tree.read(path, condition);
      return bytes !== undefined && "code" in bytes
        ? bytes
        : (contents.get(path) ?? bytes ?? unreadable(noSuchFile(path)));
    },
  };
}
