/** Exclusive use of a database file by one process. */

import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { hasCode, isProcessRunning } from "../../core/file-system.ts";

/** A holder that was told to stop needs up to a second for its open connections and its background work. */
const waitMilliseconds = 3_000;
const pollMilliseconds = 20;

/**
 * Acquires the file for this process, and returns a function that releases it. `<file>.holder` records the process. If
 * that process no longer runs, its record and SQLite's `<file>.lock` are removed; if it runs, this waits for its end.
 * Throws if a process (even this one) still holds the file then, or if a lock without a record belongs to another program.
 */
export function acquireFile(file: string): () => void {
  const path = resolve(file);
  mkdirSync(dirname(path), { recursive: true });
  const record = `${path}.holder`;
  const lock = `${path}.lock`;
  const deadline = performance.now() + waitMilliseconds;
  while (!writeRecord(record)) {
    const holder = readHolder(record);
    // Another process has released the file since.
    if (holder === undefined) continue;
    if (!isRunning(holder)) {
      rmSync(record, { force: true });
      rmSync(lock, { recursive: true, force: true });
    } else if (Number.parseInt(holder, 10) === process.pid || performance.now() > deadline) {
      throw new Error(`${file} is in use by process ${holder.split(" ")[0]}`);
    } else sleep(pollMilliseconds);
  }
  const release = (): void => rmSync(record, { force: true });
  if (!existsSync(lock)) return release;
  release();
  throw new Error(`${file} is locked by another program; if none is running, remove ${file}.lock`);
}

/** Records this process, unless a record exists: of two processes that start at the same time, one succeeds. */
function writeRecord(record: string): boolean {
  try {
    const descriptor = openSync(record, "wx", 0o600);
    writeSync(descriptor, identity(process.pid));
    closeSync(descriptor);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** The recorded process; undefined without a record. */
function readHolder(record: string): string | undefined {
  try {
    return readFileSync(record, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Opening a database is synchronous, and so is the wait for its file. */
function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Whether the recorded process still runs. The start time distinguishes it from a later process with the same number. */
function isRunning(holder: string): boolean {
  const pid = Number.parseInt(holder, 10);
  return Number.isInteger(pid) && pid > 0 && isProcessRunning(pid) && identity(pid) === holder;
}

/**
 * The process number and, on Linux, the start time of the process. A process that has ended, but that its parent has not
 * yet noticed, has no start time here: so it is another one than the recorded process.
 */
function identity(pid: number): string {
  const stat = `/proc/${pid}/stat`;
  if (!existsSync(stat)) return String(pid);
  // The first two fields are cut off with the command's name. Then come the state and, as field 22 of the line, the start.
  const [state = "", ...fields] = readFileSync(stat, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return "ZX".includes(state) ? String(pid) : `${pid} ${fields[18]}`;
}
