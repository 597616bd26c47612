/**
 * A rolling window over everything that is sent: bursts are fine, more than the limit in any minute is not. Nobody knows when on
 * its way a request is counted by the service, only that it is between being sent and being answered: so it takes its place in
 * the window from the one until a minute after the other, and a service that counts in minutes of its own finds none too many.
 */

import type { Clock } from "../../core/clock.ts";
import type { Allowance } from "./rate-limit-headers.ts";

/** Milliseconds in which no more than the limit is sent. */
export const WINDOW = 60_000;
/** What a throttled client gains back in a minute, as a share of its limit. */
const RECOVERY = 0.1;
/** A service that says that its allowance begins anew later than that is not believed. */
const LONGEST_PAUSE = 120_000;

/** A request that may be sent. */
export interface Admission {
  /** The moment when it was let through. */
  readonly at: number;
  /** It was answered, or nobody waits for its answer any more. */
  end(): void;
  /** It is not sent, and takes no place. */
  withdraw(): void;
}

/** Lets requests through in the order in which they ask. */
export interface RateLimit {
  /** Resolves when one more request may be sent. Whoever asked has to say when it has ended. */
  admit(): Promise<Admission>;
  /** Nothing is let through for so many milliseconds. */
  pause(milliseconds: number): void;
  /**
   * Somebody else spends the same allowance: a request sent at this moment was refused for it. From now on half as many
   * are let through, and a tenth of the limit more with each minute; one refusal counts for all that were sent before it.
   */
  yield(sentAt: number): void;
  /** The service has told what is left of its allowance: what is under way may use it up, and then all wait for the next one. */
  heed(allowance: Allowance): void;
}

/** At most `perMinute` requests in any sixty seconds; `earlier` ones ended so many milliseconds ago. */
export function rateLimit(perMinute: number, clock: Clock, earlier: readonly number[] = []): RateLimit {
  /** When the requests of the last window ended, the oldest first. */
  const ended: number[] = earlier.map((age) => clock.now() - age).sort((one, other) => one - other);
  let underWay = 0;
  let share = perMinute;
  let sharedAt = Number.NEGATIVE_INFINITY;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let last: Promise<unknown> = Promise.resolve();
  let tellEnd = (): void => {};

  /** How many may be sent in the window that ends now. */
  function allowed(now: number): number {
    const recovered = sharedAt < now ? (RECOVERY * perMinute * (now - sharedAt)) / WINDOW : 0;
    return Math.max(1, Math.floor(Math.min(perMinute, share + recovered)));
  }

  /** The moment until which nothing more may be sent; undefined while only the end of a request under way can tell. */
  function busyUntil(now: number): number | undefined {
    // What is exactly one window away may still count as the same minute.
    while (ended[0] !== undefined && ended[0] + WINDOW < now) ended.shift();
    const excess = ended.length + underWay - allowed(now);
    if (excess < 0) return pausedUntil;
    const oldest = ended[excess];
    return oldest === undefined ? undefined : Math.max(pausedUntil, oldest + WINDOW);
  }

  async function admitNext(): Promise<Admission> {
    for (;;) {
      const now = clock.now();
      const free = busyUntil(now);
      if (free === undefined) {
        await new Promise<void>((resolve) => {
          tellEnd = resolve;
        });
      } else if (now > free) return begin(now);
      else await clock.sleep(Math.ceil(free - now) + 1);
    }
  }

  function begin(at: number): Admission {
    underWay += 1;
    let open = true;
    const close = (): boolean => {
      if (!open) return false;
      open = false;
      underWay -= 1;
      return true;
    };
    return {
      at,
      end: () => {
        if (!close()) return;
        ended.push(clock.now());
        tellEnd();
      },
      withdraw: () => {
        if (close()) tellEnd();
      },
    };
  }

  return {
    admit: () => {
      const next = last.then(admitNext);
      last = next;
      return next;
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
    heed: ({ remaining, milliseconds }) => {
      // The request that was answered is among those under way.
      if (remaining >= underWay || milliseconds > LONGEST_PAUSE) return;
      pausedUntil = Math.max(pausedUntil, clock.now() + milliseconds);
    },
  };
}
