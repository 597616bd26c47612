/** The lifecycle of an incident: the moves between stages, and the refused ones. */

import { HttpError } from "../../http/http-error.ts";
import type { LifecycleStage } from "../option-lists/option-list.ts";
import { isLive } from "./incident.ts";

/** The event of a change of stage. */
export type LifecycleEvent =
  | "incident.accepted"
  | "incident.resolved"
  | "incident.canceled"
  | "incident.reopened"
  | "incident.updated";

/** The move between two stages. Throws 422 incident_not_active for resolved to canceled and canceled to resolved. */
export function lifecycleEvent(from: LifecycleStage, to: LifecycleStage): LifecycleEvent {
  if (from === to) return "incident.updated";
  if (isLive(to)) {
    if (!isLive(from)) return "incident.reopened";
    return to === "active" ? "incident.accepted" : "incident.updated";
  }
  if (isLive(from)) return to === "closed" ? "incident.resolved" : "incident.canceled";
  throw incidentNotActive(
    to === "closed"
      ? "A canceled incident cannot be resolved; reopen it first"
      : "A resolved incident cannot be canceled; reopen it first",
  );
}

/** 422: the incident's state does not allow the change. */
export function incidentNotActive(reason: string): HttpError {
  return new HttpError(422, "incident_not_active", reason);
}

/** The word for an incident's state in the stage. */
export function stateWord(stage: LifecycleStage): "open" | "resolved" | "canceled" {
  if (isLive(stage)) return "open";
  return stage === "closed" ? "resolved" : "canceled";
}
