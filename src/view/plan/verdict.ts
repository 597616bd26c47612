/** The verdict on a plan, in one line: its summary, how much attention it needs, and the flags that approve it. */

import { groupBy } from "../../core/lists.ts";
import { sanitised } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";
import type { Drift } from "../../plan/drift/drift.ts";
import type { Blocked, Change, Plan, Risk } from "../../plan/model/plan.ts";
import { driftSummary, isEmpty, planSummary } from "./summary.ts";
import type { Wording } from "./wording.ts";

/** The highest risk in a plan. */
export type Concern = "none" | "blocked" | Risk;

/** The parts of the line, sanitised. */
export interface Verdict {
  readonly concern: Concern;
  /** The summary: `Plan: 2 to create, … 9 requests.` */
  readonly summary: string;
  /** Advice to a reviewer; absent if the summary is enough. */
  readonly advice?: string;
  /** The approval flags that the advice names, as one part of a command line. */
  readonly flags?: string;
}

/** The verdict on a plan or on drift. */
export function verdictOf(plan: Plan, wording: Wording, drift?: Drift): Verdict {
  const summary = wording.isPlan ? planSummary(plan, wording) : driftSummary(plan, wording, drift);
  if (plan.blocked.length > 0 && wording.isPlan) {
    const flags = approvalFlags(plan.blocked).join(" ");
    return { concern: "blocked", summary, advice: approvalAdvice(plan.blocked), ...(flags === "" ? {} : { flags }) };
  }
  if (isEmpty(plan)) return { concern: "none", summary };
  if (!wording.isPlan) return { concern: "attention", summary };
  const count = (risk: Risk): number => plan.changes.filter((change) => change.risk === risk).length;
  const destructive = count("destructive");
  if (destructive > 0) {
    return { concern: "destructive", summary, advice: `${counted(destructive, "change")} cannot be undone.` };
  }
  const attention = changesToReview(plan).length;
  if (attention > 0) {
    return {
      concern: "attention",
      summary,
      advice: `${counted(attention, "change needs", "changes need")} attention.`,
    };
  }
  return { concern: "safe", summary, advice: "No change needs attention." };
}

/** Each approval flag of a plan once, in the order of the reasons, sanitised. */
export function approvalFlags(blocked: readonly Blocked[]): readonly string[] {
  return [...new Set(blocked.flatMap(({ flag }) => (flag === undefined ? [] : [sanitised(flag)])))];
}

/** The command that approves everything in a plan; undefined if nothing is blocked, or something has no approval flag. */
export function approvalCommand({ blocked, target: { environment } }: Plan): string | undefined {
  if (blocked.length === 0 || blocked.some(({ flag }) => flag === undefined)) return undefined;
  const env = environment === undefined ? [] : [`--env ${sanitised(environment)}`];
  return ["incidentctl apply", ...env, ...approvalFlags(blocked)].join(" ");
}

/** The sentence about a plan that is blocked: the flags that approve it, or that some reason has no flag. */
function approvalAdvice(blocked: readonly Blocked[]): string {
  const flags = approvalFlags(blocked).join(" ");
  const others = blocked.filter(({ flag }) => flag === undefined).length;
  if (others === 0) return `Blocked: apply requires ${flags}.`;
  const rest = flags === "" ? "" : ` The others require ${flags}.`;
  return `Blocked: apply refuses this plan; ${others === 1 ? "1 reason has" : `${others} reasons have`} no approval flag.${rest}`;
}

/** The changes that cannot be undone, and then those that need attention. */
export function changesToReview({ changes }: Plan): readonly Change[] {
  const destructive = changes.filter(({ risk }) => risk === "destructive");
  return [
    ...destructive,
    ...changes.filter(({ risk, attention }) => risk !== "destructive" && attention !== undefined),
  ];
}

/** The same changes; those that differ only in their addresses are one group. */
export function reviewGroups(plan: Plan): readonly (readonly Change[])[] {
  const groups = groupBy(changesToReview(plan), (change) =>
    JSON.stringify([change.risk, change.kind, change.action, reviewReason(change)]),
  );
  return [...groups.values()];
}

/** Why a reviewer should look at the change. */
export function reviewReason({ attention, reason }: Change): string {
  return attention ?? reason;
}
