/** Custom fields: options are matched by label, and the type is fixed once an incident has a value. */

import { randomUUID } from "node:crypto";
import { requireFound, validationError } from "../../http/http-error.ts";
import { listOf, objectSchema, uuid } from "../../http/response-schema.ts";
import type { BodySchema, SchemaValue } from "../../http/value-schema.ts";
import { created, endpoint, noContent, ok, type RequestContext, type ServiceModule } from "../../service/module.ts";
import { freeSlug, readName } from "../../service/names.ts";
import type { ServiceContext } from "../../service/service-context.ts";
import type { Database } from "../../store/database.ts";
import { countReferences, disableInstead, type ReferenceCounter, refuseIfReferenced } from "../../store/references.ts";
import { catalogTypes } from "../catalog/catalog-tables.ts";
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

/** The option sources of each field type. */
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
  name: {
    type: ["string", "null"],
    description: "The display name; renaming never changes the slug.",
    examples: ["Region"],
  },
  description: { type: ["string", "null"], description: "Free text; null clears it." },
  field_type: {
    type: ["string", "null"],
    description: `One of ${fieldTypes.join(", ")}.`,
    examples: ["single_select"],
  },
  option_source: {
    type: ["string", "null"],
    description: `One of ${optionSources.join(", ")}; has to fit the type.`,
    examples: ["fixed"],
  },
  catalog_type: { type: ["string", "null"], description: "The slug of the type whose entries are the choices." },
  options: {
    type: ["array", "null"],
    items: { type: "string" },
    description: "The labels of the fixed options, the whole list in order; left out, all options stay.",
    examples: [["Europe", "America"]],
  },
  slug: { description: "Ignored, unless the dialect `slug` accepts it." },
} as const;

const createBody = {
  type: "object",
  properties,
  required: ["name", "field_type", "option_source"],
} as const satisfies BodySchema;
const updateBody = { type: "object", properties } as const satisfies BodySchema;

type CustomFieldBody = SchemaValue<typeof updateBody>;

const fieldOption = objectSchema("CustomFieldOption", { id: uuid, label: { type: "string", examples: ["Europe"] } });

const customField = objectSchema(
  "CustomField",
  {
    id: uuid,
    slug: { type: "string", examples: ["region"] },
    name: { type: "string", examples: ["Region"] },
    field_type: { type: "string", enum: fieldTypes },
    option_source: { type: "string", enum: optionSources },
    options: {
      ...listOf(fieldOption),
      description: "The choices, fixed ones in order and entries of the catalog by name; absent without choices.",
    },
    catalog_type_id: { type: ["string", "null"], format: "uuid", description: "For choices of the catalog only." },
    description: { type: ["string", "null"] },
    catalog_type: { type: ["string", "null"], description: "The slug of the type whose entries are the choices." },
  },
  { optional: ["options", "catalog_type_id"], fullOnly: ["description", "catalog_type"] },
);

type CustomField = SchemaValue<typeof customField>;

/** The module of /api/v1/custom_fields. */
export const customFields: ServiceModule = {
  tables: [customFieldTable, customFieldOptions],
  referenceCounters: [catalogTypeReference()],
  endpoints: [
    endpoint({
      method: "GET",
      path: "/custom_fields",
      operationId: "listCustomFields",
      summary: "Lists the custom fields in the order of their creation.",
      requiredAbility: "custom_fields.read",
      responses: { 200: objectSchema("CustomFieldList", { custom_fields: listOf(customField) }) },
      handle: (request) =>
        ok({ custom_fields: request.database.list(customFieldTable).map((row) => serialize(request, row)) }),
    }),
    endpoint({
      method: "POST",
      path: "/custom_fields",
      operationId: "createCustomField",
      summary: "Creates a custom field.",
      requiredAbility: "custom_fields.create",
      body: createBody,
      member: "custom_field",
      responses: { 201: customField },
      errors: [404],
      handle: (request) => created(serialize(request, create(request))),
    }),
    endpoint({
      method: "PATCH",
      path: "/custom_fields/:slug",
      operationId: "updateCustomField",
      summary: "Changes a custom field; options, when sent, are the whole list.",
      requiredAbility: "custom_fields.update",
      body: updateBody,
      member: "custom_field",
      responses: { 200: customField },
      handle: (request) => ok(serialize(request, update(request))),
    }),
    endpoint({
      method: "DELETE",
      path: "/custom_fields/:slug",
      operationId: "deleteCustomField",
      summary: "Deletes a custom field that no form shows and no incident answers.",
      requiredAbility: "custom_fields.delete",
      responses: { 204: null },
      handle: (request) => {
        const row = findBySlug(request.database, request.param("slug"));
        refuseIfReferenced(row, "custom_fields", request, disableInstead);
        request.database.remove(customFieldOptions, { field_id: row.id });
        request.database.remove(customFieldTable, { id: row.id });
        return noContent;
      },
    }),
  ],
};

