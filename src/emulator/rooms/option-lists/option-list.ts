/** The four option lists of the interface as one room: severities, statuses, incident types and incident roles. */

import { randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import type { BodyShape, ValueOf } from "../../http/body-schema.ts";
import { member } from "../../http/envelope.ts";
import { invalid, notFound, refused } from "../../http/http-error.ts";
import type { Service } from "../../service-context.ts";
import type { Database } from "../../store/database.ts";
import { place, positionOf } from "../../store/position.ts";
import { guardReferences } from "../../store/references.ts";
import { newSlug, optionSlug } from "../../store/slug.ts";
import { boolean, integer, key, optionalText, type Table, table, text, uniqueText, word } from "../../store/table.ts";
import { type Call, created, isOn, noContent, ok, type Room, route } from "../room.ts";

/** The four stages of the lifecycle. */
export type LifecycleStage = "triage" | "active" | "closed" | "canceled";

/** An entry of an option list. Columns that a list does not have stay at null, false or 0. */
export interface OptionRow {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
  readonly color: string | null;
  readonly position: number;
  /** Severities: N + 1 - position over the whole list. */
  readonly rank: number;
  readonly enabled: boolean;
  readonly is_default: boolean;
  /** Statuses only. */
  readonly lifecycle_stage: LifecycleStage | null;
}

/** An entry of a fresh workspace. */
export type SeededOption = Pick<OptionRow, "name" | "position"> & Partial<OptionRow>;

/** What distinguishes one option list from another. */
export interface OptionList {
  /** The path, the list key of the answer, the table and the permission. */
  readonly path: "severities" | "statuses" | "incident_types" | "incident_roles";
  /** The singular, in the wrapped envelope and in messages. */
  readonly entry: string;
  readonly table: Table<OptionRow>;
  readonly colored: boolean;
  readonly hasDefault: boolean;
  /** Whether entries belong to lifecycle stages. */
  readonly staged: boolean;
  /** The fields of the answer beyond those all lists have. */
  extras(row: OptionRow): Fields;
  /** Why the entry cannot be disabled or deleted besides being the default; undefined when it can. */
  refusal(row: OptionRow, rows: readonly OptionRow[], verb: "disabled" | "deleted"): string | undefined;
  /** Why the entry cannot be the default; undefined when it can. */
  defaultRefusal(row: OptionRow): string | undefined;
  /** The entries of the default workspace. */
  readonly seeded: readonly SeededOption[];
  /** The slug of an entry that cannot be absent, not even from a bare workspace. */
  readonly builtIn: string | undefined;
}

/** The table of an option list. */
export function optionTable(name: OptionList["path"]): Table<OptionRow> {
  return table(name, {
    id: key,
    name: text,
    slug: uniqueText,
    description: optionalText,
    color: optionalText,
    position: integer,
    rank: integer,
    enabled: boolean,
    is_default: boolean,
    lifecycle_stage: word(),
  });
}

const stages: readonly string[] = ["triage", "active", "closed", "canceled"] satisfies readonly LifecycleStage[];

const properties = {
  name: { type: ["string", "null"], description: "The display name; renaming never changes the slug." },
  description: { type: ["string", "null"], description: 'Free text; "" clears it, null is ignored.' },
  color: { type: ["string", "null"], description: "A color code, stored as sent." },
  position: { description: "The 1-based place, a whole number; a position beyond either end lands at that end." },
  enabled: { type: ["boolean", "null"], description: "false retires the entry." },
  default: { type: ["boolean", "null"], description: "true makes the entry the default; false is ignored." },
  lifecycle_stage: { type: ["string", "null"], description: "triage, active, closed or canceled." },
  slug: { description: "Ignored, unless the dialect `slug` accepts it." },
} as const;

const createBody = { type: "object", properties, required: ["name"] } as const satisfies BodyShape;
const createStagedBody = {
  type: "object",
  properties,
  required: ["name", "lifecycle_stage"],
} as const satisfies BodyShape;
const updateBody = { type: "object", properties } as const satisfies BodyShape;

type OptionBody = ValueOf<typeof updateBody>;

/** The room of one option list. */
export function optionListRoom(list: OptionList): Room {
  const { path, entry } = list;
  return {
    tables: [list.table],
    seed: (service, workspace) => seedOptions(service, list, workspace === "bare"),
    routes: [
      route({
        method: "GET",
        path: `/${path}`,
        summary: `Lists the ${path}, in order of position.`,
        needs: `${path}.read`,
        query: { include_disabled: { type: "boolean", description: "Lists disabled entries too." } },
        handle: ({ database, query }) => {
          const where = isOn(query, "include_disabled") ? {} : { enabled: true };
          const rows = database.list(list.table, where, { order: "position" });
          return ok({ [path]: rows.map((row) => shown(list, row)) });
        },
      }),
      route({
        method: "POST",
        path: `/${path}`,
        summary: `Creates a ${entry}.`,
        needs: `${path}.create`,
        body: list.staged ? createStagedBody : createBody,
        handle: (call) => created(member(entry, shown(list, create(list, call)), call.dialects)),
      }),
      route({
        method: "PATCH",
        path: `/${path}/:slug`,
        summary: `Changes a ${entry}, disabled ones included.`,
        needs: `${path}.update`,
        body: updateBody,
        handle: (call) => ok(member(entry, shown(list, update(list, call)), call.dialects)),
      }),
      route({
        method: "DELETE",
        path: `/${path}/:slug`,
        summary: `Deletes a ${entry} that nothing points at.`,
        needs: `${path}.delete`,
        handle: (call) => {
          remove(list, call);
          return noContent;
        },
      }),
    ],
  };
}

function shown(list: OptionList, row: OptionRow): Fields {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    position: row.position,
    enabled: row.enabled,
    ...(list.colored ? { color: row.color } : {}),
    ...(list.hasDefault ? { is_default: row.is_default } : {}),
    ...list.extras(row),
  };
}

