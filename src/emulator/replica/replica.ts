/** Replicas: an emulator that holds a workspace as read from another service, with the same ids, slugs and positions. */

import { randomUUID } from "node:crypto";
import { type Fields, textsIn } from "../../core/json.ts";
import type { Control } from "../control/control.ts";
import type { Dialects } from "../dialects.ts";
import { createEmulator, type Emulator } from "../emulator.ts";
import { allModules } from "../modules/all-modules.ts";
import { catalogAttributes, catalogEntries } from "../modules/catalog/catalog-tables.ts";
import {
  type CustomFieldRow,
  choicesOf,
  customFieldTable,
  takesSeveral,
} from "../modules/custom-fields/custom-field-tables.ts";
import type { FieldValue } from "../modules/custom-fields/custom-field-values.ts";
import { type CustomValues, type IncidentRow, incidents } from "../modules/incident-record/incident.ts";
import { severityTable, statusTable } from "../modules/option-lists/option-lists.ts";
import { members } from "../modules/people.ts";
import type { ReplicaLoad, WorkspaceRows } from "../service/live-rows.ts";
import type { Database } from "../store/database.ts";

export interface ReplicaSource {
  /** Lists of the interface, by path below /api/v1: `/severities`, `/forms/declare`, `/routing_rules?source=Datadog`. */
  readonly rows: WorkspaceRows;
  readonly incidentCounts: IncidentCounts;
  /** Email addresses, user ids or member ids of people that later writes name. */
  readonly people: readonly string[];
  readonly dialects: Partial<Dialects>;
}

/** A replica: in process, in memory, without outbound requests. */
export interface Replica {
  readonly emulator: Emulator;
  /** The control surface, for faults. */
  readonly control: Control;
  /** Invented and omitted values, as sentences without a full stop. */
  readonly notes: readonly string[];
  /** The number of created incidents. */
  readonly incidents: number;
}

/** Creates a replica. Resources that `source.rows` lacks are those of a bare workspace. */
export function createReplica(source: ReplicaSource): Replica {
  const emulator = createEmulator({
    workspace: "bare",
    control: true,
    dialects: source.dialects,
    requestsPerMinute: Number.MAX_SAFE_INTEGER,
    send: () => Promise.reject(new Error("a replica sends no requests")),
  });
  const { control } = emulator;
  if (control === undefined) throw new Error("the emulator has no control surface");
  const load: ReplicaLoad = { service: control.service, rows: source.rows, notes: new Set() };
  const incidents = loadWorkspace(load, source);
  return { emulator, control, notes: [...load.notes], incidents };
}

/** Loads everything in one transaction, referenced resources first. Returns the number of created incidents. */
function loadWorkspace(load: ReplicaLoad, { incidentCounts, people }: ReplicaSource): number {
  return load.service.database.transaction(() => {
    for (const module of allModules) module.loadReplica?.(load);
    loadPeople(load, people);
    return loadIncidents(load, incidentCounts);
  });
}

export type { WorkspaceRows } from "../service/live-rows.ts";

/** Counts of incidents: for each severity and status by id, and for each option by field slug and option label or id. */
interface IncidentCounts {
  readonly severities: Readonly<Record<string, number>>;
  readonly statuses: Readonly<Record<string, number>>;
  readonly choices: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** The maximum. More incidents slow a replica down without an effect on plans. */
const maximumIncidents = 2_000;

/** Creates incidents that match the counts, and returns their number. */
function loadIncidents({ service, notes }: ReplicaLoad, counts: IncidentCounts): number {
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

/** Creates people for unknown names in the catalog and in the plan, so that the replica accepts writes that name them. */
function loadPeople({ service: { database }, notes }: ReplicaLoad, peopleInPlan: readonly string[]): void {
  const knownPeople = new Set(
    database.list(members).flatMap(({ id, email, chat_user_id }) => [id, email, chat_user_id]),
  );
  const memberWords = database
    .list(catalogAttributes)
    .flatMap(({ type_id, slug, attribute_type }) =>
      attribute_type === "workspace_member" || attribute_type === "workspace_members"
        ? database.list(catalogEntries, { type_id }).flatMap(({ attributes }) => wordsIn(attributes[slug]))
        : [],
    );
  const words = [...new Set([...memberWords, ...peopleInPlan])].filter((word) => !knownPeople.has(word));
  if (words.length === 0) return;
  notes.add(`${words.length} people in the catalog or the plan are assumed to exist`);
  database.insert(
    members,
    ...words.map((word) => ({ id: word, name: word, email: word, chat_user_id: word, role: "member" as const })),
  );
}

function wordsIn(value: Fields[string] | undefined): readonly string[] {
  return typeof value === "string" ? [value] : textsIn(value);
}
