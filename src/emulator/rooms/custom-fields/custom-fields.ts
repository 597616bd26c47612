/** Custom fields: their options are matched by label, and what they hold cannot change once an incident has a value. */

import { randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import type { BodyShape, ValueOf } from "../../http/body-schema.ts";
import { member } from "../../http/envelope.ts";
import { invalid, notFound } from "../../http/http-error.ts";
import type { Service } from "../../service-context.ts";
import type { Database } from "../../store/database.ts";
import { countReferences, guardReferences, type Reference } from "../../store/references.ts";
import { newSlug, wordSlug } from "../../store/slug.ts";
import { catalogTypes } from "../catalog/catalog-tables.ts";
import { type Call, created, noContent, ok, type Room, route } from "../room.ts";
import { checkOptions, replaceOptions } from "./custom-field-options.ts";
import {
  type CustomFieldRow,
  choicesOf,
  customFieldOptions,
  customFieldTable,
  type FieldType,
  fieldTypes,
  type OptionSource,
  optionSources,
} from "./custom-field-tables.ts";

/** The sources that fit each field type. */
const sourcesOf: { readonly [Type in FieldType]: readonly OptionSource[] } = {
  text: ["none"],
  number: ["none"],
  link: ["none"],
  single_select: ["fixed", "catalog"],
  multi_select: ["fixed", "catalog"],
  catalog_reference: ["catalog"],
  catalog_multi_reference: ["catalog"],
};

const properties = {
  name: { type: ["string", "null"], description: "The display name; renaming never changes the slug." },
  description: { type: ["string", "null"], description: "Free text; null clears it." },
  field_type: { type: ["string", "null"], description: `One of ${fieldTypes.join(", ")}.` },
  option_source: { type: ["string", "null"], description: `One of ${optionSources.join(", ")}; has to fit the type.` },
  catalog_type: { type: ["string", "null"], description: "The slug of the type whose entries are the choices." },
  options: {
    type: ["array", "null"],
    items: { type: "string" },
    description: "The labels of the fixed options, the whole list in order; left out, all options stay.",
  },
  slug: { description: "Ignored, unless the dialect `slug` accepts it." },
} as const;

const createBody = {
  type: "object",
  properties,
  required: ["name", "field_type", "option_source"],
} as const satisfies BodyShape;
const updateBody = { type: "object", properties } as const satisfies BodyShape;

type CustomFieldBody = ValueOf<typeof updateBody>;

/** The room of /api/v1/custom_fields. */
export const customFields: Room = {
  tables: [customFieldTable, customFieldOptions],
  references: [catalogTypeReference()],
  routes: [
    route({
      method: "GET",
      path: "/custom_fields",
      summary: "Lists the custom fields in the order of their creation.",
      needs: "custom_fields.read",
      handle: (call) => ok({ custom_fields: call.database.list(customFieldTable).map((row) => shown(call, row)) }),
    }),
    route({
      method: "POST",
      path: "/custom_fields",
      summary: "Creates a custom field.",
      needs: "custom_fields.create",
      body: createBody,
      handle: (call) => created(member("custom_field", shown(call, create(call)), call.dialects)),
    }),
    route({
      method: "PATCH",
      path: "/custom_fields/:slug",
      summary: "Changes a custom field; options, when sent, are the whole list.",
      needs: "custom_fields.update",
      body: updateBody,
      handle: (call) => ok(member("custom_field", shown(call, update(call)), call.dialects)),
    }),
    route({
      method: "DELETE",
      path: "/custom_fields/:slug",
      summary: "Deletes a custom field that no form shows and no incident answers.",
      needs: "custom_fields.delete",
      handle: (call) => {
        const row = bySlug(call.database, call.param("slug"));
        guardReferences(row, "custom_fields", call);
        call.database.remove(customFieldOptions, { field_id: row.id });
        call.database.remove(customFieldTable, { id: row.id });
        return noContent;
      },
    }),
  ],
};

function catalogTypeReference(): Reference {
  return {
    target: "catalog/types",
    noun: "custom field",
    always: false,
    count: (database, id) => database.count(customFieldTable, { catalog_type_id: id }),
  };
}

function shown({ database, dialects }: Pick<Service, "database" | "dialects">, row: CustomFieldRow): Fields {
  const { id, slug, name, description, field_type, option_source, catalog_type_id } = row;
  const type = catalog_type_id === null ? undefined : database.find(catalogTypes, { id: catalog_type_id });
  return {
    id,
    slug,
    name,
    field_type,
    option_source,
    ...(option_source === "none" ? {} : { options: choicesOf(database, row).map(({ id, label }) => ({ id, label })) }),
    ...(option_source === "catalog" ? { catalog_type_id } : {}),
    ...(dialects.readable === "partial" ? {} : { description, catalog_type: type?.slug ?? null }),
  };
}

function create(call: Call<CustomFieldBody>): CustomFieldRow {
  const { database, dialects, body } = call;
  const name = body.name?.trim() ?? "";
  if (name === "") throw invalid({ field: "name", message: "can't be blank" });
  const sent = typeof body.slug === "string" ? body.slug : undefined;
  const slug = newSlug(name, wordSlug, sent, dialects);
  if (slug === "") throw invalid({ field: "slug", message: "can't be blank" });
  if (database.find(customFieldTable, { slug }) !== undefined) {
    throw invalid({ field: "slug", message: "has already been taken" });
  }
  const field_type = fieldTypeOf(body.field_type ?? "");
  const option_source = optionSourceOf(body.option_source ?? "");
  const row = withoutStrayType({
    id: randomUUID(),
    name,
    slug,
    description: body.description ?? null,
    field_type,
    option_source,
    catalog_type_id: catalogTypeIdOf(database, body.catalog_type) ?? null,
  });
  checkSource(row);
  database.insert(customFieldTable, row);
  applyOptions(call, row);
  return row;
}

function update(call: Call<CustomFieldBody>): CustomFieldRow {
  const { database, body } = call;
  const before = bySlug(database, call.param("slug"));
  const catalog_type_id = catalogTypeIdOf(database, body.catalog_type);
  const row = withoutStrayType({
    ...before,
    ...(body.name?.trim() ? { name: body.name.trim() } : {}),
    ...(body.description === undefined ? {} : { description: body.description }),
    ...(body.field_type?.trim() ? { field_type: fieldTypeOf(body.field_type) } : {}),
    ...(body.option_source?.trim() ? { option_source: optionSourceOf(body.option_source) } : {}),
    ...(catalog_type_id === undefined ? {} : { catalog_type_id }),
  });
  checkSource(row);
  checkUnanswered(call, before, row);
  database.update(customFieldTable, row.id, row);
  applyOptions(call, row);
  return row;
}

/** A field points at a catalog type only while its choices come from there. */
function withoutStrayType(row: CustomFieldRow): CustomFieldRow {
  return row.option_source === "catalog" ? row : { ...row, catalog_type_id: null };
}

function applyOptions(call: Call<CustomFieldBody>, row: CustomFieldRow): void {
  const labels = call.body.options;
  if (labels != null && labels.length > 0 && row.option_source !== "fixed") {
    throw invalid({
      field: "options",
      message: `are for fixed options only; the option_source is ${row.option_source}`,
    });
  }
  if (labels != null && row.option_source === "fixed") replaceOptions(call, row, labels);
  if (row.option_source === "fixed") checkOptions(call.database, row);
}

/** Once any incident holds a value, what the field holds and where its choices come from stay as they are. */
function checkUnanswered(call: Call<unknown>, before: CustomFieldRow, after: CustomFieldRow): void {
  if (before.field_type === after.field_type && before.option_source === after.option_source) return;
  const incidents = countReferences(before.id, "custom_fields", call).find(({ noun }) => noun === "incident");
  if (incidents === undefined) return;
  const message = `${before.name} is in use by ${incidents.count} incident(s), so its type and option source cannot change.`;
  throw invalid({ field: "base", message });
}

function checkSource({ field_type, option_source, catalog_type_id }: CustomFieldRow): void {
  const fitting = sourcesOf[field_type];
  if (!fitting.includes(option_source)) {
    throw invalid({ field: "option_source", message: `of a ${field_type} must be ${fitting.join(" or ")}` });
  }
  if (option_source === "catalog" && catalog_type_id === null) {
    throw invalid({ field: "catalog_type", message: "can't be blank" });
  }
}

function fieldTypeOf(sent: string): FieldType {
  const type = fieldTypes.find((known) => known === sent);
  if (type === undefined) throw invalid({ field: "field_type", message: `must be one of ${fieldTypes.join(", ")}` });
  return type;
}

function optionSourceOf(sent: string): OptionSource {
  const source = optionSources.find((known) => known === sent);
  if (source === undefined) {
    throw invalid({ field: "option_source", message: `must be one of ${optionSources.join(", ")}` });
  }
  return source;
}

/** Undefined when nothing was sent; blank clears. An unknown type is a resource that does not exist: 404. */
function catalogTypeIdOf(database: Database, slug: string | null | undefined): string | null | undefined {
  if (slug === undefined) return undefined;
  if (slug === null || slug.trim() === "") return null;
  const type = database.find(catalogTypes, { slug });
  if (type === undefined) throw notFound();
  return type.id;
}

function bySlug(database: Database, slug: string): CustomFieldRow {
  const row = database.find(customFieldTable, { slug });
  if (row === undefined) throw notFound();
  return row;
}
