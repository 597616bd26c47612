/** The verdict on a plan, in one line: its summary, and how much attention it needs. */

import { sanitised } from "../../core/sanitise.ts";
import type { Drift } from "../../drift/drift.ts";
import type { Plan, Risk } from "../../plan/plan.ts";
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
}

/** The verdict on a plan or on drift. */
export function verdictOf(plan: Plan, wording: Wording, drift?: Drift): Verdict {
  const summary = wording.isPlan ? planSummary(plan, wording) : driftSummary(plan, wording, drift);
  if (plan.blocked.length > 0 && wording.isPlan) {
    const flags = plan.blocked.flatMap(({ flag }) => (flag === undefined ? [] : [sanitised(flag)]));
    const advice = flags.length === 0 ? "refuses this plan" : `requires ${[...new Set(flags)].join(" ")}`;
    return { concern: "blocked", summary, advice: `Blocked: apply ${advice}.` };
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
