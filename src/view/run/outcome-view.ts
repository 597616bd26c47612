/** The outcome of a run as a plain value: its sentences, and the operations that did not end as planned. Every report of it writes them down. */

import { NO_WORDS, programLine, quoted, type RunWords, sanitised, shellWord, yamlWord } from "../../core/sanitise.ts";
import { counted, valueText } from "../../core/value-text.ts";
import type { StoredOtherwise } from "../../plan/checks/update-last-applied.ts";
import type { Plan } from "../../plan/model/plan.ts";
import { type ApplyResult, type Counts, isComplete, type Outcome } from "../../run/journal/outcome.ts";
import type { RequestCount } from "../../service/requests/purpose.ts";
import type { OpenOutcome } from "../plan/plan-view.ts";
import { OUTCOMES } from "./progress.ts";

/** The result of reading the workspace again after the last write; null if it was not read. */
export type Verification =
  /** The workspace matches the configuration, but for what the service stored otherwise than it was sent. */
  | { readonly status: "verified"; readonly stored?: readonly StoredOtherwise[] }
  /** The workspace still differs. */
  | { readonly status: "differs"; readonly remaining: Plan }
  /** The service lists tokens that the rotation neither issued nor planned with. */
  | { readonly status: "unknown_tokens"; readonly tokens: readonly UnknownToken[] }
  /** The workspace could not be read again. */
  | { readonly status: "unread"; readonly reason: string }
  | null;

/** A token that nobody may hold. */
export interface UnknownToken {
  /** Of its resource. */
  readonly address: string;
  readonly prefix: string;
  /** Null if it was never used; absent if the service does not tell. */
  readonly last_used_at?: string | null;
}

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
  /** The words of a command line for the same service, files, environment and variables. Default: none. */
  readonly words?: RunWords;
  /** The message of an error, with places in the configuration, in sanitised lines. */
  readonly explain: (error: Error, address: string) => readonly string[];
}

/** The outcome of a run, in sanitised sentences. */
export interface OutcomeView {
  /** The number of operations by outcome. */
  readonly headline: string;
  /** Every operation ended as planned, and the workspace is not known to differ. */
  readonly isGood: boolean;
  /** The operations that did not end as planned. */
  readonly open: readonly OpenOutcome[];
  /** The numbers of operations that were not begun, by reason; empty if `open` has them. */
  readonly notBegun: readonly string[];
  /** The result of reading the workspace again; empty if it was not read. */
  readonly verification: readonly string[];
  /** The next command; empty if there is nothing to do. */
  readonly next: readonly string[];
  /** Path of the journal, if something is left to do. */
  readonly journal?: string;
}

/** The view of a finished run. Operations that were not begun are counted, or with `listsAll` each is listed. */
export function outcomeView(applied: Applied, listsAll: boolean): OutcomeView {
  const { result, verification, journal, explain } = applied;
  const isDone = isComplete(result);
  const open = result.outcomes.filter(({ status }) => status !== "done" && (listsAll || status !== "skipped"));
  return {
    headline: headline(result.counts, result.outcomes.length),
    isGood: isDone && (verification === null || verification.status === "verified"),
    open: open.map((outcome) => {
      const [word, tone] = OUTCOMES[outcome.status];
      return { operation: outcome.operation, word, tone, reasons: reasonsOf(outcome, explain) };
    }),
    notBegun: listsAll ? [] : notBegunLines(result.outcomes),
    verification: verificationLines(applied),
    next: nextSteps(applied),
    ...(journal === undefined || isDone ? {} : { journal }),
  };
}

