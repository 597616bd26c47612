/** Timeline events, and their recording. */

import { randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import { type ObjectSchema, objectSchema } from "../../http/response-schema.ts";
import type { SchemaValue } from "../../http/value-schema.ts";
import type { TransactionContext } from "../../service/service-context.ts";
import { indexed, type RowOfColumns, rowTable, type Table } from "../../store/table.ts";
import { type Actor, actorSchema } from "../people.ts";
import { queueDeliveries } from "../webhooks/delivery.ts";
import { type WebhookEvent, webhookEvents } from "../webhooks/webhooks.ts";
import { type IncidentRow, serializeIncident } from "./incident.ts";

/** A milestone, noted from the channel's conversation. */
export type Milestone = SchemaValue<typeof noteSchema>;

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

const noteProperties = {
  kind: { type: "string", enum: milestoneKinds as typeof milestoneKinds },
  statement: { type: "string", examples: ["The database ran out of connections"] },
  said_by: { type: "string", description: "The name of the speaker.", examples: ["Ada Okafor"] },
  said_at: { type: "string", format: "date-time" },
  message_text: { type: "string", examples: ["The database is at its limit of connections"] },
  permalink: { type: "string", format: "uri" },
} as const;

const dismissal = { dismissed_at: { type: ["string", "null"], format: "date-time", examples: [null] } } as const;

const noteSchema: ObjectSchema<typeof noteProperties> = objectSchema("Note", noteProperties);

/** The schema of a milestone in responses and deliveries. */
export const milestoneSchema: ObjectSchema<typeof noteProperties & typeof dismissal> = objectSchema("Milestone", {
  ...noteProperties,
  ...dismissal,
});

/** The type of a timeline event. */
export type EventType = WebhookEvent | (typeof undeliveredEvents)[number];

/** Events to which webhooks cannot subscribe. */
const undeliveredEvents = [
  "incident.escalation_acknowledged",
  "incident.escalation_nudged",
  "alert.attached",
  "alert.resolved",
] as const;

const eventTypes: readonly EventType[] = [...webhookEvents, ...undeliveredEvents];

const eventProperties = {
  id: { type: "string", format: "uuid" },
  event_type: { type: "string", enum: eventTypes as typeof eventTypes },
  description: { type: "string", examples: ["Ada Okafor declared INC-1: Checkout is slow"] },
  automated: { type: "boolean", examples: [false] },
  occurred_at: { type: "string", format: "date-time" },
  actor: {
    anyOf: [actorSchema as typeof actorSchema, { type: "null" }],
    description: "Null for automated events.",
  },
  milestone: {
    anyOf: [milestoneSchema as typeof milestoneSchema, { type: "null" }],
    description: "Null for all events but notes from the channel.",
    examples: [null],
  },
} as const;

/** The schema of an event in responses. */
export const eventSchema: ObjectSchema<typeof eventProperties> = objectSchema("TimelineEvent", eventProperties);

const eventColumns = {
  id: { type: "string" },
  incident_id: { type: "string" },
  event_type: { type: "string", enum: eventTypes as typeof eventTypes },
  description: { type: "string" },
  automated: { type: "boolean" },
  occurred_at: { type: "string" },
  // Null for automated events.
  actor: { anyOf: [actorSchema as typeof actorSchema, { type: "null" }] },
  // Null for all events but notes.
  milestone: { anyOf: [noteSchema as typeof noteSchema, { type: "null" }] },
  // Set for a dismissed note, which is no longer listed.
  dismissed_at: { type: ["string", "null"] },
} as const;

/** One event of a timeline. */
export type EventRow = RowOfColumns<typeof eventColumns>;

/** The events of all timelines. */
export const events: Table<EventRow> = indexed(rowTable("incident_events", eventColumns), "incident_id", "occurred_at");

/** The details of an event. Without an actor the event is automated. */
export interface EventDetails {
  readonly type: EventType;
  readonly description: string;
  readonly actor?: Actor | undefined;
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
