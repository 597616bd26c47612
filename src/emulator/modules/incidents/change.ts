/** Changes of an incident. All fields of one request are one change, under the rules of the lifecycle and the lead. */

import { type InvalidField, unprocessable, validationError } from "../../http/http-error.ts";
import { type BodySchema, nonBlankText } from "../../http/value-schema.ts";
import { endpoint, ok, type ServedEndpoint } from "../../service/module.ts";
import type { TransactionContext } from "../../service/service-context.ts";
import type { Database } from "../../store/database.ts";
import { messagePerson, postToChannel } from "../chat/service-posts.ts";
import { type EventDetails, recordEvent } from "../incident-record/event.ts";
import {
  findIncident,
  type IncidentRow,
  identifierOf,
  incidentEnvelope,
  incidentNotActive,
  incidents,
  isLive,
  lifecycleEvent,
  serializeIncident,
  stageOf,
  stateWord,
} from "../incident-record/incident.ts";
import type { LifecycleStage, OptionRow } from "../option-lists/option-list.ts";
import type { MemberRow } from "../people.ts";
import { type Actor, actorOf, findPerson } from "../people.ts";
import { joinChannel } from "../responders/participants.ts";
import { attachRunbooks } from "../runbooks/runbook-attachments.ts";
import { type ChoiceField, findChoice } from "./choice.ts";

const incidentChange = {
  type: "object",
  properties: {
    name: { ...nonBlankText, examples: ["Checkout is down"] },
    summary: { type: ["string", "null"] },
    status_id: { type: "string" },
    severity_id: { type: "string" },
    incident_type_id: { type: ["string", "null"], description: "null takes the type away." },
    lead_id: {
      type: ["string", "null"],
      description: "A person by email address or chat user ID; null is refused once there is a lead.",
    },
  },
} as const satisfies BodySchema;

/** A change of an incident's fields. The lead is named by email address or chat user ID. */
type IncidentPatch = Partial<
  Pick<IncidentRow, "name" | "summary" | "status_id" | "severity_id" | "incident_type_id" | "lead_id">
>;

/** PATCH /incidents/:id. */
export const changeIncident: ServedEndpoint = endpoint({
  method: "PATCH",
  path: "/incidents/:id",
  operationId: "updateIncident",
  summary: "Changes any combination of an incident's fields as a single change.",
  requiredAbility: "incidents.update",
  body: incidentChange,
  responses: { 200: incidentEnvelope },
  handle: (request) => {
    const { database, body, principal } = request;
    const incident = findIncident(database, request.param("id"));
    return ok({ incident: serializeIncident(database, applyChange(request, incident, body, actorOf(principal))) });
  },
});

/** One changed field, with its description for the timeline. */
export interface ChangedField {
  readonly columns: Partial<IncidentRow>;
  readonly words: string;
}

/**
 * Applies a change and records it, with fields that a PATCH does not have (`more`). Throws 422 for a change that the rules forbid or if
 * there are errors already, and 404 for an unknown lead.
 */
export function applyChange(
  transaction: TransactionContext,
  before: IncidentRow,
  patch: IncidentPatch,
  actor: Actor,
  { more = [], errors = [] }: { readonly more?: readonly ChangedField[]; readonly errors?: InvalidField[] } = {},
): IncidentRow {
  const { database, timestamp } = transaction;
  const changes = [...changedTexts(before, patch), ...changedChoices(database, patch, before, errors), ...more];
  if (errors.length > 0) throw validationError(...errors);
  const from = stageOf(database, before);
  const after: IncidentRow = Object.assign({}, before, ...changes.map(({ columns }) => columns));
  const to = stageOf(database, after);
  const type = lifecycleEvent(from, to);
  const lead = newLead(database, patch, before, isLive(from) || isLive(to), to);
  if (changes.length === 0 && lead === undefined) return before;
  database.update(incidents, before.id, {
    ...after,
    lead_id: lead?.id ?? before.lead_id,
    resolved_at: resolvedAt(before, from, to, timestamp),
    updated_at: timestamp,
  });
  const incident = findIncident(database, before.id);
  if (changes.length > 0) {
    const description = `${actor.name} ${changes.map(({ words }) => words).join(", ")}`;
    recordEvent(transaction, incident, { type, description, actor });
  }
  if (lead !== undefined) recordLead(transaction, incident, lead, actor);
  attachRunbooks(transaction, incident);
  return incident;
}

