/** Default limits of requests: rate, timeout, parallelism, incidents that are read. */

/** Requests per minute: below the interface's limit of 1,000, with room for other clients with the same key. */
export const REQUESTS_PER_MINUTE = 900;

/** Seconds for one attempt of a request, the body included. */
export const TIMEOUT_SECONDS = 30;

/** Parallel requests. */
export const PARALLELISM = 8;

/** Incidents that are read to find out which resources they use, where the interface has no filter for it. */
export const INCIDENTS_READ = 1_000;
