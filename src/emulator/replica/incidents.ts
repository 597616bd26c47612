/** Synthetic incidents of a replica, with the same counts of references, so that the replica refuses the same deletions. */

import { randomUUID } from "node:crypto";
import {
  type CustomFieldRow,
  choicesOf,
  customFieldTable,
  takesSeveral,
} from "../modules/custom-fields/custom-field-tables.ts";
import type { FieldValue } from "../modules/custom-fields/custom-field-values.ts";
import type { CustomValues } from "../modules/incident-record/custom-values.ts";
import { type IncidentRow, incidents } from "../modules/incident-record/incident.ts";
import { severityTable, statusTable } from "../modules/option-lists/option-lists.ts";
import type { ReplicaLoad } from "../service/live-rows.ts";
import type { Database } from "../store/database.ts";

/** Counts of incidents: for each severity and status by id, and for each option by field slug and option label or id. */
export interface IncidentCounts {
  readonly severities: Readonly<Record<string, number>>;
  readonly statuses: Readonly<Record<string, number>>;
  readonly choices: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** The maximum. More incidents slow a replica down without an effect on plans. */
const maximumIncidents = 2_000;

/** Creates incidents that match the counts, and returns their number. */
export function loadIncidents({ service, notes }: ReplicaLoad, counts: IncidentCounts): number {
  const { database } = service;
  const bySeverity = repeatByCount(countsOfExisting(counts.severities, database, severityTable));
  const byStatus = repeatByCount(countsOfExisting(counts.statuses, database, statusTable));
  const number = Math.min(maximumIncidents, Math.max(bySeverity.length, byStatus.length));
  const [firstSeverity] = database.list(severityTable, {}, { order: "position", limit: 1 });
  const [firstStatus] = database.list(statusTable, {}, { order: "position", limit: 1 });
  if (number === 0 || firstSeverity === undefined || firstStatus === undefined) return 0;
  if (bySeverity.length !== byStatus.length) {
    notes.add(`${bySeverity.length} incidents were counted by severity and ${byStatus.length} by status`);
  }
  const severities = limitIds(bySeverity, number);
  const statuses = limitIds(byStatus, number);
  if (bySeverity.length > maximumIncidents || byStatus.length > maximumIncidents) {
    notes.add(`the replica has ${maximumIncidents} incidents at most; every resource in use keeps at least one`);
  }
  const values = customValuesByIncident(database, counts.choices, number);
  const now = service.now().toISOString();
  const rows = Array.from(
    { length: number },
    (_, at): IncidentRow => ({
      id: randomUUID(),
      number: at + 1,
      name: `Incident ${at + 1} of the replica`,
      summary: null,
      severity_id: severities[at] ?? firstSeverity.id,
      status_id: statuses[at] ?? firstStatus.id,
      incident_type_id: null,
      lead_id: null,
      source: "replica",
      declared_by: null,
      declared_at: now,
      detected_at: null,
      resolved_at: null,
      created_at: now,
      updated_at: now,
      custom_values: values[at] ?? {},
      visibility: "public",
      idempotency_key: null,
    }),
  );
  database.insert(incidents, ...rows);
  return number;
}

/** The counts for resources that exist in the replica. */
function countsOfExisting(
  counts: Readonly<Record<string, number>>,
  database: Database,
  table: typeof severityTable,
): readonly (readonly [id: string, count: number])[] {
  return Object.entries(counts).filter(([id]) => database.find(table, { id }) !== undefined);
}

/** Each id, repeated by its count. */
function repeatByCount(counts: readonly (readonly [id: string, count: number])[]): readonly string[] {
  return counts.flatMap(([id, count]) => Array.from({ length: count }, () => id));
}

/** At most `number` ids, with every distinct id as far as possible. */
function limitIds(ids: readonly string[], number: number): readonly string[] {
  if (ids.length <= number) return ids;
  const distinct = [...new Set(ids)];
  const rest = number - distinct.length;
  return [...distinct, ...ids.filter((_, at) => at < Math.max(0, rest))].slice(0, number);
}

/** The custom field values of each incident. */
function customValuesByIncident(
  database: Database,
  choices: IncidentCounts["choices"],
  number: number,
): readonly CustomValues[] {
  const values: Record<string, FieldValue>[] = Array.from({ length: number }, () => ({}));
  for (const [slug, counts] of Object.entries(choices)) {
    const field = database.find(customFieldTable, { slug });
    if (field === undefined) continue;
    // A field without choices holds the texts themselves.
    const choicesOfField =
      field.option_source === "none"
        ? Object.keys(counts).map((id) => ({ id, label: id }))
        : choicesOf(database, field);
    const optionIds = choicesOfField.flatMap(({ id, label }) =>
      Array.from({ length: Math.min(number, counts[id] ?? counts[label] ?? 0) }, () => id),
    );
    assignOptions(values, field, optionIds);
  }
  return values;
}

function assignOptions(
  values: readonly Record<string, FieldValue>[],
  field: CustomFieldRow,
  optionIds: readonly string[],
): void {
  for (const [at, id] of optionIds.entries()) {
    const incident = values[at % Math.max(1, values.length)];
    if (incident === undefined) continue;
    const before = incident[field.id];
    if (!takesSeveral(field)) incident[field.id] = before ?? id;
    else incident[field.id] = Array.isArray(before) ? [...before, id] : [id];
  }
}
