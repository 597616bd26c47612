/** Time as the client and the applier see it: injected, so that no test waits and no wall clock decides anything. */

/** A clock that only goes forward, and a way to wait by it. */
export interface Clock {
  /** Milliseconds since some fixed moment; never steps back. */
  now(): number;
  /** Resolves after so many milliseconds. */
  sleep(milliseconds: number): Promise<void>;
}

/** The machine's monotonic clock; `performance` would have Node load all that measures. */
export const systemClock: Clock = {
  now: () => Number(process.hrtime.bigint()) / 1e6,
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};
