/**
 * The retry policy, as one table. The client retries by it, and apply learns from it whether a failed write may have been carried
 * out. A request is retried without a look at the live state only if it was certainly not applied, or only reads.
 */

import { ApprovalPending, ServiceError } from "../requests/service-error.ts";
import { UnexpectedResponse } from "../requests/unexpected-response.ts";
import { TransportError } from "./transport-error.ts";

/** Class of a failed request. */
export type FailureClass =
  | "unreachable"
  | "throttled"
  | "refused"
  | "outdated"
  | "pending"
  | "lost"
  | "unavailable"
  | "strange";

/** Policy for one class of failures. */
export interface RetryRule {
  /** Whether the service may have carried the request out. */
  readonly applied: "no" | "unknown";
  readonly read: "retry" | "stop";
  /** "resolve": read the live state to learn what happened. */
  readonly write: "retry" | "resolve" | "stop";
}

/** The retry table. */
export const RETRY_RULES: Readonly<Record<FailureClass, RetryRule>> = {
  /** No connection, so nothing was sent. */
  unreachable: { applied: "no", read: "retry", write: "retry" },
  /** 429; to a write, with the interface's error object. */
  throttled: { applied: "no", read: "retry", write: "retry" },
  /** Any other 4xx; to a write, with the interface's error object. */
  refused: { applied: "no", read: "stop", write: "stop" },
  /** 409: the state that the request relies on has changed. */
  outdated: { applied: "no", read: "stop", write: "stop" },
  /** 202 with `approval_required`. */
  pending: { applied: "no", read: "stop", write: "stop" },
  /** Reset, timeout or truncation after the first byte. */
  lost: { applied: "unknown", read: "retry", write: "resolve" },
  /** 408, 500, 502, 503, 504. */
  unavailable: { applied: "unknown", read: "retry", write: "resolve" },
  /** A response that the interface does not have, such as a gateway's page; its sender may have passed the request on. */
  strange: { applied: "unknown", read: "stop", write: "resolve" },
};

/** Attempts for one request, including the first. */
export const ATTEMPTS: Readonly<Record<"read" | "write", number>> = { read: 5, write: 3 };

const UNAVAILABLE: readonly number[] = [408, 500, 502, 503, 504];

/** Returns the failure class of an error; undefined if the error did not come from a request. */
export function classifyFailure(error: unknown): FailureClass | undefined {
  if (error instanceof ApprovalPending) return "pending";
  if (error instanceof TransportError) return error.applied === "no" ? "unreachable" : "lost";
  if (error instanceof UnexpectedResponse) return "strange";
  if (!(error instanceof ServiceError)) return undefined;
  // To a write, only the service itself can say that nothing was done.
  if (error.request.method !== "GET" && !error.isFromService) {
    return UNAVAILABLE.includes(error.status) ? "unavailable" : "strange";
  }
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
 * Returns the milliseconds to wait before the next attempt. `attempt` is the number of attempts made, from 1; `random` is in
 * [0, 1). A wait that the service asks for is never shortened; undefined if it is longer than two minutes.
 */
export function retryDelay(error: unknown, attempt: number, random: number): number | undefined {
  const seconds = error instanceof ServiceError ? error.retryAfterSeconds : undefined;
  if (seconds !== undefined) {
    if (seconds * 1000 > LONGEST_WAIT) return undefined;
    return Math.max(FLOOR, seconds * 1000 * (1 + random / 10));
  }
  // A 429 without `Retry-After` gives no window: wait whole seconds, not fractions.
  if (classifyFailure(error) === "throttled") return FLOOR + random * Math.min(CAP, FLOOR * 2 ** (attempt - 1));
  return random * Math.min(CAP, BASE * 2 ** (attempt - 1));
}

/** A run's budget for retries, so that a service in trouble does not get more load. */
export class RetryBudget {
  #tokens = 100;

  /** Takes the price of one retry after this error; false if the budget is too low. */
  afford(error: unknown): boolean {
    const cost = error instanceof TransportError && error.timedOut ? 10 : 5;
    if (this.#tokens < cost) return false;
    this.#tokens -= cost;
    return true;
  }

  /** Returns a little of the budget after a successful request. */
  succeed(): void {
    this.#tokens = Math.min(100, this.#tokens + 1);
  }
}
