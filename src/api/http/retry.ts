/**
 * What may be sent again, when, and how often. The table is the whole policy: the client repeats by it, and the
 * applier reads from it whether a failed write may have been carried out. A request is repeated blindly only where it
 * certainly was not applied, or where it only reads.
 */

import { ApprovalPending, ServiceError } from "../read/service-error.ts";
import { UnexpectedAnswer } from "../read/unexpected-response.ts";
import { TransportError } from "./transport-error.ts";

/** What became visible of a request that did not succeed. */
export type Sign =
  | "unreachable"
  | "throttled"
  | "refused"
  | "outdated"
  | "pending"
  | "lost"
  | "unavailable"
  | "strange"
  | "redirected";

/** What follows from a sign. */
export interface Rule {
  /** Whether the service may have carried the request out. */
  readonly applied: "no" | "unknown";
  readonly read: "retry" | "stop";
  /** "resolve": only looking at the live state tells what happened. */
  readonly write: "retry" | "resolve" | "stop";
}

/** The retry table. */
export const RULES: Readonly<Record<Sign, Rule>> = {
  /** No connection: nothing was sent. */
  unreachable: { applied: "no", read: "retry", write: "retry" },
  /** 429. */
  throttled: { applied: "no", read: "retry", write: "retry" },
  /** Any other 4xx. */
  refused: { applied: "no", read: "stop", write: "stop" },
  /** 409: what the request was made from has changed. */
  outdated: { applied: "no", read: "stop", write: "stop" },
  /** 202 with `approval_required`. */
  pending: { applied: "no", read: "stop", write: "stop" },
  /** Reset, time out or truncation after the first byte. */
  lost: { applied: "unknown", read: "retry", write: "resolve" },
  /** 408, 500, 502, 503, 504. */
  unavailable: { applied: "unknown", read: "retry", write: "resolve" },
  /** An answer that is not of the interface. */
  strange: { applied: "unknown", read: "stop", write: "resolve" },
  /** 3xx: followed never, and whoever sent it may have kept the request. */
  redirected: { applied: "unknown", read: "stop", write: "stop" },
};

/** Attempts for one request, the first included. */
export const ATTEMPTS: Readonly<Record<"read" | "write", number>> = { read: 5, write: 3 };

const UNAVAILABLE: readonly number[] = [408, 500, 502, 503, 504];

/** Which row of the table an error belongs to; undefined when it did not come from a request. */
export function signOf(error: unknown): Sign | undefined {
  if (error instanceof ApprovalPending) return "pending";
  if (error instanceof TransportError) return error.applied === "no" ? "unreachable" : "lost";
  if (error instanceof UnexpectedAnswer) return error.status >= 300 && error.status < 400 ? "redirected" : "strange";
  if (!(error instanceof ServiceError)) return undefined;
  if (error.status === 429) return "throttled";
  if (error.status === 409) return "outdated";
  if (UNAVAILABLE.includes(error.status)) return "unavailable";
  return error.status < 500 ? "refused" : "strange";
}

const BASE = 250;
const CAP = 20_000;
const FLOOR = 1_000;
const LONGEST_WAIT = 120_000;

/**
 * Milliseconds to wait before the next attempt; `attempt` counts those made, from 1, and `random` is in [0, 1).
 * What the service asks for is never cut short; undefined when it asks for more than two minutes.
 */
export function waitBefore(error: unknown, attempt: number, random: number): number | undefined {
  const asked = error instanceof ServiceError ? error.retryAfterSeconds : undefined;
  if (asked !== undefined) {
    if (asked * 1000 > LONGEST_WAIT) return undefined;
    return Math.max(FLOOR, asked * 1000 * (1 + random / 10));
  }
  // A throttling service tells no window: wait in seconds, not in fractions.
  if (signOf(error) === "throttled") return FLOOR + random * Math.min(CAP, FLOOR * 2 ** (attempt - 1));
  return random * Math.min(CAP, BASE * 2 ** (attempt - 1));
}

/**
 * Seconds that a `Retry-After` header asks for, in both its forms; a date is read against the answer's own `Date`, so
 * that this machine's clock does not matter. Undefined for anything else.
 */
export function retryAfterSeconds(header: string | null, date: Date | undefined): number | undefined {
  if (header === null) return undefined;
  if (/^-?\d+$/.test(header)) return Math.max(0, Number(header));
  if (date === undefined || !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(header)) {
    return undefined;
  }
  const until = Date.parse(header);
  return Number.isNaN(until) ? undefined : Math.max(0, (until - date.getTime()) / 1000);
}

/** What a whole run may spend on repetitions, so that a service in trouble is not hit harder for it. */
export class RetryBudget {
  #tokens = 100;

  /** Whether another attempt after this error is affordable; if so it is paid for. */
  afford(error: unknown): boolean {
    const cost = error instanceof TransportError && error.timedOut ? 10 : 5;
    if (this.#tokens < cost) return false;
    this.#tokens -= cost;
    return true;
  }

  /** A request has succeeded. */
  succeed(): void {
    this.#tokens = Math.min(100, this.#tokens + 1);
  }
}
