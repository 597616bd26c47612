/**
 * The clock of the client and of apply, the days of the calendar, and limits of time. The clock is injected, so that no test waits and no
 * wall clock decides anything. Limits count the time of the processor: a busy machine does not meet them.
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

/** Milliseconds that this process has spent on processors. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Returns a function that says whether so many milliseconds are spent from now on. */
export function timeLimit(milliseconds: number): () => boolean {
  const [clock, spent] = [systemClock.now(), processorTime()];
  // The clock is read in a tenth of the time.
  return () => systemClock.now() - clock > milliseconds && processorTime() - spent > milliseconds;
}

/** A processor's time is counted in ticks, and a script is not stopped at once. */
const TOLERANCE = 0.8;

/**
 * Runs a script that Node stops after a timeout by the clock, and again with more of it until it ends or has spent so many milliseconds;
 * undefined then. The script has to do the same each time.
 */
export function runWithin<Result>(
  milliseconds: number,
  run: (timeout: number) => Result,
): { readonly result: Result } | undefined {
  for (let timeout = milliseconds; ; timeout *= 2) {
    const before = processorTime();
    try {
      return { result: run(timeout) };
    } catch (error) {
      // `instanceof` fails for an error of another context.
      if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      if (processorTime() - before >= milliseconds * TOLERANCE) return undefined;
    }
  }
}
