/** How an apply ended: what was done, what was not and why, and what to run next. */

import type { ApplyResult, Counts, Outcome } from "../../apply/execute/outcome.ts";
import { sanitised } from "../../core/sanitise.ts";
import type { Change, Plan } from "../../plan/plan.ts";
import type { Paint } from "../format/ansi.ts";
import { counted } from "../format/value.ts";
import { labelOf, OUTCOMES } from "./progress.ts";
import { requestsRecord, type Spent } from "./requests.ts";

/** What the re-read after the last write found; null when there was none. */
export type Verification =
  /** The workspace is as declared. */
  | { readonly status: "verified" }
  /** Something still differs. */
  | { readonly status: "differs"; readonly remaining: Plan }
  /** The workspace could not be read again. */
  | { readonly status: "unread"; readonly reason: string }
  | null;

/** A finished apply. */
export interface Applied {
  readonly plan: Plan;
  readonly result: ApplyResult;
  readonly verification: Verification;
  /** Path of the run's journal; absent where nothing was to be written. */
  readonly journal?: string;
  /** What the command had sent by then; absent where nobody has counted. */
  readonly requests?: readonly Spent[];
  /** An error in words, with the places in the files that it is about; already safe to show. */
  readonly explain: (error: Error, address: string) => readonly string[];
}

/** The report for people; its first line counts, its last one says what to do next. */
export function outcomeText({ plan, result, verification, journal, explain }: Applied, paint: Paint): string {
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const open = result.outcomes.filter(({ status }) => status !== "done");
  const lines = [
    paint("heading", headline(result.counts, result.outcomes.length)),
    ...open.flatMap((outcome) => outcomeLines(outcome, changes.get(outcome.operation.address), explain, paint)),
    ...verified(verification, result.counts),
    ...(journal === undefined || isWhole(result.counts) ? [] : [`Journal: ${sanitised(journal)}`]),
    ...nextSteps(result.counts, verification),
  ];
  return `${lines.join("\n")}\n`;
}

/** The report for programs; `explain` gives the words for errors. */
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

/** For programs: how a run ended as a whole. */
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

/** For programs: how one operation ended, and why. */
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

/** What became of the operations, counted. */
export function headline(counts: Counts, total: number): string {
  const carriedOut = counts.done + counts.fell_back;
  const parts = [`${carriedOut} of ${counted(total, "operation")} done`];
  if (counts.fell_back > 0) parts.push(`${counts.fell_back} of them by disabling`);
  if (counts.retained > 0) parts.push(`${counts.retained} kept because in use`);
  if (counts.failed > 0) parts.push(`${counts.failed} failed`);
  if (counts.unknown > 0) parts.push(`${counts.unknown} unknown`);
  if (counts.pending > 0) parts.push(`${counts.pending} waiting for approval`);
  if (counts.skipped > 0) parts.push(`${counts.skipped} not done`);
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
  const place = source === undefined ? "" : ` (${sanitised(source.file)}:${source.line}:${source.column})`;
  return [
    `  ${paint(tone, word)}  ${sanitised(outcome.operation.id)}  ${labelOf(outcome.operation)}${place}`,
    ...reasonsOf(outcome, explain).map((line) => `      ${line}`),
  ];
}

/** Why an operation did not end as planned; safe to show. */
export function reasonsOf(outcome: Outcome, explain: Applied["explain"]): readonly string[] {
  switch (outcome.status) {
    case "done":
      return [];
    case "fell_back":
    case "retained":
      return [`the service: ${sanitised(outcome.message)}`];
    case "failed":
    case "unknown":
      return explain(outcome.error, outcome.operation.address);
    case "pending":
      return [`approval ${sanitised(outcome.approvalId)}: ${sanitised(outcome.message)}`];
    case "skipped":
      return [SKIPPED[outcome.because].replace("{after}", sanitised(outcome.after ?? "another one"))];
  }
}

const SKIPPED: Readonly<Record<Extract<Outcome, { status: "skipped" }>["because"], string>> = {
  depends: "it depends on {after}",
  stopped: "the run stopped at {after}",
  interrupted: "the run was interrupted",
};

/** Whether every operation ended as the plan foresees. */
export function isWhole({ failed, unknown, pending, skipped }: Counts): boolean {
  return failed + unknown + pending + skipped === 0;
}

/** What reading again has shown; what the service would not let go was not asked for again. */
export function verified(verification: Verification, { retained }: Counts): readonly string[] {
  switch (verification?.status) {
    case undefined:
      return [];
    case "verified":
      return [
        retained === 0
          ? "Verified: read again, the workspace matches the configuration."
          : "Verified: read again, the workspace matches the configuration, but for what was kept because it is in use.",
      ];
    case "differs":
      return ["Not verified: read again, the workspace still differs from the configuration, as shown below."];
    case "unread":
      return [`Not verified: the workspace could not be read again: ${verification.reason}`];
  }
}

/** What to run next. */
export function nextSteps(counts: Counts, verification: Verification): readonly string[] {
  if (counts.unknown > 0) return ["Next: incidentctl resume  finds out whether what is unknown was carried out."];
  if (counts.pending > 0) return ["Next: incidentctl resume  once it is approved; what is done is not done again."];
  if (counts.failed > 0) return ["Next: incidentctl apply  once the cause is removed; what is done is not done again."];
  if (counts.skipped > 0) return ["Next: incidentctl apply  goes on; what is done is not done again."];
  if (verification === null || verification.status === "verified") return [];
  return ["Next: incidentctl plan  shows what differs."];
}
