/** The issues of a unit: one while it has drift, one while its drift check fails, and one while acceptances are about to end. */

import { type Fields, fieldsIn, textIn } from "../../core/json.ts";
import { fieldPath } from "../../core/value-text.ts";
import { fingerprint } from "../../plan/model/plan.ts";
import { code, prose } from "../format/markdown.ts";
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

/** The issue about accepted differences whose last day is near. */
export function endingSubject(unit: string): IssueSubject {
  return { mark: `<!-- incidentctl drift-accepted ${unit} -->`, title: `Accepted differences end soon: ${unit}` };
}

/** The text of the issue about the accepted differences of a unit that end soon, as the report has them. */
export function endingText(unit: string, differences: readonly Fields[]): string {
  const { mark, title } = endingSubject(unit);
  return [
    mark,
    `## ${title}`,
    "",
    "After its last day a difference is drift, and an apply writes what the files declare. To keep one longer, accept it again with `drift accept`; to keep it for good, take it into the files with `pull`. Commit the files.",
    "",
    ...differences.map(endingLine),
    "",
    `<!-- incidentctl:fingerprint ${fingerprint([...differences])} -->`,
    "",
  ].join("\n");
}

function endingLine({ address, path, accepted }: Fields): string {
  const { until, by, because } = fieldsIn(accepted);
  const field = textIn(path) ?? "";
  const place = [code(textIn(address) ?? ""), ...(field === "" ? [] : [code(fieldPath(field))])].join(" ");
  const who = textIn(by) === undefined ? "" : `, by ${prose(textIn(by) ?? "")}`;
  return `- ${place}: until ${textIn(until) ?? ""}${who}: ${prose(textIn(because) ?? "")}`;
}

/** The text of the issue about drift. */
export function driftText(unit: UnitReports): string {
  return `${driftSubject(unit.name).mark}\n${unit.read("drift.md").replace(/^<!-- incidentctl .*\n/, "")}`;
}

/** The text of the issue about a drift check that fails. */
export function alarmText(unit: UnitReports, run: PipelineRun): string {
  const { mark, title } = alarmSubject(unit.name);
  const exit = codeOf(unit, "drift") ?? "none";
  const { verdict, body } = failure(unit, { command: "drift", code: exit });
  return [
    mark,
    `## ${title}`,
    "",
    `${verdict} Until it works, drift goes unnoticed.`,
    "",
    body,
    "",
    `<!-- incidentctl:fingerprint exit${exit} -->`,
    `<sub>[Run ${run.id}](${run.page})</sub>`,
    "",
  ].join("\n");
}

/** Whether two texts of an issue tell of the same differences. */
export function isSameFinding(left: string, right: string): boolean {
  const [one, other] = [left, right].map((text) => /<!-- incidentctl:fingerprint (\w+) -->/.exec(text)?.[1]);
  return one === other;
}
