/** Time measurements on a busy machine. Other work only adds time, so the shortest of several runs is the best estimate. */

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
