/** Default limits of requests: rate, timeout, parallelism. */

/** Requests per minute: below the interface's limit of 1,000, with room for other clients with the same key. */
export const REQUESTS_PER_MINUTE = 900;

/** Seconds for one attempt of a request, the body included. */
export const TIMEOUT_SECONDS = 30;

/** Parallel requests. */
export const PARALLELISM = 8;
