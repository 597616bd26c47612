/** The number of requests of a run by purpose, as text and as JSON. */

import { sanitised } from "../../core/sanitise.ts";
import type { Attempt } from "../../service/http/client.ts";
import type { RequestCount } from "../../service/requests/purpose.ts";

/** The table with its total in the last line; each line ends with a line feed. */
export function requestsText(counts: readonly RequestCount[]): string {
  const rows = [...counts, { description: "total", requests: total(counts) }];
  const width = Math.max(...rows.map(({ requests }) => String(requests).length));
  const lines = rows.map(({ description, requests }) => `  ${String(requests).padStart(width)}  ${description}\n`);
  return `Requests:\n${lines.join("")}`;
}

/** The total and the number for each purpose, for JSON. */
export function requestsRecord(counts: readonly RequestCount[]): object {
  return {
    total: total(counts),
    by_purpose: Object.fromEntries(counts.map(({ purpose, requests }) => [purpose, requests])),
  };
}

function total(counts: readonly RequestCount[]): number {
  return counts.reduce((sum, { requests }) => sum + requests, 0);
}

/** An attempt at a request in one line: method, path, status and time. */
export function attemptText({ method, path, status, milliseconds }: Attempt): string {
  return sanitised(`${method} ${path}: ${status ?? "no response"} in ${Math.round(milliseconds)} ms`);
}
