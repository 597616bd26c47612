/** Escalations: a person is asked to respond, reminded when there is no answer, and may acknowledge in the chat. */

import { randomUUID } from "node:crypto";
import type { BodyShape } from "../../http/body-schema.ts";
import { indexed, key, optionalText, type Table, table, text } from "../../store/table.ts";
import type { Act } from "../../transaction.ts";
import { members } from "../access/principals.ts";
import { messagePerson, postToChannel } from "../chat/service-posts.ts";
import { record } from "../incidents/event.ts";
import { findIncident, identifierOf } from "../incidents/incident.ts";
import { created, type Room, route } from "../room.ts";
import { actorOf, findPerson, memberActor, memberBrief } from "./people.ts";

/** A person asked to respond. */
export interface EscalationRow {
  readonly id: string;
  readonly incident_id: string;
  readonly member_id: string;
  readonly reason: string | null;
  readonly escalated_at: string;
  readonly acknowledged_at: string | null;
  /** When the person was reminded; once. */
  readonly nudged_at: string | null;
}

/** The escalations of all incidents. */
export const escalations: Table<EscalationRow> = indexed(
  table("escalations", {
    id: key,
    incident_id: text,
    member_id: text,
    reason: optionalText,
    escalated_at: text,
    acknowledged_at: optionalText,
    nudged_at: optionalText,
  }),
  "nudged_at",
  "escalated_at",
);

const reminderMilliseconds = 5 * 60 * 1000;

const escalation = {
  type: "object",
  required: ["member_id"],
  properties: {
    member_id: { type: "string", minLength: 1, description: "A person by email address or chat user ID." },
    reason: { type: ["string", "null"] },
  },
} as const satisfies BodyShape;

/** The room of escalations. */
export const escalationRoom: Room = {
  tables: [escalations],
  routes: [
    route({
      method: "POST",
      path: "/incidents/:id/escalate",
      summary: "Asks a person to respond, in the channel and directly; reminds them when there is no answer.",
      needs: "incidents.update",
      body: escalation,
      handle: (call) => {
        const incident = findIncident(call.database, call.param("id"));
        const person = findPerson(call.database, call.body.member_id);
        const reason = call.body.reason ?? null;
        const actor = actorOf(call.principal);
        call.database.insert(escalations, {
          id: randomUUID(),
          incident_id: incident.id,
          member_id: person.id,
          reason,
          escalated_at: call.timestamp,
          acknowledged_at: null,
          nudged_at: null,
        });
        const because = reason === null ? "" : `: ${reason}`;
        const description = `${actor.name} escalated to ${person.name}${because}`;
        record(call, incident, { type: "incident.escalated", description, actor });
        postToChannel(call, incident, `${person.name} was asked to respond${because}`);
        messagePerson(call, incident, person, `Please respond to ${identifierOf(incident)}${because} [Acknowledge]`);
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

/** The person's answer: the acknowledge button of the direct message. A second press changes nothing. */
export function acknowledge(act: Act, { id, incident_id, member_id, acknowledged_at }: EscalationRow): void {
  const person = act.database.find(members, { id: member_id });
  if (acknowledged_at !== null || person === undefined) return;
  act.database.update(escalations, id, { acknowledged_at: act.timestamp });
  const description = `${person.name} acknowledged the escalation`;
  const incident = findIncident(act.database, incident_id);
  record(act, incident, { type: "incident.escalation_acknowledged", description, actor: memberActor(person) });
}

/** Reminds, once each, the people who have not answered for five minutes. Done whenever somebody looks. */
export function remindOverdue(act: Act): void {
  const since = new Date(Date.parse(act.timestamp) - reminderMilliseconds).toISOString();
  const overdue = "WHERE nudged_at IS NULL AND escalated_at <= ? AND acknowledged_at IS NULL";
  for (const { id, incident_id, member_id } of act.database.query(escalations, overdue, [since])) {
    const person = act.database.find(members, { id: member_id });
    if (person === undefined) continue;
    act.database.update(escalations, id, { nudged_at: act.timestamp });
    const incident = findIncident(act.database, incident_id);
    record(act, incident, {
      type: "incident.escalation_nudged",
      description: `${person.name} was reminded to respond`,
    });
    messagePerson(act, incident, person, `${identifierOf(incident)} still waits for you [Acknowledge]`);
  }
}
