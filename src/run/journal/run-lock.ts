/**
 * The run lock: one run at a time writes to a service. A run first writes a lock file of its own and then looks for others. The later of
 * two runs always sees the file of the earlier one, so they never both continue. A lock whose process no longer runs is stale.
 */

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Clock } from "../../core/clock.ts";
import { refusalOf, writeAll } from "../../core/file-system.ts";
import { fieldsIn, parseJson } from "../../core/json.ts";
import {
  foreignReason,
  type JournalStore,
  journalFolder,
  serviceHash,
  UnusableJournalFolder,
} from "./journal-store.ts";
import { isGone, type LockOwner, type Processes } from "./lock-owner.ts";

/** A run in progress, by its lock file. */
export interface RunLock extends LockOwner {
  /** ISO 8601, UTC. */
  readonly since: string;
  /** The lock file. */
  readonly path: string;
}

/** Another run is in progress, or may be. */
class AnotherRunActive extends Error {
  readonly lock: RunLock;
  constructor(lock: RunLock) {
    super(
      `another run is in progress: process ${lock.pid} on ${lock.host}, since ${lock.since}; if that process no longer runs, remove ${lock.path}; else wait with --lock-timeout SECONDS`,
    );
    this.name = "AnotherRunActive";
    this.lock = lock;
  }
}

/** Options of the run lock. */
export interface LockOptions {
  readonly processes: Processes;
  readonly clock: Clock;
  readonly now: () => Date;
  /** Milliseconds to wait for another run. */
  readonly timeout: number;
}

/** Attempts at least: two runs that start together both back off, and a later attempt lets one of them through. */
const MIN_ATTEMPTS = 4;
const PAUSE = 100;

/**
 * Acquires the lock of the service and returns the function that releases it. The folder must exist. Throws
 * {@link AnotherRunActive} and {@link UnusableJournalFolder}.
 */
export async function acquire(store: JournalStore, options: LockOptions): Promise<() => Promise<void>> {
  const { clock, timeout } = options;
  const until = clock.now() + timeout;
  for (let attempt = 1; ; attempt++) {
    const release = await writeLock(store, options);
    const [other] = (await activeLocks(store, options.processes)).filter(({ path }) => path !== release.path);
    if (other === undefined) {
      await removeStale(store, options.processes);
      return () => store.disk.remove(release.path);
    }
    await store.disk.remove(release.path);
    if (attempt >= MIN_ATTEMPTS && clock.now() >= until) throw new AnotherRunActive(other);
    await clock.sleep(PAUSE * (0.5 + Math.random()));
  }
}

/** Resolves when no other run is in progress, without a write. Throws {@link AnotherRunActive} after the timeout. */
export async function waitUntilFree(store: JournalStore, { processes, clock, timeout }: LockOptions): Promise<void> {
  const until = clock.now() + timeout;
  for (;;) {
    const [other] = await activeLocks(store, processes);
    if (other === undefined) return;
    if (clock.now() >= until) throw new AnotherRunActive(other);
    await clock.sleep(PAUSE * (0.5 + Math.random()));
  }
}

/** The locks of runs that are or may be in progress. Nothing is written. */
export async function activeLocks(store: JournalStore, processes: Processes): Promise<readonly RunLock[]> {
  const held: RunLock[] = [];
  for (const one of await readLocks(store)) if (!(await isGone(one, processes))) held.push(one);
  return held;
}

/** Removes stale locks. */
async function removeStale(store: JournalStore, processes: Processes): Promise<void> {
  for (const one of await readLocks(store)) if (await isGone(one, processes)) await store.disk.remove(one.path);
}

async function readLocks(store: JournalStore): Promise<readonly RunLock[]> {
  const folder = journalFolder(store);
  const names = (await store.disk.list(folder)).filter((name) => isLock(name, serviceHash(store)));
  const locks = await Promise.all(names.map((name) => readLock(store, join(folder, name))));
  return locks.filter((one) => one !== undefined);
}

/** Writes a lock file: under another name first, so that others see all of it or nothing. */
async function writeLock(store: JournalStore, { processes, now }: LockOptions): Promise<{ readonly path: string }> {
  const self = await processes.self();
  const name = `${serviceHash(store)}.${self.pid}.${randomBytes(3).toString("hex")}`;
  const [draft, path] = [join(journalFolder(store), `${name}.draft`), join(journalFolder(store), `${name}.running`)];
  try {
    const file = await store.disk.create(draft);
    try {
      await writeAll(file, Buffer.from(JSON.stringify({ ...self, since: now().toISOString() })));
      await file.sync();
    } finally {
      await file.close();
    }
    await store.disk.rename(draft, path);
  } catch (error) {
    throw new UnusableJournalFolder(journalFolder(store), refusalOf(error));
  }
  return { path };
}

function isLock(name: string, hash: string): boolean {
  return name.startsWith(`${hash}.`) && name.endsWith(".running");
}

/**
 * The lock in a file; undefined if the file is gone by now, or is not one of this user. One that cannot be parsed may be of another
 * version, so it counts.
 */
async function readLock({ disk }: JournalStore, path: string): Promise<RunLock | undefined> {
  if (foreignReason(await disk.inspect(path)) !== undefined) return undefined;
  let text: string;
  try {
    text = Buffer.from(await disk.read(path)).toString("utf8");
  } catch (error) {
    if (refusalOf(error) === "ENOENT") return undefined;
    throw error;
  }
  const fields = fieldsIn(parseJson(text));
  return {
    pid: typeof fields.pid === "number" ? fields.pid : 0,
    started: typeof fields.started === "string" ? fields.started : null,
    host: typeof fields.host === "string" ? fields.host : "an unknown machine",
    boot: typeof fields.boot === "string" ? fields.boot : null,
    since: typeof fields.since === "string" ? fields.since : "an unknown time",
    path,
  };
}
