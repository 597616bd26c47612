/** The clock of the client and of apply. It is injected, so that no test waits and no wall clock decides anything. */

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
