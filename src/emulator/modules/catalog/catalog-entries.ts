/** Catalog entries: listed in pages below their type, addressed by id. A write replaces all values except references. */

import { randomUUID } from "node:crypto";
import { type InvalidField, requireFound, validationError } from "../../http/http-error.ts";
import { pageQuery, pageSchema, pagination, readPageRequest, rowRange } from "../../http/pagination.ts";
import { listOf, objectSchema, uuid } from "../../http/response-schema.ts";
import type { BodySchema, SchemaValue } from "../../http/value-schema.ts";
import {
  created,
  type DeclaredResult,
  endpoint,
  noContent,
  ok,
  type RequestContext,
  type ServiceModule,
} from "../../service/module.ts";
import { readName } from "../../service/names.ts";
import type { Database } from "../../store/database.ts";
import { newSlug, wordSlug } from "../../store/slug.ts";
import { type ParsedAttributes, readAttributes } from "./attribute-values.ts";
import {
  attributeValue,
  type CatalogEntryRow,
  type CatalogTypeRow,
  catalogAttributes,
  catalogEntries as catalogEntryTable,
  catalogReferences,
  catalogTypes,
} from "./catalog-tables.ts";
import { catalogTypeOf } from "./catalog-types.ts";
import { entryReference, removeEntry } from "./entry-removal.ts";

const properties = {
  name: {
    type: ["string", "null"],
    description: "The display name; renaming never changes the slug.",
    examples: ["Checkout"],
  },
  attributes: {
    type: ["object", "null"],
    description: "Values by attribute slug: the whole map but for references, which stay unless they are sent.",
  },
} as const;

const createBody = {
  type: "object",
  properties: {
    ...properties,
    source: { type: ["string", "null"], description: "The system that the entry comes from, with external_id." },
    external_id: { type: ["string", "null"], description: "With source: an entry that has both is updated (200)." },
    slug: { description: "Ignored, unless the dialect `slug` accepts it." },
  },
  required: ["name"],
} as const satisfies BodySchema;
const updateBody = { type: "object", properties } as const satisfies BodySchema;

type CreateBody = SchemaValue<typeof createBody>;

const entryReferenceSchema = objectSchema("CatalogReference", {
  key: { type: ["string", "null"], description: "The slug of the attribute.", examples: ["owner_team"] },
  target_entry_id: uuid,
  target_name: { type: ["string", "null"], examples: ["Payments"] },
});

const catalogEntry = objectSchema("CatalogEntry", {
  id: uuid,
  name: { type: "string", examples: ["Checkout"] },
  slug: { type: "string", examples: ["checkout"] },
  source: { type: ["string", "null"], examples: [null] },
  external_id: { type: ["string", "null"], examples: [null] },
  catalog_type_id: uuid,
  attributes: {
    type: "object",
    additionalProperties: attributeValue,
    description: "Values by attribute slug, without references.",
    examples: [{ tier: "Critical" }],
  },
  references: listOf(entryReferenceSchema),
});

type CatalogEntry = SchemaValue<typeof catalogEntry>;

