/** Who holds a database file: takes it, refuses when a live process holds it, and clears up after a killed one. */

import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Takes the file for this process and returns the function that gives it back. A holder is recorded beside the file, in
 * `<file>.holder`; when that process is no longer running, its record and the `<file>.lock` that SQLite left are removed.
 * Throws when a live process, this one included, holds the file, or when a lock without a record shows a foreign program.
 */
export function holdFile(file: string): () => void {
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
  // "wx": of two processes that start at once, one creates the record and the other fails.
  const descriptor = openSync(record, "wx", 0o600);
  writeSync(descriptor, identity(process.pid));
  closeSync(descriptor);
  return () => rmSync(record, { force: true });
}

/** Whether the recorded process still runs; a process that merely got the same number later is told by its start time. */
function isRunning(holder: string): boolean {
  const pid = Number.parseInt(holder, 10);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, as another user. ESRCH: it does not run.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return identity(pid) === holder;
}

/** The process number and, where the system tells it (Linux), the start time of the process. */
function identity(pid: number): string {
  const stat = `/proc/${pid}/stat`;
  if (!existsSync(stat)) return String(pid);
  const fields = readFileSync(stat, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  // Field 22 of the line is the start time; the first two were cut off with the command's name.
  return `${pid} ${fields[19]}`;
}
