/** Timeline events: how they are stored, and how something that happened to an incident is recorded. */

import { randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import { boolean, indexed, json, key, optionalText, type Table, table, text, word } from "../../store/table.ts";
import type { Act } from "../../transaction.ts";
import type { Actor } from "../responders/people.ts";
import { announce } from "../webhooks/delivery.ts";
import { type IncidentRow, incidentView } from "./incident.ts";

/** What a note from the channel conversation says. */
export type Milestone = {
  readonly kind: MilestoneKind;
  readonly statement: string;
  /** The name of who said it. */
  readonly said_by: string;
  readonly said_at: string;
  readonly message_text: string;
  readonly permalink: string;
};

/** The kinds of a milestone. */
export type MilestoneKind = (typeof milestoneKinds)[number];

/** The eight kinds, in the order of the interface. */
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

/** The event types a timeline may hold. */
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
  /** Null for everything but notes. */
  readonly milestone: Milestone | null;
  /** Set for a dismissed note, which the timeline no longer shows. */
  readonly dismissed_at: string | null;
}

/** The events of all timelines. */
export const events: Table<EventRow> = indexed(
  table("incident_events", {
    id: key,
    incident_id: text,
    event_type: word(),
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

/** Something that happened: what, in words, and by whom; without an actor it happened by itself. */
export interface Happening {
  readonly type: EventType;
  readonly description: string;
  readonly actor?: Actor;
  readonly milestone?: Milestone;
  /** What webhooks are told besides the incident and the actor. */
  readonly objects?: Fields;
}

/** Records on the incident's timeline what happened at the time of the act, and tells the webhooks that want to know. */
export function record(act: Act, incident: IncidentRow, happening: Happening): EventRow {
  const { type, description, actor = null, milestone = null, objects = {} } = happening;
  const event: EventRow = {
    id: randomUUID(),
    incident_id: incident.id,
    event_type: type,
    description,
    automated: actor === null,
    occurred_at: act.timestamp,
    actor,
    milestone,
    dismissed_at: null,
  };
  act.database.insert(events, event);
  announce(act, type, () => ({ incident: incidentView(act.database, incident), actor, ...objects }));
  return event;
}
