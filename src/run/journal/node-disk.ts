/** The file system of this machine. */

import { constants } from "node:fs";
import { chmod, type FileHandle, lstat, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { type Disk, type DiskFile, hasCode, permissionsOf, syncFile, syncFolder } from "../../core/file-system.ts";

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;
const OWNER_ONLY = { file: 0o600, folder: 0o700 };

/** Files and folders of this machine. */
export const nodeDisk: Disk = {
  inspect: async (path) => {
    const stats = await unless("ENOENT", () => lstat(path));
    if (stats === undefined) return undefined;
    return {
      type: stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other",
      mode: permissionsOf(stats) & 0o777,
      isOwn: process.getuid === undefined || stats.uid === process.getuid(),
    };
  },
  read: async (path) => {
    const file = await open(path, O_RDONLY | O_NOFOLLOW);
    try {
      return await file.readFile();
    } finally {
      await file.close();
    }
  },
  create: async (path) => {
    const file = await open(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, OWNER_ONLY.file);
    return appending(file);
  },
  openForAppend: async (path) => appending(await open(path, O_WRONLY | O_APPEND | O_NOFOLLOW)),
  makeFolder: async (path) => void (await unless("EEXIST", () => mkdir(path, OWNER_ONLY.folder))),
  makePrivate: (path) => chmod(path, OWNER_ONLY.folder),
  list: async (path) => ((await unless("ENOENT", () => readdir(path))) ?? []).sort(),
  rename,
  remove: (path) => rm(path, { force: true }),
  syncFolder,
};

function appending(file: FileHandle): DiskFile {
  return {
    write: async (bytes) => (await file.write(bytes)).bytesWritten,
    sync: () => syncFile(file),
    truncate: (length) => file.truncate(length),
    close: () => file.close(),
  };
}

async function unless<T>(code: string, run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (hasCode(error, code)) return undefined;
    throw error;
  }
}
