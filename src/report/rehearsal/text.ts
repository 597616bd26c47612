/** A rehearsal for people and for programs: what held, what did not and why, where alerts go, what was assumed. */

import { quoted, sanitised } from "../../core/sanitise.ts";
import type { Look, Rehearsal, RehearsalFinding, SampleResult, Subject } from "../../rehearse/rehearsal.ts";
import { counted, cut, shown } from "../format/value.ts";
import type { ReportStyle } from "../plan/change-lines.ts";
import { pretty } from "../plan/json.ts";

/** What was looked at, for people. */
export const SUBJECTS: Readonly<Record<Subject, string>> = {
  replica: "the replica's plan is the live one",
  operations: "every operation is carried out",
  "next-plan": "the next plan is empty",
  routing: "no alert is misrouted on the way",
  faults: "with a fault at every request it gets there all the same",
};

/** The rehearsal for people, ending with its verdict and a line feed. */
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
      ...findingsOf(look, findings).flatMap((finding) => findingLines(finding, verbose)),
    ]),
    "",
    ...section(
      `${counted(moved.length, "sample alert")} of ${samples.length} will go elsewhere:`,
      moved.map((sample) => `${nameOf(sample)}: ${answerOf(sample.before)} → ${answerOf(sample.after)}`),
      verbose,
    ),
    ...section(
      "Assumed:",
      assumptions.map(({ about, message }) => `${about}: ${sanitised(message)}`),
      true,
    ).map((line) => paint("quiet", line)),
    verdict(rehearsal),
  ];
  return `${lines.join("\n")}\n`;
}

/** The rehearsal for programs. */
export function rehearsalJson(rehearsal: Rehearsal): string {
  const { plan, looks, findings, assumptions, samples, faults } = rehearsal;
  return pretty({
    format_version: 1,
    tool: plan.tool,
    target: plan.target,
    held: findings.length === 0,
    summary: plan.summary,
    looks,
    findings,
    samples: samples.map(({ before, after, others, ...sample }) => ({
      ...sample,
      before: told(before),
      after: told(after),
      others: others.map(({ operation, answer }) => ({ operation, answer: told(answer) })),
    })),
    faults: faults ?? null,
    assumptions,
  });
}

/** The last line. */
export function verdict({ findings }: Rehearsal): string {
  return findings.length === 0
    ? "Rehearsal: everything held."
    : `Rehearsal: ${counted(findings.length, "finding")}. Nothing was written to the live service.`;
}

/** Whether the sample goes elsewhere afterwards. */
export function isMoved({ before, after }: SampleResult): boolean {
  return JSON.stringify(before ?? null) !== JSON.stringify(after ?? null);
}

/** A sample on one line. */
export function nameOf({ name, source }: SampleResult): string {
  return `${sanitised(name)}${source === undefined ? "" : ` from ${quoted(source)}`}`;
}

/** An answer on one line. */
export function answerOf(answer: SampleResult["before"]): string {
  if (answer === undefined) return "no such source";
  return answer === null ? "no rule" : shown(answer);
}

/** The findings of one look. */
export function findingsOf({ subject }: Look, findings: readonly RehearsalFinding[]): readonly RehearsalFinding[] {
  return findings.filter((finding) => finding.subject === subject);
}

/** Where a finding is, and what it says. */
export function placeOf({ operation, address }: RehearsalFinding): string {
  return [operation, address].flatMap((part) => (part === undefined || part === "" ? [] : [sanitised(part)])).join(" ");
}

function findingLines(finding: RehearsalFinding, verbose: boolean): readonly string[] {
  const place = placeOf(finding);
  const line = `      ${place === "" ? "" : `${place}: `}${sanitised(finding.message)}`;
  const { faults = [] } = finding;
  return [
    verbose ? line : cut(line),
    ...(faults.length > 0 ? [`        after: ${faults.map(sanitised).join("; ")}`] : []),
  ];
}

function section(title: string, items: readonly string[], whole: boolean): readonly string[] {
  if (items.length === 0) return [];
  return [title, ...items.map((item) => `  ${whole ? item : cut(item)}`), ""];
}

/** JSON has no undefined: a source that does not exist is said in words. */
function told(answer: SampleResult["before"]): object | null {
  return answer === undefined ? { source: "none" } : answer;
}
