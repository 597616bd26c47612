/** The modules of the four option lists: severities, statuses, incident types and incident roles. */

import { randomUUID } from "node:crypto";
import type { Fields, Json } from "../../../core/json.ts";
import { badRequest, notFound, requireFound, unprocessable, validationError } from "../../http/http-error.ts";
import { listOf, objectSchema } from "../../http/response-schema.ts";
import type { BodySchema, SchemaValue, ValueSchema } from "../../http/value-schema.ts";
import {
  created,
  endpoint,
  isFlagSet,
  noContent,
  ok,
  type RequestContext,
  type ServiceModule,
} from "../../service/module.ts";
import { readName } from "../../service/names.ts";
import type { ServiceContext } from "../../service/service-context.ts";
import type { TransactionContext } from "../../service/transaction.ts";
import type { Database } from "../../store/database.ts";
import { disableInstead, refuseIfReferenced } from "../../store/references.ts";
import { newSlug, optionSlug } from "../../store/slug.ts";
import {
  boolean,
  enumText,
  integer,
  key,
  optionalText,
  type Table,
  table,
  text,
  uniqueText,
} from "../../store/table.ts";

/** A stage of the lifecycle. */
export type LifecycleStage = (typeof lifecycleStages)[number];

/** Every stage of the lifecycle. */
export const lifecycleStages = ["triage", "active", "closed", "canceled"] as const;

/** An entry of an option list. Columns that a list does not use are null, false or 0. */
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
export type InitialOption = Pick<OptionRow, "name" | "position"> & Partial<OptionRow>;

/** The properties of an option list. */
export interface OptionList {
  /** The path, which is also the key in responses, the table and the permission. */
  readonly path: "severities" | "statuses" | "incident_types" | "incident_roles";
  /** The singular, for the wrapped envelope and for messages. */
  readonly singular: string;
  /** The plural and the singular in operation ids. */
  readonly names: readonly [plural: string, singular: string];
  readonly table: Table<OptionRow>;
  /** The schema of an entry. A list has colors, a default or stages if its entries have the property. */
  readonly schema: ValueSchema & {
    readonly title: string;
    readonly type: "object";
    readonly properties: { readonly [name: string]: ValueSchema };
  };
  /** The entry for a response. */
  present(row: OptionRow): Fields;
  /** The reason, other than being the default, why the entry cannot be disabled or deleted; undefined if it can. */
  protectionReason(row: OptionRow, rows: readonly OptionRow[], verb: "disabled" | "deleted"): string | undefined;
  /** The reason why the entry cannot be the default; undefined if it can. */
  defaultReason(row: OptionRow): string | undefined;
  /** Carries a change of an entry's stage on to what refers to the entry. */
  moveReferrers?(transaction: TransactionContext, row: OptionRow): void;
  /** The entries of the default workspace. */
  readonly initialEntries: readonly InitialOption[];
  /** The slug of an entry that even a bare workspace has. */
  readonly builtInSlug: string | undefined;
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
    lifecycle_stage: enumText(),
  });
}

/** Properties that the entries of every option list have. */
export const optionProperties = {
  id: { type: "string", format: "uuid" },
  name: { type: "string", description: "The display name.", examples: ["Degraded"] },
  slug: { type: "string", description: "The address of the entry, which never changes.", examples: ["degraded"] },
  description: { type: ["string", "null"] },
  position: { type: "integer", description: "The place in the list, disabled entries included." },
  enabled: { type: "boolean", description: "false for a retired entry." },
} as const;

/** The color of an entry. */
export const optionColor = { type: ["string", "null"], examples: ["#FF6B35"] } as const;

const properties = {
  name: {
    type: ["string", "null"],
    description: "The display name; renaming never changes the slug.",
    examples: ["Degraded"],
  },
  description: { type: ["string", "null"], description: 'Free text; "" clears it, null is ignored.' },
  color: { type: ["string", "null"], description: "A color code, stored as sent.", examples: ["#FF6B35"] },
  position: { description: "The 1-based place, a whole number; a position beyond either end lands at that end." },
  enabled: { type: ["boolean", "null"], description: "false retires the entry." },
  default: { type: ["boolean", "null"], description: "true makes the entry the default; false is ignored." },
  lifecycle_stage: {
    type: ["string", "null"],
    description: "triage, active, closed or canceled.",
    examples: ["active"],
  },
  slug: { description: "Ignored, unless the dialect `slug` accepts it." },
} as const;

const createBody = { type: "object", properties, required: ["name"] } as const satisfies BodySchema;
const createStagedBody = {
  type: "object",
  properties,
  required: ["name", "lifecycle_stage"],
} as const satisfies BodySchema;
const updateBody = { type: "object", properties } as const satisfies BodySchema;

