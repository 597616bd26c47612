/**
 * Writes a journal: each record is on the disk before its promise resolves, and after the first failure no other is written.
 * Writing through takes longer than most requests, so operations side by side share it.
 */

import type { Intent, Journal, Settlement } from "../apply/execute/journal.ts";
import { type Disk, type DiskFile, refusalOf, writeAll } from "../core/disk.ts";
import type { Contents } from "./read.ts";
import { type Begin, type Ending, type Entry, lineOf, type Together, type Written } from "./record.ts";

/** A journal that is being written. */
export interface Recorder extends Journal {
  readonly path: string;
  readonly run: string;
  /** Says how the run ended, and closes the file. Later calls do nothing. */
  end(how: Ending): Promise<void>;
}

/** The journal cannot be written, so nothing may be sent. */
export class UnwritableJournal extends Error {
  constructor(path: string, error: unknown) {
    super(`the journal ${path} cannot be written (${refusalOf(error)}); nothing is sent without it`);
    this.name = "UnwritableJournal";
  }
}

/** What a recorder needs of its surroundings. */
export interface Recording {
  readonly disk: Disk;
  readonly now: () => Date;
  /** Takes known secrets out of a text. */
  readonly conceal: (text: string) => string;
}

/** Starts a journal in a folder: when this resolves, its first record and its name are durable. Throws {@link UnwritableJournal}. */
export async function record(path: string, folder: string, begin: Begin, recording: Recording): Promise<Recorder> {
  try {
    const file = await recording.disk.create(path);
    const lines = new Lines(path, file, recording, 0);
    await lines.begin(begin);
    await recording.disk.syncFolder(folder);
    return recorderOf(path, begin, lines, recording.now);
  } catch (error) {
    throw error instanceof UnwritableJournal ? error : new UnwritableJournal(path, error);
  }
}

/** Goes on with a journal that another run has left; what it did not finish writing is cut off. Throws {@link UnwritableJournal}. */
export async function extend(
  path: string,
  { begin, lines: written, length }: Contents,
  recording: Recording,
): Promise<Recorder> {
  try {
    const file = await recording.disk.extend(path);
    await file.truncate(length);
    const lines = new Lines(path, file, recording, written);
    await lines.append({ type: "resumed", at: recording.now().toISOString() });
    return recorderOf(path, begin, lines, recording.now);
  } catch (error) {
    throw error instanceof UnwritableJournal ? error : new UnwritableJournal(path, error);
  }
}

function recorderOf(path: string, { run, plan }: Begin, lines: Lines, now: () => Date): Recorder {
  const planned = new Map(plan.operations.map((operation) => [operation.id, operation]));
  /** The operation is in the first record already, unless it is sent otherwise than planned. */
  const shortened = (intent: Intent): Written => {
    const { operation } = intent;
    const known = planned.get(operation.id);
    const isPlanned = operation === known || JSON.stringify(operation) === JSON.stringify(known);
    return { type: "intent", intent: isPlanned ? { ...intent, operation: operation.id } : intent };
  };
  return {
    path,
    run,
    intend: (intent: Intent) => lines.append(shortened(intent)),
    settle: (settlement: Settlement) => lines.append({ type: "settlement", settlement }),
    end: (how) => lines.end({ type: "end", at: now().toISOString(), how }),
  };
}

/** A record that is to be written, and who waits for it. */
interface Waiting {
  readonly record: Written;
  readonly resolve: () => void;
  readonly reject: (error: UnwritableJournal) => void;
}

/** The lines of one file. What is appended while others are on their way to the disk is written together after them. */
class Lines {
  readonly #path: string;
  readonly #file: DiskFile;
  readonly #recording: Recording;
  #count: number;
  #waiting: Waiting[] = [];
  #writing = false;
  #failure: UnwritableJournal | undefined;
  #closed = false;

  constructor(path: string, file: DiskFile, recording: Recording, count: number) {
    this.#path = path;
    this.#file = file;
    this.#recording = recording;
    this.#count = count;
  }

  /** Writes what a journal begins with; nothing else may be on its way. */
  async begin(record: Begin): Promise<void> {
    const failure = await this.#write(record);
    if (failure !== undefined) throw failure;
  }

  append(record: Written): Promise<void> {
    const appended = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ record, resolve, reject });
    });
    if (!this.#writing) void this.#writeAll();
    return appended;
  }

  async end(record: Entry): Promise<void> {
    if (this.#closed) return;
    try {
      // Half a line may stand at the end of a file that could not be written: what would follow it could not be read.
      if (this.#failure === undefined) await this.append(record);
    } finally {
      this.#closed = true;
      await this.#file.close();
    }
  }

  async #writeAll(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const together = this.#waiting;
      this.#waiting = [];
      const records = together.map(({ record }) => record);
      const [alone] = records;
      const failure = await this.#write(
        alone !== undefined && records.length === 1 ? alone : { type: "together", records },
      );
      for (const { resolve, reject } of together) failure === undefined ? resolve() : reject(failure);
    }
    this.#writing = false;
  }

  /** Writes a line and writes it through, or says why not. */
  async #write(record: Begin | Written | Together): Promise<UnwritableJournal | undefined> {
    if (this.#failure !== undefined) return this.#failure;
    if (this.#closed) return new UnwritableJournal(this.#path, new Error("it is closed"));
    try {
      await writeAll(this.#file, lineOf({ n: this.#count, ...record }, this.#recording.conceal));
      await this.#file.sync();
      this.#count += 1;
      return undefined;
    } catch (error) {
      this.#failure = new UnwritableJournal(this.#path, error);
      return this.#failure;
    }
  }
}
