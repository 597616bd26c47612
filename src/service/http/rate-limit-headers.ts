/**
 * The service's rate limit, read from response headers. The interface does not promise any ("Rate-limit response headers and window
 * reset behavior: not shown"), so this reads the two usual forms and ignores everything else.
 */

import type { HttpHeaders } from "../../core/fetch.ts";

/** Requests left in the current window, and the milliseconds until the next window begins. */
export interface Allowance {
  readonly remaining: number;
  readonly milliseconds: number;
}

/** From this number of seconds on, `reset` is a Unix time and not a duration. */
const UNIX_TIME = 1_000_000_000;

/** Returns the allowance in the headers, undefined without a valid one. `date` is the service's clock. */
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
