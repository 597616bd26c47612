/** The people of an incident's channel: who was invited, whom somebody thanked, and who holds which role. */

import { randomUUID } from "node:crypto";
import type { BodyShape } from "../../http/body-schema.ts";
import type { Database } from "../../store/database.ts";
import { key, type Table, table, text } from "../../store/table.ts";
import type { Act } from "../../transaction.ts";
import type { MemberRow } from "../access/principals.ts";
import { postToChannel } from "../chat/service-posts.ts";
import { record } from "../incidents/event.ts";
import { findIncident, type IncidentRow } from "../incidents/incident.ts";
import { incidentRoleTable } from "../option-lists/incident-roles.ts";
import type { OptionRow } from "../option-lists/option-list.ts";
import { created, ok, type Room, route } from "../room.ts";
import { type Actor, actorOf, findPerson, memberBrief } from "./people.ts";

/** A person in an incident's channel. */
export interface ParticipantRow {
  readonly id: string;
  readonly incident_id: string;
  readonly member_id: string;
}

/** A person's role on an incident; the lead is kept with the incident. */
export interface RoleAssignmentRow {
  readonly id: string;
  readonly incident_id: string;
  readonly role_id: string;
  readonly member_id: string;
}

/** The people in the channels. */
const participants: Table<ParticipantRow> = table(
  "participants",
  { id: key, incident_id: text, member_id: text },
  "UNIQUE (incident_id, member_id)",
);

/** The roles on incidents. */
const roleAssignments: Table<RoleAssignmentRow> = table(
  "role_assignments",
  { id: key, incident_id: text, role_id: text, member_id: text },
  "UNIQUE (incident_id, role_id)",
);

const leadRole = "incident_lead";

const invitation = {
  type: "object",
  required: ["member_ids"],
  properties: {
    member_ids: {
      type: "array",
      minItems: 1,
      maxItems: 100,
      items: { type: "string" },
      description: "People by email address or chat user ID.",
    },
  },
} as const satisfies BodyShape;

const thanks = {
  type: "object",
  required: ["member_id"],
  properties: {
    member_id: { type: "string", minLength: 1, description: "A person by email address or chat user ID." },
    message: { type: ["string", "null"] },
  },
} as const satisfies BodyShape;

/** The room of invitations and shoutouts. */
export const participantRoom: Room = {
  tables: [participants, roleAssignments],
  references: [{ target: "incident_roles", noun: "incident", always: true, count: countRole }],
  routes: [
    route({
      method: "POST",
      path: "/incidents/:id/invite",
      summary: "Adds people to the incident's channel quietly; when one is nobody, none is added.",
      needs: "incidents.update",
      body: invitation,
      handle: ({ database, body, param }) => {
        const incident = findIncident(database, param("id"));
        const people = new Map(
          body.member_ids.map((named) => findPerson(database, named)).map((each) => [each.id, each]),
        );
        const isHere = ({ id }: MemberRow): boolean => {
          return database.find(participants, { incident_id: incident.id, member_id: id }) !== undefined;
        };
        const [here, invited] = parted([...people.values()], isHere);
        for (const person of invited) join(database, incident, person);
        return ok({
          incident_id: incident.id,
          invited: invited.map(memberBrief),
          already_here: here.map(memberBrief),
          failed: [],
        });
      },
    }),
    route({
      method: "POST",
      path: "/incidents/:id/shoutout",
      summary: "Thanks someone in the channel.",
      needs: "incidents.update",
      body: thanks,
      handle: (call) => {
        const incident = findIncident(call.database, call.param("id"));
        const person = findPerson(call.database, call.body.member_id);
        const message = call.body.message ?? "Thank you!";
        const id = postToChannel(call, incident, `${actorOf(call.principal).name} to ${person.name}: ${message}`);
        return created({ id, incident_id: incident.id, to: memberBrief(person) });
      },
    }),
  ],
};

/** Adds a person to the incident's channel, where they are not there yet. */
export function join(database: Database, incident: IncidentRow, { id: member_id }: MemberRow): void {
  const place = { incident_id: incident.id, member_id };
  if (database.find(participants, place) === undefined) database.insert(participants, { id: randomUUID(), ...place });
}

/** Gives a role of the incident to a person, who joins the channel; whoever had it has it no more. */
export function assignRole(act: Act, incident: IncidentRow, role: OptionRow, person: MemberRow, actor: Actor): void {
  const place = { incident_id: incident.id, role_id: role.id };
  act.database.remove(roleAssignments, place);
  act.database.insert(roleAssignments, { id: randomUUID(), ...place, member_id: person.id });
  join(act.database, incident, person);
  const description = `${actor.name} made ${person.name} ${role.name}`;
  record(act, incident, { type: "role.assigned", description, actor });
}

/** Takes a role of the incident from whoever has it; nothing happens when nobody does. */
export function unassignRole(act: Act, incident: IncidentRow, role: OptionRow, actor: Actor): void {
  if (act.database.remove(roleAssignments, { incident_id: incident.id, role_id: role.id }) === 0) return;
  record(act, incident, { type: "role.unassigned", description: `${actor.name} left ${role.name} to nobody`, actor });
}

/** Incidents on which somebody has the role. */
function countRole(database: Database, id: string): number {
  const isLead = database.find(incidentRoleTable, { id })?.slug === leadRole;
  const led = isLead ? database.scalar("SELECT COUNT(*) FROM incidents WHERE lead_id IS NOT NULL") : 0;
  return led + database.count(roleAssignments, { role_id: id });
}

function parted<Item>(list: readonly Item[], test: (item: Item) => boolean): readonly [Item[], Item[]] {
  return [list.filter(test), list.filter((item) => !test(item))];
}
