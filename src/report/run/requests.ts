/** The number of requests of a run by purpose, as text and as JSON. */

/** The number of requests for one purpose. */
export interface PurposeCount {
  /** A stable name, for programs. */
  readonly purpose: string;
  /** The purpose in words. */
  readonly description: string;
  readonly requests: number;
}

/** The table with its total in the last line; each line ends with a line feed. */
export function requestsText(spent: readonly PurposeCount[]): string {
  const rows = [...spent, { description: "total", requests: total(spent) }];
  const width = Math.max(...rows.map(({ requests }) => String(requests).length));
  const lines = rows.map(({ description, requests }) => `  ${String(requests).padStart(width)}  ${description}\n`);
  return `Requests:\n${lines.join("")}`;
}

/** The total and the number for each purpose, for JSON. */
export function requestsRecord(spent: readonly PurposeCount[]): object {
  return {
    total: total(spent),
    by_purpose: Object.fromEntries(spent.map(({ purpose, requests }) => [purpose, requests])),
  };
}

function total(spent: readonly PurposeCount[]): number {
  return spent.reduce((sum, { requests }) => sum + requests, 0);
}
