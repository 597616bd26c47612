/** The modules of the option lists, such as severities and statuses. */

import { randomUUID } from "node:crypto";
import { fieldsIn, type Json, textIn } from "../../../core/json.ts";
import { badRequest, type HttpError, notFound, unprocessable, validationError } from "../../http/http-error.ts";
import type { ValueSchema } from "../../http/value-schema.ts";
import type { ResourceRequest } from "../../resource/definition.ts";
import type { RowOf, StoredField } from "../../resource/field.ts";
import { resourceModule } from "../../resource/resource.ts";
import { type BodyRules, tableOf } from "../../resource/schemas.ts";
import { numberOf } from "../../service/live-rows.ts";
import { isFlagSet, type ServiceModule } from "../../service/module.ts";
import { slugInput } from "../../service/names.ts";
import type { ResourceInPermissionsTs } from "../../service/permissions.ts";
import type { TransactionContext } from "../../service/service-context.ts";
import type { Database } from "../../store/database.ts";
import { disableInstead, refuseIfReferenced } from "../../store/references.ts";
import { newSlug, optionSlug } from "../../store/slug.ts";
import type { Table } from "../../store/table.ts";

export type LifecycleStage = (typeof lifecycleStages)[number];

/** Every stage of the lifecycle. */
export const lifecycleStages = ["triage", "active", "closed", "canceled"] as const;

const fields = {
  id: { value: { type: "string", format: "uuid" } },
  name: {
    value: { type: "string", description: "The display name.", examples: ["Degraded"] },
    input: "The display name; renaming never changes the slug.",
    reading: "name",
    required: true,
  },
  slug: {
    value: { type: "string", description: "The address of the entry, which never changes.", examples: ["degraded"] },
    input: slugInput as typeof slugInput,
    reading: "none",
    unique: true,
  },
  description: {
    value: { type: ["string", "null"] },
    input: 'Free text; "" clears it, null is ignored.',
    reading: "clearable",
  },
  position: {
    value: { type: "integer", description: "The place in the list, disabled entries included." },
    input: {
      type: ["number", "string", "null"],
      pattern: "^\\s*([+-]?\\d+\\s*)?$",
      description: "The 1-based place, a whole number; a position beyond either end lands at that end.",
      examples: [1],
      refusal: (): HttpError => badRequest("position is not a whole number"),
    },
    reading: "none",
  },
  enabled: {
    value: { type: "boolean", description: "false for a retired entry." },
    input: "false retires the entry.",
    initial: true,
  },
  color: { value: { type: ["string", "null"], examples: ["#FF6B35"] }, input: "A color code, stored as sent." },
  is_default: {
    value: { type: "boolean", description: "true for the default of the workspace." },
    input: "true makes the entry the default; false is ignored.",
    inputName: "default",
    reading: "none",
    liveNames: ["is_default", "default"],
  },
  rank: { value: { type: "integer", description: "Derived from the position: the higher, the more severe." } },
  lifecycle_stage: {
    value: { anyOf: [{ type: "string", enum: lifecycleStages as typeof lifecycleStages }, { type: "null" }] },
    input: {
      type: ["string", "null"],
      enum: ["triage", "active", "closed", "canceled", null],
      examples: ["active"],
      refusal: (stage: Json | undefined): HttpError | undefined => stageError(stage),
    },
    required: true,
  },
} as const;

type OptionFields = typeof fields;

/** An entry of an option list. Columns that a list does not use are null, false or 0. */
export type OptionRow = RowOf<OptionFields>;

/** Fields that not every list has. */
type OwnField = "color" | "is_default" | "rank" | "lifecycle_stage";

