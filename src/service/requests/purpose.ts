/** Purposes of requests, and a count of requests by purpose. */

/** Descriptions of the purposes, in the order of a run. */
const PURPOSES = {
  page: "pages of lists",
  form: "lists of form fields",
  rules: "lists of routing rules",
  entry: "single resources",
  count: "counts of incidents",
  incidents: "pages of incidents",
  again: "lists read again, to prove that nothing is missing",
  enabled: "lists without disabled items, to prove that nothing else is missing",
  probe: "checks of what the token can read",
  dry_run: "dry runs of routing",
  recovery: "reads for an interrupted run",
  census: "reads before creates",
  pre_image: "reads before updates and removals",
  write: "writes",
  fallback: "updates in place of refused removals",
  twin: "reads after creates, to find duplicates",
  resolution: "reads to learn how a write ended",
  custody: "writes for lost tokens and duplicates",
  verification: "reads after the last write",
  retry: "retries",
  other: "other requests",
} as const;

/** Purpose of a request. */
export type Purpose = keyof typeof PURPOSES;

/** Number of requests sent for a purpose, and the purpose's description. */
export interface RequestCount {
  readonly purpose: Purpose;
  readonly description: string;
  readonly requests: number;
}

/** Counter of a run's requests by purpose. */
export class RequestCounter {
  readonly #counts = new Map<Purpose, number>();

  count(purpose: Purpose): void {
    this.#counts.set(purpose, (this.#counts.get(purpose) ?? 0) + 1);
  }

  /** Counts of the purposes with at least one request. */
  get counts(): readonly RequestCount[] {
    const all = Object.entries(PURPOSES) as [Purpose, string][];
    return all
      .map(([purpose, description]) => ({ purpose, description, requests: this.#counts.get(purpose) ?? 0 }))
      .filter(({ requests }) => requests > 0);
  }
}