/** Sets the incident's status and records the event. Returns the changed incident. */
export function moveIncident(
  transaction: TransactionContext,
  before: IncidentRow,
  status: OptionRow,
  event: Pick<EventDetails, "type" | "description" | "actor">,
): IncidentRow {
  const { database, timestamp } = transaction;
  const [from, to] = [stageOf(database, before), stageOf(database, { ...before, status_id: status.id })];
  database.update(incidents, before.id, {
    status_id: status.id,
    resolved_at: resolvedAt(before, from, to, timestamp),
    updated_at: timestamp,
  });
  const incident = findIncident(database, before.id);
  recordEvent(transaction, incident, event);
  return incident;
}

/** Records the new lead, adds the lead to the channel, announces the lead there and messages the lead. */
export function recordLead(
  transaction: TransactionContext,
  incident: IncidentRow,
  lead: MemberRow,
  actor: Actor,
): void {
  joinChannel(transaction.database, incident, lead);
  recordEvent(transaction, incident, {
    type: "lead.assigned",
    description: `${actor.name} made ${lead.name} the lead`,
    actor,
  });
  postToChannel(transaction, incident, `${lead.name} leads ${identifierOf(incident)} now`);
  messagePerson(transaction, incident, lead, `You lead ${identifierOf(incident)} (${incident.name}) now`);
}

function changedTexts(before: IncidentRow, { name, summary }: IncidentPatch): ChangedField[] {
  const changes: ChangedField[] = [];
  const trimmed = name?.trim();
  if (trimmed !== undefined && trimmed !== before.name) {
    changes.push({ columns: { name: trimmed }, words: `renamed it from "${before.name}"` });
  }
  if (summary !== undefined && summary !== before.summary) {
    changes.push({ columns: { summary }, words: "changed the summary" });
  }
  return changes;
}

function changedChoices(
  database: Database,
  patch: IncidentPatch,
  before: IncidentRow,
  errors: InvalidField[],
): ChangedField[] {
  const change = (field: ChoiceField, label: string): ChangedField[] => {
    const id = patch[field];
    if (id === undefined || id === before[field]) return [];
    if (id === null) return [{ columns: { [field]: null }, words: `took the ${label} away` }];
    const entry = findChoice(database, field, id, errors, before[field]);
    return [{ columns: { [field]: id }, words: `changed the ${label} to ${entry?.name}` }];
  };
  return [
    ...change("severity_id", "severity"),
    ...change("incident_type_id", "type"),
    ...change("status_id", "status"),
  ];
}

/** The new lead; undefined if the lead does not change. */
function newLead(
  database: Database,
  { lead_id }: IncidentPatch,
  before: IncidentRow,
  isLiveBeforeOrAfter: boolean,
  stage: LifecycleStage,
): MemberRow | undefined {
  if (lead_id === undefined) return undefined;
  if (!isLiveBeforeOrAfter)
    throw incidentNotActive(`The incident is ${stateWord(stage)}; reopen it before assigning a lead`);
  if (lead_id === null) {
    if (before.lead_id === null) return undefined;
    throw unprocessable("An incident that has a lead cannot be left without one; name another person.");
  }
  const person = findPerson(database, lead_id);
  return person.id === before.lead_id ? undefined : person;
}

/** The new value of resolved_at: set on resolving, kept while closed, cleared on reopening. */
function resolvedAt(before: IncidentRow, from: LifecycleStage, to: LifecycleStage, timestamp: string): string | null {
  if (to !== "closed") return null;
  return from === "closed" && before.resolved_at !== null ? before.resolved_at : timestamp;
}