function create(list: OptionList, { database, dialects, body }: Call<OptionBody>): OptionRow {
  const attributes = attributesOf(list, body);
  const name = attributes.name ?? "";
  if (name === "") throw invalid({ field: "name", message: "can't be blank" });
  if (list.staged && attributes.lifecycle_stage === undefined) {
    throw invalid({ field: "lifecycle_stage", message: "must exist" });
  }
  const sent = typeof body.slug === "string" ? body.slug : undefined;
  const slug = newSlug(name, optionSlug, sent, dialects);
  if (slug === "") throw invalid({ field: "slug", message: "can't be blank" });
  // A disabled entry keeps its slug, and so does a renamed one.
  if (database.find(list.table, { slug }) !== undefined) {
    const message = `is already used by another ${list.entry.replaceAll("_", " ")}`;
    throw invalid({ field: "slug", message }, { field: "name", message });
  }
  const id = randomUUID();
  database.insert(list.table, {
    id,
    name,
    slug,
    description: attributes.description ?? null,
    color: attributes.color ?? null,
    position: database.scalar(`SELECT MAX(position) FROM ${list.path}`) + 1,
    rank: 0,
    enabled: body.enabled ?? true,
    is_default: false,
    lifecycle_stage: attributes.lifecycle_stage ?? null,
  });
  arrange(list, database, id, positionOf(body.position) ?? Number.POSITIVE_INFINITY);
  if (body.default === true) makeDefault(list, database, current(list, database, id));
  return current(list, database, id);
}

