/** The extent of a check before it begins, and the reasons why it cannot check some rules. */

import type { ConformanceReport } from "../../conformance/check.ts";
import type { RuleResult } from "../../conformance/rule.ts";
import { groupBy } from "../../core/lists.ts";
import { counted, thousands } from "../../core/value-text.ts";
import { leftoverLines } from "./leftovers.ts";

/** The report of a trial, with the number of its requests. */
export interface Forecast extends ConformanceReport {
  readonly requests: number;
}

/** The limit of the interface. */
const requestsPerMinute = 1_000;

/** The lines before a check: requests, minutes, incidents, the rules that will not be checked, and what will stay. */
export function forecastLines(
  { requests, results, leftovers }: Forecast,
  rate: number = requestsPerMinute,
): readonly string[] {
  const minutes = Math.max(1, Math.ceil(requests / rate));
  const incidents = leftovers.filter(({ kind }) => kind === "incident").length;
  const others = leftovers.filter(({ kind }) => kind !== "incident");
  return [
    `about ${counted(rounded(requests), "request")} for ${counted(results.length, "rule")}: ${counted(minutes, "minute")} at ${thousands(rate)} a minute`,
    ...(incidents === 0
      ? []
      : [
          `about ${counted(rounded(incidents), "incident")} will be declared, which pages people, and stay, canceled or resolved`,
        ]),
    ...(others.length === 0 ? [] : ["what will stay besides:", ...leftoverLines(others, true).map(indented)]),
    ...skippedLines(results),
  ];
}

/** The reasons of rules that are not applicable, one line for each, and one for all those that a flag would allow. */
export function skippedLines(results: readonly RuleResult[]): readonly string[] {
  const reasons = results.flatMap(({ outcome }) => (outcome.kind === "not applicable" ? [outcome.reason] : []));
  if (reasons.length === 0) return [];
  const flagOf = (reason: string) => /\((--[^)]+)\)$/.exec(reason)?.[1] ?? "";
  const byFlag = [...groupBy(reasons, flagOf)].filter(([flag]) => flag !== "");
  const flags = byFlag.map(([flag, group]) => `${flag} (${thousands(group.length)})`);
  const byReason = groupBy(
    reasons.filter((reason) => flagOf(reason) === ""),
    (reason) => reason,
  );
  return [
    `${counted(reasons.length, "rule is", "rules are")} not applicable:`,
    ...(flags.length === 0 ? [] : [indented(`checked with ${flags.join(", ")}`)]),
    ...[...byReason].map(([reason, group]) => indented(`${reason} (${thousands(group.length)})`)),
  ];
}

/** Two digits: the workspace of the service is not that of the trial. */
function rounded(count: number): number {
  const unit = 10 ** Math.max(0, String(count).length - 2);
  return Math.round(count / unit) * unit;
}

function indented(line: string): string {
  return `  ${line}`;
}