/** The properties of an option list. */
interface OptionList {
  /** The name of the schema of an entry. */
  readonly title: string;
  /** The path, which is also the key in responses, the table and the permission. */
  readonly path: ResourceInPermissionsTs;
  readonly table: Table<OptionRow>;
  /** The fields besides those of every list. A schema replaces that of the field. */
  readonly own: { readonly [Name in OwnField]?: ValueSchema | true };
  /** The reason, other than being the default, why the entry cannot be disabled or deleted; undefined if it can. */
  protectionReason?(row: OptionRow, rows: readonly OptionRow[], verb: Verb): string | undefined;
  /** The stages of which an entry can be the default; absent for a list without stages. */
  readonly defaultStages?: readonly LifecycleStage[];
  /** Carries a change of an entry's stage on to what refers to the entry. */
  moveReferrers?(transaction: TransactionContext, row: OptionRow): void;
  /** The entries of the default workspace. */
  readonly initialEntries: readonly (Pick<OptionRow, "name" | "position"> & Partial<OptionRow>)[];
  /** The slug of an entry that even a bare workspace has. */
  readonly builtInSlug?: string;
}

type Verb = "disabled" | "deleted";

export function optionTable(name: OptionList["path"]): Table<OptionRow> {
  return tableOf(name, fields);
}

