/** Incidents: table, look-up and responses. */

import { requireFound } from "../../http/http-error.ts";
import { type ObjectSchema, objectSchema, present } from "../../http/response-schema.ts";
import type { SchemaValue } from "../../http/value-schema.ts";
import { type RowOfColumns, rowTable } from "../../resource/row-table.ts";
import type { Database } from "../../store/database.ts";
import { indexed, type Table } from "../../store/table.ts";
import { fieldValueSchema } from "../custom-fields/custom-field-values.ts";
import { type LifecycleStage, lifecycleStages, type OptionRow } from "../option-lists/option-list.ts";
import { incidentTypeTable, lifecycleStageOf, severityTable, statusTable } from "../option-lists/option-lists.ts";
import { actorSchema, type MemberRow, memberActor, members } from "../people.ts";
import { serializeCustomValues } from "./custom-values.ts";
import { incidentCountsSql } from "./incident-counts.ts";

const choiceProperties = {
  id: { type: "string", format: "uuid" },
  name: { type: "string", examples: ["Service Outage"] },
  slug: { type: "string", examples: ["service_outage"] },
} as const;

const statusProperties = {
  id: { type: "string", format: "uuid" },
  name: { type: "string", examples: ["Investigating"] },
  slug: { type: "string", examples: ["investigating"] },
  lifecycle_stage: {
    type: "string",
    enum: lifecycleStages as typeof lifecycleStages,
    description: "The only state of the incident: live in triage and active, resolved in closed, or canceled.",
    examples: ["active"],
  },
} as const;

const severityProperties = {
  id: { type: "string", format: "uuid" },
  name: { type: "string", examples: ["Major"] },
  slug: { type: "string", examples: ["major"] },
  rank: { type: "integer", description: "The higher, the more severe.", examples: [2] },
} as const;

const typeOfIncident: ObjectSchema<typeof choiceProperties> = objectSchema("TypeOfIncident", choiceProperties);
const statusOfIncident: ObjectSchema<typeof statusProperties> = objectSchema("StatusOfIncident", statusProperties);
const severityOfIncident: ObjectSchema<typeof severityProperties> = objectSchema(
  "SeverityOfIncident",
  severityProperties,
);
const visibilities = ["public", "private"] as const;

const incidentProperties = {
  id: { type: "string", format: "uuid" },
  identifier: { type: "string", description: "INC- and a number.", examples: ["INC-1"] },
  name: { type: "string", examples: ["Checkout is slow"] },
  summary: { type: ["string", "null"], examples: ["One in five payments times out"] },
  status: statusOfIncident as typeof statusOfIncident,
  severity: severityOfIncident as typeof severityOfIncident,
  type: { anyOf: [typeOfIncident as typeof typeOfIncident, { type: "null" }] },
  lead: { anyOf: [actorSchema as typeof actorSchema, { type: "null" }] },
  source: { type: "string", description: "Where the incident came from.", examples: ["api"] },
  declared_by: { anyOf: [actorSchema as typeof actorSchema, { type: "null" }] },
  declared_at: { type: "string", format: "date-time" },
  detected_at: { type: ["string", "null"], format: "date-time", examples: [null] },
  resolved_at: { type: ["string", "null"], format: "date-time", examples: [null] },
  created_at: { type: "string", format: "date-time" },
  updated_at: { type: "string", format: "date-time" },
  custom_fields: {
    type: "object",
    additionalProperties: fieldValueSchema as typeof fieldValueSchema,
    description: "Values by the slug of the custom field.",
    examples: [{ region: "Europe" }],
  },
  visibility: { type: "string", enum: visibilities as typeof visibilities },
} as const;

/** The schema of an incident in responses and deliveries. */
export const incidentSchema: ObjectSchema<typeof incidentProperties> = objectSchema("Incident", incidentProperties);

/** An incident for responses and deliveries. */
export type Incident = SchemaValue<typeof incidentSchema>;

const envelopeProperties = { incident: incidentSchema as typeof incidentSchema } as const;

