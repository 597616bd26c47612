/** The closing line of a report, and what must be said so that it is not taken for more than it is. */

import { sanitised } from "../../core/sanitise.ts";
import type { Drift } from "../../drift/drift.ts";
import type { Plan } from "../../plan/plan.ts";
import { driftStatusSummary } from "../drift/text.ts";
import { counted } from "../format/value.ts";
import { ACTIONS, type Wording } from "./wording.ts";

/** Whether the workspace is as the configuration wants it, as far as the plan looked. */
export function isEmpty(plan: Plan): boolean {
  return plan.operations.length === 0 && ACTIONS.every((action) => plan.summary[action] === 0);
}

/** The last line of a plan: `Plan: 2 to create, … 9 requests.`, or that nothing is to do. */
export function planSummary(plan: Plan, wording: Wording): string {
  if (isEmpty(plan)) return wording.nothing;
  const parts = ACTIONS
    // Enabling is rare: it is named only where it happens.
    .filter((action) => action !== "enable" || plan.summary.enable > 0)
    .map((action) => wording.actions[action].count(plan.summary[action]));
  const requests = plan.summary.requests;
  return `${wording.title}: ${parts.join(", ")}. ${requests} ${requests === 1 ? "request" : "requests"}.`;
}

/** The last line of a drift report: only what occurs, and what is remembered of the rest. */
export function driftSummary(plan: Plan, wording: Wording, memory?: Drift): string {
  const beside = memory === undefined ? "" : driftStatusSummary(memory);
  const found = isEmpty(plan) && (memory?.known.length ?? 0) > 0 ? "No new drift." : differing(plan, wording);
  return beside === "" ? found : `${found} ${beside}`;
}

function differing(plan: Plan, wording: Wording): string {
  if (isEmpty(plan)) return wording.nothing;
  const parts = ACTIONS.filter((action) => plan.summary[action] > 0).map((action) =>
    wording.actions[action].count(plan.summary[action]),
  );
  return `${wording.title}: ${parts.join(", ")}.`;
}

/** What the summary does not cover: fields that could not be compared, and what narrowed the plan. */
export function reservations(plan: Plan, wording: Wording, where: "above" | "below" = "above"): readonly string[] {
  const lines: string[] = [];
  if (plan.unreadable.length > 0) {
    lines.push(`${counted(plan.unreadable.length, "field")} could not be compared (listed ${where}).`);
  }
  if (plan.partial !== undefined) {
    lines.push(`This ${wording.noun} is partial: ${plan.partial.map(sanitised).join(" ")}.`);
  }
  return lines;
}
