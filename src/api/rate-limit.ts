/** A rolling window over everything that is sent: bursts are fine, more than the limit in any minute is not. */

import type { Clock } from "./clock.ts";

const WINDOW = 60_000;

/** Lets requests through in the order in which they ask. */
export interface RateLimit {
  /** Resolves when one more request may be sent. */
  admit(): Promise<void>;
  /** Nothing is let through for so many milliseconds. */
  pause(milliseconds: number): void;
}

/** At most `perMinute` requests in any sixty seconds. */
export function rateLimit(perMinute: number, clock: Clock): RateLimit {
  /** Times of the last `perMinute` requests; the next one takes the oldest's place, and must be a window away from it. */
  const sent: number[] = [];
  let next = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let last: Promise<void> = Promise.resolve();

  async function admitNext(): Promise<void> {
    for (;;) {
      const now = clock.now();
      const free = Math.max(pausedUntil, (sent[next] ?? Number.NEGATIVE_INFINITY) + WINDOW);
      // Strictly later: what is exactly one window away may still count as the same minute.
      if (now > free) {
        sent[next] = now;
        next = (next + 1) % perMinute;
        return;
      }
      await clock.sleep(Math.ceil(free - now) + 1);
    }
  }

  return {
    admit: () => {
      last = last.then(admitNext);
      return last;
    },
    pause: (milliseconds) => {
      pausedUntil = Math.max(pausedUntil, clock.now() + milliseconds);
    },
  };
}
