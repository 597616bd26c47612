/** The outcome of a run as text and as JSON: the operations done, those that failed and why, and the next command. */

import { sanitised } from "../../core/sanitise.ts";
import { counted, placeText } from "../../core/value-text.ts";
import type { Change, Plan } from "../../plan/model/plan.ts";
import type { ApplyResult, Counts, Outcome } from "../../run/journal/outcome.ts";
import type { Attempt } from "../../service/http/client.ts";
import type { RequestCount } from "../../service/requests/purpose.ts";
import type { Paint } from "../format/ansi.ts";
import { labelOf, OUTCOMES } from "./progress.ts";

/** The result of reading the workspace again after the last write; null if it was not read. */
export type Verification =
  /** The workspace matches the configuration. */
  | { readonly status: "verified" }
  /** The workspace still differs. */
  | { readonly status: "differs"; readonly remaining: Plan }
  /** The workspace could not be read again. */
  | { readonly status: "unread"; readonly reason: string }
  | null;

/** A finished run. */
export interface Applied {
  readonly plan: Plan;
  readonly result: ApplyResult;
  readonly verification: Verification;
  /** Path of the run's journal; absent if there was nothing to write. */
  readonly journal?: string;
  /** Requests so far; absent if they were not counted. */
  readonly requests?: readonly RequestCount[];
  /** Files outside the configuration that make resources which the run changed. Default: none. */
  readonly otherFiles?: readonly string[];
  /** The message of an error, with places in the configuration, in sanitised lines. */
  readonly explain: (error: Error, address: string) => readonly string[];
}

/** The report as text: a line of totals first, the next command last. */
export function outcomeText(applied: Applied, paint: Paint): string {
  const { plan, result, journal, explain } = applied;
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const open = result.outcomes.filter(({ status }) => status !== "done");
  const lines = [
    paint("heading", headline(result.counts, result.outcomes.length)),
    ...open.flatMap((outcome) => outcomeLines(outcome, changes.get(outcome.operation.address), explain, paint)),
    ...verificationLines(applied),
    ...(journal === undefined || isComplete(result.counts) ? [] : [`Journal: ${sanitised(journal)}`]),
    ...nextSteps(applied),
  ];
  return `${lines.join("\n")}\n`;
}

/** The report for JSON. */
export function outcomeRecord(applied: Applied): object {
  const { plan, result, explain } = applied;
  return {
    format_version: 1,
    tool: plan.tool,
    target: plan.target,
    summary: plan.summary,
    ...summaryOf(applied),
    outcomes: result.outcomes.map((outcome) => {
      const { id, address, method, path } = outcome.operation;
      return { id, address, method, path, ...outcomeOf(outcome, explain) };
    }),
  };
}

/** The totals and the verification of a run, for JSON. */
export function summaryOf({ result, verification, journal, requests }: Applied): object {
  return {
    counts: result.counts,
    verification:
      verification?.status === "differs"
        ? { status: "differs", remaining: verification.remaining.changes }
        : verification,
    ...(journal === undefined ? {} : { journal }),
    ...(requests === undefined ? {} : { requests: requestsRecord(requests) }),
  };
}

/** The outcome of one operation, for JSON. */
export function outcomeOf(
  outcome: Outcome,
  explain: Applied["explain"],
): { readonly status: Outcome["status"]; readonly [detail: string]: unknown } {
  switch (outcome.status) {
    case "done":
      return outcome.gone === true ? { status: "done", gone: true } : { status: "done" };
    case "fell_back":
    case "retained":
      return { status: outcome.status, message: outcome.message };
    case "failed":
    case "unknown":
      return { status: outcome.status, message: explain(outcome.error, outcome.operation.address).join("\n") };
    case "pending":
      return { status: "pending", approval_id: outcome.approvalId, message: outcome.message };
    case "skipped":
      return {
        status: "skipped",
        because: outcome.because,
        ...(outcome.after === undefined ? {} : { after: outcome.after }),
      };
  }
}

/** The number of operations by outcome. */
export function headline(counts: Counts, total: number): string {
  const applied = counts.done + counts.fell_back;
  const parts = [`${applied} of ${counted(total, "operation")} done`];
  if (counts.fell_back > 0) parts.push(`${counts.fell_back} of them disabled instead`);
  if (counts.retained > 0) parts.push(`${counts.retained} preserved because in use`);
  if (counts.failed > 0) parts.push(`${counts.failed} failed`);
  if (counts.unknown > 0) parts.push(`${counts.unknown} unknown`);
  if (counts.pending > 0) parts.push(`${counts.pending} waiting for approval`);
  if (counts.skipped > 0) parts.push(`${counts.skipped} skipped`);
  return `Applied: ${parts.join(", ")}.`;
}

