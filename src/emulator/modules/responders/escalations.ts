/** Escalations: a person is asked to respond, reminded after five minutes, and can acknowledge in the chat. */

import { randomUUID } from "node:crypto";
import { objectSchema, uuid } from "../../http/response-schema.ts";
import type { BodySchema } from "../../http/value-schema.ts";
import { created, endpoint, type ServiceModule } from "../../service/module.ts";
import type { TransactionContext } from "../../service/service-context.ts";
import { indexed, type RowOfColumns, rowTable, type Table } from "../../store/table.ts";
import { messagePerson, postToChannel } from "../chat/service-posts.ts";
import { recordEvent } from "../incident-record/event.ts";
import { findIncident, identifierOf } from "../incident-record/incident.ts";
import {
  actorOf,
  findPerson,
  memberActor,
  memberBrief,
  memberBriefSchema,
  members,
  personReference,
} from "../people.ts";

export const escalationColumns = {
  id: { type: "string" },
  incident_id: { type: "string" },
  member_id: { type: "string" },
  reason: { type: ["string", "null"] },
  escalated_at: { type: "string", format: "date-time" },
  acknowledged_at: { type: ["string", "null"] },
  // The time of the only reminder.
  nudged_at: { type: ["string", "null"] },
} as const;

/** A person asked to respond. */
type EscalationRow = RowOfColumns<typeof escalationColumns>;

/** The escalations of all incidents. */
export const escalations: Table<EscalationRow> = indexed(
  rowTable("escalations", escalationColumns),
  "nudged_at",
  "escalated_at",
);

const reminderMilliseconds = 5 * 60 * 1000;

const escalation = {
  type: "object",
  required: ["member_id"],
  properties: {
    member_id: { ...personReference, examples: ["ada@example.com"] },
    reason: { type: ["string", "null"] },
  },
} as const satisfies BodySchema;

const escalationResult = objectSchema("Escalation", {
  incident_id: uuid,
  escalated_to: memberBriefSchema,
  reason: { type: ["string", "null"] },
  acknowledged: { type: "boolean", examples: [false] },
});

export const escalationModule: ServiceModule = {
  tables: [escalations],
  endpoints: [
    endpoint({
      method: "POST",
      path: "/incidents/:id/escalate",
      operationId: "escalateIncident",
      summary: "Asks a person to respond, in the channel and directly; reminds them when there is no answer.",
      requiredAbility: "incidents.update",
      body: escalation,
      responses: { 201: escalationResult },
      handle: (request) => {
        const incident = findIncident(request.database, request.param("id"));
        const person = findPerson(request.database, request.body.member_id);
        const reason = request.body.reason ?? null;
        const actor = actorOf(request.principal);
        request.database.insert(escalations, {
          id: randomUUID(),
          incident_id: incident.id,
          member_id: person.id,
          reason,
          escalated_at: request.timestamp,
          acknowledged_at: null,
          nudged_at: null,
        });
        const because = reason === null ? "" : `: ${reason}`;
        const description = `${actor.name} escalated to ${person.name}${because}`;
        recordEvent(request, incident, { type: "incident.escalated", description, actor });
        postToChannel(request, incident, `${person.name} was asked to respond${because}`);
        messagePerson(request, incident, person, `Please respond to ${identifierOf(incident)}${because} [Acknowledge]`);
        return created({
          incident_id: incident.id,
          escalated_to: memberBrief(person),
          reason,
          acknowledged: false,
        });
      },
    }),
  ],
};

/** Acknowledges an escalation, as the button of the direct message does. A second time changes nothing. */
export function acknowledge(
  transaction: TransactionContext,
  { id, incident_id, member_id, acknowledged_at }: EscalationRow,
): void {
  const person = transaction.database.find(members, { id: member_id });
  if (acknowledged_at !== null || person === undefined) return;
  transaction.database.update(escalations, id, { acknowledged_at: transaction.timestamp });
  const description = `${person.name} acknowledged the escalation`;
  const incident = findIncident(transaction.database, incident_id);
  recordEvent(transaction, incident, {
    type: "incident.escalation_acknowledged",
    description,
    actor: memberActor(person),
  });
}

/** Reminds everyone who has not acknowledged within five minutes, once. Runs when the timeline or the posts are read. */
export function remindOverdue(transaction: TransactionContext): void {
  const since = new Date(Date.parse(transaction.timestamp) - reminderMilliseconds).toISOString();
  const overdue = "WHERE nudged_at IS NULL AND escalated_at <= ? AND acknowledged_at IS NULL";
  for (const { id, incident_id, member_id } of transaction.database.query(escalations, overdue, [since])) {
    const person = transaction.database.find(members, { id: member_id });
    if (person === undefined) continue;
    transaction.database.update(escalations, id, { nudged_at: transaction.timestamp });
    const incident = findIncident(transaction.database, incident_id);
    recordEvent(transaction, incident, {
      type: "incident.escalation_nudged",
      description: `${person.name} was reminded to respond`,
    });
    messagePerson(transaction, incident, person, `${identifierOf(incident)} still waits for you [Acknowledge]`);
  }
}
