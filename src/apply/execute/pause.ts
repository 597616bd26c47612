/** Waiting that an interruption ends. */

import type { Clock } from "../../core/clock.ts";

/** Waits, but not on after the signal. */
export async function pause(clock: Clock, milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let stop = () => {};
  const stopped = new Promise<void>((done) => {
    stop = done;
    if (signal?.aborted === true) done();
    signal?.addEventListener("abort", stop, { once: true });
  });
  await Promise.race([clock.sleep(milliseconds), stopped]);
  signal?.removeEventListener("abort", stop);
}