function outcomeLines(
  outcome: Outcome,
  change: Change | undefined,
  explain: Applied["explain"],
  paint: Paint,
): readonly string[] {
  const [word, tone] = OUTCOMES[outcome.status];
  const source = change?.source;
  const place = source === undefined ? "" : ` (${placeText(source)})`;
  return [
    `  ${paint(tone, word)}  ${sanitised(outcome.operation.id)}  ${labelOf(outcome.operation)}${place}`,
    ...reasonsOf(outcome, explain).map((line) => `      ${line}`),
  ];
}

/** The reasons why an operation did not end as planned, in sanitised lines. */
export function reasonsOf(outcome: Outcome, explain: Applied["explain"]): readonly string[] {
  switch (outcome.status) {
    case "done":
      return [];
    case "fell_back":
    case "retained":
      return [`the service reported: ${sanitised(outcome.message)}`];
    case "failed":
    case "unknown":
      return explain(outcome.error, outcome.operation.address);
    case "pending":
      return [`approval ${sanitised(outcome.approvalId)}: ${sanitised(outcome.message)}`];
    case "skipped":
      return [SKIPPED[outcome.because].replace("{after}", sanitised(outcome.after ?? "another operation"))];
  }
}

const SKIPPED: Readonly<Record<Extract<Outcome, { status: "skipped" }>["because"], string>> = {
  depends: "it depends on {after}",
  stopped: "the run stopped at {after}",
  interrupted: "the run was interrupted",
};

/** Whether every operation ended as planned. */
export function isComplete({ failed, unknown, pending, skipped }: Counts): boolean {
  return failed + unknown + pending + skipped === 0;
}

/** The line about the verification. It does not cover options that the service refused to remove, nor accepted differences. */
export function verificationLines({
  plan: { accepted = [], undoes },
  result: { counts },
  verification,
}: Pick<Applied, "plan" | "result" | "verification">): readonly string[] {
  switch (verification?.status) {
    case undefined:
      return [];
    case "verified": {
      const exceptions = [
        ...(counts.retained === 0 ? [] : ["what was preserved because it is in use"]),
        ...(accepted.length === 0 ? [] : ["accepted differences"]),
      ];
      const exception = exceptions.length === 0 ? "" : `, except for ${exceptions.join(" and ")}`;
      const match = undoes === undefined ? "the workspace matches the configuration" : `run ${undoes} is undone`;
      return [`Verified: ${match}${exception}.`];
    }
    case "differs":
      return ["Not verified: the workspace still differs from the configuration, as shown below."];
    case "unread":
      return [`Not verified: the workspace could not be read again: ${verification.reason}`];
  }
}

/** The line about the next command; none if there is nothing to do. */
export function nextSteps({
  plan: { undoes },
  result: { counts },
  verification,
  otherFiles: [file, ...rest] = [],
}: Pick<Applied, "plan" | "result" | "verification" | "otherFiles">): readonly string[] {
  if (counts.unknown > 0)
    return ["Next: to find out whether the unknown operations took effect, run incidentctl resume"];
  if (counts.pending > 0) return ["Next: once the change is approved, run incidentctl resume"];
  if (counts.failed > 0) return ["Next: fix the cause, then run incidentctl apply"];
  if (counts.skipped > 0) return ["Next: to continue, run incidentctl apply"];
  if (verification?.status === "verified" && undoes !== undefined) {
    const more = rest.length === 0 ? "" : ` and ${counted(rest.length, "more file")}`;
    const edit = file === undefined ? "" : `change ${sanitised(file)}${more}, and `;
    return [
      `Next: unless you have changed the files, they still declare what run ${undoes} applied; to write the workspace into them, ${edit}run incidentctl pull`,
    ];
  }
  if (verification === null || verification.status === "verified") return [];
  return ["Next: to see the differences, run incidentctl plan"];
}

/** The table with its total in the last line; each line ends with a line feed. */
export function requestsText(counts: readonly RequestCount[]): string {
  const rows = [...counts, { description: "total", requests: total(counts) }];
  const width = Math.max(...rows.map(({ requests }) => String(requests).length));
  const lines = rows.map(({ description, requests }) => `  ${String(requests).padStart(width)}  ${description}\n`);
  return `Requests:\n${lines.join("")}`;
}

/** The total and the number for each purpose, for JSON. */
function requestsRecord(counts: readonly RequestCount[]): object {
  return {
    total: total(counts),
    by_purpose: Object.fromEntries(counts.map(({ purpose, requests }) => [purpose, requests])),
  };
}

function total(counts: readonly RequestCount[]): number {
  return counts.reduce((sum, { requests }) => sum + requests, 0);
}

/** An attempt at a request in one line: method, path, status and time. */
export function attemptText({ method, path, status, milliseconds }: Attempt): string {
  return sanitised(`${method} ${path}: ${status ?? "no response"} in ${Math.round(milliseconds)} ms`);
}
