/** The issues of a unit: one while it has drift, and one while its drift check fails. */

import { failure } from "./failure.ts";
import { codeOf, type PipelineRun, type UnitReports } from "./reports.ts";

/** How an issue is found, and called. */
export interface IssueSubject {
  /** The first line of its text, which readers do not see. */
  readonly mark: string;
  readonly title: string;
}

/** The issue about the drift of a unit. */
export function driftSubject(unit: string): IssueSubject {
  return { mark: `<!-- incidentctl drift ${unit} -->`, title: `Drift: ${unit}` };
}

/** The issue about a drift check that fails. */
export function alarmSubject(unit: string): IssueSubject {
  return { mark: `<!-- incidentctl drift-check ${unit} -->`, title: `The drift check fails: ${unit}` };
}

/** The text of the issue about drift. */
export function driftText(unit: UnitReports): string {
  return `${driftSubject(unit.name).mark}\n${unit.read("drift.md").replace(/^<!-- incidentctl .*\n/, "")}`;
}

/** The text of the issue about a drift check that fails. */
export function alarmText(unit: UnitReports, run: PipelineRun): string {
  const { mark, title } = alarmSubject(unit.name);
  const code = codeOf(unit, "drift") ?? "none";
  const { verdict, body } = failure(unit, { command: "drift", code });
  return [
    mark,
    `## ${title}`,
    "",
    `${verdict} Until it works, drift goes unnoticed.`,
    "",
    body,
    "",
    `<!-- incidentctl:fingerprint exit${code} -->`,
    `<sub>[Run ${run.id}](${run.page})</sub>`,
    "",
  ].join("\n");
}

/** Whether two texts of an issue tell of the same differences. */
export function isSameFinding(left: string, right: string): boolean {
  const [one, other] = [left, right].map((text) => /<!-- incidentctl:fingerprint (\w+) -->/.exec(text)?.[1]);
  return one === other;
}
