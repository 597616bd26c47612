/** The runs that write to a service: one at a time, each with its journal, and what earlier ones have left. */

import { relative } from "node:path";
import { systemClock } from "../core/clock.ts";
import { EXIT, Stop } from "../core/exit-codes.ts";
import type { Io } from "../core/io.ts";
import { version } from "../core/version.ts";
import {
  contentsOf,
  folderOf,
  journals,
  nextJournal,
  prepareFolder,
  putAway,
  type Shelf,
  type Shelved,
} from "../journal/folder.ts";
import { isUnfinished } from "../journal/journal-status.ts";
import { systemProcesses } from "../journal/lock-owner.ts";
import { nodeDisk } from "../journal/node-disk.ts";
import type { Contents } from "../journal/read.ts";
import { extend, type Recorder, type Recording, record } from "../journal/recorder.ts";
import { awaitFree, type Claim, type Claiming, claim, claims } from "../journal/run-lock.ts";
import type { Console } from "../output/console.ts";
import type { Plan } from "../plan/plan.ts";
import type { Before } from "../plan/snapshot.ts";
import type { ReadingSession } from "../session/session.ts";

/** The flags of commands that write. */
export interface RunOptions {
  /** Seconds to wait for another run to end. */
  readonly lockTimeout?: number;
}

/** A journal that was read. */
export interface Left extends Shelved {
  readonly contents: Contents;
}

/** The runs of one service, from one folder. */
export interface Runs {
  /** Those that go on at this moment; nothing is written to find out. */
  others(): Promise<readonly Claim[]>;
  /** Resolves when no other run goes on, within the patience that was asked for; else the command ends. */
  free(): Promise<void>;
  /** Makes this the one run that may write; when others wrote since {@link unfinished} was asked, the command ends. */
  claim(): Promise<void>;
  /** Lets others write again. */
  release(): Promise<void>;
  /** Journals that somebody has to look after, the oldest first. */
  unfinished(): Promise<readonly Left[]>;
  /** Whether the name of a journal says that somebody has to look after it. */
  hasOpen(): Promise<boolean>;
  /** The journal of the last run. */
  latest(): Promise<Left | undefined>;
  /** The journal of a run, by its number. */
  numbered(run: string): Promise<Left | undefined>;
  /** Every journal, the newest first. */
  all(): Promise<readonly Left[]>;
  /** A journal as it is now. */
  read(left: Left): Promise<Left>;
  /** Starts the journal of this run; when it resolves, what it begins with is durable. */
  begin(plan: Plan, before: Before, ids: Readonly<Record<string, readonly string[]>>): Promise<Recorder>;
  /** Goes on with the journal of an earlier run. */
  extend(left: Left): Promise<Recorder>;
  /** Lays a journal aside that nobody has to look after any more. Gives its new path. */
  putAway(path: string): Promise<string>;
  /** Where the journals lie. */
  readonly folder: string;
  /** A path as people type it. */
  shown(path: string): string;
}

/** Opens what is known of the runs of a session's service. */
export function openRuns(session: ReadingSession, options: RunOptions, io: Io, console: Console): Runs {
  const disk = io.disk ?? nodeDisk;
  const shelf: Shelf = { disk, home: session.configuration.settings.home, service: session.service };
  const clock = io.clock ?? systemClock;
  const patience = (options.lockTimeout ?? 0) * 1000;
  const claiming: Claiming = { processes: systemProcesses, clock, now: () => io.now(), patience };
  const recording: Recording = { disk, now: () => io.now(), conceal: (text) => console.safe(text) };
  let seen: string | undefined;
  let release: (() => Promise<void>) | undefined;

  async function read(shelved: readonly Shelved[]): Promise<readonly Left[]> {
    const all = await Promise.all(shelved.map(async (one) => ({ ...one, contents: await contentsOf(disk, one) })));
    return all.flatMap(({ contents, ...one }) => (contents === undefined ? [] : [{ ...one, contents }]));
  }

  async function names(): Promise<string> {
    return (await journals(shelf)).map(({ path }) => path).join("\n");
  }

  /** What was killed before it sent anything leaves nothing to look after, nor does what was killed right after its end. */
  async function tidy(): Promise<void> {
    for (const one of (await journals(shelf)).filter(({ open }) => open)) {
      const contents = await contentsOf(disk, one);
      if (contents === undefined) await disk.remove(one.path);
      else if (!isUnfinished(contents)) await putAway(shelf, one.path);
    }
  }

  return {
    others: () => claims(shelf, systemProcesses),
    free: () => awaitFree(shelf, claiming),
    claim: async () => {
      if (release !== undefined) return;
      await prepareFolder(shelf);
      release = await claim(shelf, claiming);
      if (seen !== undefined && seen !== (await names())) {
        throw new Stop(EXIT.stale, "another run has written since this plan was made; nothing was written; plan again");
      }
      await tidy();
    },
    release: async () => {
      await release?.();
      release = undefined;
    },
    unfinished: async () => {
      seen = await names();
      const open = await read((await journals(shelf)).filter((one) => one.open));
      return open.filter(({ contents }) => isUnfinished(contents));
    },
    hasOpen: async () => (await journals(shelf)).some(({ open }) => open),
    latest: async () => {
      // One whose first record was never finished has sent nothing.
      for (const one of (await journals(shelf)).toReversed()) {
        const [left] = await read([one]);
        if (left !== undefined) return left;
      }
      return undefined;
    },
    numbered: async (run) => {
      const [left] = await read((await journals(shelf)).filter((one) => Number(one.run) === Number(run)));
      return left;
    },
    all: async () => (await read(await journals(shelf))).toReversed(),
    read: async (left) => ({ ...left, contents: (await contentsOf(disk, left)) ?? left.contents }),
    begin: async (plan, before, ids) => {
      const { run, path } = await nextJournal(shelf);
      const tool = { name: plan.tool.name, version };
      const target = { service: session.service, ids };
      const at = io.now().toISOString();
      return record(
        path,
        folderOf(shelf),
        { type: "begin", format_version: 1, tool, run, at, target, plan, before },
        recording,
      );
    },
    extend: (left) => extend(left.path, left.contents, recording),
    putAway: (path) => putAway(shelf, path),
    folder: folderOf(shelf),
    shown: (path) => {
      const near = relative(io.cwd, path);
      return near.startsWith("..") ? path : near;
    },
  };
}
