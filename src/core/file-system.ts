/** The file system and processes: what journals and locks need of them, and what Node leaves to the platform. */

import { fsync, type Stats } from "node:fs";
import { open } from "node:fs/promises";

/** A file open for appending. */
export interface DiskFile {
  /** Appends some of the bytes and returns how many; a disk may accept fewer than it gets. */
  write(bytes: Uint8Array): Promise<number>;
  /** Resolves once everything written survives a power cut. */
  sync(): Promise<void>;
  /** Truncates the file to this many bytes. */
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** Status of a path. A link has the type `other`. */
export interface PathStatus {
  readonly type: "file" | "folder" | "other";
  /** Permission bits. */
  readonly mode: number;
  /** The user of this process owns it. */
  readonly isOwn: boolean;
}

/** A file system that tests can replace, to simulate a full disk or a power cut. Errors are Node's, with a `code`. Links are not followed. */
export interface Disk {
  /** Returns the status of a path; undefined if nothing is there. */
  inspect(path: string): Promise<PathStatus | undefined>;
  read(path: string): Promise<Uint8Array>;
  /** Creates a file that only its owner may read and write; fails if the path exists. */
  create(path: string): Promise<DiskFile>;
  /** Opens an existing file for appending. */
  openForAppend(path: string): Promise<DiskFile>;
  /** Creates one folder for its owner only; an existing folder stays unchanged. */
  makeFolder(path: string): Promise<void>;
  /** Takes all permissions on a folder from everybody but its owner. */
  makePrivate(path: string): Promise<void>;
  /** Returns the names in a folder, sorted; none if there is no folder. */
  list(path: string): Promise<readonly string[]>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file, if it exists. */
  remove(path: string): Promise<void>;
  /** Makes the names in a folder durable. */
  syncFolder(path: string): Promise<void>;
}

/** Appends all bytes, in as many writes as the disk needs. */
export async function writeAll(file: DiskFile, bytes: Uint8Array): Promise<void> {
  let rest = bytes;
  while (rest.length > 0) {
    const written = await file.write(rest);
    if (written <= 0) throw new Error("the disk accepts no more bytes and gives no reason");
    rest = rest.subarray(written);
  }
}

/** Returns the code of a file system error, or else its message. */
export function refusalOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}

/** Whether an error has this code: `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** All bits of a mode, and those of the owner. */
const [ALL, OWNER] = [0o7777, 0o700];

/** Resolves once an open file survives a power cut. The handles of Yarn Plug'n'Play lack the method `sync`, but not `fd`. */
export function syncFile({ fd }: { readonly fd: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(fd, (error) => (error === null ? resolve() : reject(error)));
  });
}

/** Makes the names in a folder durable. Windows syncs no folders: its file system keeps a journal of names itself. */
export async function syncFolder(path: string): Promise<void> {
  if (isWindows()) return;
  const folder = await open(path, "r");
  try {
    await syncFile(folder);
  } finally {
    await folder.close();
  }
}

/**
 * The permission bits of a file or folder, with the sticky bit. On Windows they are those of the owner alone: Node reports the same bits
 * for everybody there, whatever the access list says.
 */
export function permissionsOf({ mode }: Pick<Stats, "mode">): number {
  return mode & (isWindows() ? OWNER : ALL);
}

/** Whether a process runs. An ended process may have had the same number. */
export function isProcessRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process runs as another user. ESRCH: it does not run.
    return hasCode(error, "EPERM");
  }
}

/** Whether this is Windows. Asked anew each time, so that tests can simulate it. */
export function isWindows(): boolean {
  return process.platform === "win32";
}
