/** The runs of a service: the lock that allows one at a time, and their journals. */

import { relative } from "node:path";
import { systemClock } from "../../core/clock.ts";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { version } from "../../core/package.ts";
import { programLine, sanitised } from "../../core/sanitise.ts";
import type { SealedPlan } from "../../plan/model/plan.ts";
import type { RunSnapshot } from "../../plan/model/snapshot.ts";
import { isUnfinished } from "../../run/journal/journal-status.ts";
import {
  archive,
  type JournalFile,
  type JournalStore,
  journalFolder,
  listJournals,
  nextJournal,
  prepareFolder,
  type RecordedRun,
  readContents,
  reopen,
} from "../../run/journal/journal-store.ts";
import { systemProcesses } from "../../run/journal/lock-owner.ts";
import { nodeDisk } from "../../run/journal/node-disk.ts";
import { UnreadableJournal } from "../../run/journal/read.ts";
import { type Recorder, type RecordingOptions, resumeJournal, startJournal } from "../../run/journal/recorder.ts";
import { acquire, activeLocks, type LockOptions, type RunLock, waitUntilFree } from "../../run/journal/run-lock.ts";
import type { WriteOptions } from "../command/shared-flags.ts";
import type { Console } from "../console/console.ts";
import type { ReadingSession } from "../session/session.ts";

/** The runs of one service, recorded below one folder. */
export interface Runs {
  /** Locks of the runs in progress. Nothing is written. */
  activeRuns(): Promise<readonly RunLock[]>;
  /** Resolves when no other run is in progress. Ends the command after the lock timeout. */
  waitUntilFree(): Promise<void>;
  /** Acquires the run lock. Ends the command if another run has written since {@link unfinished} was called. */
  acquireLock(): Promise<void>;
  releaseLock(): Promise<void>;
  /** Runs that have to be resolved, the oldest first. */
  unfinished(): Promise<readonly RecordedRun[]>;
  /** Whether a journal is named as unfinished. */
  hasUnfinished(): Promise<boolean>;
  /** The last run. */
  latest(): Promise<RecordedRun | undefined>;
  /** A run by its number. */
  numbered(run: string): Promise<RecordedRun | undefined>;
  /** Every run, the newest first. */
  all(): Promise<readonly RecordedRun[]>;
  /** The run with its journal as it is now. */
  read(run: RecordedRun): Promise<RecordedRun>;
  /** Starts the journal of this run. When it resolves, the first record is durable. */
  startJournal(
    plan: SealedPlan,
    before: RunSnapshot,
    ids: Readonly<Record<string, readonly string[]>>,
  ): Promise<Recorder>;
  /** Continues the journal of an earlier run, which counts as unfinished from now on. */
  resumeJournal(run: RecordedRun): Promise<Recorder>;
  /** Archives the journal of a finished run. Returns its new path. */
  archive(path: string): Promise<string>;
  /** The folder of the journals. */
  readonly folder: string;
  /** A path for messages, relative to the current folder if it is inside it. */
  displayPath(path: string): string;
}

