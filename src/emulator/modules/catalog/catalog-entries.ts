/** Catalog entries: listed in pages below their type, addressed by id. A write replaces all values except references. */

import { randomUUID } from "node:crypto";
import { type Fields, objectsIn } from "../../../core/json.ts";
import { type InvalidField, requireFound, validationError } from "../../http/http-error.ts";
import { pageQuery, pageSchema, pagination, readPageRequest, rowRange } from "../../http/pagination.ts";
import { listOf, objectSchema, uuid } from "../../http/response-schema.ts";
import type { ResourceRequest } from "../../resource/definition.ts";
import type { BodyOf } from "../../resource/field.ts";
import { liveRow } from "../../resource/live-row.ts";
import { resourceModule } from "../../resource/resource.ts";
import { type ReplicaLoad, rowsAt, textOf } from "../../service/live-rows.ts";
import { endpoint, ok, type ServiceModule } from "../../service/module.ts";
import { readName } from "../../service/names.ts";
import type { Database } from "../../store/database.ts";
import { refuseIfReferenced } from "../../store/references.ts";
import { newSlug, wordSlug } from "../../store/slug.ts";
import { type ParsedAttributes, readAttributes } from "./attribute-values.ts";
import {
  type CatalogEntryRow,
  type CatalogReferenceRow,
  type CatalogTypeRow,
  catalogAttributes,
  catalogEntryFields,
  catalogEntries as catalogEntryTable,
  catalogReferences,
  catalogTypes,
} from "./catalog-tables.ts";
import { catalogTypeOf } from "./catalog-types.ts";
import { entryReference, removeReferences } from "./entry-removal.ts";

type EntryRequest = ResourceRequest<typeof catalogEntryFields>;

const entryReferenceSchema = objectSchema("CatalogReference", {
  key: { type: ["string", "null"], description: "The slug of the attribute.", examples: ["owner_team"] },
  target_entry_id: uuid,
  target_name: { type: ["string", "null"], examples: ["Payments"] },
});

const resource = resourceModule({
  title: "CatalogEntry",
  path: "catalog/entries",
  creationPath: "/catalog/types/:slug/entries",
  member: "entry",
  ability: "catalog",
  fields: catalogEntryFields,
  table: catalogEntryTable,
  address: "id",
  order: "name",
  summaries: {
    create: "Creates an entry, or updates the one with the same source and external_id.",
    get: "Reads an entry.",
    update: "Changes an entry; values that are not sent are gone.",
    delete: "Deletes an entry that nothing refers to.",
  },
  existing({ database, param, body }) {
    const type = catalogTypeOf(database, param("slug"));
    const origin = readOrigin(body);
    return origin && database.find(catalogEntryTable, { type_id: type.id, ...origin });
  },
  createRow: createEntry,
  updateRow: updateEntry,
  protect: (request, row) => refuseIfReferenced(row, "catalog/entries", request),
  afterRemove: removeReferences,
  computed: {
    catalog_type_id: { value: uuid },
    references: { value: listOf(entryReferenceSchema) },
  },
  compute({ database }, { id, type_id }) {
    const clause = `WHERE entry_id = ? ORDER BY (SELECT position FROM catalog_attributes
      WHERE catalog_attributes.id = attribute_id), position`;
    const references = database.query(catalogReferences, clause, [id]).map(({ attribute_id, target_entry_id }) => ({
      key: database.find(catalogAttributes, { id: attribute_id })?.slug ?? null,
      target_entry_id,
      target_name: database.find(catalogEntryTable, { id: target_entry_id })?.name ?? null,
    }));
    return { catalog_type_id: type_id, references };
  },
});

