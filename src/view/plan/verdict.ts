/** The verdict on a plan or on drift in a few sentences: its summary, how much attention it needs, and the flags that approve it. */

import { NO_WORDS, programLine, type RunWords, sanitised, shellWord } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";
import type { Drift } from "../../plan/drift/drift.ts";
import { actionCounts, type Blocked, type Change, type Plan, type Risk } from "../../plan/model/plan.ts";
import { releasedSentence } from "./base-view.ts";
import { ACTIONS, type Wording } from "./wording.ts";

/** The highest risk in a plan. */
export type Concern = "none" | "blocked" | Risk;

/** The sentences, sanitised; one that is not needed is empty. */
export interface Verdict {
  readonly concern: Concern;
  /** The last line of a report: `Plan: 2 to create, … 9 requests.` */
  readonly summary: string;
  /** Advice to a reviewer. */
  readonly advice: string;
  /** The approval flags that the advice names, as one part of a command line. */
  readonly flags: string;
  /** The command that approves everything; empty if something has no approval flag. */
  readonly command: string;
}

/** Words of the command that applies a plan. */
export interface ApplyWords {
  /** Its approval flags: those that were typed for the plan, and those that are missing. Default: the missing ones. */
  readonly approvals?: readonly string[];
  /** The words after them. Default: those of the plan's environment. */
  readonly applyWords?: readonly string[];
}

/** The verdict on a plan or on drift. */
export function verdictOf(
  plan: Plan,
  wording: Wording,
  drift?: Drift,
  { approvals = approvalFlags(plan.blocked), applyWords = environmentWords(plan).flags }: ApplyWords = {},
): Verdict {
  const summary = wording.isPlan ? planSummary(plan, wording) : driftSummary(plan, wording, drift);
  const verdict = { concern: "none" as const, summary, advice: "", flags: "", command: "" };
  if (wording.isPlan && plan.blocked.length > 0)
    return { ...verdict, concern: "blocked", ...approvalOf(plan, [...approvals, ...applyWords]) };
  if (isEmpty(plan))
    return wording.isPlan && (plan.released ?? []).length > 0 ? { ...verdict, concern: "attention" } : verdict;
  if (!wording.isPlan) return { ...verdict, concern: "attention" };
  const destructive = plan.changes.filter(({ risk }) => risk === "destructive").length;
  if (destructive > 0) {
    return { ...verdict, concern: "destructive", advice: `${counted(destructive, "change")} cannot be undone.` };
  }
  const toReview = plan.changes.filter(({ attention }) => attention !== undefined).length;
  const { length: renames } = plan.renames ?? [];
  if (toReview === 0 && renames > 0) {
    return {
      ...verdict,
      concern: "attention",
      advice: `${counted(renames, "possible rename needs", "possible renames need")} attention.`,
    };
  }
  if (toReview === 0) return { ...verdict, concern: "safe", advice: "No change needs attention." };
  const advice = `${counted(toReview, "change needs", "changes need")} attention.`;
  return { ...verdict, concern: "attention", advice };
}

/** Whether the plan has neither changes nor operations. */
export function isEmpty(plan: Plan): boolean {
  return plan.operations.length === 0 && ACTIONS.every((action) => plan.summary[action] === 0);
}

/** Each approval flag of a plan once, in the order of the reasons, sanitised. */
export function approvalFlags(blocked: readonly Blocked[]): readonly string[] {
  return [...new Set(blocked.flatMap(({ flag }) => (flag === undefined ? [] : [sanitised(flag)])))];
}

/** The sentence about a plan that is blocked: the flags that approve it, or that some reason has no flag. */
function approvalOf(
  { blocked, rotates }: Plan,
  words: readonly string[],
): Pick<Verdict, "advice" | "flags" | "command"> {
  const flags = approvalFlags(blocked).join(" ");
  const others = blocked.filter(({ flag }) => flag === undefined).length;
  const name = rotates === undefined ? "apply" : "rotate";
  if (others === 0) {
    const command = programLine([name, ...(rotates ?? []).map(shellWord), ...words].join(" "), NO_WORDS);
    return { advice: `Blocked: ${name} requires ${flags}.`, flags, command };
  }
  const rest = flags === "" ? "" : ` The others require ${flags}.`;
  const reasons = counted(others, "reason");
  return {
    advice: `Blocked: ${name} refuses this plan for ${reasons} that no flag approves.${rest}`,
    flags,
    command: "",
  };
}