function catalogTypeReference(): ReferenceCounter {
  return {
    target: "catalog/types",
    noun: "custom field",
    isAlwaysCounted: false,
    count: (database, id) => database.count(customFieldTable, { catalog_type_id: id }),
  };
}

function serialize({ database }: Pick<ServiceContext, "database">, row: CustomFieldRow): CustomField {
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
    description,
    catalog_type: type?.slug ?? null,
  };
}

function create(request: RequestContext<CustomFieldBody>): CustomFieldRow {
  const { database, body } = request;
  const name = readName(body.name);
  const slug = freeSlug(request, name, customFieldTable);
  const field_type = readFieldType(body.field_type ?? "");
  const option_source = readOptionSource(body.option_source ?? "");
  const row = withoutUnusedCatalogType({
    id: randomUUID(),
    name,
    slug,
    description: body.description ?? null,
    field_type,
    option_source,
    catalog_type_id: readCatalogTypeId(database, body.catalog_type) ?? null,
  });
  checkSource(row);
  database.insert(customFieldTable, row);
  applyOptions(request, row);
  return row;
}

function update(request: RequestContext<CustomFieldBody>): CustomFieldRow {
  const { database, body } = request;
  const before = findBySlug(database, request.param("slug"));
  const catalog_type_id = readCatalogTypeId(database, body.catalog_type);
  const row = withoutUnusedCatalogType({
    ...before,
    ...(body.name?.trim() ? { name: body.name.trim() } : {}),
    ...(body.description === undefined ? {} : { description: body.description }),
    ...(body.field_type?.trim() ? { field_type: readFieldType(body.field_type) } : {}),
    ...(body.option_source?.trim() ? { option_source: readOptionSource(body.option_source) } : {}),
    ...(catalog_type_id === undefined ? {} : { catalog_type_id }),
  });
  checkSource(row);
  refuseTypeChangeInUse(request, before, row);
  database.update(customFieldTable, row.id, row);
  applyOptions(request, row);
  return row;
}

/** The row without its catalog type, unless the choices come from the catalog. */
function withoutUnusedCatalogType(row: CustomFieldRow): CustomFieldRow {
  return row.option_source === "catalog" ? row : { ...row, catalog_type_id: null };
}

function applyOptions(request: RequestContext<CustomFieldBody>, row: CustomFieldRow): void {
  const labels = request.body.options;
  if (labels != null && labels.length > 0 && row.option_source !== "fixed") {
    throw validationError({
      field: "options",
      message: `are for fixed options only; the option_source is ${row.option_source}`,
    });
  }
  if (labels != null && row.option_source === "fixed") replaceOptions(request, row, labels);
  if (row.option_source === "fixed") checkOptions(request.database, row);
}

/** Throws 422 for another type or option source once an incident has a value. */
function refuseTypeChangeInUse(request: RequestContext<unknown>, before: CustomFieldRow, after: CustomFieldRow): void {
  if (before.field_type === after.field_type && before.option_source === after.option_source) return;
  const incidents = countReferences(before.id, "custom_fields", request).find(({ noun }) => noun === "incident");
  if (incidents === undefined) return;
  const message = `${before.name} is in use by ${incidents.count} incident(s), so its type and option source cannot change.`;
  throw validationError({ field: "base", message });
}

function checkSource({ field_type, option_source, catalog_type_id }: CustomFieldRow): void {
  const sources = sourcesOf[field_type];
  if (!sources.includes(option_source)) {
    throw validationError({ field: "option_source", message: `of a ${field_type} must be ${sources.join(" or ")}` });
  }
  if (option_source === "catalog" && catalog_type_id === null) {
    throw validationError({ field: "catalog_type", message: "can't be blank" });
  }
}

function readFieldType(input: string): FieldType {
  const type = fieldTypes.find((candidate) => candidate === input);
  if (type === undefined)
    throw validationError({ field: "field_type", message: `must be one of ${fieldTypes.join(", ")}` });
  return type;
}

function readOptionSource(input: string): OptionSource {
  const source = optionSources.find((candidate) => candidate === input);
  if (source === undefined) {
    throw validationError({ field: "option_source", message: `must be one of ${optionSources.join(", ")}` });
  }
  return source;
}

/** The id of the catalog type; undefined if absent from the request, null if blank. Throws 404 for an unknown type. */
function readCatalogTypeId(database: Database, slug: string | null | undefined): string | null | undefined {
  if (slug === undefined) return undefined;
  if (slug === null || slug.trim() === "") return null;
  const type = requireFound(database.find(catalogTypes, { slug }));
  return type.id;
}

function findBySlug(database: Database, slug: string): CustomFieldRow {
  return requireFound(database.find(customFieldTable, { slug }));
}
