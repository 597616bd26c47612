/** Time as the client and the applier see it: injected, so that no test waits and no wall clock decides anything. */

/** A clock that only goes forward, and a way to wait by it. */
export interface Clock {
  /** Milliseconds since some fixed moment; never steps back. */
  now(): number;
  /** Resolves after so many milliseconds. */
  sleep(milliseconds: number): Promise<void>;
}

/** The machine's monotonic clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};
