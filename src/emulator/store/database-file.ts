/** Exclusive use of a database file by one process. */

import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isProcessRunning } from "../../core/file-system.ts";

/**
 * Acquires the file for this process, and returns a function that releases it. `<file>.holder` records the process. If
 * that process no longer runs, its record and SQLite's `<file>.lock` are removed. Throws if a running process (even
 * this one) holds the file, or if a lock without a record belongs to another program.
 */
export function acquireFile(file: string): () => void {
  const path = resolve(file);
  mkdirSync(dirname(path), { recursive: true });
  const record = `${path}.holder`;
  const lock = `${path}.lock`;
  if (existsSync(record)) {
    const holder = readFileSync(record, "utf8");
    if (isRunning(holder)) throw new Error(`${file} is in use by process ${holder.split(" ")[0]}`);
    rmSync(record, { force: true });
    rmSync(lock, { recursive: true, force: true });
  } else if (existsSync(lock)) {
    throw new Error(`${file} is locked by another program; if none is running, remove ${file}.lock`);
  }
  // "wx": of two processes that start at the same time, one creates the record and the other fails.
  const descriptor = openSync(record, "wx", 0o600);
  writeSync(descriptor, identity(process.pid));
  closeSync(descriptor);
  return () => rmSync(record, { force: true });
}

/** Whether the recorded process still runs. The start time distinguishes it from a later process with the same number. */
function isRunning(holder: string): boolean {
  const pid = Number.parseInt(holder, 10);
  return Number.isInteger(pid) && pid > 0 && isProcessRunning(pid) && identity(pid) === holder;
}

/** The process number and, on Linux, the start time of the process. */
function identity(pid: number): string {
  const stat = `/proc/${pid}/stat`;
  if (!existsSync(stat)) return String(pid);
  const fields = readFileSync(stat, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  // Field 22 of the line is the start time. The first two fields are cut off with the command's name.
  return `${pid} ${fields[19]}`;
}
