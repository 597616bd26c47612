/** Rules of the interface as data, and the outcomes of their checks. */

import type { Exchange } from "./client.ts";
import type { RuleContext } from "./rule-context.ts";

/** The document that states a rule: the interface, or only the wire facts, which fill its silences. */
export type RuleBasis = "interface" | "wire";

/** One rule: a sentence or a table row of the interface, with the check that shows whether a service keeps it. */
export interface ConformanceRule {
  /** Stable, dotted, and unique: `position.2.severities`. */
  readonly id: string;
  /** The document's heading under which the rule stands. */
  readonly section: string;
  /** The rule in one short sentence of ours. */
  readonly title: string;
  readonly basis: RuleBasis;
  /** Resolves when the rule is kept; throws `Deviation` when it is not, `NotApplicable` when it cannot be seen here. */
  check(context: RuleContext): Promise<void>;
}

/** The noun, or the words that begin a noun phrase, after `a` or `an`. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

/** The service does something other than the rule says. */
export class Deviation extends Error {
  override readonly name = "Deviation";
  readonly expected: string;
  readonly actual: string;
  readonly exchange: Exchange | undefined;

  constructor(expected: string, actual: string, exchange?: Exchange) {
    super(`expected ${expected}, got ${actual}`);
    this.expected = expected;
    this.actual = actual;
    this.exchange = exchange;
  }
}

/** The rule cannot be checked against this service, for the reason given. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}

/** The outcome of one rule. A deviation from a wire fact is `differs`, not `failed`: the interface leaves it open. */
export type RuleOutcome =
  | { readonly kind: "passed" }
  | {
      readonly kind: "failed" | "differs";
      readonly expected: string;
      readonly actual: string;
      readonly request: string;
    }
  | { readonly kind: "not applicable"; readonly reason: string };

/** A rule with its outcome, and what could not be cleaned up after it. */
export interface RuleResult {
  readonly rule: ConformanceRule;
  readonly outcome: RuleOutcome;
  readonly leftovers: readonly string[];
}
