/** The outcome of a run as text and as JSON: the operations done, those that failed and why, and the next command. */

import { sanitised } from "../../core/sanitise.ts";
import { placeText } from "../../core/value-text.ts";
import type { Outcome } from "../../run/journal/outcome.ts";
import type { Attempt } from "../../service/http/client.ts";
import type { RequestCount } from "../../service/requests/purpose.ts";
import type { ReportStyle } from "../format/style.ts";
import { type Applied, outcomeView } from "./outcome-view.ts";
import { labelOf, OUTCOMES } from "./progress.ts";

/** The report as text: a line of totals first, the next command last. */
export function outcomeText(applied: Applied, { paint, verbose }: Pick<ReportStyle, "paint" | "verbose">): string {
  const view = outcomeView(applied, verbose);
  const sources = new Map(applied.plan.changes.map(({ address, source }) => [address, source]));
  const lines = [
    paint("heading", view.headline),
    ...view.open.flatMap(({ operation, word, tone, reasons }) => {
      const source = sources.get(operation.address);
      const place = source === undefined ? "" : ` (${placeText(source)})`;
      return [
        `  ${paint(tone, word)}  ${sanitised(operation.id)}  ${labelOf(operation)}${place}`,
        ...reasons.map((line) => `      ${line}`),
      ];
    }),
    ...view.notBegun.map((line) => `  ${paint(OUTCOMES.skipped[1], OUTCOMES.skipped[0])}  ${line}`),
    ...view.verification,
    ...(view.journal === undefined ? [] : [`Journal: ${sanitised(view.journal)}`]),
    ...view.next,
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
    journal,
    requests: requests && requestsRecord(requests),
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
      return {
        status: outcome.status,
        message: outcome.message,
        ...(outcome.after === undefined ? {} : { after: outcome.after }),
      };
    case "failed":
    case "unknown":
      return { status: outcome.status, message: explain(outcome.error, outcome.operation.address).join("\n") };
    case "pending":
      return { status: "pending", approval_id: outcome.approvalId, message: outcome.message };
    case "skipped":
      return { status: "skipped", because: outcome.because, after: outcome.after };
  }
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
