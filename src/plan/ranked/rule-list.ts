/** Rules and requests of a first-match-wins list, as its transition sees them. */

/** A rule as far as order is concerned. */
export interface Rule {
  /** Equal for rules that match the same alerts: conditions and whether it is enabled. */
  readonly match: string;
  /** Equal for rules that do the same. */
  readonly outcome: string;
  /** Set where the rule is known to match every alert, or none. */
  readonly reach?: "all" | "none";
}

/** A rule of either list, by its index. */
export interface Listed {
  readonly of: "live" | "declared";
  readonly rule: number;
}

/** What is written: a rule of either list, or one that matches everything for the time being. */
export type Text = Listed | { readonly of: "holding" };

/** One request. Rows are numbered as they come to be: the live ones from 0, then each appended one; a number is never used again. */
export type RankedStep<Written extends Text = Text> =
  | { readonly does: "append"; readonly row: number; readonly text: Written }
  | { readonly does: "write"; readonly row: number; readonly text: Written }
  | { readonly does: "delete"; readonly row: number };
