/** How fast, how long and how many at a time, when nobody says. */

/** Below the interface's limit of 1,000 requests per minute, with room for others who use the same key. */
export const REQUESTS_PER_MINUTE = 900;

/** For one attempt of a request, the body included. */
export const TIMEOUT_SECONDS = 30;

/** Requests in flight at a time, where they may go side by side. */
export const PARALLELISM = 8;
