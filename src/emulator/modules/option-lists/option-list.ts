/** The modules of the option lists, such as severities and statuses. */

import { randomUUID } from "node:crypto";
import type { Json } from "../../../core/json.ts";
import { badRequest, notFound, unprocessable, validationError } from "../../http/http-error.ts";
import type { ValueSchema } from "../../http/value-schema.ts";
import type { ResourceRequest } from "../../resource/definition.ts";
import type { RowOf, StoredField } from "../../resource/field.ts";
import { resourceModule } from "../../resource/resource.ts";
import { tableOf } from "../../resource/schemas.ts";
import { numberOf } from "../../service/live-rows.ts";
import { isFlagSet, type ServiceModule } from "../../service/module.ts";
import { slugInput } from "../../service/names.ts";
import type { TransactionContext } from "../../service/service-context.ts";
import type { Database } from "../../store/database.ts";
import { disableInstead, refuseIfReferenced } from "../../store/references.ts";
import { newSlug, optionSlug } from "../../store/slug.ts";
import type { Table } from "../../store/table.ts";

/** A stage of the lifecycle. */
export type LifecycleStage = (typeof lifecycleStages)[number];

/** Every stage of the lifecycle. */
export const lifecycleStages = ["triage", "active", "closed", "canceled"] as const;

const fields = {
  id: { value: { type: "string", format: "uuid" } },
  name: {
    value: { type: "string", description: "The display name.", examples: ["Degraded"] },
    input: {
      type: ["string", "null"],
      description: "The display name; renaming never changes the slug.",
      examples: ["Degraded"],
    },
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
    input: { description: "The 1-based place, a whole number; a position beyond either end lands at that end." },
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
    input: { type: ["string", "null"], description: "triage, active, closed or canceled.", examples: ["active"] },
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
  readonly path: "severities" | "statuses" | "incident_types" | "incident_roles";
  readonly table: Table<OptionRow>;
  /** The fields besides those of every list. A schema replaces that of the field. */
  readonly own: { readonly [Name in OwnField]?: ValueSchema | true };
  /** The reason, other than being the default, why the entry cannot be disabled or deleted; undefined if it can. */
  protectionReason?(row: OptionRow, rows: readonly OptionRow[], verb: Verb): string | undefined;
  /** The reason why the entry cannot be the default; undefined if it can. */
  defaultReason?(row: OptionRow): string | undefined;
  /** Carries a change of an entry's stage on to what refers to the entry. */
  moveReferrers?(transaction: TransactionContext, row: OptionRow): void;
  /** The entries of the default workspace. */
  readonly initialEntries: readonly (Pick<OptionRow, "name" | "position"> & Partial<OptionRow>)[];
  /** The slug of an entry that even a bare workspace has. */
  readonly builtInSlug?: string;
}

type Verb = "disabled" | "deleted";

/** The table of an option list. */
export function optionTable(name: OptionList["path"]): Table<OptionRow> {
  return tableOf(name, fields);
}

/** The module of an option list. */
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
    query: { include_disabled: { type: "boolean", description: "Lists disabled entries too." } },
    rows({ database, query }) {
      const all = [...database.rowsById(table).values()];
      const listed = isFlagSet(query, "include_disabled") ? all : all.filter(({ enabled }) => enabled);
      return listed.toSorted((one, other) => one.position - other.position);
    },
    read: { color: (color) => (color.trim() === "" ? undefined : color), lifecycle_stage: readStage },
    complete(request, values) {
      if (has(list, "lifecycle_stage") && values.lifecycle_stage === undefined) {
        throw validationError({ field: "lifecycle_stage", message: "must exist" });
      }
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
  const reason = row.enabled ? list.defaultReason?.(row) : `${row.name} is disabled and cannot be the default.`;
  if (reason !== undefined) throw unprocessable(reason);
  database.run(`UPDATE ${list.path} SET is_default = (id = ?)`, [row.id]);
}

/** The reason why the entry, referenced or not, cannot be disabled or deleted; undefined if it can. */
function protectionReason(list: OptionList, database: Database, row: OptionRow, verb: Verb): string | undefined {
  if (row.is_default) return `${row.name} is the default and cannot be ${verb}. Make another one the default first.`;
  return list.protectionReason?.(row, database.list(list.table), verb);
}
