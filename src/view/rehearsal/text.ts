/** A rehearsal as text and as JSON: its checks and their findings, alerts that change destination, and assumptions. */

import { quoted, sanitised } from "../../core/sanitise.ts";
import { counted, cut, thousands, valueText } from "../../core/value-text.ts";
import type { ReportStyle } from "../plan/change-lines.ts";
import { prettyJson } from "../plan/json.ts";
import type { Rehearsal, RehearsalCheck, RehearsalFinding, RehearsalSubject, SampleResult } from "./rehearsal.ts";

/** The checks in words. */
export const SUBJECTS: Readonly<Record<RehearsalSubject, string>> = {
  replica: "the plan for the replica is the plan for the live workspace",
  operations: "every operation succeeds",
  "next-plan": "the next plan is empty",
  routing: "no alert is misrouted during the run",
  faults: "the run completes after a fault at any request",
};

/** The rehearsal as text, with the verdict in the last line and a final line feed. */
export function rehearsalText(rehearsal: Rehearsal, { paint, verbose }: ReportStyle): string {
  const { plan, looks, findings, assumptions, samples } = rehearsal;
  const moved = samples.filter(isMoved);
  const lines = [
    paint(
      "heading",
      `Rehearsed ${counted(plan.operations.length, "operation")} on a replica of ${sanitised(plan.target.host)}.`,
    ),
    "",
    ...looks.flatMap((look) => [
      look.held ? paint("added", `  ✓ ${SUBJECTS[look.subject]}`) : paint("removed", `  ✗ ${SUBJECTS[look.subject]}`),
      `      ${sanitised(look.did)}`,
      ...findingsOf(look, findings).flatMap(findingLines),
    ]),
    "",
    ...section(
      `${movedText(rehearsal)}:`,
      moved.map((sample) => `${nameOf(sample)}: ${outcomeText(sample.before)} → ${outcomeText(sample.after)}`),
      verbose,
    ),
    ...section(
      "Assumptions:",
      assumptions.map(({ about, message }) => `${about}: ${sanitised(message)}`),
      true,
    ).map((line) => paint("quiet", line)),
    verdict(rehearsal),
  ];
  return `${lines.join("\n")}\n`;
}

/** The rehearsal as JSON. */
export function rehearsalJson(rehearsal: Rehearsal): string {
  const { plan, looks, findings, assumptions, samples, faults } = rehearsal;
  return prettyJson({
    format_version: 1,
    tool: plan.tool,
    target: plan.target,
    held: findings.length === 0,
    summary: plan.summary,
    looks,
    findings,
    samples: samples.map(({ before, after, others, ...sample }) => ({
      ...sample,
      before: outcomeRecord(before),
      after: outcomeRecord(after),
      others: others.map(({ operation, answer }) => ({ operation, answer: outcomeRecord(answer) })),
    })),
    faults: faults ?? null,
    assumptions,
  });
}

/** The verdict in one sentence. */
export function verdict({ findings }: Rehearsal): string {
  return findings.length === 0
    ? "Rehearsal: all checks passed."
    : `Rehearsal: ${counted(findings.length, "finding")}. Nothing was written to the live service.`;
}

/** The number of samples that change destination, as a sentence without a full stop. */
export function movedText({ samples }: Rehearsal): string {
  const moved = samples.filter(isMoved).length;
  return `${thousands(moved)} of ${counted(samples.length, "sample alert")} ${moved === 1 ? "changes" : "change"} destination`;
}

/** Whether the alert has another destination after the plan. */
export function isMoved({ before, after }: SampleResult): boolean {
  return JSON.stringify(before ?? null) !== JSON.stringify(after ?? null);
}

/** The sample on one line. */
export function nameOf({ name, source }: SampleResult): string {
  return `${sanitised(name)}${source === undefined ? "" : ` from ${quoted(source)}`}`;
}

/** The outcome for an alert on one line. */
export function outcomeText(answer: SampleResult["before"]): string {
  if (answer === undefined) return "no such source";
  return answer === null ? "no rule" : valueText(answer);
}

/** The findings of one check. */
export function findingsOf(
  { subject }: RehearsalCheck,
  findings: readonly RehearsalFinding[],
): readonly RehearsalFinding[] {
  return findings.filter((finding) => finding.subject === subject);
}

/** The operation and the address of a finding. */
export function placeOf({ operation, address }: RehearsalFinding): string {
  return [operation, address].flatMap((part) => (part === undefined || part === "" ? [] : [sanitised(part)])).join(" ");
}

/** A finding is never cut: its end may be the cause. */
function findingLines(finding: RehearsalFinding): readonly string[] {
  const place = placeOf(finding);
  const line = `      ${place === "" ? "" : `${place}: `}${sanitised(finding.message)}`;
  const { faults = [] } = finding;
  return [line, ...(faults.length > 0 ? [`        after: ${faults.map(sanitised).join("; ")}`] : [])];
}

function section(title: string, items: readonly string[], whole: boolean): readonly string[] {
  if (items.length === 0) return [];
  return [title, ...items.map((item) => `  ${whole ? item : cut(item)}`), ""];
}

/** The outcome for JSON, which has no undefined: a source that does not exist is an object. */
function outcomeRecord(answer: SampleResult["before"]): object | null {
  return answer === undefined ? { source: "none" } : answer;
}
