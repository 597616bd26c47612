/** The timeline of an incident of a seed. */

import type { MessageRow } from "../modules/chat/transcript.ts";
import type { EventRow, Milestone } from "../modules/incident-record/event.ts";
import { type IncidentRow, identifierOf, isLive } from "../modules/incident-record/incident.ts";
import type { OptionRow } from "../modules/option-lists/option-list.ts";
import type { Actor } from "../modules/people.ts";
import { permalinkOf } from "../modules/responders/conversation.ts";
import type { SeedEvent, SeedIncident } from "./seed-data.ts";
import type { SeedReferences } from "./seed-references.ts";
import { stableId } from "./stable-ids.ts";

/** The events of the seed, or those that follow from the incident. */
export function timelineOf(
  references: SeedReferences,
  { timeline }: SeedIncident,
  row: IncidentRow,
  status: OptionRow,
  conversation: readonly MessageRow[],
): readonly EventRow[] {
  if (timeline === undefined) return impliedTimeline(row, status);
  return timeline.map((event, index): EventRow => {
    const field = `timeline[${index}]`;
    const occurredAt = references.time(event.occurred_at, `${field}.occurred_at`, row.declared_at);
    return {
      id: stableId("incident_events", row.id, String(index)),
      incident_id: row.id,
      event_type: event.event_type as EventRow["event_type"],
      description: event.description,
      automated: event.actor == null,
      occurred_at: occurredAt,
      actor: event.actor == null ? null : references.actor(event.actor, `${field}.actor`),
      milestone: milestoneOf(references, event, field, row, conversation),
      dismissed_at: references.optionalTime(event.dismissed_at, `${field}.dismissed_at`),
    };
  });
}

/** The milestone of an event, by the message that it notes. */
function milestoneOf(
  references: SeedReferences,
  { milestone, occurred_at }: SeedEvent,
  field: string,
  row: IncidentRow,
  conversation: readonly MessageRow[],
): Milestone | null {
  if (milestone === undefined) return null;
  const { kind, statement, message } = milestone;
  const noted = message === undefined ? undefined : conversation[message - 1];
  if (message !== undefined && noted === undefined) {
    throw references.error(`${field}.milestone.message`, "names no message");
  }
  const occurredAt = references.time(occurred_at, `${field}.occurred_at`, row.declared_at);
  return {
    kind,
    statement,
    said_by: milestone.said_by ?? noted?.said_by.name ?? "",
    said_at: references.time(milestone.said_at, `${field}.milestone.said_at`, noted?.said_at ?? occurredAt),
    message_text: milestone.message_text ?? noted?.text ?? statement,
    permalink: milestone.permalink ?? (noted === undefined ? "" : permalinkOf(row, noted.id)),
  };
}

function impliedTimeline(row: IncidentRow, { lifecycle_stage: stage }: OptionRow): readonly EventRow[] {
  const event = (
    index: number,
    event_type: EventRow["event_type"],
    occurred_at: string,
    description: string,
    actor: Actor | null,
  ): EventRow => ({
    id: stableId("incident_events", row.id, String(index)),
    incident_id: row.id,
    event_type,
    description,
    automated: actor === null,
    occurred_at,
    actor,
    milestone: null,
    dismissed_at: null,
  });
  const who = row.declared_by === null ? "Declared" : `${row.declared_by.name} declared`;
  const declared = `${who} ${identifierOf(row)}: ${row.name}`;
  const created = event(0, "incident.created", row.declared_at, declared, row.declared_by);
  if (isLive(stage)) return [created];
  const [type, word] =
    stage === "closed" ? (["incident.resolved", "Resolved"] as const) : (["incident.canceled", "Canceled"] as const);
  return [created, event(1, type, row.resolved_at ?? row.updated_at, `${word} ${identifierOf(row)}`, null)];
}