/** The runs of the service of a session. */
export function openRuns(
  session: ReadingSession,
  options: Pick<WriteOptions, "lockTimeout">,
  io: Io,
  console: Console,
): Runs {
  const disk = io.disk ?? nodeDisk;
  const store: JournalStore = { disk, home: session.configuration.settings.home, service: session.service };
  const clock = io.clock ?? systemClock;
  const timeout = (options.lockTimeout ?? 0) * 1000;
  const locking: LockOptions = { processes: systemProcesses, clock, now: () => io.now(), timeout };
  const recording: RecordingOptions = { disk, now: () => io.now(), conceal: (text) => console.safe(text) };
  let lastOwner: string | undefined;
  let release: (() => Promise<void>) | undefined;

  const displayPath = (path: string): string => {
    const near = relative(io.cwd, path);
    return near.startsWith("..") ? path : near;
  };
  const ignored = new Set<string>();

  /** Warns once of a file that is no journal of this service and user. */
  function ignore(path: string, reason: string): void {
    if (!ignored.has(path)) console.alert(sanitised(`ignored: ${displayPath(path)}: ${reason}`));
    ignored.add(path);
  }

  /** The journals that this user wrote. */
  async function ownJournals(): Promise<readonly JournalFile[]> {
    const files = await listJournals(store);
    for (const { path, foreign } of files) {
      if (foreign !== undefined)
        ignore(path, `${foreign}; check the workspace with ${programLine("plan", session.words)}, then remove it`);
    }
    return files.filter(({ foreign }) => foreign === undefined);
  }

  /** The run of a journal; undefined if it sent nothing, or its journal is about another service. */
  async function read(file: JournalFile): Promise<RecordedRun | undefined> {
    const contents = await readContents(disk, file);
    if (contents === undefined) return undefined;
    const { target, plan } = contents.begin;
    if (target.service === session.service && plan.target.host === session.reader.host) return { ...file, contents };
    ignore(file.path, "it is about another service; remove it");
    return undefined;
  }

  /** The run of a journal that nothing depends on: one that cannot be read is ignored. */
  async function readIfPossible(file: JournalFile): Promise<RecordedRun | undefined> {
    try {
      return await read(file);
    } catch (error) {
      if (!(error instanceof UnreadableJournal)) throw error;
      ignore(file.path, error.message);
      return undefined;
    }
  }

  async function names(): Promise<string> {
    return (await listJournals(store)).map(({ path }) => path).join("\n");
  }

  /** Removes journals of runs that sent nothing, and archives those that were killed right after they finished. */
  async function tidy(): Promise<void> {
    for (const one of (await ownJournals()).filter(({ isOpen }) => isOpen)) {
      const contents = await readContents(disk, one);
      if (contents === undefined) await disk.remove(one.path);
      else if (!isUnfinished(contents) && (await read(one)) !== undefined) await archive(store, one.path);
    }
  }

  return {
    activeRuns: () => activeLocks(store, systemProcesses),
    waitUntilFree: () => waitUntilFree(store, locking),
    acquireLock: async () => {
      if (release !== undefined) return;
      await prepareFolder(store);
      release = await acquire(store, locking);
      if (lastOwner !== undefined && lastOwner !== (await names())) {
        throw new Stop(EXIT.stale, "another run has written since this plan was made; nothing was written; plan again");
      }
      await tidy();
    },
    releaseLock: async () => {
      await release?.();
      release = undefined;
    },
    unfinished: async () => {
      lastOwner = await names();
      const open = await Promise.all((await ownJournals()).filter(({ isOpen }) => isOpen).map(read));
      return open.filter((run) => run !== undefined).filter(({ contents }) => isUnfinished(contents));
    },
    hasUnfinished: async () => (await ownJournals()).some(({ isOpen }) => isOpen),
    latest: async () => {
      for (const one of (await ownJournals()).toReversed()) {
        const run = await readIfPossible(one);
        if (run !== undefined) return run;
      }
      return undefined;
    },
    numbered: async (number) => {
      const file = (await ownJournals()).find((one) => Number(one.run) === Number(number));
      return file === undefined ? undefined : read(file);
    },
    all: async () => {
      const runs = await Promise.all((await ownJournals()).map(readIfPossible));
      return runs.filter((run) => run !== undefined).toReversed();
    },
    read: async (run) => ({ ...run, contents: (await readContents(disk, run)) ?? run.contents }),
    startJournal: async (plan, before, ids) => {
      const { run, path } = await nextJournal(store);
      const tool = { name: plan.tool.name, version };
      const target = { service: session.service, ids };
      const at = io.now().toISOString();
      return startJournal(
        path,
        journalFolder(store),
        { type: "begin", format_version: 1, tool, run, at, target, plan, before },
        recording,
      );
    },
    resumeJournal: async ({ path, contents }) => resumeJournal(await reopen(store, path), contents, recording),
    archive: (path) => archive(store, path),
    folder: journalFolder(store),
    displayPath,
  };
}

/** Warns of runs in progress, in which a command may read a half-changed workspace, or else of an interrupted one. Nothing is written. */
export async function warnOfOtherRuns(session: ReadingSession, io: Io, console: Console): Promise<void> {
  const runs = openRuns(session, {}, io, console);
  const others = await runs.activeRuns();
  for (const { pid, host, since } of others) {
    console.alert(
      `an apply is in progress (process ${pid} on ${sanitised(host)}, since ${sanitised(since)}); this result may show only part of its changes`,
    );
  }
  if (others.length === 0 && (await runs.hasUnfinished())) {
    console.note(`an earlier run was interrupted; finish it with ${programLine("resume", session.words)}`);
  }
}
