/** The verdict on a plan, in one line: its summary, how much attention it needs, and the flags that approve it. */

import { sanitised } from "../../core/sanitise.ts";
import type { Drift } from "../../drift/drift.ts";
import type { Blocked, Plan, Risk } from "../../plan/plan.ts";
import { counted } from "../format/value.ts";
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
  const attention = count("attention");
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

/** The sentence about a plan that is blocked: the flags that approve it, or that some reason has no flag. */
export function approvalAdvice(blocked: readonly Blocked[]): string {
  const flags = approvalFlags(blocked).join(" ");
  const others = blocked.filter(({ flag }) => flag === undefined).length;
  if (others === 0) return `Blocked: apply requires ${flags}.`;
  const rest = flags === "" ? "" : ` The others require ${flags}.`;
  return `Blocked: apply refuses this plan; ${others === 1 ? "1 reason has" : `${others} reasons have`} no approval flag.${rest}`;
}
