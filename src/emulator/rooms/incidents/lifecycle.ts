/** The lifecycle of an incident: what moving it from one stage to another is called, and which moves are refused. */

import { Refusal } from "../../http/http-error.ts";
import type { LifecycleStage } from "../option-lists/option-list.ts";
import { isLive } from "./incident.ts";

/** What a change of stage is recorded as. */
export type Move =
  | "incident.accepted"
  | "incident.resolved"
  | "incident.canceled"
  | "incident.reopened"
  | "incident.updated";

/** The move between two stages. Throws 422 incident_not_active for resolved to canceled and canceled to resolved. */
export function moveOf(from: LifecycleStage, to: LifecycleStage): Move {
  if (from === to) return "incident.updated";
  if (isLive(to)) {
    if (!isLive(from)) return "incident.reopened";
    return to === "active" ? "incident.accepted" : "incident.updated";
  }
  if (isLive(from)) return to === "closed" ? "incident.resolved" : "incident.canceled";
  throw notActive(
    to === "closed"
      ? "A canceled incident cannot be resolved; reopen it first"
      : "A resolved incident cannot be canceled; reopen it first",
  );
}

/** 422: the incident is in a state in which it cannot take the change. */
export function notActive(reason: string): Refusal {
  return new Refusal(422, "incident_not_active", reason);
}

/** The word for incidents of the stage. */
export function stateWord(stage: LifecycleStage): "open" | "resolved" | "canceled" {
  if (isLive(stage)) return "open";
  return stage === "closed" ? "resolved" : "canceled";
}
