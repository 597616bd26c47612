/** Endpoints of the timeline: list events and dismiss notes. */

import { requireFound, unprocessable } from "../../http/http-error.ts";
import { pageQuery, pageSchema } from "../../http/pagination.ts";
import { present } from "../../http/response-schema.ts";
import type { SchemaValue } from "../../http/value-schema.ts";
import { endpoint, ok, readRows, type ServiceModule } from "../../service/module.ts";
import { type EventRow, eventSchema, events } from "../incident-record/event.ts";
import { findIncident } from "../incident-record/incident.ts";
import { remindOverdue } from "../responders/escalations.ts";

export const timeline: ServiceModule = {
  tables: [events],
  endpoints: [
    endpoint({
      method: "GET",
      path: "/incidents/:id/timeline",
      operationId: "listTimelineEvents",
      summary: "Lists what happened to an incident, the oldest first; dismissed notes are left out.",
      requiredAbility: "incidents.read",
      query: pageQuery,
      responses: { 200: pageSchema("TimelinePage", "timeline", eventSchema) },
      handle: (request) => {
        remindOverdue(request);
        const { id } = findIncident(request.database, request.param("id"));
        const visible = "incident_id = ? AND dismissed_at IS NULL";
        const { rows, pagination } = readRows(request, events, visible, [id], "occurred_at, rowid");
        return ok({ timeline: rows.map(serializeEvent), pagination });
      },
    }),
    endpoint({
      method: "PATCH",
      path: "/incidents/:id/timeline/:note_id/dismiss",
      operationId: "dismissNote",
      summary: "Dismisses a note, which then no longer appears in the timeline.",
      requiredAbility: "incidents.update",
      responses: { 200: eventSchema },
      // Dismisses a note. Dismissing it again changes nothing.
      handle: ({ database, param, timestamp }) => {
        const incident = findIncident(database, param("id"));
        const event = requireFound(database.find(events, { id: param("note_id"), incident_id: incident.id }));
        if (event.milestone === null) throw unprocessable("Only a note from the channel can be dismissed.");
        const dismissed_at = event.dismissed_at ?? timestamp;
        database.update(events, event.id, { dismissed_at });
        return ok(serializeEvent({ ...event, dismissed_at }));
      },
    }),
  ],
};

/** The event for a response. */
export function serializeEvent(row: EventRow): SchemaValue<typeof eventSchema> {
  const milestone = row.milestone === null ? null : { ...row.milestone, dismissed_at: row.dismissed_at };
  return present(eventSchema, { ...row, milestone });
}
