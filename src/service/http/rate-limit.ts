/**
 * The rate limit as a rolling window: bursts are allowed, more requests than the limit in any minute are not. The service counts a
 * request at some moment between sending and response, so a request occupies the window from its sending until one minute
 * after its response. A service that counts by its own minutes then never sees too many.
 */

import type { Clock } from "../../core/clock.ts";
import type { HttpHeaders } from "../../core/fetch.ts";

/** Length of the window, in milliseconds. */
export const WINDOW = 60_000;
/** Share of the limit that a throttled client regains in each minute. */
const RECOVERY = 0.1;
/** Longest believable time until the service's next window, in milliseconds. */
const LONGEST_PAUSE = 120_000;

/** Permission to send one request. */
export interface Admission {
  /** Time of the admission, by the clock. */
  readonly at: number;
  /** Reports that the response arrived, or that nobody waits for it any more. */
  end(): void;
  /** Reports that the request is not sent and does not count. */
  withdraw(): void;
}

/** A rate limit that admits requests in the order of their calls. */
export interface RateLimit {
  /** Resolves once one more request may be sent. The caller must call `end` or `withdraw`. */
  admit(): Promise<Admission>;
  /** Admits nothing for this many milliseconds. */
  pause(milliseconds: number): void;
  /**
   * Halves the limit after a request sent at this moment got status 429: others use the same allowance. The limit then regains a
   * tenth with each minute. Refusals of requests sent before the last halving do not count again.
   */
  halve(sentAt: number): void;
  /** Pauses until the service's next window if the requests in flight may use up the reported allowance. */
  useAllowance(allowance: Allowance): void;
}

/** Returns a limit of `perMinute` requests in any sixty seconds; `earlier` are the ages, in milliseconds, of requests sent before. */
export function rateLimit(perMinute: number, clock: Clock, earlier: readonly number[] = []): RateLimit {
  /** End times of the last window's requests, oldest first. */
  const ended: number[] = earlier.map((age) => clock.now() - age).sort((one, other) => one - other);
  let underWay = 0;
  let halvedLimit = perMinute;
  let halvedAt = Number.NEGATIVE_INFINITY;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let last: Promise<unknown> = Promise.resolve();
  let wake = (): void => {};

  /** Number of requests allowed in the window that ends now. */
  function allowed(now: number): number {
    const recovered = halvedAt < now ? (RECOVERY * perMinute * (now - halvedAt)) / WINDOW : 0;
    return Math.max(1, Math.floor(Math.min(perMinute, halvedLimit + recovered)));
  }

  /** Time until which nothing may be sent; undefined if that depends on the end of a request in flight. */
  function busyUntil(now: number): number | undefined {
    // A request exactly one window old may still count for the same minute.
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
          wake = resolve;
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
        wake();
      },
      withdraw: () => {
        if (close()) wake();
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
    halve: (sentAt) => {
      const now = clock.now();
      if (sentAt <= halvedAt) return;
      halvedLimit = allowed(now) / 2;
      halvedAt = now;
    },
    useAllowance: ({ remaining, milliseconds }) => {
      // The request that got this response still counts as in flight.
      if (remaining >= underWay || milliseconds > LONGEST_PAUSE) return;
      pausedUntil = Math.max(pausedUntil, clock.now() + milliseconds);
    },
  };
}

/** Requests left in the current window, and the milliseconds until the next window begins. */
export interface Allowance {
  readonly remaining: number;
  readonly milliseconds: number;
}

/** From this number of seconds on, `reset` is a Unix time and not a duration. */
const UNIX_TIME = 1_000_000_000;

/**
 * Returns the allowance in the headers, undefined without a valid one. `date` is the service's clock. The interface does not promise any
 * ("Rate-limit response headers and window reset behavior: not shown"), so this reads the two usual forms and ignores everything else.
 */
export function readAllowance(headers: HttpHeaders, date: Date | undefined): Allowance | undefined {
  const remaining = wholeOf(headers.get("ratelimit-remaining") ?? headers.get("x-ratelimit-remaining"));
  const reset = wholeOf(headers.get("ratelimit-reset") ?? headers.get("x-ratelimit-reset"));
  if (remaining === undefined || reset === undefined) return undefined;
  if (reset < UNIX_TIME) return { remaining, milliseconds: reset * 1000 };
  return date === undefined ? undefined : { remaining, milliseconds: Math.max(0, reset * 1000 - date.getTime()) };
}

function wholeOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,12}$/.test(header) ? Number(header) : undefined;
}
