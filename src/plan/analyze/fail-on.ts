/** The findings that make a command fail. */

import type { FailOn } from "../../core/flag-values.ts";
import type { Finding } from "./analyzer.ts";

const FAILING: Readonly<Record<FailOn, readonly Finding["severity"][]>> = {
  error: ["error"],
  warning: ["error", "warning"],
  note: ["error", "warning", "note"],
  never: [],
};

/** Whether a finding fails with `--fail-on`. A waived one never does. */
export function failsAt(failOn: FailOn): (finding: Finding) => boolean {
  const severities = FAILING[failOn];
  return ({ severity, waived }) => waived === undefined && severities.includes(severity);
}
