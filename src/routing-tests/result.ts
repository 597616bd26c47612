/** What a run of routing tests came to, as data for reports. */

import type { RuleStep } from "../routing/evaluate.ts";
import type { Destination, Wanted } from "../routing/expectation.ts";

/** How the tests were run. */
export type Mode = "live" | "offline" | "compare";

/** Where a test stands. */
export interface TestPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** One test and what came of it. */
export interface TestResult {
  readonly name: string;
  /** The alert source; undefined for the workspace rules. */
  readonly source?: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly at: TestPlace;
  readonly wanted: Wanted;
  /** `untrusted`: our evaluation says so, but it is not to be relied on here. */
  readonly status: "passed" | "failed" | "untrusted";
  /** Where the alert goes; undefined when that could not be told. */
  readonly destination: Destination | undefined;
  /** Why it did not pass. */
  readonly reasons: readonly string[];
  /** Made when it is asked for. */
  trace(): readonly RuleStep[];
  /** Where the live rules send it, when the two are compared. */
  readonly before?: Destination;
  /** Whether the declared rules send it elsewhere than the live ones. */
  readonly moves?: boolean;
}

/** How far our own evaluation could be held against the service's; undefined where only the service evaluates. */
export type Trust =
  | { readonly calibrated: false; readonly why: string }
  | { readonly calibrated: true; readonly trusted: readonly string[]; readonly doubted: readonly string[] };

/** A whole run. */
export interface TestRun {
  readonly mode: Mode;
  readonly trust?: Trust;
  /** In the order of the files. */
  readonly results: readonly TestResult[];
  /** What the service warns of: roles that rules depend on and that no catalog attribute has. */
  readonly warnings: readonly string[];
}

/** How many tests ended how. */
export function tally({ results }: TestRun): Readonly<Record<TestResult["status"] | "moved", number>> {
  const count = (status: TestResult["status"]) => results.filter((result) => result.status === status).length;
  return {
    passed: count("passed"),
    failed: count("failed"),
    untrusted: count("untrusted"),
    moved: results.filter(({ moves }) => moves === true).length,
  };
}
