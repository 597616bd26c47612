/** What a run has sent, by purpose: a table for people, and the same for programs. */

/** How many requests were for one purpose. */
export interface Spent {
  /** A word that stays the same. */
  readonly purpose: string;
  /** The purpose for people. */
  readonly what: string;
  readonly requests: number;
}

/** The table, its total last; each line ends with a line feed. */
export function requestsText(spent: readonly Spent[]): string {
  const rows = [...spent, { what: "in all", requests: total(spent) }];
  const width = Math.max(...rows.map(({ requests }) => String(requests).length));
  const lines = rows.map(({ what, requests }) => `  ${String(requests).padStart(width)}  ${what}\n`);
  return `Requests:\n${lines.join("")}`;
}

/** For programs: the total, and the number for each purpose. */
export function requestsRecord(spent: readonly Spent[]): object {
  return {
    total: total(spent),
    by_purpose: Object.fromEntries(spent.map(({ purpose, requests }) => [purpose, requests])),
  };
}

function total(spent: readonly Spent[]): number {
  return spent.reduce((sum, { requests }) => sum + requests, 0);
}
