/** Declaration of incidents, with idempotency keys and the answers to the declare form. Alerts create incidents in the same way. */

import { randomUUID } from "node:crypto";
import { type InvalidField, validationError } from "../../http/http-error.ts";
import { type BodySchema, nonBlankText, type SchemaValue } from "../../http/value-schema.ts";
import { created, endpoint, ok, type RequestContext, type ServedEndpoint } from "../../service/module.ts";
import type { TransactionContext } from "../../service/service-context.ts";
import type { Database } from "../../store/database.ts";
import { recordEvent } from "../incident-record/event.ts";
import {
  type IncidentRow,
  identifierOf,
  incidentEnvelope,
  incidents,
  isLive,
  serializeIncident,
  stageOf,
  statusOf,
} from "../incident-record/incident.ts";
import type { OptionRow } from "../option-lists/option-list.ts";
import { statusTable } from "../option-lists/option-lists.ts";
import { type Actor, actorOf, findMember, memberActor } from "../people.ts";
import { attachRunbooks } from "../runbooks/runbook-attachments.ts";
import { findChoice } from "./choice.ts";
import { validateAnswers } from "./form-answers.ts";

const declaration = {
  type: "object",
  required: ["idempotency_key", "name", "severity_id"],
  properties: {
    idempotency_key: {
      ...nonBlankText,
      examples: ["deploy-4711-checkout"],
      description: "Sent again within 24 hours it returns the incident it declared and declares nothing.",
    },
    name: { ...nonBlankText, examples: ["Checkout is slow"] },
    severity_id: { type: "string", examples: ["0f8c3a52-6c1d-4f0e-9b7a-2d5e8c4b1a90"] },
    summary: { type: ["string", "null"], examples: ["One in five payments times out"] },
    status_id: { type: ["string", "null"], description: "The workspace's default status when absent." },
    incident_type_id: { type: ["string", "null"] },
    declared_by_id: { type: ["string", "null"], description: "A member's ID; the token's owner when absent." },
    visibility: { type: ["string", "null"], enum: ["public", "private", null] },
    custom_fields: {
      type: ["object", "null"],
      additionalProperties: {},
      description: "Values by the slug of a field of the declare form.",
    },
    source: { type: ["string", "null"], description: "Where the incident came from, in free text." },
  },
} as const satisfies BodySchema;

type Declaration = SchemaValue<typeof declaration>;

/** The values of a new incident; the transaction determines the others. */
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

/** POST /incidents: 201 for a new key, 200 with the original incident for a key repeated within 24 hours. */
export const declareIncident: ServedEndpoint = endpoint({
  method: "POST",
  path: "/incidents",
  operationId: "declareIncident",
  summary: "Declares an incident, once per idempotency key within 24 hours.",
  requiredAbility: "incidents.create",
  body: declaration,
  responses: { 201: incidentEnvelope, 200: incidentEnvelope },
  errors: [404],
  handle: (request) => {
    const { database, body } = request;
    const original = findByIdempotencyKey(database, body.idempotency_key, request.timestamp);
    if (original !== undefined) return ok({ incident: serializeIncident(database, original) });
    const incident = createIncident(request, readDeclaration(request), actorOf(request.principal));
    return created({ incident: serializeIncident(database, incident) });
  },
});

/** Stores a new incident, records it, and attaches the matching runbooks. Without an actor the event is automated. */
export function createIncident(transaction: TransactionContext, values: NewIncident, actor?: Actor): IncidentRow {
  const { database, timestamp } = transaction;
  const status = statusOf(database, values);
  const stage = stageOf(database, values);
  const incident: IncidentRow = {
    ...values,
    id: randomUUID(),
    number: database.scalar("SELECT MAX(number) FROM incidents") + 1,
    lead_id: null,
    declared_at: timestamp,
    resolved_at: stage === "closed" ? timestamp : null,
    created_at: timestamp,
    updated_at: timestamp,
  };
  database.insert(incidents, incident);
  const who = values.declared_by?.name ?? actor?.name;
  const description = `${who === undefined ? "Declared" : `${who} declared`} ${identifierOf(incident)}: ${incident.name}`;
  recordEvent(transaction, incident, { type: "incident.created", description, actor });
  if (!isLive(stage)) {
    const type = stage === "closed" ? "incident.resolved" : "incident.canceled";
    recordEvent(transaction, incident, { type, description: `Declared with the status ${status.name}`, actor });
  }
  attachRunbooks(transaction, incident);
  return incident;
}

/** The status of an incident whose declaration names none. */
export function defaultStatus(database: Database): OptionRow | undefined {
  return database.find(statusTable, { is_default: true });
}

function findByIdempotencyKey(database: Database, key: string, timestamp: string): IncidentRow | undefined {
  const since = new Date(Date.parse(timestamp) - keyMilliseconds).toISOString();
  const clause = "WHERE idempotency_key = ? AND created_at > ? ORDER BY number DESC LIMIT 1";
  return database.query(incidents, clause, [key, since])[0];
}

/** The values of a declaration. Throws 422 with one error for each invalid field, and 404 for an unknown member. */
function readDeclaration({ database, body, principal }: RequestContext<Declaration>): NewIncident {
  const errors: InvalidField[] = [];
  const severity = findChoice(database, "severity_id", body.severity_id, errors);
  const status =
    body.status_id == null ? defaultStatus(database) : findChoice(database, "status_id", body.status_id, errors);
  if (status === undefined && body.status_id == null) {
    errors.push({ field: "status_id", message: "must be given: the workspace has no default status" });
  }
  const type =
    body.incident_type_id == null ? undefined : findChoice(database, "incident_type_id", body.incident_type_id, errors);
  const answers = {
    severity_id: severity?.id ?? null,
    incident_type_id: type?.id ?? null,
    system: { ...body, severity: body.severity_id, incident_type: body.incident_type_id },
    custom: body.custom_fields ?? {},
  };
  const custom_values = validateAnswers(database, "declare", answers, errors);
  if (severity === undefined || status === undefined || errors.length > 0) throw validationError(...errors);
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
