/** Results of routing tests, as data for reports. */

import type { RoutingTest } from "../../config/resources/routing-tests.ts";
import type { RuleStep } from "../../kinds/routing/evaluate.ts";
import type { Destination, ExpectedRouting } from "../../kinds/routing/expectation.ts";

/** The way in which tests are run. */
export type TestMode = "live" | "offline" | "compare";

export interface TestResult extends Pick<RoutingTest, "name" | "fields" | "at"> {
  /** The alert source; undefined for the workspace rules. */
  readonly source: string | undefined;
  readonly expected: ExpectedRouting;
  /** `untrusted`: the offline evaluation is not reliable for this test. */
  readonly status: "passed" | "failed" | "untrusted";
  /** Undefined if undecided. */
  readonly destination: Destination | undefined;
  /** Reasons why it did not pass. */
  readonly reasons: readonly string[];
  /** The evaluated rules. Built on demand. */
  trace(): readonly RuleStep[];
  /** Destination under the live rules, in a comparison. */
  readonly before?: Destination;
  /** Whether the declared rules have another destination than the live ones. */
  readonly moves?: boolean;
}

/** The calibration of the offline evaluation. */
export type Trust =
  | { readonly calibrated: false; readonly why: string }
  | { readonly calibrated: true; readonly trusted: readonly string[]; readonly doubted: readonly string[] };

export interface TestRun {
  readonly mode: TestMode;
  readonly trust?: Trust;
  /** Results in the order of the files. */
  readonly results: readonly TestResult[];
  /** Warnings of the service about roles that rules depend on and no catalog attribute has. */
  readonly warnings: readonly string[];
}

export function countResults({ results }: TestRun): Readonly<Record<TestResult["status"] | "moved", number>> {
  const count = (status: TestResult["status"]) => results.filter((result) => result.status === status).length;
  return {
    passed: count("passed"),
    failed: count("failed"),
    untrusted: count("untrusted"),
    moved: results.filter(({ moves }) => moves === true).length,
  };
}
