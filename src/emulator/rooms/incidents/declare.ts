/** Declaring an incident: what a request may say, the idempotency key, and the creation that alerts use too. */

import { randomUUID } from "node:crypto";
import type { BodyShape, ValueOf } from "../../http/body-schema.ts";
import { type FieldError, invalid } from "../../http/http-error.ts";
import type { Database } from "../../store/database.ts";
import type { Act } from "../../transaction.ts";
import type { OptionRow } from "../option-lists/option-list.ts";
import { statusTable } from "../option-lists/statuses.ts";
import { type Actor, actorOf, findMember, memberActor } from "../responders/people.ts";
import { type Answer, type Call, created, ok, type Route, route } from "../room.ts";
import { attachRunbooks } from "../runbooks/runbook-attachments.ts";
import { chosen } from "./choice.ts";
import { checkAnswers } from "./declare-form.ts";
import { record } from "./event.ts";
import { type IncidentRow, identifierOf, incidents, incidentView } from "./incident.ts";

const declaration = {
  type: "object",
  required: ["idempotency_key", "name", "severity_id"],
  properties: {
    idempotency_key: {
      type: "string",
      minLength: 1,
      description: "Sent again within 24 hours it answers with the incident it declared and declares nothing.",
    },
    name: { type: "string", minLength: 1 },
    severity_id: { type: "string" },
    summary: { type: ["string", "null"] },
    status_id: { type: ["string", "null"], description: "The workspace's default status when absent." },
    incident_type_id: { type: ["string", "null"] },
    declared_by_id: { type: ["string", "null"], description: "A member's ID; the token's owner when absent." },
    visibility: { type: ["string", "null"], enum: ["public", "private", null] },
    custom_fields: { type: ["object", "null"], description: "Values by the slug of a field of the declare form." },
    source: { type: ["string", "null"], description: "Where the incident came from, in free text." },
  },
} as const satisfies BodyShape;

type Declaration = ValueOf<typeof declaration>;

/** What a new incident starts with; everything else follows from the act. */
export type NewIncident = Pick<
  IncidentRow,
  | "name"
  | "summary"
  | "status_id"
  | "severity_id"
  | "incident_type_id"
  | "source"
  | "declared_by"
  | "detected_at"
  | "custom_values"
  | "visibility"
  | "idempotency_key"
>;

const keyMilliseconds = 24 * 60 * 60 * 1000;

/** POST /incidents: 201 for a first key, 200 with the original for one repeated within 24 hours. */
export const declareIncident: Route = route({
  method: "POST",
  path: "/incidents",
  summary: "Declares an incident, once per idempotency key within 24 hours.",
  needs: "incidents.create",
  body: declaration,
  handle: declare,
});

function declare(call: Call<Declaration>): Answer {
  const { database, body } = call;
  const original = declaredWith(database, body.idempotency_key, call.timestamp);
  if (original !== undefined) return ok({ incident: incidentView(database, original) });
  const incident = createIncident(call, checked(call), actorOf(call.principal));
  return created({ incident: incidentView(database, incident) });
}

/** Stores a new incident, records it, and attaches the runbooks whose conditions it meets; without an actor it happened by itself. */
export function createIncident(act: Act, given: NewIncident, actor?: Actor): IncidentRow {
  const { database, timestamp } = act;
  const incident: IncidentRow = {
    ...given,
    id: randomUUID(),
    number: database.scalar("SELECT MAX(number) FROM incidents") + 1,
    lead_id: null,
    declared_at: timestamp,
    resolved_at: null,
    created_at: timestamp,
    updated_at: timestamp,
  };
  database.insert(incidents, incident);
  const who = given.declared_by?.name ?? actor?.name;
  const description = `${who === undefined ? "Declared" : `${who} declared`} ${identifierOf(incident)}: ${incident.name}`;
  record(act, incident, { type: "incident.created", description, ...(actor === undefined ? {} : { actor }) });
  attachRunbooks(act, incident);
  return incident;
}

/** The default status, which an incident gets when none is named. */
export function defaultStatus(database: Database): OptionRow | undefined {
  return database.find(statusTable, { is_default: true });
}

function declaredWith(database: Database, key: string, timestamp: string): IncidentRow | undefined {
  const since = new Date(Date.parse(timestamp) - keyMilliseconds).toISOString();
  const clause = "WHERE idempotency_key = ? AND created_at > ? ORDER BY number DESC LIMIT 1";
  return database.query(incidents, clause, [key, since])[0];
}

/** Checks everything before anything is written, so that each failing field has its entry. Throws 422, or 404 for a member who does not exist. */
function checked({ database, body, principal }: Call<Declaration>): NewIncident {
  const errors: FieldError[] = [];
  const severity = chosen(database, "severity_id", body.severity_id, errors);
  const status =
    body.status_id == null ? defaultStatus(database) : chosen(database, "status_id", body.status_id, errors);
  if (status === undefined && body.status_id == null) {
    errors.push({ field: "status_id", message: "must be given: the workspace has no default status" });
  }
  const type =
    body.incident_type_id == null ? undefined : chosen(database, "incident_type_id", body.incident_type_id, errors);
  const answers = {
    severity_id: severity?.id ?? null,
    incident_type_id: type?.id ?? null,
    system: { ...body, severity: body.severity_id, incident_type: body.incident_type_id },
    custom: body.custom_fields ?? {},
  };
  const custom_values = checkAnswers(database, answers, errors);
  if (severity === undefined || status === undefined || errors.length > 0) throw invalid(...errors);
  return {
    name: body.name.trim(),
    summary: body.summary ?? null,
    status_id: status.id,
    severity_id: severity.id,
    incident_type_id: type?.id ?? null,
    source: body.source ?? "api",
    declared_by:
      body.declared_by_id == null ? actorOf(principal) : memberActor(findMember(database, body.declared_by_id)),
    detected_at: null,
    custom_values,
    visibility: body.visibility ?? "public",
    idempotency_key: body.idempotency_key,
  };
}