/** The words that name the environment of a plan. */
export function environmentWords({ target: { environment } }: Pick<Plan, "target">): RunWords {
  return { flags: environment === undefined ? [] : ["--env", shellWord(environment)], files: [] };
}

function planSummary(plan: Plan, wording: Wording): string {
  const { accepted = [], ignored = [], others = [], summary } = plan;
  const unknown = others.filter(({ why }) => why !== undefined).length;
  const leftAlone = countsText([
    [accepted.length, "accepted"],
    [ignored.length, "ignored"],
    [others.length - unknown, "made by others"],
    [unknown, "of unknown origin"],
  ]);
  const released = releasedSentence(plan);
  const end = [leftAlone === "" ? "" : ` ${leftAlone}.`, released === "" ? "" : ` ${released}`].join("");
  if (isEmpty(plan)) return `${noChanges(plan, wording)}${end}`;
  const parts = ACTIONS
    // Enabling is rare, so its number is left out if it is 0.
    .filter((action) => action !== "enable" || summary.enable > 0)
    .map((action) => wording.actions[action].count(summary[action]));
  return `${wording.title}: ${parts.join(", ")}. ${counted(summary.requests, "request")}.${end}`;
}

/** The summary without changes. A resource or an option that stays although it is not declared is not a match. */
function noChanges(
  { warnings, accepted = [], released = [], undoes, partial }: Plan,
  { noChanges: opening }: Wording,
): string {
  const exceptions = [
    ...(warnings.some(({ code }) => code === "W_RETAINED") ? ["what is preserved (see the warnings)"] : []),
    ...(accepted.length > 0 ? ["accepted differences"] : []),
  ];
  if (undoes === undefined && released.length > 0) return opening;
  const exception = exceptions.length === 0 ? "" : `, except for ${exceptions.join(" and ")}`;
  const match =
    partial === undefined
      ? "The workspace matches what the files declare"
      : "What this plan covers matches the configuration";
  if (undoes === undefined) return `${opening} ${match}${exception}.`;
  const remainder = warnings.some(({ code }) => code === "W_UNDO") ? ", except for what the warnings name" : "";
  return `${opening} Nothing of run ${undoes} is left to undo${remainder}.`;
}

/** The changes that occur, and the numbers of accepted, expired, resolved and ignored differences. */
function driftSummary(plan: Plan, wording: Wording, drift?: Drift): string {
  const counts = ACTIONS.filter((action) => plan.summary[action] > 0).map((action) =>
    wording.actions[action].count(plan.summary[action]),
  );
  const differences = isEmpty(plan) ? noChanges(plan, wording) : `${wording.title}: ${counts.join(", ")}.`;
  if (drift === undefined) return differences;
  const { known, expired, resolved } = drift;
  const accepted = countsText([
    [known.length, "accepted"],
    [expired.length, "expired"],
    [resolved.length, "resolved"],
    [plan.ignored?.length ?? 0, "ignored"],
  ]);
  const opening = isEmpty(plan) && known.length > 0 ? "No new drift." : differences;
  return accepted === "" ? opening : `${opening} ${accepted}.`;
}

/** The number of changes by action: `2 to create, 1 to move`. */
export function countActions(changes: readonly Change[], wording: Wording): string {
  const numbers = actionCounts(changes);
  return ACTIONS.filter((action) => numbers[action] > 0)
    .map((action) => wording.actions[action].count(numbers[action]))
    .join(", ");
}

/** The numbers that are not 0, with their words: `2 edited, 1 moved`. */
export function countsText(counts: readonly (readonly [count: number, word: string])[]): string {
  return counts
    .filter(([count]) => count > 0)
    .map((part) => part.join(" "))
    .join(", ");
}
