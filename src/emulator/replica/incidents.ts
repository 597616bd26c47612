/** Synthetic incidents of a replica: as many as point at each entry, so that what is in use is refused as it would be. */

import { randomUUID } from "node:crypto";
import type { Json } from "../../core/json.ts";
import {
  type CustomFieldRow,
  customFieldOptions,
  customFieldTable,
  takesSeveral,
} from "../rooms/custom-fields/custom-field-tables.ts";
import { type IncidentRow, incidents } from "../rooms/incidents/incident.ts";
import { severityTable } from "../rooms/option-lists/severities.ts";
import { statusTable } from "../rooms/option-lists/statuses.ts";
import type { Database } from "../store/database.ts";
import type { Loading } from "./lenient-rows.ts";

/** How many incidents hold each entry, by the entry's id; of a choice, by the field's slug and the label or id of the choice. */
export interface HeldCounts {
  readonly severities: Readonly<Record<string, number>>;
  readonly statuses: Readonly<Record<string, number>>;
  readonly choices: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** More than these make a replica slow and no plan different. */
const most = 2_000;

/** Makes incidents so that the counts hold, and returns how many. */
export function loadIncidents({ service, notes }: Loading, held: HeldCounts): number {
  const { database } = service;
  const bySeverity = spread(existing(held.severities, database, severityTable));
  const byStatus = spread(existing(held.statuses, database, statusTable));
  const number = Math.min(most, Math.max(bySeverity.length, byStatus.length));
  const [firstSeverity] = database.list(severityTable, {}, { order: "position", limit: 1 });
  const [firstStatus] = database.list(statusTable, {}, { order: "position", limit: 1 });
  if (number === 0 || firstSeverity === undefined || firstStatus === undefined) return 0;
  if (bySeverity.length !== byStatus.length) {
    notes.add(`${bySeverity.length} incidents were counted by severity and ${byStatus.length} by status`);
  }
  const severities = thinned(bySeverity, number);
  const statuses = thinned(byStatus, number);
  if (bySeverity.length > most || byStatus.length > most) {
    notes.add(`the replica has ${most} incidents at most; no entry that incidents hold is left without any`);
  }
  const values = choicesByIncident(database, held.choices, number);
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

/** The counts of entries that the replica has. */
function existing(
  counts: Readonly<Record<string, number>>,
  database: Database,
  table: typeof severityTable,
): readonly (readonly [id: string, count: number])[] {
  return Object.entries(counts).filter(([id]) => database.find(table, { id }) !== undefined);
}

/** Each id as often as it counts. */
function spread(counts: readonly (readonly [id: string, count: number])[]): readonly string[] {
  return counts.flatMap(([id, count]) => Array.from({ length: count }, () => id));
}

/** Not more than the number, and of each id at least one as long as there is room. */
function thinned(ids: readonly string[], number: number): readonly string[] {
  if (ids.length <= number) return ids;
  const distinct = [...new Set(ids)];
  const rest = number - distinct.length;
  return [...distinct, ...ids.filter((_, at) => at < Math.max(0, rest))].slice(0, number);
}

/** What each incident chose. A field that takes one choice is answered once for each incident. */
function choicesByIncident(
  database: Database,
  choices: HeldCounts["choices"],
  number: number,
): readonly Readonly<Record<string, Json>>[] {
  const values: Record<string, Json>[] = Array.from({ length: number }, () => ({}));
  for (const [slug, counts] of Object.entries(choices)) {
    const field = database.find(customFieldTable, { slug });
    if (field === undefined) continue;
    const chosen = database
      .list(customFieldOptions, { field_id: field.id }, { order: "position" })
      .flatMap(({ id, label }) => Array.from({ length: Math.min(number, counts[id] ?? counts[label] ?? 0) }, () => id));
    give(values, field, chosen);
  }
  return values;
}

function give(values: readonly Record<string, Json>[], field: CustomFieldRow, chosen: readonly string[]): void {
  for (const [at, id] of chosen.entries()) {
    const incident = values[at % Math.max(1, values.length)];
    if (incident === undefined) continue;
    const before = incident[field.id];
    if (!takesSeveral(field)) incident[field.id] = before ?? id;
    else incident[field.id] = Array.isArray(before) ? [...before, id] : [id];
  }
}
