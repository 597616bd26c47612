/** A rolling window over everything that is sent: bursts are fine, more than the limit in any minute is not. */

import type { Clock } from "./clock.ts";

const WINDOW = 60_000;
/** What a throttled client gains back in a minute, as a share of its limit. */
const RECOVERY = 0.1;

/** Lets requests through in the order in which they ask. */
export interface RateLimit {
  /** Resolves when one more request may be sent, with the moment. */
  admit(): Promise<number>;
  /** Nothing is let through for so many milliseconds. */
  pause(milliseconds: number): void;
  /**
   * Somebody else spends the same allowance: a request sent at this moment was refused for it. From now on half as many
   * are let through, and a tenth of the limit more with each minute; one refusal counts for all that were sent before it.
   */
  yield(sentAt: number): void;
}

/** At most `perMinute` requests in any sixty seconds. */
export function rateLimit(perMinute: number, clock: Clock): RateLimit {
  /** When the requests of the last window were sent, the oldest first. */
  const sent: number[] = [];
  let share = perMinute;
  let sharedAt = Number.NEGATIVE_INFINITY;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let last: Promise<number> = Promise.resolve(0);

  /** How many may be sent in the window that ends now. */
  function allowed(now: number): number {
    const recovered = sharedAt < now ? (RECOVERY * perMinute * (now - sharedAt)) / WINDOW : 0;
    return Math.max(1, Math.floor(Math.min(perMinute, share + recovered)));
  }

  async function admitNext(): Promise<number> {
    for (;;) {
      const now = clock.now();
      // What is exactly one window away may still count as the same minute.
      while (sent[0] !== undefined && sent[0] + WINDOW < now) sent.shift();
      const excess = sent.length - allowed(now);
      const free = Math.max(pausedUntil, (sent[excess] ?? Number.NEGATIVE_INFINITY) + WINDOW);
      if (now > free) {
        sent.push(now);
        return now;
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
    yield: (sentAt) => {
      const now = clock.now();
      if (sentAt <= sharedAt) return;
      share = allowed(now) / 2;
      sharedAt = now;
    },
  };
}
