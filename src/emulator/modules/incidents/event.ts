/** Timeline events, and their recording. */

import { randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import { boolean, enumText, indexed, json, key, optionalText, type Table, table, text } from "../../store/table.ts";
import type { TransactionContext } from "../../transaction.ts";
import type { Actor } from "../responders/people.ts";
import { queueDeliveries } from "../webhooks/delivery.ts";
import { type IncidentRow, serializeIncident } from "./incident.ts";

/** A milestone, noted from the channel's conversation. */
export type Milestone = {
  readonly kind: MilestoneKind;
  readonly statement: string;
  /** The name of the speaker. */
  readonly said_by: string;
  readonly said_at: string;
  readonly message_text: string;
  readonly permalink: string;
};

/** The kind of a milestone. */
export type MilestoneKind = (typeof milestoneKinds)[number];

/** Every kind, in the interface's order. */
export const milestoneKinds = [
  "hypothesis",
  "finding",
  "root_cause",
  "mitigation",
  "decision",
  "blocker",
  "impact",
  "recovery",
] as const;

/** The type of a timeline event. */
export type EventType =
  | `incident.${"created" | "updated" | "accepted" | "resolved" | "reopened" | "canceled"}`
  | `incident.${"escalated" | "escalation_acknowledged" | "escalation_nudged" | "marked_duplicate" | "merged_into"}`
  | "lead.assigned"
  | `role.${"assigned" | "unassigned"}`
  | `action.${"created" | "picked_up" | "reassigned" | "completed"}`
  | `postmortem.${"generated" | "edited"}`
  | "relationship.created"
  | `alert.${"attached" | "resolved"}`
  | "runbook.attached"
  | "milestone.noted";

/** One event of a timeline. */
export interface EventRow {
  readonly id: string;
  readonly incident_id: string;
  readonly event_type: EventType;
  readonly description: string;
  readonly automated: boolean;
  readonly occurred_at: string;
  /** Null for automated events. */
  readonly actor: Actor | null;
  /** Null for all events but notes. */
  readonly milestone: Milestone | null;
  /** Set for a dismissed note, which is no longer listed. */
  readonly dismissed_at: string | null;
}

/** The events of all timelines. */
export const events: Table<EventRow> = indexed(
  table("incident_events", {
    id: key,
    incident_id: text,
    event_type: enumText(),
    description: text,
    automated: boolean,
    occurred_at: text,
    actor: json<Actor | null>(),
    milestone: json<Milestone | null>(),
    dismissed_at: optionalText,
  }),
  "incident_id",
  "occurred_at",
);

/** The details of an event. Without an actor the event is automated. */
export interface EventDetails {
  readonly type: EventType;
  readonly description: string;
  readonly actor?: Actor;
  readonly milestone?: Milestone;
  /** Objects in the webhook's body besides the incident and the actor. */
  readonly objects?: Fields;
}

/** Records an event on the incident's timeline, and queues its webhook deliveries. */
export function recordEvent(transaction: TransactionContext, incident: IncidentRow, details: EventDetails): EventRow {
  const { type, description, actor = null, milestone = null, objects = {} } = details;
  const event: EventRow = {
    id: randomUUID(),
    incident_id: incident.id,
    event_type: type,
    description,
    automated: actor === null,
    occurred_at: transaction.timestamp,
    actor,
    milestone,
    dismissed_at: null,
  };
  transaction.database.insert(events, event);
  queueDeliveries(transaction, type, () => ({
    incident: serializeIncident(transaction.database, incident),
    actor,
    ...objects,
  }));
  return event;
}