/** The schema of a response with one incident. */
export const incidentEnvelope: ObjectSchema<typeof envelopeProperties> = objectSchema(
  "IncidentEnvelope",
  envelopeProperties,
);

const incidentColumns = {
  id: { type: "string" },
  // The number of the identifier INC-<number>.
  number: { type: "integer" },
  name: { type: "string" },
  summary: { type: ["string", "null"] },
  status_id: { type: "string" },
  severity_id: { type: "string" },
  incident_type_id: { type: ["string", "null"] },
  // The member who is the lead.
  lead_id: { type: ["string", "null"] },
  source: { type: "string" },
  // As of the declaration.
  declared_by: { anyOf: [actorSchema as typeof actorSchema, { type: "null" }] },
  declared_at: { type: "string" },
  detected_at: { type: ["string", "null"] },
  resolved_at: { type: ["string", "null"] },
  created_at: { type: "string" },
  updated_at: { type: "string" },
  // By the id of the custom field.
  custom_values: { type: "object", additionalProperties: fieldValueSchema as typeof fieldValueSchema },
  visibility: { type: "string", enum: visibilities as typeof visibilities },
  // Null for an incident that an alert created.
  idempotency_key: { type: ["string", "null"] },
} as const;

/** One incident. The stage of its status is its only state. */
export type IncidentRow = RowOfColumns<typeof incidentColumns>;

const indexedIncidents: Table<IncidentRow> = indexed(
  indexed(rowTable("incidents", incidentColumns, "UNIQUE (number)"), "idempotency_key"),
  "status_id",
  "severity_id",
  "number",
);

/** The incidents, with their counts. */
export const incidents: Table<IncidentRow> = {
  ...indexedIncidents,
  create: `${indexedIncidents.create}; ${incidentCountsSql}`,
};

/** The incident with this id. Throws 404 if there is none. */
export function findIncident(database: Database, id: string): IncidentRow {
  return requireFound(database.find(incidents, { id }));
}

/** The human-readable reference, INC-<number>. */
export function identifierOf({ number }: Pick<IncidentRow, "number">): string {
  return `INC-${number}`;
}

/** The status of an incident. */
export function statusOf(database: Database, { status_id }: Pick<IncidentRow, "status_id">): OptionRow {
  return requireValue(database.rowsById(statusTable).get(status_id), "status");
}

/** The lifecycle stage of an incident. */
export function stageOf(database: Database, incident: Pick<IncidentRow, "status_id">): LifecycleStage {
  return lifecycleStageOf(statusOf(database, incident));
}

/** Whether incidents of the stage are live. */
export function isLive(stage: LifecycleStage | null): boolean {
  return stage === "triage" || stage === "active";
}

/** The lead of the incident. */
function leadOf(database: Database, { lead_id: id }: IncidentRow): MemberRow | undefined {
  return id === null ? undefined : database.rowsById(members).get(id);
}

/** The incident for responses and webhook deliveries. */
export function serializeIncident(database: Database, incident: IncidentRow): Incident {
  const status = statusOf(database, incident);
  const severity = requireValue(database.rowsById(severityTable).get(incident.severity_id), "severity");
  const typeId = incident.incident_type_id;
  const type = typeId === null ? undefined : database.rowsById(incidentTypeTable).get(typeId);
  const lead = leadOf(database, incident);
  return present(incidentSchema, {
    ...incident,
    identifier: identifierOf(incident),
    status: { ...optionSummary(status), lifecycle_stage: lifecycleStageOf(status) },
    severity: { ...optionSummary(severity), rank: severity.rank },
    type: type === undefined ? null : optionSummary(type),
    lead: lead === undefined ? null : memberActor(lead),
    custom_fields: serializeCustomValues(database, incident.custom_values),
  });
}

function optionSummary({ id, name, slug }: OptionRow): SchemaValue<typeof typeOfIncident> {
  return { id, name, slug };
}

/** The value, which is never absent: a resource that an incident references cannot be deleted. */
function requireValue<Value>(value: Value | null | undefined, what: string): Value {
  if (value == null) throw new Error(`an incident's ${what} is missing`);
  return value;
}
