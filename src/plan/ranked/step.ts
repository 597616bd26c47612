/** One write to a first-match-wins list, before it is a request. */

/** A rule of one of the two lists, by its index there. */
export interface RuleReference {
  readonly list: "live" | "declared";
  readonly index: number;
}

/** A temporary rule that matches every alert, while a scope gets its first rules or loses its last ones. */
export interface HoldingRule {
  readonly list: "holding";
}

/**
 * One write. A row is a rule on the service, whatever is written into it. The live rows have the numbers from 0 on, and each appended
 * row has the next one; the number of a deleted row is not used again.
 */
export type RankedStep =
  | { readonly action: "append"; readonly row: number; readonly rule: RuleReference | HoldingRule }
  | { readonly action: "write"; readonly row: number; readonly rule: RuleReference | HoldingRule }
  | { readonly action: "delete"; readonly row: number };
