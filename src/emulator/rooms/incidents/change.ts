/** Changing an incident, whatever fields are sent, as one change under the rules of the lifecycle and of the lead. */

import type { BodyShape, ValueOf } from "../../http/body-schema.ts";
import { type FieldError, invalid, refused } from "../../http/http-error.ts";
import type { Act } from "../../transaction.ts";
import type { MemberRow } from "../access/principals.ts";
import { messagePerson, postToChannel } from "../chat/service-posts.ts";
import type { LifecycleStage, OptionRow } from "../option-lists/option-list.ts";
import { join } from "../responders/participants.ts";
import { type Actor, actorOf, findPerson } from "../responders/people.ts";
import { type Call, ok, type Route, route } from "../room.ts";
import { attachRunbooks } from "../runbooks/runbook-attachments.ts";
import { type ChoiceField, chosen } from "./choice.ts";
import { type EventType, type Happening, record } from "./event.ts";
import { findIncident, type IncidentRow, identifierOf, incidents, incidentView, isLive, stageOf } from "./incident.ts";
import { moveOf, notActive, stateWord } from "./lifecycle.ts";

const incidentChange = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1 },
    summary: { type: ["string", "null"] },
    status_id: { type: "string" },
    severity_id: { type: "string" },
    incident_type_id: { type: ["string", "null"], description: "null takes the type away." },
    lead_id: {
      type: ["string", "null"],
      description: "A person by email address or chat user ID; null is refused once there is a lead.",
    },
  },
} as const satisfies BodyShape;

type Change = ValueOf<typeof incidentChange>;

/** PATCH /incidents/:id. */
export const changeIncident: Route = route({
  method: "PATCH",
  path: "/incidents/:id",
  summary: "Changes any combination of an incident's fields as a single change.",
  needs: "incidents.update",
  body: incidentChange,
  handle: (call) => ok({ incident: incidentView(call.database, change(call)) }),
});

/** One field that a change alters, in words. */
interface Alteration {
  readonly columns: Partial<IncidentRow>;
  readonly words: string;
}

/** Applies a change as a whole and records it. Throws 422 for what cannot be, 404 for a lead who is nobody. */
function change(call: Call<Change>): IncidentRow {
  const { database, body, timestamp } = call;
  const before = findIncident(database, call.param("id"));
  const errors: FieldError[] = [];
  const alterations = [...textAlterations(before, body), ...choiceAlterations(call, before, errors)];
  if (errors.length > 0) throw invalid(...errors);
  const from = stageOf(database, before);
  const after: IncidentRow = Object.assign({}, before, ...alterations.map(({ columns }) => columns));
  const to = stageOf(database, after);
  const move = moveOf(from, to);
  const lead = newLead(call, before, isLive(from) || isLive(to), to);
  if (alterations.length === 0 && lead === undefined) return before;
  database.update(incidents, before.id, {
    ...after,
    lead_id: lead?.id ?? before.lead_id,
    resolved_at: resolvedAt(before, from, to, timestamp),
    updated_at: timestamp,
  });
  const incident = findIncident(database, before.id);
  recordChange(call, incident, move, alterations);
  if (lead !== undefined) recordLead(call, incident, lead, actorOf(call.principal));
  attachRunbooks(call, incident);
  return incident;
}

/** Puts the incident into the status and records the move under the event and sentence given. Returns it as it is then. */
export function moveIncident(
  act: Act,
  before: IncidentRow,
  status: OptionRow,
  happening: Pick<Happening, "type" | "description" | "actor">,
): IncidentRow {
  const { database, timestamp } = act;
  const [from, to] = [stageOf(database, before), stageOf(database, { ...before, status_id: status.id })];
  database.update(incidents, before.id, {
    status_id: status.id,
    resolved_at: resolvedAt(before, from, to, timestamp),
    updated_at: timestamp,
  });
  const incident = findIncident(database, before.id);
  record(act, incident, happening);
  return incident;
}

/** Records who leads from now on, announces it in the channel, which the lead joins, and tells the person. */
export function recordLead(act: Act, incident: IncidentRow, lead: MemberRow, actor: Actor): void {
  join(act.database, incident, lead);
  record(act, incident, { type: "lead.assigned", description: `${actor.name} made ${lead.name} the lead`, actor });
  postToChannel(act, incident, `${lead.name} leads ${identifierOf(incident)} now`);
  messagePerson(act, incident, lead, `You lead ${identifierOf(incident)} (${incident.name}) now`);
}

function textAlterations(before: IncidentRow, { name, summary }: Change): Alteration[] {
  const alterations: Alteration[] = [];
  const trimmed = name?.trim();
  if (trimmed !== undefined && trimmed !== before.name) {
    alterations.push({ columns: { name: trimmed }, words: `renamed it from "${before.name}"` });
  }
  if (summary !== undefined && summary !== before.summary) {
    alterations.push({ columns: { summary }, words: "changed the summary" });
  }
  return alterations;
}

function choiceAlterations({ database, body }: Call<Change>, before: IncidentRow, errors: FieldError[]): Alteration[] {
  const alter = (field: ChoiceField, label: string): Alteration[] => {
    const id = body[field];
    if (id === undefined || id === before[field]) return [];
    if (id === null) return [{ columns: { [field]: null }, words: `took the ${label} away` }];
    const entry = chosen(database, field, id, errors, before[field]);
    return [{ columns: { [field]: id }, words: `changed the ${label} to ${entry?.name}` }];
  };
  return [...alter("severity_id", "severity"), ...alter("incident_type_id", "type"), ...alter("status_id", "status")];
}

/** The person the change makes lead, undefined when it does not change who leads. */
function newLead(
  { database, body }: Call<Change>,
  before: IncidentRow,
  live: boolean,
  stage: LifecycleStage,
): MemberRow | undefined {
  if (body.lead_id === undefined) return undefined;
  if (!live) throw notActive(`The incident is ${stateWord(stage)}; reopen it before assigning a lead`);
  if (body.lead_id === null) {
    if (before.lead_id === null) return undefined;
    throw refused("An incident that has a lead cannot be left without one; name another person.");
  }
  const person = findPerson(database, body.lead_id);
  return person.id === before.lead_id ? undefined : person;
}

/** Set on resolving, kept while closed, cleared by reopening. */
function resolvedAt(before: IncidentRow, from: LifecycleStage, to: LifecycleStage, timestamp: string): string | null {
  if (to !== "closed") return null;
  return from === "closed" && before.resolved_at !== null ? before.resolved_at : timestamp;
}

function recordChange(
  call: Call<unknown>,
  incident: IncidentRow,
  type: EventType,
  alterations: readonly Alteration[],
): void {
  if (alterations.length === 0) return;
  const actor = actorOf(call.principal);
  const description = `${actor.name} ${alterations.map(({ words }) => words).join(", ")}`;
  record(call, incident, { type, description, actor });
}