/** The order within one PATCH: attributes, position, enabled, default. */
function update(list: OptionList, { database, body, param }: Call<OptionBody>): OptionRow {
  const { id } = bySlug(list, database, param("slug"));
  database.update(list.table, id, attributesOf(list, body));
  const position = positionOf(body.position);
  if (position !== undefined) arrange(list, database, id, position);
  const row = current(list, database, id);
  if (body.enabled === false && row.enabled) guard(list, database, row, "disabled");
  if (body.enabled != null) database.update(list.table, id, { enabled: body.enabled });
  if (body.default === true) makeDefault(list, database, current(list, database, id));
  return current(list, database, id);
}

function remove(list: OptionList, call: Call<unknown>): void {
  const row = bySlug(list, call.database, call.param("slug"));
  guard(list, call.database, row, "deleted");
  guardReferences(row, list.path, call);
  call.database.remove(list.table, { id: row.id });
  arrange(list, call.database);
}

/** The attributes that a body sets. null is ignored, blank clears the description, a blank color is ignored. */
function attributesOf(list: OptionList, body: OptionBody): Partial<OptionRow> {
  if (body.name?.trim() === "") throw invalid({ field: "name", message: "can't be blank" });
  const stage = list.staged ? body.lifecycle_stage : null;
  return {
    ...(body.name == null ? {} : { name: body.name.trim() }),
    ...(body.description == null ? {} : { description: body.description.trim() === "" ? null : body.description }),
    ...(list.colored && body.color?.trim() ? { color: body.color } : {}),
    ...(stage == null ? {} : { lifecycle_stage: stageOf(stage) }),
  };
}

/** An unknown lifecycle stage is a resource that does not exist: 404. */
function stageOf(text: string): LifecycleStage {
  if (!isStage(text)) throw notFound();
  return text;
}

/** Whether the text names a stage of the lifecycle. */
export function isStage(text: string): text is LifecycleStage {
  return stages.includes(text);
}

/** Numbers the whole list 1 to N, disabled entries included, with the given entry at its position; rank follows. */
function arrange(list: OptionList, database: Database, id?: string, position?: number): void {
  const rows = database.list(list.table, {}, { order: "position" });
  const ids = rows.map((row) => row.id);
  const ordered = id === undefined || position === undefined ? ids : place(ids, id, position);
  const old = new Map(rows.map((row) => [row.id, row]));
  for (const [index, rowId] of ordered.entries()) {
    const place = { position: index + 1, rank: ordered.length - index };
    const before = old.get(rowId);
    if (before?.position !== place.position || before.rank !== place.rank) database.update(list.table, rowId, place);
  }
}

function makeDefault(list: OptionList, database: Database, row: OptionRow): void {
  if (!list.hasDefault) return;
  if (!row.enabled) throw refused(`${row.name} is disabled and cannot be the default.`);
  const reason = list.defaultRefusal(row);
  if (reason !== undefined) throw refused(reason);
  database.run(`UPDATE ${list.path} SET is_default = (id = ?)`, [row.id]);
}

function guard(list: OptionList, database: Database, row: OptionRow, verb: "disabled" | "deleted"): void {
  if (row.is_default)
    throw refused(`${row.name} is the default and cannot be ${verb}. Make another one the default first.`);
  const reason = list.refusal(row, database.list(list.table), verb);
  if (reason !== undefined) throw refused(reason);
}

function bySlug(list: OptionList, database: Database, slug: string): OptionRow {
  const row = database.find(list.table, { slug });
  if (row === undefined) throw notFound();
  return row;
}

function current(list: OptionList, database: Database, id: string): OptionRow {
  const row = database.find(list.table, { id });
  if (row === undefined) throw notFound();
  return row;
}

function seedOptions({ database }: Service, list: OptionList, bare: boolean): void {
  const absent = { description: null, color: null, rank: 0, enabled: true, is_default: false, lifecycle_stage: null };
  const rows = list.seeded.map((option) => {
    return { ...absent, id: randomUUID(), slug: optionSlug(option.name), ...option };
  });
  database.insert(list.table, ...rows.filter(({ slug }) => !bare || slug === list.builtIn));
}
