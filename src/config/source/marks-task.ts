/** What the two threads of `marking.ts` say to each other. */

import type { Marks } from "./marks.ts";

/** What the other thread is given. */
export interface Task {
  /** Of each file. */
  readonly bytes: readonly Uint8Array[];
  /** For each file whether one of the threads has taken it; both see it. */
  readonly taken: Int32Array;
  /** In which order to go about the files. */
  readonly order: readonly number[];
}

/** What the other thread says of a file; no marks where it has none. */
export interface Marked {
  readonly index: number;
  readonly marks: Marks | undefined;
}

/** Takes a file from the other thread; false when that was first. */
export function take(taken: Int32Array, index: number): boolean {
  return Atomics.exchange(taken, index, 1) === 0;
}
