/** Catalog entries: listed by page below their type, addressed by id; a write replaces every value but references. */

import { randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import type { BodyShape, ValueOf } from "../../http/body-schema.ts";
import { member } from "../../http/envelope.ts";
import { type FieldError, invalid, notFound } from "../../http/http-error.ts";
import { pageOf, pagination, rowsOf } from "../../http/pagination.ts";
import type { Database } from "../../store/database.ts";
import { newSlug, wordSlug } from "../../store/slug.ts";
import { type Answer, type Call, created, noContent, ok, type Room, route } from "../room.ts";
import { type ReadAttributes, readAttributes } from "./attribute-values.ts";
import {
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
  name: { type: ["string", "null"], description: "The display name; renaming never changes the slug." },
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
} as const satisfies BodyShape;
const updateBody = { type: "object", properties } as const satisfies BodyShape;

type CreateBody = ValueOf<typeof createBody>;

/** The room of /api/v1/catalog/types/:slug/entries and /api/v1/catalog/entries. */
export const catalogEntries: Room = {
  tables: [],
  references: [entryReference()],
  routes: [
    route({
      method: "GET",
      path: "/catalog/types/:slug/entries",
      summary: "Lists the entries of a type by name, page by page.",
      needs: "catalog.read",
      query: { page: { type: "integer" }, per_page: { type: "integer" } },
      handle: ({ database, query, param }) => {
        const where = { type_id: catalogTypeOf(database, param("slug")).id };
        const page = pageOf(query);
        const total = database.count(catalogEntryTable, where);
        const rows = database.list(catalogEntryTable, where, { order: "name, rowid", ...rowsOf(page, total) });
        return ok({ entries: rows.map((row) => shown(database, row)), pagination: { ...pagination(page, total) } });
      },
    }),
    route({
      method: "POST",
      path: "/catalog/types/:slug/entries",
      summary: "Creates an entry, or updates the one with the same source and external_id.",
      needs: "catalog.create",
      body: createBody,
      handle: create,
    }),
    route({
      method: "GET",
      path: "/catalog/entries/:id",
      summary: "Reads an entry.",
      needs: "catalog.read",
      handle: ({ database, dialects, param }) => {
        return ok(member("entry", shown(database, byId(database, param("id"))), dialects));
      },
    }),
    route({
      method: "PATCH",
      path: "/catalog/entries/:id",
      summary: "Changes an entry; values that are not sent are gone.",
      needs: "catalog.update",
      body: updateBody,
      handle: ({ database, dialects, body, param }) => {
        const row = write(database, byId(database, param("id")), body);
        return ok(member("entry", shown(database, row), dialects));
      },
    }),
    route({
      method: "DELETE",
      path: "/catalog/entries/:id",
      summary: "Deletes an entry that nothing points at.",
      needs: "catalog.delete",
      handle: (call) => {
        removeEntry(call, byId(call.database, call.param("id")));
        return noContent;
      },
    }),
  ],
};

function shown(database: Database, row: CatalogEntryRow): Fields {
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

function create(call: Call<CreateBody>): Answer {
  const { database, dialects, body } = call;
  const type = catalogTypeOf(database, call.param("slug"));
  const origin = originOf(body);
  const found = origin && database.find(catalogEntryTable, { type_id: type.id, ...origin });
  if (found !== undefined) return ok(member("entry", shown(database, write(database, found, body)), dialects));
  const name = body.name?.trim() ?? "";
  const slug = newSlug(name, wordSlug, typeof body.slug === "string" ? body.slug : undefined, dialects);
  const read = readAttributes(database, type, body.attributes ?? {}, undefined);
  const errors = [...nameErrors(database, type, name, slug), ...read.errors];
  if (errors.length > 0) throw invalid(...errors);
  const absent = { source: null, external_id: null };
  const row = { id: randomUUID(), type_id: type.id, name, slug, ...absent, ...origin, attributes: read.values };
  database.insert(catalogEntryTable, row);
  point(database, row.id, read);
  return created(member("entry", shown(database, row), dialects));
}

function nameErrors(database: Database, type: CatalogTypeRow, name: string, slug: string): readonly FieldError[] {
  if (name === "") return [{ field: "name", message: "can't be blank" }];
  if (slug === "") return [{ field: "slug", message: "can't be blank" }];
  const isTaken = database.find(catalogEntryTable, { type_id: type.id, slug }) !== undefined;
  return isTaken ? [{ field: "slug", message: "has already been taken" }] : [];
}

/** Writes name and attributes of an entry; without attributes in the body the map of values is emptied. */
function write(database: Database, before: CatalogEntryRow, body: ValueOf<typeof updateBody>): CatalogEntryRow {
  if (body.name?.trim() === "") throw invalid({ field: "name", message: "can't be blank" });
  const type = database.find(catalogTypes, { id: before.type_id });
  if (type === undefined) throw notFound();
  const read = readAttributes(database, type, body.attributes ?? {}, before.id);
  if (read.errors.length > 0) throw invalid(...read.errors);
  const row = { ...before, name: body.name?.trim() ?? before.name, attributes: read.values };
  database.update(catalogEntryTable, row.id, row);
  point(database, row.id, read);
  return row;
}

function point(database: Database, entry_id: string, { targets }: ReadAttributes): void {
  for (const [attribute_id, ids] of targets) {
    database.remove(catalogReferences, { entry_id, attribute_id });
    const rows = ids.map((target_entry_id, index) => {
      return { id: randomUUID(), entry_id, attribute_id, target_entry_id, position: index + 1 };
    });
    database.insert(catalogReferences, ...rows);
  }
}

/** Where the entry comes from: both are sent, or neither. */
function originOf({ source, external_id }: CreateBody): Pick<CatalogEntryRow, "source" | "external_id"> | undefined {
  if (!source && !external_id) return undefined;
  if (source && external_id) return { source, external_id };
  throw invalid({ field: source ? "external_id" : "source", message: "can't be blank" });
}

function byId(database: Database, id: string): CatalogEntryRow {
  const row = database.find(catalogEntryTable, { id });
  if (row === undefined) throw notFound();
  return row;
}
