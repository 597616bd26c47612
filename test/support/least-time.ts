/** Times on a machine that does other things too: these only ever add to them, so the least of several is the one that says something. */

/** Milliseconds that some work takes on the clock, the least of several times. */
export async function leastTime(work: () => Promise<void>, times = 3): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times; time += 1) {
    const began = performance.now();
    await work();
    least = Math.min(least, performance.now() - began);
  }
  return least;
}
