/** A token sink that writes a file: one line of JSON for each token, readable by its owner only, replaced atomically. */

import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, link, lstat, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode, isProcessRunning, permissionsOf, syncFile, syncFolder } from "../../core/file-system.ts";
import { type IssuedToken, type TokenSink, tokenLine, UnusableSink } from "./sink.ts";

const OTHERS = 0o077;
const WORLD_WRITABLE = 0o002;
const STICKY = 0o1000;
const OWNER_WRITABLE = 0o200;
/** Text that a probe writes to test for free space: more than the tokens of any plan. Without a line feed, it never counts as a line. */
const ROOM = " ".repeat(64 * 1024);
/** Longest wait for another run's write, and the interval between checks, in milliseconds. */
const LONGEST_WAIT = 5_000;
const INTERVAL = 20;

/**
 * Returns a sink that stores tokens in a file, created with mode 0600. It refuses a link, anything but a regular file, a file that
 * others can read or own, and a folder that is a link or that others can replace.
 */
export function fileSink(path: string): TokenSink {
  return {
    probe: () => withPath(path, () => replace(path, undefined)),
    store: (issued) => withPath(path, () => replace(path, issued)),
  };
}

/** Writes under a lock: several runs may store tokens in one file, and each replaces the whole file. */
async function replace(path: string, issued: IssuedToken | undefined): Promise<void> {
  const folder = dirname(path);
  await requirePrivate(folder);
  const lock = join(folder, `.${basename(path)}.lock`);
  await acquireLock(lock);
  try {
    await replaceLocked(path, folder, issued);
  } finally {
    await rm(lock, { force: true });
  }
}

/** Acquires the lock, a file with the owner's process id. The lock of an ended process is removed. */
async function acquireLock(lock: string): Promise<void> {
  for (let wait = 0; !(await createLock(lock)); wait += INTERVAL) {
    const owner = Number(await readFile(lock, "utf8").catch(() => "0"));
    if (owner > 0 && !isProcessRunning(owner)) await rm(lock, { force: true });
    refuse(wait >= LONGEST_WAIT, `another run is writing it; if none is, remove ${lock}`);
    await sleep(INTERVAL);
  }
}

/** Creates the lock with its content in one step, as a second name of a file. Symbolic links would need a privilege on Windows. */
async function createLock(lock: string): Promise<boolean> {
  const draft = `${lock}.${randomUUID()}`;
  try {
    await writeFile(draft, String(process.pid), { flag: "wx", mode: 0o600 });
    await link(draft, lock);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Writes the file's lines and one more token into a new file and renames it over the old one, so that neither a full disk nor a
 * crash loses a stored token. Without a token, it only tries every step that could fail.
 */
async function replaceLocked(path: string, folder: string, issued: IssuedToken | undefined): Promise<void> {
  const newFile = join(folder, `.${basename(path)}.new`);
  const content = await adoptNewFile(newFile, path, folder);
  try {
    await writeNew(newFile, content + (issued === undefined ? ROOM : tokenLine(issued)));
    if (issued !== undefined) await renameOver(newFile, path, folder);
  } finally {
    await rm(newFile, { force: true });
  }
}

/** Returns the content of the file. A complete new file of a killed run may have the only copy of a token, so it replaces the old one. */
async function adoptNewFile(newFile: string, path: string, folder: string): Promise<string> {
  const content = await readPrivateFile(path);
  const newContent = await readPrivateFile(newFile);
  if (newContent === "" || !newContent.endsWith("\n") || !newContent.startsWith(content)) {
    await rm(newFile, { force: true });
    return content;
  }
  await renameOver(newFile, path, folder);
  return newContent;
}

async function renameOver(newFile: string, path: string, folder: string): Promise<void> {
  await rename(newFile, path);
  await syncFolder(folder);
}

async function readPrivateFile(path: string): Promise<string> {
  const stats = await statPath(path);
  if (stats === undefined) return "";
  refuse(stats.isSymbolicLink(), "it is a link");
  refuse(!stats.isFile(), "it is not a regular file");
  const mode = permissionsOf(stats);
  refuse((mode & OTHERS) !== 0, "other users can open it; make it private with chmod 600");
  refuse((mode & OWNER_WRITABLE) === 0, "it is read-only");
  refuse(stats.nlink > 1, "it has a hard link, which would keep the old content");
  refuse(isForeign(stats), "it belongs to another user");
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const opened = await file.stat();
    refuse(opened.ino !== stats.ino || opened.dev !== stats.dev, "it was replaced while it was opened");
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

function isForeign({ uid }: Stats): boolean {
  return process.getuid !== undefined && uid !== process.getuid();
}

async function statPath(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

async function requirePrivate(folder: string): Promise<void> {
  const stats = await lstat(folder);
  refuse(stats.isSymbolicLink(), "its folder is a link; give the path of the real folder");
  refuse(isForeign(stats) && stats.uid !== 0, "its folder belongs to another user");
  const mode = permissionsOf(stats);
  refuse((mode & WORLD_WRITABLE) !== 0 && (mode & STICKY) === 0, "everybody can write to its folder");
}

async function writeNew(path: string, text: string): Promise<void> {
  const file: FileHandle = await open(path, "wx", 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(text);
    await syncFile(file);
  } finally {
    await file.close();
  }
}

function refuse(isRefused: boolean, reason: string): void {
  if (isRefused) throw new UnusableSink(reason);
}

/** Runs a function and adds the path to its errors. */
async function withPath(path: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : "";
    const message = error instanceof UnusableSink ? error.message : `the file system reports ${why}`;
    throw new UnusableSink(`tokens cannot be stored in ${path}: ${message}`);
  }
}
