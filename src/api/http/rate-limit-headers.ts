/**
 * What a service tells of its allowance in the headers of an answer. The interface does not promise any ("Rate-limit response
 * headers and window reset behavior: not shown"); the two usual ways of telling are understood, everything else is none.
 */

import type { HttpHeaders } from "../../core/fetch.ts";

/** Requests that are left, and when the next allowance begins. */
export interface Allowance {
  readonly remaining: number;
  readonly milliseconds: number;
}

/** Beyond this a number of seconds is a moment, counted from 1970. */
const MOMENT = 1_000_000_000;

/** Undefined where nothing is told, or nothing that makes sense; `date` is the service's clock. */
export function allowanceOf(headers: HttpHeaders, date: Date | undefined): Allowance | undefined {
  const remaining = wholeOf(headers.get("ratelimit-remaining") ?? headers.get("x-ratelimit-remaining"));
  const reset = wholeOf(headers.get("ratelimit-reset") ?? headers.get("x-ratelimit-reset"));
  if (remaining === undefined || reset === undefined) return undefined;
  if (reset < MOMENT) return { remaining, milliseconds: reset * 1000 };
  return date === undefined ? undefined : { remaining, milliseconds: Math.max(0, reset * 1000 - date.getTime()) };
}

function wholeOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,12}$/.test(header) ? Number(header) : undefined;
}
