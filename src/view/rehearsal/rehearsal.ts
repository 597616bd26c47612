/** A rehearsal as a value, as text and as JSON: its checks and their findings, alerts that change destination, and assumptions. */

import { mergeRepeats, type Repeated, statementOf } from "../../core/findings.ts";
import type { Fields } from "../../core/json.ts";
import { quoted, sanitised } from "../../core/sanitise.ts";
import { joinWords } from "../../core/suggest.ts";
import { counted, cut, thousands, valueText } from "../../core/value-text.ts";
import type { Plan } from "../../plan/model/plan.ts";
import { prettyJson } from "../format/json.ts";
import { repeatLines } from "../format/shorten.ts";
import type { ReportStyle } from "../format/style.ts";

/** Subject of a check. */
export type RehearsalSubject =
  /** The plan against the replica equals the plan against the live service. */
  | "replica"
  /** Every operation succeeds. */
  | "operations"
  /** The next plan is empty. */
  | "next-plan"
  /** Every sample alert has its old or its new outcome, never a third one, and a change explains each new one. */
  | "routing"
  /** After a fault, planning and applying again reaches the same result without duplicates. */
  | "faults";

/** A failed check. */
export interface RehearsalFinding {
  readonly subject: RehearsalSubject;
  readonly message: string;
  /** Id of the operation that it is about. */
  readonly operation?: string;
  readonly address?: string;
  /** The sample alert that it is about: the beginning of the message. */
  readonly alert?: string;
  /** Faults that cause it. */
  readonly faults?: readonly string[];
}

export interface Assumption {
  readonly about: "dialect" | "unread" | "unreadable" | "differs" | "incidents" | "permissions" | "tokens" | "routing";
  readonly message: string;
}

export interface RehearsalCheck {
  readonly subject: RehearsalSubject;
  readonly held: boolean;
  /** Description of the check: `12 operations carried out`. */
  readonly did: string;
}

/** Outcome of the rule that matches an alert; null if no rule matches. */
export type SampleOutcome = Fields | null;

/** A sample alert and its outcomes. */
export interface SampleResult {
  readonly name: string;
  /** The name of the alert source; undefined for the workspace's rules. */
  readonly source?: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Undefined if the source does not exist. */
  readonly before: SampleOutcome | undefined;
  readonly after: SampleOutcome | undefined;
  /** The alert has another destination after the plan. Masked values do not show it. */
  readonly moves: boolean;
  /** Outcomes between the two that equal neither, each with the operation before it. */
  readonly others: readonly { readonly operation: string; readonly answer: SampleOutcome | undefined }[];
  /** The plan has an accepted routing window for this scope. */
  readonly exposed: boolean;
}

/** Numbers of runs with faults. */
export interface FaultRuns {
  /** Runs, each with one fault. */
  readonly runs: number;
  /** Runs that planning and applying again finished. */
  readonly recovered: number;
}

/** Result of a rehearsal. */
export interface Rehearsal {
  readonly plan: Plan;
  readonly looks: readonly RehearsalCheck[];
  readonly findings: readonly RehearsalFinding[];
  readonly assumptions: readonly Assumption[];
  readonly samples: readonly SampleResult[];
  /** Undefined without `--faults`. */
  readonly faults?: FaultRuns;
}

/** Whether all checks passed. */
export function hasPassed({ findings }: Pick<Rehearsal, "findings">): boolean {
  return findings.length === 0;
}

/** The checks in words. */
export const SUBJECTS: Readonly<Record<RehearsalSubject, string>> = {
  replica: "the plan for the replica is the plan for the live workspace",
  operations: "every operation succeeds",
  "next-plan": "the next plan is empty",
  routing: "no alert is lost or misrouted",
  faults: "the run completes after a fault at any request",
};

