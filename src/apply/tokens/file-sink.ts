/** A file as a token sink: one line of JSON for each token, for its owner's eyes only, replaced whole and never half written. */

import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readlink, rename, rm, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type IssuedToken, lineOf, type TokenSink, UnusableSink } from "./sink.ts";

const OTHERS = 0o077;
const WORLD_WRITABLE = 0o002;
const STICKY = 0o1000;
const OWNER_WRITABLE = 0o200;
/** What a probe makes sure there is room for: far more than the tokens of any plan. Without a line feed, it is never taken for a line. */
const ROOM = " ".repeat(64 * 1024);
/** How long another run may take to write, in milliseconds, and how often it is looked whether it is done. */
const PATIENCE = 5_000;
const INTERVAL = 20;

/**
 * Keeps tokens in a file, made with mode 0600 when it does not exist. A link, something else than a file, or a file that
 * others may read or own is refused, and so is one in a folder that is a link or that somebody else may exchange.
 */
export function tokenFile(path: string): TokenSink {
  return {
    probe: () => explained(path, () => replace(path, undefined)),
    keep: (issued) => explained(path, () => replace(path, issued)),
  };
}

/** Writes under a lock: several runs may keep their tokens in one file, and each would put back what it has read. */
async function replace(path: string, issued: IssuedToken | undefined): Promise<void> {
  const folder = dirname(path);
  await requirePrivate(folder);
  const lock = join(folder, `.${basename(path)}.lock`);
  await take(lock);
  try {
    await replaceAlone(path, folder, issued);
  } finally {
    await rm(lock, { force: true });
  }
}

/** The lock is a link to nowhere, made at once or not at all, that says whose it is. That of a dead process counts for nothing. */
async function take(lock: string): Promise<void> {
  for (let waited = 0; !(await linked(lock)); waited += INTERVAL) {
    const owner = Number(await readlink(lock).catch(() => "0"));
    if (owner > 0 && !isAlive(owner)) await rm(lock, { force: true });
    refuse(waited >= PATIENCE, `another run is writing it; if none is, remove ${lock}`);
    await sleep(INTERVAL);
  }
}

async function linked(lock: string): Promise<boolean> {
  try {
    await symlink(String(process.pid), lock);
    return true;
  } catch (error) {
    if (isCoded(error, "EEXIST")) return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !isCoded(error, "ESRCH");
  }
}

function isCoded(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/**
 * Writes what the file holds and one more token into a new file and puts it in the old one's place, so that neither a full
 * disk nor a crash costs a token that was safe. Without a token it only tries everything that could fail.
 */
async function replaceAlone(path: string, folder: string, issued: IssuedToken | undefined): Promise<void> {
  const fresh = join(folder, `.${basename(path)}.new`);
  const held = await adopt(fresh, path, folder);
  try {
    await writeNew(fresh, held + (issued === undefined ? ROOM : lineOf(issued)));
    if (issued !== undefined) await putInPlace(fresh, path, folder);
  } finally {
    await rm(fresh, { force: true });
  }
}

/** What the file holds. A new file that a killed run has left, if it is complete, may hold the only copy of a token. */
async function adopt(fresh: string, path: string, folder: string): Promise<string> {
  const held = await readOwn(path);
  const left = await readOwn(fresh);
  if (left === "" || !left.endsWith("\n") || !left.startsWith(held)) {
    await rm(fresh, { force: true });
    return held;
  }
  await putInPlace(fresh, path, folder);
  return left;
}

async function putInPlace(fresh: string, path: string, folder: string): Promise<void> {
  await rename(fresh, path);
  await syncFolder(folder);
}

async function readOwn(path: string): Promise<string> {
  const stats = await existing(path);
  if (stats === undefined) return "";
  refuse(stats.isSymbolicLink(), "it is a link");
  refuse(!stats.isFile(), "it is not a regular file");
  refuse((stats.mode & OTHERS) !== 0, "others than its owner may open it; make it private with chmod 600");
  refuse((stats.mode & OWNER_WRITABLE) === 0, "it is read-only");
  refuse(stats.nlink > 1, "it has another name as well, which would keep its old content");
  refuse(isForeign(stats), "it belongs to another user");
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const opened = await file.stat();
    refuse(opened.ino !== stats.ino || opened.dev !== stats.dev, "it was exchanged while it was opened");
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

function isForeign({ uid }: Stats): boolean {
  return process.getuid !== undefined && uid !== process.getuid();
}

async function existing(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isCoded(error, "ENOENT")) return undefined;
    throw error;
  }
}

async function requirePrivate(folder: string): Promise<void> {
  const stats = await lstat(folder);
  refuse(stats.isSymbolicLink(), "its folder is a link; name the folder that it leads to");
  refuse(isForeign(stats) && stats.uid !== 0, "its folder belongs to another user");
  const { mode } = stats;
  refuse((mode & WORLD_WRITABLE) !== 0 && (mode & STICKY) === 0, "its folder may be written by everybody");
}

async function writeNew(path: string, text: string): Promise<void> {
  const file: FileHandle = await open(path, "wx", 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function refuse(wrong: boolean, why: string): void {
  if (wrong) throw new UnusableSink(why);
}

/** Runs it, and says of every failure which file it is about. */
async function explained(path: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : "";
    const message = error instanceof UnusableSink ? error.message : `the file system says ${why}`;
    throw new UnusableSink(`tokens cannot be kept in ${path}: ${message}`);
  }
}
