/** The other thread of `marking.ts`: makes the marks of every file that it can take, and gives them away one by one. */

import { parentPort, workerData } from "node:worker_threads";
import { marksOf } from "./marks.ts";
import { type Marked, type Task, take } from "./marks-task.ts";
import { utf8 } from "./text.ts";

const { bytes, taken, order }: Task = workerData;

for (const index of order) {
  if (!take(taken, index)) continue;
  const text = utf8(bytes[index] ?? new Uint8Array());
  // Without the room that was left, which would be given away as well.
  const marks = text === undefined ? undefined : marksOf(text)?.slice();
  const marked: Marked = { index, marks };
  parentPort?.postMessage(marked, marks === undefined ? [] : [marks.buffer]);
}