export function optionListModule(list: OptionList): ServiceModule {
  const { title, path, table, initialEntries, builtInSlug } = list;
  const noun = nounOf(list);
  const anEntry = `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
  const module = resourceModule({
    title,
    path,
    ability: path,
    fields: fieldsOf(list),
    table,
    address: "slug",
    order: "position",
    summaries: {
      list: `Lists the ${path.replaceAll("_", " ")}, in order of position.`,
      create: `Creates ${anEntry}.`,
      update: `Changes ${anEntry}, disabled ones included.`,
      delete: `Deletes ${anEntry} that nothing refers to.`,
    },
    errors: { create: has(list, "lifecycle_stage") ? [404] : [] },
    ...(has(list, "is_default") ? { bodyRules: { create: defaultRule(list), update: defaultRule(list) } } : {}),
    query: { include_disabled: { type: "boolean", description: "Lists disabled entries too." } },
    rows({ database, query }) {
      const all = [...database.rowsById(table).values()];
      const listed = isFlagSet(query, "include_disabled") ? all : all.filter(({ enabled }) => enabled);
      return listed.toSorted((one, other) => one.position - other.position);
    },
    read: { color: (color) => (color.trim() === "" ? undefined : color) },
    complete(request, values) {
      const position = request.database.scalar(`SELECT MAX(position) FROM ${path}`) + 1;
      return { slug: freeSlug(list, request, values.name ?? ""), position };
    },
    check({ database }, row, before) {
      const reason =
        before?.enabled === true && !row.enabled
          ? protectionReason(list, database, { ...row, enabled: true }, "disabled")
          : undefined;
      if (reason !== undefined) throw unprocessable(reason);
      return row;
    },
    afterWrite(request, row, before) {
      const { database, body } = request;
      const position = readPosition(body.position) ?? (before === undefined ? Number.POSITIVE_INFINITY : undefined);
      if (position !== undefined) renumber(list, database, row.id, position);
      if (before !== undefined && row.lifecycle_stage !== before.lifecycle_stage) list.moveReferrers?.(request, row);
      if (body.default === true) makeDefault(list, database, row);
    },
    protect(request, row) {
      // The count comes first: an entry that is both referenced and protected is refused with the count and the protection.
      const reason = protectionReason(list, request.database, row, "deleted");
      refuseIfReferenced(row, path, request, reason ?? (row.enabled ? disableInstead : undefined));
      if (reason !== undefined) throw unprocessable(reason);
    },
    afterRemove: ({ database }) => renumber(list, database),
    computeLive: (_load, live, index, count) => ({
      position: numberOf(live, "position", index + 1),
      rank: numberOf(live, "rank", count - index),
    }),
  });
  return {
    ...module,
    seed({ database }, workspace) {
      const absent = {
        description: null,
        color: null,
        rank: 0,
        enabled: true,
        is_default: false,
        lifecycle_stage: null,
      };
      const rows = initialEntries.map((option) => {
        return { ...absent, id: randomUUID(), slug: optionSlug(option.name), ...option };
      });
      database.insert(table, ...rows.filter(({ slug }) => workspace !== "bare" || slug === builtInSlug));
    },
  };
}

/** The fields of the list's entries: requests and responses do not have those that it does not use. */
function fieldsOf({ own }: OptionList): OptionFields {
  const ownFields = (["color", "is_default", "rank", "lifecycle_stage"] as const).map((name): [string, StoredField] => {
    const { value, input, ...others }: StoredField = fields[name];
    const schema = own[name];
    if (schema === undefined) return [name, { ...others, value, hidden: true }];
    return [name, { ...fields[name], value: schema === true ? value : schema }];
  });
  return { ...fields, ...Object.fromEntries(ownFields) };
}

function nounOf({ title }: OptionList): string {
  return title.replace(/(?<=.)[A-Z]/g, " $&").toLowerCase();
}

/** Whether the entries of the list have a field. */
function has({ own }: OptionList, name: OwnField): boolean {
  return own[name] !== undefined;
}

function freeSlug(list: OptionList, { database, dialects, body }: ResourceRequest<OptionFields>, name: string): string {
  const slug = newSlug(name, optionSlug, body.slug, dialects);
  if (slug === "") throw validationError({ field: "slug", message: "can't be blank" });
  // Disabled and renamed entries keep their slugs.
  if (database.find(list.table, { slug }) !== undefined) {
    const message = `is already used by another ${nounOf(list)}`;
    throw validationError({ field: "slug", message }, { field: "name", message });
  }
  return slug;
}

/** The error for an unknown stage: 404, as for a resource that does not exist. */
function stageError(stage: Json | undefined): HttpError | undefined {
  if (stage === null) return validationError({ field: "lifecycle_stage", message: "must exist" });
  return typeof stage === "string" ? notFound() : undefined;
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

/** A position: the whole part of a number, or of a text with one. Undefined for blank and null. */
function readPosition(value: number | string | null | undefined): number | undefined {
  return value == null || String(value).trim() === "" ? undefined : Math.trunc(Number(value));
}

/** The list with the item moved to the 1-based position. A position beyond either end becomes that end. */
export function moveTo<Item>(list: readonly Item[], item: Item, position: number): Item[] {
  const others = list.filter((other) => other !== item);
  const index = Math.min(others.length, Math.max(0, position - 1));
  return others.toSpliced(index, 0, item);
}

function makeDefault(list: OptionList, database: Database, row: OptionRow): void {
  if (!has(list, "is_default")) return;
  const reason = defaultReason(list, row);
  if (reason !== undefined) throw unprocessable(reason);
  database.run(`UPDATE ${list.path} SET is_default = (id = ?)`, [row.id]);
}

/** The reason why the entry cannot be the default; undefined if it can. */
function defaultReason(
  { defaultStages: stages = [] }: OptionList,
  { name, enabled, lifecycle_stage: stage }: Pick<OptionRow, "name" | "enabled" | "lifecycle_stage">,
): string | undefined {
  if (!enabled) return `${name} is disabled and cannot be the default.`;
  if (stage === null || stages.includes(stage)) return undefined;
  return `${name} is ${stage}; only a ${stages.join(" or ")} status can be the default.`;
}

/** The rule between the members of a body that makes the entry the default. */
function defaultRule(list: OptionList): BodyRules {
  const { defaultStages: stages } = list;
  const ofStages = stages === undefined ? {} : { lifecycle_stage: { enum: [...stages, null] } };
  const asDefault = { default: { enum: [true] }, enabled: { enum: [true, null] }, ...ofStages };
  return {
    oneOf: [
      { type: "object", properties: { default: { enum: [false, null] } } },
      { type: "object", properties: asDefault, required: ["default"] },
    ],
    refusal(body) {
      const { name, enabled, lifecycle_stage } = fieldsIn(body);
      const stage = lifecycleStages.find((each) => each === lifecycle_stage) ?? null;
      const sent = { name: textIn(name) ?? `The ${nounOf(list)}`, enabled: enabled !== false, lifecycle_stage: stage };
      return unprocessable(defaultReason(list, sent) ?? "is invalid");
    },
  };
}

/** The reason why the entry, referenced or not, cannot be disabled or deleted; undefined if it can. */
function protectionReason(list: OptionList, database: Database, row: OptionRow, verb: Verb): string | undefined {
  if (row.is_default) return `${row.name} is the default and cannot be ${verb}. Make another one the default first.`;
  return list.protectionReason?.(row, database.list(list.table), verb);
}