/** The module of /api/v1/catalog/types/:slug/entries and /api/v1/catalog/entries. */
export const catalogEntries: ServiceModule = {
  ...resource,
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
      responses: { 200: pageSchema("CatalogEntryPage", "entries", resource.schema) },
      handle: (request) => {
        const { database, query, param } = request;
        const where = { type_id: catalogTypeOf(database, param("slug")).id };
        const page = readPageRequest(query);
        const total = database.count(catalogEntryTable, where);
        const rows = database.list(catalogEntryTable, where, { order: "name, rowid", ...rowRange(page, total) });
        return ok({ entries: rows.map((row) => resource.present(request, row)), pagination: pagination(page, total) });
      },
    }),
    ...resource.endpoints,
  ],
  loadReplica(load) {
    if (rowsAt(load, "/catalog/types") === undefined) return;
    const { database } = load.service;
    const loaded = database.list(catalogTypes).flatMap((type) => loadEntries(load, type));
    const attributes = database.list(catalogAttributes);
    const attributeIds = new Map(attributes.map(({ id, type_id, slug }) => [`${type_id} ${slug}`, id]));
    const references = loaded.flatMap(({ live, row }) => referenceRows(live, row, attributeIds));
    for (let at = 0; at < references.length; at += rowsAtOnce) {
      database.insert(catalogReferences, ...references.slice(at, at + rowsAtOnce));
    }
  },
};

function createEntry({ database, dialects, body, param }: EntryRequest): CatalogEntryRow {
  const type = catalogTypeOf(database, param("slug"));
  const name = body.name?.trim() ?? "";
  const slug = newSlug(name, wordSlug, body.slug, dialects);
  const parsed = readAttributes(database, type, body.attributes ?? {}, undefined);
  const errors = [...nameErrors(database, type, name, slug), ...parsed.errors];
  if (errors.length > 0) throw validationError(...errors);
  const absent = { source: null, external_id: null };
  const row = {
    id: randomUUID(),
    type_id: type.id,
    name,
    slug,
    ...absent,
    ...readOrigin(body),
    attributes: parsed.values,
  };
  database.insert(catalogEntryTable, row);
  replaceReferences(database, row.id, parsed);
  return row;
}

function nameErrors(database: Database, type: CatalogTypeRow, name: string, slug: string): readonly InvalidField[] {
  if (name === "") return [{ field: "name", message: "can't be blank" }];
  if (slug === "") return [{ field: "slug", message: "can't be blank" }];
  const isTaken = database.find(catalogEntryTable, { type_id: type.id, slug }) !== undefined;
  return isTaken ? [{ field: "slug", message: "has already been taken" }] : [];
}

/** Updates the name and the attributes of an entry. Without attributes in the request, all values are removed. */
function updateEntry({ database, body }: EntryRequest, before: CatalogEntryRow): CatalogEntryRow {
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
function readOrigin({
  source,
  external_id,
}: BodyOf<typeof catalogEntryFields>): Pick<CatalogEntryRow, "source" | "external_id"> | undefined {
  if (!source && !external_id) return undefined;
  if (source && external_id) return { source, external_id };
  throw validationError({ field: source ? "external_id" : "source", message: "can't be blank" });
}

/** The number of arguments of a call is limited, and entries can have many references. */
const rowsAtOnce = 1000;

interface LoadedEntry {
  readonly live: Fields;
  readonly row: CatalogEntryRow;
}

function loadEntries(load: ReplicaLoad, { id: type_id, slug }: CatalogTypeRow): readonly LoadedEntry[] {
  const rows = rowsAt(load, `/catalog/types/${encodeURIComponent(slug)}/entries`) ?? [];
  const loaded = rows.map((live) => {
    return { live, row: liveRow(load, catalogEntryFields, live, "catalog entries", { type_id }) };
  });
  load.service.database.insert(catalogEntryTable, ...loaded.map(({ row }) => row));
  return loaded;
}

/** The references of an entry. The keys of `attributeIds` are type and slug. */
function referenceRows(
  live: Fields,
  { id: entry_id, type_id }: CatalogEntryRow,
  attributeIds: ReadonlyMap<string, string>,
): readonly CatalogReferenceRow[] {
  return objectsIn(live.references).flatMap((reference, index) => {
    const attribute_id = attributeIds.get(`${type_id} ${textOf(reference, "key") ?? ""}`);
    const target_entry_id = textOf(reference, "target_entry_id");
    return attribute_id === undefined || target_entry_id === undefined
      ? []
      : [{ id: randomUUID(), entry_id, attribute_id, target_entry_id, position: index + 1 }];
  });
}
