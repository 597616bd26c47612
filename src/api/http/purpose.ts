/** What requests are for: each says it, so that a run can account for every one that it has sent. */

/** Every purpose in words, in the order in which a run comes to it. */
const PURPOSES = {
  page: "pages of lists",
  form: "whole forms",
  rules: "lists of rules",
  entry: "entries by themselves",
  count: "counts of incidents",
  incidents: "pages of incidents",
  again: "lists read again, to prove what is missing in them",
  enabled: "lists without what is disabled, to prove that nothing else is missing",
  probe: "what the token can reach",
  dry_run: "dry runs of routing",
  recovery: "what an earlier run has left",
  census: "looks before creations",
  pre_image: "looks before changes and removals",
  write: "writes",
  fallback: "changes in place of refused removals",
  twin: "looks after creations, for the same by somebody else",
  resolution: "looks for what became of a write",
  custody: "writes beside the plan, for tokens that nobody has and entries made twice",
  verification: "reading again after the last write",
  retry: "repetitions",
  other: "others",
} as const;

/** What a request is for. */
export type Purpose = keyof typeof PURPOSES;

/** How many requests were sent for a purpose, and the purpose in words. */
export interface Spent {
  readonly purpose: Purpose;
  readonly what: string;
  readonly requests: number;
}

/** Counts the requests of a run by purpose. */
export class Account {
  readonly #counts = new Map<Purpose, number>();

  count(purpose: Purpose): void {
    this.#counts.set(purpose, (this.#counts.get(purpose) ?? 0) + 1);
  }

  /** What was spent on each purpose; those that nothing was spent on are left out. */
  get spent(): readonly Spent[] {
    const all = Object.entries(PURPOSES) as [Purpose, string][];
    return all
      .map(([purpose, what]) => ({ purpose, what, requests: this.#counts.get(purpose) ?? 0 }))
      .filter(({ requests }) => requests > 0);
  }
}
