/** Time measurements on a busy machine. Other work only adds time, so the shortest of several runs is the best estimate. */

import { expect } from "vitest";

/** Shortest duration of several runs, in milliseconds of wall-clock time. */
export async function leastTime(work: () => Promise<void>, times = 3): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times; time += 1) {
    const began = performance.now();
    await work();
    least = Math.min(least, performance.now() - began);
  }
  return least;
}

/** What is four times as large may take this many times as long: with a square it would be sixteen. */
const MOST = 9;

/**
 * Holds that work grows with the size of what it is done on. A few milliseconds are added to both, for what is always done. The least
 * time of the smaller is of five; the larger is done up to five times, until one is fast enough: what else runs in the process, such
 * as collecting the garbage of others, only ever adds to a time.
 */
export async function growsEvenly(small: number, make: (size: number) => () => void | Promise<void>): Promise<void> {
  const [little, large] = [make(small), make(small * 4)];
  await large();
  let most = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 5; time += 1) most = Math.min(most, ((await seconds(little)) + 0.005) * MOST);
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 5 && least + 0.005 >= most; time += 1) least = Math.min(least, await seconds(large));
  expect(least + 0.005).toBeLessThan(most);
}

/** Seconds of this process for the work. */
async function seconds(work: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
