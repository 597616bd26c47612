/** Endpoints of the timeline: list events and dismiss notes. */

import type { Fields } from "../../../core/json.ts";
import { notFound, unprocessable } from "../../http/http-error.ts";
import { pagination, readPageRequest, rowRange } from "../../http/pagination.ts";
import { type EndpointResult, endpoint, ok, type RequestContext, type ServiceModule } from "../module.ts";
import { remindOverdue } from "../responders/escalations.ts";
import { type EventRow, events } from "./event.ts";
import { findIncident } from "./incident.ts";

/** The module of the timeline. */
export const timeline: ServiceModule = {
  tables: [events],
  endpoints: [
    endpoint({
      method: "GET",
      path: "/incidents/:id/timeline",
      summary: "Lists what happened to an incident, the oldest first; dismissed notes are left out.",
      requiredAbility: "incidents.read",
      query: {
        page: { type: "integer", minimum: 1 },
        per_page: { type: "integer", minimum: 1, maximum: 100 },
      },
      handle: list,
    }),
    endpoint({
      method: "PATCH",
      path: "/incidents/:id/timeline/:note_id/dismiss",
      summary: "Dismisses a note, which then no longer appears in the timeline.",
      requiredAbility: "incidents.update",
      handle: dismiss,
    }),
  ],
};

/** The event for a response. */
export function serializeEvent({
  id,
  event_type,
  description,
  automated,
  occurred_at,
  actor,
  ...row
}: EventRow): Fields {
  const milestone = row.milestone === null ? null : { ...row.milestone, dismissed_at: row.dismissed_at };
  return { id, event_type, description, automated, occurred_at, actor, milestone };
}

function list(request: RequestContext<unknown>): EndpointResult {
  remindOverdue(request);
  const { database, param, query } = request;
  const { id } = findIncident(database, param("id"));
  const visible = "WHERE incident_id = ? AND dismissed_at IS NULL";
  const page = readPageRequest(query);
  const total = database.scalar(`SELECT COUNT(*) FROM incident_events ${visible}`, [id]);
  const { limit, offset } = rowRange(page, total);
  const rows = database.query(events, `${visible} ORDER BY occurred_at, rowid LIMIT ? OFFSET ?`, [id, limit, offset]);
  return ok({ timeline: rows.map(serializeEvent), pagination: pagination(page, total) });
}

/** Dismisses a note. Dismissing it again changes nothing. */
function dismiss({ database, param, timestamp }: RequestContext<unknown>): EndpointResult {
  const incident = findIncident(database, param("id"));
  const event = database.find(events, { id: param("note_id"), incident_id: incident.id });
  if (event === undefined) throw notFound();
  if (event.milestone === null) throw unprocessable("Only a note from the channel can be dismissed.");
  const dismissed_at = event.dismissed_at ?? timestamp;
  database.update(events, event.id, { dismissed_at });
  return ok(serializeEvent({ ...event, dismissed_at }));
}
