/** Incidents: table, look-up and responses. */

import type { Fields } from "../../../core/json.ts";
import { notFound } from "../../http/http-error.ts";
import type { Database } from "../../store/database.ts";
import { enumText, indexed, integer, json, key, optionalText, type Table, table, text } from "../../store/table.ts";
import { type MemberRow, members } from "../access/principals.ts";
import { incidentTypeTable } from "../option-lists/incident-types.ts";
import type { LifecycleStage, OptionRow } from "../option-lists/option-list.ts";
import { severityTable } from "../option-lists/severities.ts";
import { statusTable } from "../option-lists/statuses.ts";
import { type Actor, memberActor } from "../responders/people.ts";
import { type CustomValues, serializeCustomValues } from "./custom-values.ts";

/** One incident. The stage of its status is its only state. */
export interface IncidentRow {
  readonly id: string;
  /** The number of the identifier INC-<number>. */
  readonly number: number;
  readonly name: string;
  readonly summary: string | null;
  readonly status_id: string;
  readonly severity_id: string;
  readonly incident_type_id: string | null;
  /** The member who is the lead. */
  readonly lead_id: string | null;
  readonly source: string;
  /** As of the declaration. */
  readonly declared_by: Actor | null;
  readonly declared_at: string;
  readonly detected_at: string | null;
  readonly resolved_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly custom_values: CustomValues;
  readonly visibility: "public" | "private";
  /** Null for an incident that an alert created. */
  readonly idempotency_key: string | null;
}

/** The incidents. */
export const incidents: Table<IncidentRow> = indexed(
  indexed(
    table(
      "incidents",
      {
        id: key,
        number: integer,
        name: text,
        summary: optionalText,
        status_id: text,
        severity_id: text,
        incident_type_id: optionalText,
        lead_id: optionalText,
        source: text,
        declared_by: json<Actor | null>(),
        declared_at: text,
        detected_at: optionalText,
        resolved_at: optionalText,
        created_at: text,
        updated_at: text,
        custom_values: json<CustomValues>(),
        visibility: enumText(),
        idempotency_key: optionalText,
      },
      "UNIQUE (number)",
    ),
    "idempotency_key",
  ),
  "status_id",
);

/** The incident with this id. Throws 404 if there is none. */
export function findIncident(database: Database, id: string): IncidentRow {
  const incident = database.find(incidents, { id });
  if (incident === undefined) throw notFound();
  return incident;
}

/** The human-readable reference, INC-<number>. */
export function identifierOf({ number }: Pick<IncidentRow, "number">): string {
  return `INC-${number}`;
}

/** The status of an incident. */
export function statusOf(database: Database, { status_id }: Pick<IncidentRow, "status_id">): OptionRow {
  return requireValue(database.find(statusTable, { id: status_id }), "status");
}

/** The lifecycle stage of an incident. */
export function stageOf(database: Database, incident: Pick<IncidentRow, "status_id">): LifecycleStage {
  return requireValue(statusOf(database, incident).lifecycle_stage, "stage");
}

/** Whether incidents of the stage are live. */
export function isLive(stage: LifecycleStage | null): boolean {
  return stage === "triage" || stage === "active";
}

/** The lead of the incident. */
function leadOf(database: Database, { lead_id: id }: IncidentRow): MemberRow | undefined {
  return id === null ? undefined : database.find(members, { id });
}

/** The incident for responses and webhook deliveries. */
export function serializeIncident(database: Database, incident: IncidentRow): Fields {
  const status = statusOf(database, incident);
  const severity = requireValue(database.find(severityTable, { id: incident.severity_id }), "severity");
  const typeId = incident.incident_type_id;
  const type = typeId === null ? undefined : database.find(incidentTypeTable, { id: typeId });
  const lead = leadOf(database, incident);
  return {
    id: incident.id,
    identifier: identifierOf(incident),
    name: incident.name,
    summary: incident.summary,
    status: { ...optionSummary(status), lifecycle_stage: status.lifecycle_stage },
    severity: { ...optionSummary(severity), rank: severity.rank },
    type: type === undefined ? null : optionSummary(type),
    lead: lead === undefined ? null : memberActor(lead),
    source: incident.source,
    declared_by: incident.declared_by,
    declared_at: incident.declared_at,
    detected_at: incident.detected_at,
    resolved_at: incident.resolved_at,
    created_at: incident.created_at,
    updated_at: incident.updated_at,
    custom_fields: serializeCustomValues(database, incident.custom_values),
    visibility: incident.visibility,
  };
}

function optionSummary({ id, name, slug }: OptionRow): {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
} {
  return { id, name, slug };
}

/** The value, which is never absent: a resource that an incident references cannot be deleted. */
function requireValue<Value>(value: Value | null | undefined, what: string): Value {
  if (value == null) throw new Error(`an incident's ${what} is missing`);
  return value;
}
