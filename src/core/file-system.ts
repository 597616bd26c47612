/** The parts of a file system that Node leaves to the platform: making files durable, and who may open them. */

import { fsync, type Stats } from "node:fs";
import { open } from "node:fs/promises";

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

/** Whether this is Windows. Asked anew each time, so that tests can simulate it. */
export function isWindows(): boolean {
  return process.platform === "win32";
}
