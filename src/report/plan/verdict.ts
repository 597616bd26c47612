/** A plan in one line: what is in it, and whether somebody has to look. */

import { sanitised } from "../../core/sanitise.ts";
import type { Drift } from "../../drift/drift.ts";
import type { Plan, Risk } from "../../plan/plan.ts";
import { counted } from "../format/value.ts";
import { driftSummary, isEmpty, planSummary } from "./summary.ts";
import type { Wording } from "./wording.ts";

/** How much there is to worry about. */
export type Concern = "none" | "blocked" | Risk;

/** The line in its parts; they are safe to show. */
export interface Verdict {
  readonly concern: Concern;
  /** What is counted: `Plan: 2 to create, … 9 requests.` */
  readonly summary: string;
  /** What to make of it; absent where the summary says it. */
  readonly advice?: string;
}

/** Judges a plan, or what a drift has found. */
export function verdictOf(plan: Plan, wording: Wording, memory?: Drift): Verdict {
  const summary = wording.asks ? planSummary(plan, wording) : driftSummary(plan, wording, memory);
  if (plan.blocked.length > 0 && wording.asks) {
    const flags = plan.blocked.flatMap(({ flag }) => (flag === undefined ? [] : [sanitised(flag)]));
    const without = flags.length === 0 ? "" : ` without ${[...new Set(flags)].join(" ")}`;
    return { concern: "blocked", summary, advice: `Blocked: apply refuses it${without}.` };
  }
  if (isEmpty(plan)) return { concern: "none", summary };
  if (!wording.asks) return { concern: "attention", summary };
  const count = (risk: Risk): number => plan.changes.filter((change) => change.risk === risk).length;
  const destructive = count("destructive");
  if (destructive > 0) {
    return { concern: "destructive", summary, advice: `${counted(destructive, "change")} cannot be taken back.` };
  }
  const attention = count("attention");
  if (attention > 0) {
    return { concern: "attention", summary, advice: `${counted(attention, "change")} to look at with care.` };
  }
  return { concern: "safe", summary, advice: "No change in it needs special care." };
}