function headline(counts: Counts, total: number): string {
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

/** The reasons why an operation did not end as planned. */
function reasonsOf(outcome: Outcome, explain: Applied["explain"]): readonly string[] {
  switch (outcome.status) {
    case "done":
      return [];
    case "fell_back":
    case "retained":
      return [`${outcome.after === undefined ? "the service reported: " : ""}${sanitised(outcome.message)}`];
    case "failed":
    case "unknown":
      return explain(outcome.error, outcome.operation.address);
    case "pending":
      return [`approval ${sanitised(outcome.approvalId)}: ${sanitised(outcome.message)}`];
    case "skipped":
      return [skippedReason(outcome)];
  }
}

function notBegunLines(outcomes: readonly Outcome[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const outcome of outcomes) {
    if (outcome.status !== "skipped") continue;
    const reason = outcome.because === "depends" ? "required operations were not done" : skippedReason(outcome);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => `${counted(count, "operation")}: ${reason}`);
}

function skippedReason({ because, after }: Skipped): string {
  return SKIPPED[because].replace("{after}", sanitised(after ?? "another operation"));
}

type Skipped = Extract<Outcome, { status: "skipped" }>;

const SKIPPED: Readonly<Record<Skipped["because"], string>> = {
  depends: "it depends on {after}",
  stopped: "the run stopped at {after}",
  interrupted: "the run was interrupted",
};

/** The line about the verification. It does not cover options that the service refused to remove, nor accepted differences. */
function verificationLines({
  plan: { accepted = [], undoes, rotates, warnings, partial },
  result,
  verification,
  words = NO_WORDS,
}: Pick<Applied, "plan" | "result" | "verification" | "words">): readonly string[] {
  const names = storedNames({ result, verification });
  const nameLines = names.map(nameLine);
  switch (verification?.status) {
    case undefined:
      return nameLines;
    case "verified": {
      if (rotates !== undefined) return ["Verified: the service lists the tokens as planned."];
      const exceptions = [
        ...(result.counts.retained === 0 ? [] : ["what was preserved because it is in use"]),
        ...(accepted.length === 0 ? [] : ["accepted differences"]),
        ...((verification.stored ?? []).length === 0 ? [] : ["what the service stored otherwise"]),
        ...(warnings.some(({ code }) => code === "W_UNDO") ? ["what its plan says cannot be restored"] : []),
      ];
      const exception = exceptions.length === 0 ? "" : `, except for ${exceptions.join(" and ")}`;
      const part =
        partial === undefined
          ? "the workspace matches what the files declare"
          : "what the plan covers matches the configuration";
      const match = undoes === undefined ? part : `run ${undoes} is undone`;
      return [`Verified: ${match}${exception}.`, ...storedLines(verification.stored ?? [], names, words), ...nameLines];
    }
    case "differs":
      return [...nameLines, "Not verified: the workspace still differs from the configuration, as shown below."];
    case "unknown_tokens":
      return [...nameLines, ...verification.tokens.flatMap((token) => unknownTokenLines(token, words))];
    case "unread":
      return [...nameLines, `Not verified: the workspace could not be read again: ${verification.reason}`];
  }
}

function unknownTokenLines({ address, prefix, last_used_at: used }: UnknownToken, words: RunWords): readonly string[] {
  const use = used === undefined ? "" : used === null ? " (never used)" : ` (last used ${used})`;
  const command = `rotate ${shellWord(address)} --revoke --token ${shellWord(prefix)} --allow-delete`;
  return [
    sanitised(`Not verified: ${address} has a token that this run neither issued nor planned with: ${prefix}${use}.`),
    sanitised(`  Unless somebody else has just issued it, nobody holds it: end it with ${programLine(command, words)}`),
  ];
}

/** A name that the service stored otherwise than a creation sent it. */
interface StoredName {
  readonly address: string;
  readonly field: string;
  readonly sent: string;
  readonly live: string;
}

/** The names that the service stored otherwise; of a verified run, those that the next plan does not take for the declared ones. */
function storedNames({ result, verification }: Pick<Applied, "result" | "verification">): readonly StoredName[] {
  const stored = verification?.status === "verified" ? (verification.stored ?? []) : undefined;
  return result.outcomes.flatMap((outcome) => {
    if (outcome.status !== "done" || outcome.created === undefined) return [];
    const { created, operation } = outcome;
    const { address } = operation;
    return Object.keys(operation.guard?.names?.[0] ?? {}).flatMap((field) => {
      const [sent, live] = [operation.body?.[field], created[field]];
      const isLate = operation.inserts?.some(({ at }) => at === `/body/${field}`) === true;
      if (isLate || typeof sent !== "string" || typeof live !== "string" || sent === live) return [];
      const isTold = stored?.some((one) => one.address === address && one.field.path === `/${field}`);
      return isTold === false ? [] : [{ address, field, sent, live }];
    });
  });
}

/** A line that says which name to write. */
function nameLine({ address, field, sent, live }: StoredName): string {
  const [shown, written] = [quoted(live, sent), yamlWord(live, sent)];
  return `The service stored the ${field} of ${sanitised(address)} as ${shown}: write ${field}: ${written} in the files.`;
}

/** A line for each field that the service stored with another value than was sent, and what to do about it. */
function storedLines(
  all: readonly StoredOtherwise[],
  names: readonly StoredName[],
  words: RunWords,
): readonly string[] {
  const stored = all.filter(
    ({ address, field: { path } }) => !names.some((name) => name.address === address && `/${name.field}` === path),
  );
  const lines = stored.map(({ address, field: { path, before, after, secret }, unreturned }) => {
    const name = `${sanitised(address)} ${sanitised(path.slice(1))}`;
    if (unreturned) return `  ${name}: the service does not return it`;
    return secret === true
      ? `  ${name}: the service stored another value than was sent; the next apply sends it again`
      : `  ${name}: sent ${sanitised(valueText(after, before))}, stored ${sanitised(valueText(before, after))}`;
  });
  if (stored.every(({ unreturned, field: { secret } }) => unreturned || secret === true)) return lines;
  return [
    ...lines,
    `To write the stored values into the files, run ${programLine("pull", words)}. While both stand, no plan sends them again.`,
  ];
}

/** The line about the next command; none if there is nothing to do. */
function nextSteps({
  plan: { undoes, rotates },
  result: { counts },
  verification,
  otherFiles: [file, ...rest] = [],
  words = NO_WORDS,
}: Pick<Applied, "plan" | "result" | "verification" | "otherFiles" | "words">): readonly string[] {
  const line = (command: string): string => programLine(command, words);
  // A rotation needs no files, and `resume` reads them.
  const rotation = rotates && `${line(`rotate ${rotates.map(shellWord).join(" ")}`)} again`;
  const finish = rotation ?? line("resume");
  if (counts.unknown > 0) return [`Next: to find out whether the unknown operations took effect, run ${finish}`];
  if (counts.pending > 0) return [`Next: once the change is approved, run ${finish}`];
  if (counts.failed > 0) return [`Next: fix the cause, then run ${rotation ?? line("apply")}`];
  if (counts.skipped > 0)
    return [
      undoes === undefined
        ? `Next: to finish the run, run ${finish}`
        : "Next: to finish the undo, apply its plan file again",
    ];
  if (verification?.status === "verified" && undoes !== undefined) {
    const more = rest.length === 0 ? "" : ` and ${counted(rest.length, "more file")}`;
    const edit = file === undefined ? "" : `change ${sanitised(file)}${more}, and `;
    return [
      `Next: unless you have changed the files, they still declare what run ${undoes} applied; to write the workspace into them, ${edit}run ${line("pull")}`,
    ];
  }
  if (verification === null || verification.status === "verified") return [];
  return [
    `Next: to see ${rotates === undefined ? `the differences, run ${line("plan")}` : `what is live, run ${line("get")}`}`,
  ];
}