/** The module of /api/v1/catalog/types/:slug/entries and /api/v1/catalog/entries. */
export const catalogEntries: ServiceModule = {
  tables: [],
  referenceCounters: [entryReference()],
  endpoints: [
    endpoint({
      method: "GET",
      path: "/catalog/types/:slug/entries",
      operationId: "listCatalogEntries",
      summary: "Lists the entries of a type by name, page by page.",
      requiredAbility: "catalog.read",
      query: pageQuery,
      responses: { 200: pageSchema("CatalogEntryPage", "entries", catalogEntry) },
      handle: ({ database, query, param }) => {
        const where = { type_id: catalogTypeOf(database, param("slug")).id };
        const page = readPageRequest(query);
        const total = database.count(catalogEntryTable, where);
        const rows = database.list(catalogEntryTable, where, { order: "name, rowid", ...rowRange(page, total) });
        return ok({ entries: rows.map((row) => serialize(database, row)), pagination: pagination(page, total) });
      },
    }),
    endpoint({
      method: "POST",
      path: "/catalog/types/:slug/entries",
      operationId: "createCatalogEntry",
      summary: "Creates an entry, or updates the one with the same source and external_id.",
      requiredAbility: "catalog.create",
      body: createBody,
      member: "entry",
      responses: { 201: catalogEntry, 200: catalogEntry },
      handle: create,
    }),
    endpoint({
      method: "GET",
      path: "/catalog/entries/:id",
      operationId: "getCatalogEntry",
      summary: "Reads an entry.",
      requiredAbility: "catalog.read",
      member: "entry",
      responses: { 200: catalogEntry },
      handle: ({ database, param }) => ok(serialize(database, findById(database, param("id")))),
    }),
    endpoint({
      method: "PATCH",
      path: "/catalog/entries/:id",
      operationId: "updateCatalogEntry",
      summary: "Changes an entry; values that are not sent are gone.",
      requiredAbility: "catalog.update",
      body: updateBody,
      member: "entry",
      responses: { 200: catalogEntry },
      handle: ({ database, body, param }) => {
        return ok(serialize(database, updateEntry(database, findById(database, param("id")), body)));
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/catalog/entries/:id",
      operationId: "deleteCatalogEntry",
      summary: "Deletes an entry that nothing refers to.",
      requiredAbility: "catalog.delete",
      responses: { 204: null },
      handle: (request) => {
        removeEntry(request, findById(request.database, request.param("id")));
        return noContent;
      },
    }),
  ],
};

function serialize(database: Database, row: CatalogEntryRow): CatalogEntry {
  const { id, name, slug, source, external_id, type_id, attributes } = row;
  const clause = `WHERE entry_id = ? ORDER BY (SELECT position FROM catalog_attributes
    WHERE catalog_attributes.id = attribute_id), position`;
  const references = database.query(catalogReferences, clause, [id]).map(({ attribute_id, target_entry_id }) => ({
    key: database.find(catalogAttributes, { id: attribute_id })?.slug ?? null,
    target_entry_id,
    target_name: database.find(catalogEntryTable, { id: target_entry_id })?.name ?? null,
  }));
  return { id, name, slug, source, external_id, catalog_type_id: type_id, attributes, references };
}

function create(
  request: RequestContext<CreateBody>,
): DeclaredResult<{ 201: typeof catalogEntry; 200: typeof catalogEntry }> {
  const { database, dialects, body } = request;
  const type = catalogTypeOf(database, request.param("slug"));
  const origin = readOrigin(body);
  const existing = origin && database.find(catalogEntryTable, { type_id: type.id, ...origin });
  if (existing !== undefined) return ok(serialize(database, updateEntry(database, existing, body)));
  const name = body.name?.trim() ?? "";
  const slug = newSlug(name, wordSlug, body.slug, dialects);
  const parsed = readAttributes(database, type, body.attributes ?? {}, undefined);
  const errors = [...nameErrors(database, type, name, slug), ...parsed.errors];
  if (errors.length > 0) throw validationError(...errors);
  const absent = { source: null, external_id: null };
  const row = { id: randomUUID(), type_id: type.id, name, slug, ...absent, ...origin, attributes: parsed.values };
  database.insert(catalogEntryTable, row);
  replaceReferences(database, row.id, parsed);
  return created(serialize(database, row));
}

function nameErrors(database: Database, type: CatalogTypeRow, name: string, slug: string): readonly InvalidField[] {
  if (name === "") return [{ field: "name", message: "can't be blank" }];
  if (slug === "") return [{ field: "slug", message: "can't be blank" }];
  const isTaken = database.find(catalogEntryTable, { type_id: type.id, slug }) !== undefined;
  return isTaken ? [{ field: "slug", message: "has already been taken" }] : [];
}

/** Updates the name and the attributes of an entry. Without attributes in the request, all values are removed. */
function updateEntry(
  database: Database,
  before: CatalogEntryRow,
  body: SchemaValue<typeof updateBody>,
): CatalogEntryRow {
  const name = body.name == null ? before.name : readName(body.name);
  const type = requireFound(database.find(catalogTypes, { id: before.type_id }));
  const parsed = readAttributes(database, type, body.attributes ?? {}, before.id);
  if (parsed.errors.length > 0) throw validationError(...parsed.errors);
  const row = { ...before, name, attributes: parsed.values };
  database.update(catalogEntryTable, row.id, row);
  replaceReferences(database, row.id, parsed);
  return row;
}

function replaceReferences(database: Database, entry_id: string, { targets }: ParsedAttributes): void {
  for (const [attribute_id, ids] of targets) {
    database.remove(catalogReferences, { entry_id, attribute_id });
    const rows = ids.map((target_entry_id, index) => {
      return { id: randomUUID(), entry_id, attribute_id, target_entry_id, position: index + 1 };
    });
    database.insert(catalogReferences, ...rows);
  }
}

/** The origin of the entry: source and external_id, or neither. */
function readOrigin({ source, external_id }: CreateBody): Pick<CatalogEntryRow, "source" | "external_id"> | undefined {
  if (!source && !external_id) return undefined;
  if (source && external_id) return { source, external_id };
  throw validationError({ field: source ? "external_id" : "source", message: "can't be blank" });
}

function findById(database: Database, id: string): CatalogEntryRow {
  return requireFound(database.find(catalogEntryTable, { id }));
}