type OptionBody = SchemaValue<typeof updateBody>;

/** The schema of a body without the properties that entries of the list do not have, which are ignored. */
function ownBody<const Body extends typeof createBody | typeof createStagedBody | typeof updateBody>(
  list: OptionList,
  body: Body,
): Body {
  const ignored = [
    ...(has(list, "color") ? [] : ["color"]),
    ...(has(list, "is_default") ? [] : ["default"]),
    ...(has(list, "lifecycle_stage") ? [] : ["lifecycle_stage"]),
  ];
  const own = Object.entries(body.properties).filter(([name]) => !ignored.includes(name));
  return { ...body, properties: Object.fromEntries(own) };
}

/** The module of an option list. */
export function optionListModule(list: OptionList): ServiceModule {
  const {
    path,
    singular,
    schema,
    names: [plural, name],
  } = list;
  const noun = singular.replaceAll("_", " ");
  const anEntry = `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
  return {
    tables: [list.table],
    seed: (service, workspace) => seedOptions(service, list, workspace === "bare"),
    endpoints: [
      endpoint({
        method: "GET",
        path: `/${path}`,
        operationId: `list${plural}`,
        summary: `Lists the ${path.replaceAll("_", " ")}, in order of position.`,
        requiredAbility: `${path}.read`,
        query: { include_disabled: { type: "boolean", description: "Lists disabled entries too." } },
        responses: { 200: objectSchema(`${schema.title}List`, { [path]: listOf(schema) }) },
        handle: ({ database, query }) => {
          const all = [...database.rowsById(list.table).values()];
          const listed = isFlagSet(query, "include_disabled") ? all : all.filter(({ enabled }) => enabled);
          const rows = listed.toSorted((one, other) => one.position - other.position);
          return ok({ [path]: rows.map((row) => list.present(row)) });
        },
      }),
      endpoint({
        method: "POST",
        path: `/${path}`,
        operationId: `create${name}`,
        summary: `Creates ${anEntry}.`,
        requiredAbility: `${path}.create`,
        body: ownBody(list, has(list, "lifecycle_stage") ? createStagedBody : createBody),
        member: singular,
        responses: { 201: schema },
        errors: has(list, "lifecycle_stage") ? [404] : [],
        handle: (request) => created(list.present(create(list, request))),
      }),
      endpoint({
        method: "PATCH",
        path: `/${path}/:slug`,
        operationId: `update${name}`,
        summary: `Changes ${anEntry}, disabled ones included.`,
        requiredAbility: `${path}.update`,
        body: ownBody(list, updateBody),
        member: singular,
        responses: { 200: schema },
        handle: (request) => ok(list.present(update(list, request))),
      }),
      endpoint({
        method: "DELETE",
        path: `/${path}/:slug`,
        operationId: `delete${name}`,
        summary: `Deletes ${anEntry} that nothing refers to.`,
        requiredAbility: `${path}.delete`,
        responses: { 204: null },
        handle: (request) => {
          remove(list, request);
          return noContent;
        },
      }),
    ],
  };
}

/** Whether the entries of the list have a property. */
function has({ schema }: OptionList, name: "color" | "is_default" | "lifecycle_stage"): boolean {
  return Object.hasOwn(schema.properties, name);
}

function create(list: OptionList, { database, dialects, body }: RequestContext<OptionBody>): OptionRow {
  const attributes = readFields(list, body);
  const name = readName(body.name);
  if (has(list, "lifecycle_stage") && attributes.lifecycle_stage === undefined) {
    throw validationError({ field: "lifecycle_stage", message: "must exist" });
  }
  const slug = newSlug(name, optionSlug, body.slug, dialects);
  if (slug === "") throw validationError({ field: "slug", message: "can't be blank" });
  // Disabled and renamed entries keep their slugs.
  if (database.find(list.table, { slug }) !== undefined) {
    const message = `is already used by another ${list.singular.replaceAll("_", " ")}`;
    throw validationError({ field: "slug", message }, { field: "name", message });
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
  renumber(list, database, id, readPosition(body.position) ?? Number.POSITIVE_INFINITY);
  if (body.default === true) makeDefault(list, database, findById(list, database, id));
  return findById(list, database, id);
}

/** Applies a PATCH in this order: fields, position, enabled, default. */
function update(list: OptionList, request: RequestContext<OptionBody>): OptionRow {
  const { database, body, param } = request;
  const before = findBySlug(list, database, param("slug"));
  const { id } = before;
  database.update(list.table, id, readFields(list, body));
  const position = readPosition(body.position);
  if (position !== undefined) renumber(list, database, id, position);
  const row = findById(list, database, id);
  if (row.lifecycle_stage !== before.lifecycle_stage) list.moveReferrers?.(request, row);
  const protection =
    body.enabled === false && row.enabled ? protectionReason(list, database, row, "disabled") : undefined;
  if (protection !== undefined) throw unprocessable(protection);
  if (body.enabled != null) database.update(list.table, id, { enabled: body.enabled });
  if (body.default === true) makeDefault(list, database, findById(list, database, id));
  return findById(list, database, id);
}

function remove(list: OptionList, request: RequestContext<unknown>): void {
  const row = findBySlug(list, request.database, request.param("slug"));
  // The count comes first: an entry that is both referenced and protected is refused with the count and the protection.
  const protection = protectionReason(list, request.database, row, "deleted");
  refuseIfReferenced(row, list.path, request, protection ?? (row.enabled ? disableInstead : undefined));
  if (protection !== undefined) throw unprocessable(protection);
  request.database.remove(list.table, { id: row.id });
  renumber(list, request.database);
}

/** The fields that a request sets. null and a blank color are ignored; a blank description is cleared. */
function readFields(list: OptionList, body: OptionBody): Partial<OptionRow> {
  const stage = has(list, "lifecycle_stage") ? body.lifecycle_stage : null;
  return {
    ...(body.name == null ? {} : { name: readName(body.name) }),
    ...(body.description == null ? {} : { description: body.description.trim() === "" ? null : body.description }),
    ...(has(list, "color") && body.color?.trim() ? { color: body.color } : {}),
    ...(stage == null ? {} : { lifecycle_stage: readStage(stage) }),
  };
}

/** The stage. Throws 404 for an unknown one, as for a resource that does not exist. */
function readStage(text: string): LifecycleStage {
  if (!isStage(text)) throw notFound();
  return text;
}

/** Whether the text names a stage of the lifecycle. */
export function isStage(text: string): text is LifecycleStage {
  return lifecycleStages.some((stage) => stage === text);
}

/** Numbers the whole list, with disabled entries, from 1 to N, and moves the entry to the position. Updates the ranks. */
function renumber(list: OptionList, database: Database, id?: string, position?: number): void {
  const rows = database.list(list.table, {}, { order: "position" });
  const ids = rows.map((row) => row.id);
  const ordered = id === undefined || position === undefined ? ids : moveTo(ids, id, position);
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const [index, rowId] of ordered.entries()) {
    const place = { position: index + 1, rank: ordered.length - index };
    const before = byId.get(rowId);
    if (before?.position !== place.position || before.rank !== place.rank) database.update(list.table, rowId, place);
  }
}

/**
 * A position: the whole part of a number, or a string with a whole number. Undefined for blank and null. Throws 400 for
 * anything else.
 */
function readPosition(value: Json | undefined): number | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "number") return Math.trunc(value);
  if (typeof value === "string" && /^\s*[+-]?\d+\s*$/.test(value)) return Number(value);
  throw badRequest("position is not a whole number");
}

/** The list with the item moved to the 1-based position. A position beyond either end becomes that end. */
export function moveTo<Item>(list: readonly Item[], item: Item, position: number): Item[] {
  const others = list.filter((other) => other !== item);
  const index = Math.min(others.length, Math.max(0, position - 1));
  return others.toSpliced(index, 0, item);
}

function makeDefault(list: OptionList, database: Database, row: OptionRow): void {
  if (!has(list, "is_default")) return;
  if (!row.enabled) throw unprocessable(`${row.name} is disabled and cannot be the default.`);
  const reason = list.defaultReason(row);
  if (reason !== undefined) throw unprocessable(reason);
  database.run(`UPDATE ${list.path} SET is_default = (id = ?)`, [row.id]);
}

/** The reason why the entry, referenced or not, cannot be disabled or deleted; undefined if it can. */
function protectionReason(
  list: OptionList,
  database: Database,
  row: OptionRow,
  verb: "disabled" | "deleted",
): string | undefined {
  if (row.is_default) return `${row.name} is the default and cannot be ${verb}. Make another one the default first.`;
  return list.protectionReason(row, database.list(list.table), verb);
}

function findBySlug(list: OptionList, database: Database, slug: string): OptionRow {
  return requireFound(database.find(list.table, { slug }));
}

function findById(list: OptionList, database: Database, id: string): OptionRow {
  return requireFound(database.find(list.table, { id }));
}

function seedOptions({ database }: ServiceContext, list: OptionList, isBare: boolean): void {
  const absent = { description: null, color: null, rank: 0, enabled: true, is_default: false, lifecycle_stage: null };
  const rows = list.initialEntries.map((option) => {
    return { ...absent, id: randomUUID(), slug: optionSlug(option.name), ...option };
  });
  database.insert(list.table, ...rows.filter(({ slug }) => !isBare || slug === list.builtInSlug));
}
