/** The request rate: so many requests per minute and key, counted in fixed windows of a minute. */

import { Refusal } from "./http-error.ts";

const windowMilliseconds = 60_000;

/** Returns a function that counts one request of a key and throws 429 when its minute is full. */
export function rateLimit(requestsPerMinute: number): (key: string, now: Date) => void {
  const counts = new Map<string, number>();
  let window = Number.NaN;
  return (key, now) => {
    const current = Math.floor(now.getTime() / windowMilliseconds);
    if (current !== window) {
      counts.clear();
      window = current;
    }
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > requestsPerMinute) {
      throw new Refusal(429, "rate_limit_exceeded", `More than ${requestsPerMinute} requests in this minute`);
    }
  };
}
