/** Incidents: table, look-up, counts, custom field values, stages and responses. */

import { HttpError, requireFound } from "../../http/http-error.ts";
import { type ObjectSchema, objectSchema, present } from "../../http/response-schema.ts";
import type { SchemaValue } from "../../http/value-schema.ts";
import type { Database } from "../../store/database.ts";
import { type ReferenceCounter, rowCounter } from "../../store/references.ts";
import { indexed, type RowOfColumns, rowTable, type StoredValue, type Table } from "../../store/table.ts";
import { customFieldTable } from "../custom-fields/custom-field-tables.ts";
import {
  chosenIds,
  type FieldValue,
  fieldValueSchema,
  serializeFieldValue,
} from "../custom-fields/custom-field-values.ts";
import { type LifecycleStage, lifecycleStages, type OptionRow } from "../option-lists/option-list.ts";
import { incidentTypeTable, lifecycleStageOf, severityTable, statusTable } from "../option-lists/option-lists.ts";
import { actorSchema, memberActor, members } from "../people.ts";

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

const countChange = (row: "NEW" | "OLD", change: 1 | -1): string =>
  `INSERT INTO incident_counts (status_id, severity_id, count) VALUES (${row}.status_id, ${row}.severity_id, ${change})
    ON CONFLICT DO UPDATE SET count = count + ${change}`;

/**
 * The statements that create the counts, and the triggers that keep them. The last statement counts the incidents of a file from
 * a version without counts.
 */
const incidentCountsSql = `
  CREATE TABLE IF NOT EXISTS incident_counts (
    status_id TEXT NOT NULL, severity_id TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (status_id, severity_id)
  ) WITHOUT ROWID;
  CREATE TRIGGER IF NOT EXISTS count_added_incident AFTER INSERT ON incidents BEGIN ${countChange("NEW", 1)}; END;
  CREATE TRIGGER IF NOT EXISTS count_removed_incident AFTER DELETE ON incidents BEGIN ${countChange("OLD", -1)}; END;
  CREATE TRIGGER IF NOT EXISTS count_moved_incident AFTER UPDATE OF status_id, severity_id ON incidents
    BEGIN ${countChange("OLD", -1)}; ${countChange("NEW", 1)}; END;
  INSERT OR IGNORE INTO incident_counts SELECT status_id, severity_id, COUNT(*) FROM incidents GROUP BY 1, 2`;

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

export function statusOf(database: Database, { status_id }: Pick<IncidentRow, "status_id">): OptionRow {
  return requireValue(database.rowsById(statusTable).get(status_id), "status");
}

export function stageOf(database: Database, incident: Pick<IncidentRow, "status_id">): LifecycleStage {
  return lifecycleStageOf(statusOf(database, incident));
}

/** The SQL condition for live incidents. */
export const isLiveSql = "status_id IN (SELECT id FROM statuses WHERE lifecycle_stage IN ('triage', 'active'))";

export function isLive(stage: LifecycleStage | null): boolean {
  return stage === "triage" || stage === "active";
}

/** The incident for responses and webhook deliveries. */
export function serializeIncident(database: Database, incident: IncidentRow): Incident {
  const status = statusOf(database, incident);
  const severity = requireValue(database.rowsById(severityTable).get(incident.severity_id), "severity");
  const type = database.rowsById(incidentTypeTable).get(incident.incident_type_id ?? "");
  const lead = database.rowsById(members).get(incident.lead_id ?? "");
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

/** Values by custom field id: text, a number, the id of an option, or a list of such ids. */
export type CustomValues = { readonly [fieldId: string]: FieldValue };

/** The values for a response. */
export function serializeCustomValues(
  database: Database,
  values: CustomValues,
): { readonly [slug: string]: FieldValue } {
  const entries = Object.entries(values).flatMap(([id, value]): [string, FieldValue][] => {
    const field = database.rowsById(customFieldTable).get(id);
    return field === undefined ? [] : [[field.slug, serializeFieldValue(database, field, value)]];
  });
  return Object.fromEntries(entries);
}

/** The ids of the chosen options, by field id. Conditions compare with them. */
export function chosenIdsByField(values: CustomValues): ReadonlyMap<string, readonly string[]> {
  return new Map(Object.entries(values).map(([id, value]) => [id, chosenIds(value)]));
}

const incidentsWithValue = `incidents
  WHERE EXISTS (SELECT 1 FROM json_tree(incidents.custom_values) AS held WHERE held.atom = ?)`;

/** Counts the incidents with a value of a field, with an option, and with a catalog entry. */
export const valueReferences: readonly ReferenceCounter[] = [
  rowCounter("custom_fields", "incident", "incidents, json_each(custom_values) AS held WHERE held.key = ?", true),
  rowCounter("custom_field_options", "incident", incidentsWithValue, true),
  rowCounter("catalog/entries", "incident", incidentsWithValue, false),
];

/** Conditions in SQL that all hold, on the columns `status_id` and `severity_id`. */
export interface IncidentFilter {
  readonly tests: readonly string[];
  readonly values: readonly StoredValue[];
}

/** The number of incidents that match the filter. */
export function countIncidents(database: Database, { tests, values }: IncidentFilter): number {
  return database.scalar(`SELECT SUM(count) FROM incident_counts ${whereAll(tests)}`, values);
}

/** The WHERE clause of conditions that all hold. */
export function whereAll(tests: readonly string[]): string {
  return tests.length === 0 ? "" : `WHERE ${tests.join(" AND ")}`;
}

/** The event of a change of stage. */
type LifecycleEvent =
  | "incident.accepted"
  | "incident.resolved"
  | "incident.canceled"
  | "incident.reopened"
  | "incident.updated";

/** The move between two stages. Throws 422 incident_not_active for resolved to canceled and canceled to resolved. */
export function lifecycleEvent(from: LifecycleStage, to: LifecycleStage): LifecycleEvent {
  if (from === to) return "incident.updated";
  if (isLive(to)) {
    if (!isLive(from)) return "incident.reopened";
    return to === "active" ? "incident.accepted" : "incident.updated";
  }
  if (isLive(from)) return to === "closed" ? "incident.resolved" : "incident.canceled";
  throw incidentNotActive(
    to === "closed"
      ? "A canceled incident cannot be resolved; reopen it first"
      : "A resolved incident cannot be canceled; reopen it first",
  );
}

/** 422: the incident's state does not allow the change. */
export function incidentNotActive(reason: string): HttpError {
  return new HttpError(422, "incident_not_active", reason);
}

/** The word for an incident's state in the stage. */
export function stateWord(stage: LifecycleStage): "open" | "resolved" | "canceled" {
  if (isLive(stage)) return "open";
  return stage === "closed" ? "resolved" : "canceled";
}
