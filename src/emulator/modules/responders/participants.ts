/** Participants of an incident: invitations, shoutouts and roles. */

import { randomUUID } from "node:crypto";
import { listOf, objectSchema, uuid } from "../../http/response-schema.ts";
import type { BodySchema } from "../../http/value-schema.ts";
import { created, endpoint, ok, type ServiceModule } from "../../service/module.ts";
import type { TransactionContext } from "../../service/service-context.ts";
import type { Database } from "../../store/database.ts";
import { type RowOfColumns, rowTable, type Table } from "../../store/table.ts";
import { postToChannel } from "../chat/service-posts.ts";
import { recordEvent } from "../incident-record/event.ts";
import { findIncident, type IncidentRow } from "../incident-record/incident.ts";
import type { OptionRow } from "../option-lists/option-list.ts";
import { incidentRoleTable, leadRole } from "../option-lists/option-lists.ts";
import type { MemberRow } from "../people.ts";
import { type Actor, actorOf, findPerson, memberBrief, memberBriefSchema, personReference } from "../people.ts";

const participantColumns = {
  id: { type: "string" },
  incident_id: { type: "string" },
  member_id: { type: "string" },
} as const;

const assignmentColumns = {
  id: { type: "string" },
  incident_id: { type: "string" },
  role_id: { type: "string" },
  member_id: { type: "string" },
} as const;

/** The participants of all incidents: the people in their channels. */
export const participants: Table<RowOfColumns<typeof participantColumns>> = rowTable(
  "participants",
  participantColumns,
  "UNIQUE (incident_id, member_id)",
);

/** The role assignments of all incidents. The lead is stored with the incident. */
export const roleAssignments: Table<RowOfColumns<typeof assignmentColumns>> = rowTable(
  "role_assignments",
  assignmentColumns,
  "UNIQUE (incident_id, role_id)",
);

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
      examples: [["ada@example.com"]],
    },
  },
} as const satisfies BodySchema;

const thanks = {
  type: "object",
  required: ["member_id"],
  properties: {
    member_id: { ...personReference, examples: ["ada@example.com"] },
    message: { type: ["string", "null"] },
  },
} as const satisfies BodySchema;

const failedInvitation = objectSchema("FailedInvitation", { member: { type: "string" }, error: { type: "string" } });

const invitationResult = objectSchema("Invitation", {
  incident_id: uuid,
  invited: listOf(memberBriefSchema),
  already_here: listOf(memberBriefSchema),
  failed: listOf(failedInvitation),
});

const shoutout = objectSchema("Shoutout", { id: uuid, incident_id: uuid, to: memberBriefSchema });

/** The module of invitations and shoutouts. */
export const participantModule: ServiceModule = {
  tables: [participants, roleAssignments],
  referenceCounters: [{ target: "incident_roles", noun: "incident", isAlwaysCounted: true, count: countRole }],
  endpoints: [
    endpoint({
      method: "POST",
      path: "/incidents/:id/invite",
      operationId: "inviteToIncident",
      summary: "Adds people to the incident's channel quietly; when one is nobody, none is added.",
      requiredAbility: "incidents.update",
      body: invitation,
      responses: { 200: invitationResult },
      handle: ({ database, body, param }) => {
        const incident = findIncident(database, param("id"));
        const people = new Map(
          body.member_ids.map((reference) => findPerson(database, reference)).map((person) => [person.id, person]),
        );
        const isHere = ({ id }: MemberRow): boolean => {
          return database.find(participants, { incident_id: incident.id, member_id: id }) !== undefined;
        };
        const [here, invited] = partition([...people.values()], isHere);
        for (const person of invited) joinChannel(database, incident, person);
        return ok({
          incident_id: incident.id,
          invited: invited.map(memberBrief),
          already_here: here.map(memberBrief),
          failed: [],
        });
      },
    }),
    endpoint({
      method: "POST",
      path: "/incidents/:id/shoutout",
      operationId: "sendShoutout",
      summary: "Thanks someone in the channel.",
      requiredAbility: "incidents.update",
      body: thanks,
      responses: { 201: shoutout },
      handle: (request) => {
        const incident = findIncident(request.database, request.param("id"));
        const person = findPerson(request.database, request.body.member_id);
        const message = request.body.message ?? "Thank you!";
        const id = postToChannel(request, incident, `${actorOf(request.principal).name} to ${person.name}: ${message}`);
        return created({ id, incident_id: incident.id, to: memberBrief(person) });
      },
    }),
  ],
};

/** Adds a person to the incident's channel, unless already there. */
export function joinChannel(database: Database, incident: IncidentRow, { id: member_id }: MemberRow): void {
  const place = { incident_id: incident.id, member_id };
  if (database.find(participants, place) === undefined) database.insert(participants, { id: randomUUID(), ...place });
}

/** Assigns a role of the incident to a person, who joins the channel. It replaces the previous holder. */
export function assignRole(
  transaction: TransactionContext,
  incident: IncidentRow,
  role: OptionRow,
  person: MemberRow,
  actor: Actor,
): void {
  const place = { incident_id: incident.id, role_id: role.id };
  transaction.database.remove(roleAssignments, place);
  transaction.database.insert(roleAssignments, { id: randomUUID(), ...place, member_id: person.id });
  joinChannel(transaction.database, incident, person);
  const description = `${actor.name} made ${person.name} ${role.name}`;
  recordEvent(transaction, incident, { type: "role.assigned", description, actor });
}

/** Unassigns a role of the incident. Nothing happens if nobody has it. */
export function unassignRole(
  transaction: TransactionContext,
  incident: IncidentRow,
  role: OptionRow,
  actor: Actor,
): void {
  if (transaction.database.remove(roleAssignments, { incident_id: incident.id, role_id: role.id }) === 0) return;
  recordEvent(transaction, incident, {
    type: "role.unassigned",
    description: `${actor.name} left ${role.name} to nobody`,
    actor,
  });
}

/** The number of incidents on which the role is assigned. */
function countRole(database: Database, id: string): number {
  const isLead = database.find(incidentRoleTable, { id })?.slug === leadRole;
  const leadCount = isLead ? database.scalar("SELECT COUNT(*) FROM incidents WHERE lead_id IS NOT NULL") : 0;
  return leadCount + database.count(roleAssignments, { role_id: id });
}

function partition<Item>(list: readonly Item[], test: (item: Item) => boolean): readonly [Item[], Item[]] {
  return [list.filter(test), list.filter((item) => !test(item))];
}
