/** The room of links between incidents: related ones, and duplicates that are canceled in favour of another. */

import { randomUUID } from "node:crypto";
import type { BodyShape, ValueOf } from "../../http/body-schema.ts";
import { refused } from "../../http/http-error.ts";
import type { Database } from "../../store/database.ts";
import { key, type Table, table, text, word } from "../../store/table.ts";
import type { Act } from "../../transaction.ts";
import type { OptionRow } from "../option-lists/option-list.ts";
import { statusTable } from "../option-lists/statuses.ts";
import { type Actor, actorOf } from "../responders/people.ts";
import { type Answer, type Call, created, type Room, route } from "../room.ts";
import { moveIncident } from "./change.ts";
import { record } from "./event.ts";
import { findIncident, type IncidentRow, identifierOf, isLive, stageOf, statusOf } from "./incident.ts";
import { notActive, stateWord } from "./lifecycle.ts";

/** A link from one incident to another. */
export interface LinkRow {
  readonly id: string;
  readonly incident_id: string;
  readonly other_incident_id: string;
  readonly relationship: "related" | "duplicate";
}

/** The links of all incidents. */
export const links: Table<LinkRow> = table(
  "incident_links",
  { id: key, incident_id: text, other_incident_id: text, relationship: word() },
  "UNIQUE (incident_id, other_incident_id, relationship)",
);

const link = {
  type: "object",
  required: ["other_incident_id", "relationship"],
  properties: {
    other_incident_id: { type: "string" },
    relationship: { type: "string", enum: ["related", "duplicate"] },
  },
} as const satisfies BodyShape;

/** The room of links. */
export const linkRoom: Room = {
  tables: [links],
  routes: [
    route({
      method: "POST",
      path: "/incidents/:id/link",
      summary: "Links an incident to another: as related, or as its duplicate, which cancels the incident.",
      needs: "incidents.update",
      body: link,
      handle: linkIncidents,
    }),
  ],
};

function linkIncidents(call: Call<ValueOf<typeof link>>): Answer {
  const { database, body } = call;
  const incident = findIncident(database, call.param("id"));
  const other = findIncident(database, body.other_incident_id);
  if (incident.id === other.id) throw refused("An incident cannot be linked to itself.");
  const actor = actorOf(call.principal);
  if (body.relationship === "related") relate(call, incident, other, actor);
  else absorb(call, incident, other, actor);
  return created({
    incident_id: incident.id,
    other_incident_id: other.id,
    relationship: body.relationship,
    status: statusOf(database, findIncident(database, incident.id)).slug,
  });
}

function relate(act: Act, incident: IncidentRow, other: IncidentRow, actor: Actor): void {
  keepLink(act.database, incident, other, "related");
  for (const [from, to] of [
    [incident, other],
    [other, incident],
  ] as const) {
    const description = `${actor.name} linked ${identifierOf(to)} (${to.name}) as related`;
    record(act, from, { type: "relationship.created", description, actor });
  }
}

/** Cancels a duplicate in favour of its absorber; both timelines say which incident absorbed which. Throws 422 unless it is live. */
export function absorb(act: Act, duplicate: IncidentRow, absorber: IncidentRow, actor: Actor): void {
  const { database } = act;
  const stage = stageOf(database, duplicate);
  if (!isLive(stage))
    throw notActive(`The incident is ${stateWord(stage)}; reopen it before marking it as a duplicate`);
  keepLink(database, duplicate, absorber, "duplicate");
  const name = `${identifierOf(absorber)} (${absorber.name})`;
  const marked = `${actor.name} marked this incident as a duplicate of ${name}`;
  record(act, duplicate, { type: "incident.marked_duplicate", description: marked, actor });
  const description = `Canceled as a duplicate: ${name} absorbed this incident`;
  moveIncident(act, duplicate, canceledStatus(database), { type: "incident.canceled", description, actor });
  const merged = `${identifierOf(duplicate)} (${duplicate.name}) was merged into this incident as a duplicate`;
  record(act, absorber, { type: "incident.merged_into", description: merged, actor });
}

/** A link that is there already stays one. */
function keepLink(
  database: Database,
  { id: incident_id }: IncidentRow,
  { id: other_incident_id }: IncidentRow,
  relationship: LinkRow["relationship"],
): void {
  const row = { incident_id, other_incident_id, relationship };
  if (database.find(links, row) === undefined) database.insert(links, { id: randomUUID(), ...row });
}

/** The first enabled status of the canceled stage. */
function canceledStatus(database: Database): OptionRow {
  const [status] = database.list(
    statusTable,
    { lifecycle_stage: "canceled", enabled: true },
    { order: "position", limit: 1 },
  );
  if (status === undefined) throw refused("The workspace has no enabled status of the stage canceled.");
  return status;
}
