/**
 * The clock of the client and of apply, and the days of the calendar. The clock is injected, so that no test waits and no wall clock
 * decides anything.
 */

/** A monotonic clock, and a way to wait. */
export interface Clock {
  /** Milliseconds since a fixed moment; never steps back. */
  now(): number;
  /** Resolves after this many milliseconds. */
  sleep(milliseconds: number): Promise<void>;
}

/** The machine's monotonic clock. It does not use `performance`, which makes Node load its whole module of measurements. */
export const systemClock: Clock = {
  now: () => Number(process.hrtime.bigint()) / 1e6,
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** Waits, but not longer than until the signal aborts. */
export async function sleepOrAbort(clock: Clock, milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let stop = () => {};
  const aborted = new Promise<void>((done) => {
    stop = done;
    if (signal?.aborted === true) done();
    signal?.addEventListener("abort", stop, { once: true });
  });
  await Promise.race([clock.sleep(milliseconds), aborted]);
  signal?.removeEventListener("abort", stop);
}

/** Whether the text is a day of the calendar: `2026-12-31`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // Date.parse may roll 30 February over to March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
