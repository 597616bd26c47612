/** The marks of many files, made in two threads at a time: by far most of what reading a large configuration takes. */

import { Worker } from "node:worker_threads";
import type { FileBytes } from "./files.ts";
import { type Marks, marksOf } from "./marks.ts";
import { type Marked, type Task, take } from "./marks-task.ts";
import { utf8 } from "./text.ts";

/** Makes marks of files ahead of the reading. */
export interface Marking {
  /** The marks of a file; undefined when whoever asks is to make them. */
  of(file: FileBytes): Promise<Marks | undefined>;
  /** Lets go of the other thread. */
  end(): void;
}

const OTHER_THREAD = new URL("./marks-worker.js", import.meta.url);

/** Begins to make the marks in another thread, which takes 30 ms to start; undefined where there may be none. */
export function markBeside(files: readonly FileBytes[], thread: URL = OTHER_THREAD): Marking | undefined {
  try {
    return new Beside(files, thread);
  } catch (error) {
    // Node is told to allow no threads, or the system has none left: all is read here, as it is where there is less of it.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** MiB for what is new in the other thread, most of which is soon garbage. */
const YOUNG = 8;

/** The other thread begins with the largest file and this one with the first, and neither takes what the other has taken. */
class Beside implements Marking {
  readonly #files: readonly FileBytes[];
  readonly #taken: Int32Array;
  /** What is made and not asked for yet, by the place of its file. */
  readonly #made = new Map<number, Marks | undefined>();
  readonly #worker: Worker;
  #isOver = false;
  /** What goes on when the other thread has said something. */
  #waiting: (() => void)[] = [];

  constructor(files: readonly FileBytes[], thread: URL) {
    this.#files = files;
    this.#taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * files.length));
    const largestFirst = [...files.entries()].sort(([, one], [, other]) => other.bytes.length - one.bytes.length);
    const order = largestFirst.map(([index]) => index);
    const workerData: Task = { bytes: files.map(({ bytes }) => bytes), taken: this.#taken, order };
    // It needs nothing of what this process was started with, and is to know none of its secrets.
    const bare = { env: {}, execArgv: [], resourceLimits: { maxYoungGenerationSizeMb: YOUNG } };
    this.#worker = new Worker(thread, { ...bare, workerData });
    this.#worker.on("message", ({ index, marks }: Marked) => {
      this.#made.set(index, marks);
      this.#goOn();
    });
    // What it has not made when it ends, for whatever reason, is made here: if a file is to blame, that is found out here.
    this.#worker.on("error", () => this.#end());
    this.#worker.on("exit", () => this.#end());
  }

  async of(file: FileBytes): Promise<Marks | undefined> {
    const index = this.#files.indexOf(file);
    if (index < 0) return undefined;
    await turn();
    if (take(this.#taken, index)) return undefined;
    while (!this.#made.has(index) && !this.#isOver) await this.#more();
    const marks = this.#made.get(index);
    this.#made.delete(index);
    return marks;
  }

  end(): void {
    void this.#worker.terminate();
  }

  /** Makes the marks of a file that is asked for later, or waits for the other thread when none is left. */
  async #more(): Promise<void> {
    const next = this.#files.findIndex((_, index) => take(this.#taken, index));
    const file = this.#files[next];
    if (file === undefined) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    } else {
      this.#made.set(next, marksOf(utf8(file.bytes) ?? ""));
      await turn();
    }
  }

  #end(): void {
    this.#isOver = true;
    this.#goOn();
  }

  #goOn(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** Lets in what the other thread has said. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
