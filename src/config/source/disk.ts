/** The files on the disk. */

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
import { type FileTree, isInside, type ReadCondition, type UnreadableFile, unreadable } from "./file-tree.ts";

/** The disk. */
export const DISK: FileTree = {
  typeOf: (path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    return stats.isDirectory() ? "directory" : stats.isFile() ? "file" : "other";
  },
  has: (path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined,
  realPath: (path) => realpathSync.native(path),
  list: (path) => readdirSync(path, { withFileTypes: true }),
  read: readChecked,
};

/** Reads a regular file whose real path is inside the root. Checks the opened file, so that it cannot be exchanged. */
function readChecked(path: string, { root, maximum, mayBeHidden }: ReadCondition): Uint8Array | UnreadableFile {
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
    return unreadable(error);
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
