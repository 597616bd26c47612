/** The room of an incident's timeline: the events in order, and the notes of the channel that can be dismissed. */

import type { Fields } from "../../../core/json.ts";
import { notFound, refused } from "../../http/http-error.ts";
import { pageOf, pagination, rowsOf } from "../../http/pagination.ts";
import { remindOverdue } from "../responders/escalations.ts";
import { type Answer, type Call, ok, type Room, route } from "../room.ts";
import { type EventRow, events } from "./event.ts";
import { findIncident } from "./incident.ts";

/** The room of timelines and notes. */
export const timeline: Room = {
  tables: [events],
  routes: [
    route({
      method: "GET",
      path: "/incidents/:id/timeline",
      summary: "Lists what happened to an incident, the oldest first; dismissed notes are left out.",
      needs: "incidents.read",
      query: {
        page: { type: "integer", minimum: 1 },
        per_page: { type: "integer", minimum: 1, maximum: 100 },
      },
      handle: list,
    }),
    route({
      method: "PATCH",
      path: "/incidents/:id/timeline/:note_id/dismiss",
      summary: "Dismisses a note, which then no longer appears in the timeline.",
      needs: "incidents.update",
      handle: dismiss,
    }),
  ],
};

/** An event as answers show it. */
export function eventView({ id, event_type, description, automated, occurred_at, actor, ...row }: EventRow): Fields {
  const milestone = row.milestone === null ? null : { ...row.milestone, dismissed_at: row.dismissed_at };
  return { id, event_type, description, automated, occurred_at, actor, milestone };
}

function list(call: Call<unknown>): Answer {
  remindOverdue(call);
  const { database, param, query } = call;
  const { id } = findIncident(database, param("id"));
  const shown = "WHERE incident_id = ? AND dismissed_at IS NULL";
  const page = pageOf(query);
  const total = database.scalar(`SELECT COUNT(*) FROM incident_events ${shown}`, [id]);
  const { limit, offset } = rowsOf(page, total);
  const rows = database.query(events, `${shown} ORDER BY occurred_at, rowid LIMIT ? OFFSET ?`, [id, limit, offset]);
  return ok({ timeline: rows.map(eventView), pagination: pagination(page, total) });
}

/** A note that was dismissed already is answered as it is. */
function dismiss({ database, param, timestamp }: Call<unknown>): Answer {
  const incident = findIncident(database, param("id"));
  const event = database.find(events, { id: param("note_id"), incident_id: incident.id });
  if (event === undefined) throw notFound();
  if (event.milestone === null) throw refused("Only a note from the channel can be dismissed.");
  const dismissed_at = event.dismissed_at ?? timestamp;
  database.update(events, event.id, { dismissed_at });
  return ok(eventView({ ...event, dismissed_at }));
}