/** The rehearsal as text, with the verdict in the last line and a final line feed. */
export function rehearsalText(rehearsal: Rehearsal, { paint, verbose }: ReportStyle): string {
  const { plan, looks, findings, assumptions, samples } = rehearsal;
  const moved = samples.filter(({ moves }) => moves);
  const lines = [
    paint(
      "heading",
      `Rehearsed ${counted(plan.operations.length, "operation")} on a replica of ${sanitised(plan.target.host)}.`,
    ),
    "",
    ...looks.flatMap((look) => [
      look.held ? paint("added", `  ✓ ${SUBJECTS[look.subject]}`) : paint("removed", `  ✗ ${SUBJECTS[look.subject]}`),
      `      ${sanitised(look.did)}`,
      ...repeatLines(findingsOf(look, findings), findingText, verbose, "        "),
    ]),
    "",
    ...section(
      `${movedText(rehearsal)}:`,
      moved.map((sample) => `${nameOf(sample)}: ${outcomeText(sample.before)} → ${outcomeText(sample.after)}`),
      verbose,
    ),
    ...assumptionLines(assumptions, !hasPassed(rehearsal) || verbose).map((line) => paint("quiet", line)),
    verdict(rehearsal),
  ];
  return `${lines.join("\n")}\n`;
}

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
    samples: samples.map(({ before, after, others, moves: _moves, ...sample }) => ({
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
  const moved = samples.filter(({ moves }) => moves).length;
  return `${thousands(moved)} of ${counted(samples.length, "sample alert")} ${moved === 1 ? "changes" : "change"} destination`;
}

/** The sample on one line. */
export function nameOf({ name, source }: SampleResult): string {
  return `${sanitised(name)}${source === undefined ? "" : ` from ${quoted(source)}`}`;
}

/** The outcome for an alert on one line. */
export function outcomeText(answer: SampleResult["before"]): string {
  if (answer === undefined) return "404, no such source";
  return answer === null ? "no rule" : valueText(answer);
}

/** All assumptions, or those that are not the same for every rehearsal, and the number of the others. */
function assumptionLines(assumptions: readonly Assumption[], whole: boolean): readonly string[] {
  const listed = assumptions.filter(({ about }) => whole || about === "unread" || about === "differs");
  const rest = assumptions.filter((one) => !listed.includes(one));
  const subjects = joinWords([...new Set(rest.map(({ about }) => about))]);
  const count = rest.length === 0 ? [] : [`${rest.length} on ${subjects}; --verbose lists them`];
  const lines = [...listed.map(({ about, message }) => `${about}: ${sanitised(message)}`), ...count];
  return listed.length === 0 ? [`Assumptions: ${count.join("")}`, ""] : section("Assumptions:", lines, true);
}

/** The findings of one check; those that say the same of several operations or alerts are together. */
export function findingsOf(
  { subject }: RehearsalCheck,
  findings: readonly RehearsalFinding[],
): readonly Repeated<RehearsalFinding>[] {
  return mergeRepeats(
    findings.filter((finding) => finding.subject === subject),
    ({ message, address, alert = address, faults }) => [statementOf(message, alert), faults],
    (finding) => finding.alert ?? placeOf(finding),
  );
}

export function placeOf({ operation, address }: RehearsalFinding): string {
  return [operation, address].flatMap((part) => (part === undefined || part === "" ? [] : [sanitised(part)])).join(" ");
}

/** A finding is never cut: its end may be the cause. */
function findingText(finding: RehearsalFinding): string {
  const place = placeOf(finding);
  const line = `      ${place === "" ? "" : `${place}: `}${sanitised(finding.message)}`;
  const { faults = [] } = finding;
  return faults.length === 0 ? line : `${line}\n        after: ${faults.map(sanitised).join("; ")}`;
}

function section(title: string, items: readonly string[], whole: boolean): readonly string[] {
  if (items.length === 0) return [];
  return [title, ...items.map((item) => `  ${whole ? item : cut(item)}`), ""];
}

/** The outcome for JSON, which has no undefined: a source that does not exist is an object. */
function outcomeRecord(answer: SampleResult["before"]): object | null {
  return answer === undefined ? { source: "none" } : answer;
}
