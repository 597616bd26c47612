/** The result of a validation in one line. */

import type { Configuration } from "../../config/resources/configuration.ts";
import { counted } from "../../core/value-text.ts";
import type { Finding } from "../../plan/analyze/analyzer.ts";

/** Whether the configuration is valid, and the numbers of resources and findings. */
export function validationSummary(
  { declared, managed }: Configuration,
  findings: readonly Finding[],
  fails: (finding: Finding) => boolean,
): string {
  const kinds = new Set(managed.map(({ kind }) => kind)).size;
  const open = findings.filter(({ waived }) => waived === undefined);
  const counts = (["error", "warning", "note"] as const).flatMap((severity) => {
    const some = open.filter((finding) => finding.severity === severity).length;
    return some === 0 ? [] : [counted(some, severity)];
  });
  const waived = findings.length - open.length;
  const parts = [
    `${counted(declared.length, "resource")} in ${counted(kinds, "kind")}`,
    ...counts,
    ...(waived === 0 ? [] : [`${waived} waived`]),
  ];
  return !findings.some(fails)
    ? `The configuration is valid: ${parts.join(", ")}.`
    : `The configuration has findings that fail: ${parts.join(", ")}.`;
}
