/** The summary line of a report, and the lines about what it does not cover. */

import { sanitised } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";
import type { Drift } from "../../plan/drift/drift.ts";
import type { Plan } from "../../plan/model/plan.ts";
import { driftStatusSummary } from "./drift-status.ts";
import { leftAloneSummary } from "./left-alone.ts";
import { ACTIONS, type Wording } from "./wording.ts";

/** Whether the plan has neither changes nor operations. */
export function isEmpty(plan: Plan): boolean {
  return plan.operations.length === 0 && ACTIONS.every((action) => plan.summary[action] === 0);
}

/** The service of a plan, and its environment: `https://incidents.example.com, environment staging`. */
export function targetName({ target: { host, environment } }: Plan): string {
  return sanitised(environment === undefined ? host : `${host}, environment ${environment}`);
}

/** The last line of a plan: `Plan: 2 to create, … 9 requests.`, or that there are no changes. */
export function planSummary(plan: Plan, wording: Wording): string {
  const leftAlone = leftAloneSummary(plan);
  const end = leftAlone === "" ? "" : ` ${leftAlone}`;
  if (isEmpty(plan)) return `${noChangesSummary(plan, wording)}${end}`;
  const parts = ACTIONS
    // Enabling is rare, so its number is left out if it is 0.
    .filter((action) => action !== "enable" || plan.summary.enable > 0)
    .map((action) => wording.actions[action].count(plan.summary[action]));
  const requests = plan.summary.requests;
  return `${wording.title}: ${parts.join(", ")}. ${counted(requests, "request")}.${end}`;
}

/** The summary without changes. A resource or an option that stays although it is not declared is not a match. */
function noChangesSummary({ warnings, accepted = [], undoes }: Plan, { noChanges }: Wording): string {
  const exceptions = [
    ...(warnings.some(({ code }) => code === "W_RETAINED") ? ["what is preserved (see the warnings)"] : []),
    ...(accepted.length > 0 ? ["accepted differences"] : []),
  ];
  const exception = exceptions.length === 0 ? "" : `, except for ${exceptions.join(" and ")}`;
  if (undoes === undefined) return `${noChanges} The workspace matches the configuration${exception}.`;
  const remainder = warnings.some(({ code }) => code === "W_UNDO") ? ", except for what the warnings name" : "";
  return `${noChanges} Nothing of run ${undoes} is left to undo${remainder}.`;
}

/** The last line of a drift report: the changes that occur, and the number of accepted ones. */
export function driftSummary(plan: Plan, wording: Wording, drift?: Drift): string {
  const accepted = drift === undefined ? "" : driftStatusSummary(drift, plan.ignored?.length ?? 0);
  const differences =
    isEmpty(plan) && (drift?.known.length ?? 0) > 0 ? "No new drift." : differencesSummary(plan, wording);
  return accepted === "" ? differences : `${differences} ${accepted}`;
}

function differencesSummary(plan: Plan, wording: Wording): string {
  if (isEmpty(plan)) return noChangesSummary(plan, wording);
  const parts = ACTIONS.filter((action) => plan.summary[action] > 0).map((action) =>
    wording.actions[action].count(plan.summary[action]),
  );
  return `${wording.title}: ${parts.join(", ")}.`;
}

/** Lines about what the summary does not cover: fields that could not be compared, and the flags that narrowed the plan. */
export function reservationLines(plan: Plan, wording: Wording, where: "above" | "below" = "above"): readonly string[] {
  const lines: string[] = [];
  if (plan.unreadable.length > 0) {
    lines.push(`${counted(plan.unreadable.length, "field")} could not be compared (listed ${where}).`);
  }
  if (plan.partial !== undefined) {
    lines.push(`This ${wording.noun} is partial: ${plan.partial.map(sanitised).join(" ")}.`);
  }
  return lines;
}
