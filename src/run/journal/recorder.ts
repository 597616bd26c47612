/**
 * Writes a journal. A record is on the disk before its promise resolves, and nothing is written after a failure. A sync takes longer than
 * most requests, so concurrent operations share it.
 */

import { type Disk, type DiskFile, refusalOf, writeAll } from "../../core/file-system.ts";
import type { Intent, Journal, Settlement } from "./intent.ts";
import { lastSettlements } from "./journal-status.ts";
import type { StoredFields } from "./outcome.ts";
import type { JournalContents } from "./read.ts";
import {
  type BatchRecord,
  type BeginRecord,
  formatLine,
  type JournalEntry,
  type RunEnding,
  type WrittenRecord,
} from "./record.ts";

/** A journal that is being written. */
export interface Recorder extends Journal {
  readonly path: string;
  readonly run: string;
  /** Records what reads after the run show of fields that the service stored otherwise, by operation. */
  amend(stored: ReadonlyMap<string, StoredFields>): Promise<void>;
  /** Records the end of the run and closes the file. Later calls do nothing. */
  end(ending: RunEnding): Promise<void>;
}

/** The journal cannot be written, so nothing may be sent. */
export class UnwritableJournal extends Error {
  constructor(path: string, error: unknown) {
    super(`cannot write the journal ${path} (${refusalOf(error)}); nothing is sent without it`);
    this.name = "UnwritableJournal";
  }
}

/** The file system, the clock and the masking of a recorder. */
export interface RecordingOptions {
  readonly disk: Disk;
  readonly now: () => Date;
  /** Masks known secrets in a text. */
  readonly conceal: (text: string) => string;
}

/** Starts a journal. When it resolves, the first record and the file name are durable. Throws {@link UnwritableJournal}. */
export async function startJournal(
  path: string,
  folder: string,
  begin: BeginRecord,
  recording: RecordingOptions,
): Promise<Recorder> {
  try {
    const file = await recording.disk.create(path);
    const lines = new Lines(path, file, recording, 0);
    await lines.begin(begin);
    await recording.disk.syncFolder(folder);
    return recorderOf(path, begin, lines, { now: recording.now, settled: [] });
  } catch (error) {
    throw error instanceof UnwritableJournal ? error : new UnwritableJournal(path, error);
  }
}

/** Continues the journal of another run and cuts off an incomplete record. Throws {@link UnwritableJournal}. */
export async function resumeJournal(
  path: string,
  contents: JournalContents,
  recording: RecordingOptions,
): Promise<Recorder> {
  const { begin, lineCount: written, length } = contents;
  try {
    const file = await recording.disk.openForAppend(path);
    await file.truncate(length);
    const lines = new Lines(path, file, recording, written);
    await lines.append({ type: "resumed", at: recording.now().toISOString() });
    return recorderOf(path, begin, lines, { now: recording.now, settled: lastSettlements(contents) });
  } catch (error) {
    throw error instanceof UnwritableJournal ? error : new UnwritableJournal(path, error);
  }
}

function recorderOf(
  path: string,
  { run, plan }: BeginRecord,
  lines: Lines,
  { now, settled }: { readonly now: () => Date; readonly settled: readonly Settlement[] },
): Recorder {
  const planned = new Map(plan.operations.map((operation) => [operation.id, operation]));
  const last = new Map(settled.map((settlement) => [settlement.operation, settlement]));
  const settle = (settlement: Settlement): Promise<void> => {
    last.set(settlement.operation, settlement);
    return lines.append({ type: "settlement", settlement });
  };
  // The first record has the operation already, unless it is sent differently than planned.
  const shortened = (intent: Intent): WrittenRecord => {
    const { operation } = intent;
    const known = planned.get(operation.id);
    const isPlanned = operation === known || JSON.stringify(operation) === JSON.stringify(known);
    return { type: "intent", intent: isPlanned ? { ...intent, operation: operation.id } : intent };
  };
  return {
    path,
    run,
    intend: (intent: Intent) => lines.append(shortened(intent)),
    settle,
    amend: async (stored) => {
      for (const [operation, more] of stored) {
        const settlement = last.get(operation);
        if (settlement !== undefined) await settle({ ...settlement, stored: { ...settlement.stored, ...more } });
      }
    },
    end: (how) => lines.end({ type: "end", at: now().toISOString(), how }),
  };
}

/** A record to write, with the promise of its caller. */
interface Waiting {
  readonly record: WrittenRecord;
  readonly resolve: () => void;
  readonly reject: (error: UnwritableJournal) => void;
}

/** The lines of one file. Records that are appended during a write are written together after it. */
class Lines {
  readonly #path: string;
  readonly #file: DiskFile;
  readonly #recording: RecordingOptions;
  #count: number;
  #waiting: Waiting[] = [];
  #writing = false;
  #failure: UnwritableJournal | undefined;
  #closed = false;

  constructor(path: string, file: DiskFile, recording: RecordingOptions, count: number) {
    this.#path = path;
    this.#file = file;
    this.#recording = recording;
    this.#count = count;
  }

  /** Writes the first record; no other write may be in progress. */
  async begin(record: BeginRecord): Promise<void> {
    const failure = await this.#write(record);
    if (failure !== undefined) throw failure;
  }

  append(record: WrittenRecord): Promise<void> {
    const appended = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ record, resolve, reject });
    });
    if (!this.#writing) void this.#writeAll();
    return appended;
  }

  async end(record: JournalEntry): Promise<void> {
    if (this.#closed) return;
    try {
      // After a failure the file may end with half a line; a record behind that could not be read.
      if (this.#failure === undefined) await this.append(record);
    } finally {
      this.#closed = true;
      await this.#file.close();
    }
  }

  async #writeAll(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      const records = batch.map(({ record }) => record);
      const [alone] = records;
      const failure = await this.#write(
        alone !== undefined && records.length === 1 ? alone : { type: "together", records },
      );
      for (const { resolve, reject } of batch) failure === undefined ? resolve() : reject(failure);
    }
    this.#writing = false;
  }

  /** Writes and syncs a line; returns the error if that fails. */
  async #write(record: BeginRecord | WrittenRecord | BatchRecord): Promise<UnwritableJournal | undefined> {
    if (this.#failure !== undefined) return this.#failure;
    if (this.#closed) return new UnwritableJournal(this.#path, new Error("it is closed"));
    try {
      const { conceal } = this.#recording;
      await writeAll(this.#file, formatLine({ n: this.#count, ...record }, conceal));
      await this.#file.sync();
      this.#count += 1;
      return undefined;
    } catch (error) {
      this.#failure = new UnwritableJournal(this.#path, error);
      return this.#failure;
    }
  }
}
