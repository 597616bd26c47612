/** Catalog entries: listed in pages below their type, addressed by id. A write replaces all values except references. */

import { randomUUID } from "node:crypto";
import { type Fields, fieldsIn, isFields, isList, type Json, objectsIn } from "../../../core/json.ts";
import { type InvalidField, requireFound, validationError } from "../../http/http-error.ts";
import { pageQuery, pageSchema } from "../../http/pagination.ts";
import { listOf, objectSchema, uuid } from "../../http/response-schema.ts";
import type { ResourceRequest } from "../../resource/definition.ts";
import type { BodyOf } from "../../resource/field.ts";
import { liveRow } from "../../resource/live-row.ts";
import { resourceModule } from "../../resource/resource.ts";
import { type ReplicaLoad, rowsAt, textOf } from "../../service/live-rows.ts";
import { endpoint, ok, readRows, type ServiceModule } from "../../service/module.ts";
import { readName } from "../../service/names.ts";
import type { Database } from "../../store/database.ts";
import { refuseIfReferenced, rowCounter } from "../../store/references.ts";
import { newSlug, wordSlug } from "../../store/slug.ts";
import { members } from "../people.ts";
import { attributesOf } from "./catalog-attributes.ts";
import {
  type AttributeType,
  type AttributeValue,
  type CatalogAttributeRow,
  type CatalogEntryRow,
  type CatalogReferenceRow,
  type CatalogTypeRow,
  catalogAttributes,
  catalogEntryFields,
  catalogEntries as catalogEntryTable,
  catalogReferences,
  catalogTypes,
} from "./catalog-tables.ts";
import { catalogTypeOf, removeReferences } from "./catalog-types.ts";

type EntryRequest = ResourceRequest<typeof catalogEntryFields>;

const entryReferenceSchema = objectSchema("CatalogReference", {
  key: { type: ["string", "null"], description: "The slug of the attribute.", examples: ["owner_team"] },
  target_entry_id: uuid,
  target_name: { type: ["string", "null"], examples: ["Payments"] },
});

const absent = { enum: ["", null] } as const;
const named = { type: "string", minLength: 1 } as const;

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
  bodyRules: {
    create: {
      oneOf: [
        { type: "object", properties: { source: absent, external_id: absent } },
        { type: "object", properties: { source: named, external_id: named }, required: ["source", "external_id"] },
      ],
      refusal: (body) => {
        return validationError({ field: fieldsIn(body).source ? "external_id" : "source", message: "can't be blank" });
      },
    },
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
  referenceCounters: [
    rowCounter("catalog/entries", "catalog entry", "catalog_references WHERE target_entry_id = ?", false),
  ],
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
        const { id } = catalogTypeOf(request.database, request.param("slug"));
        const { rows, pagination } = readRows(request, catalogEntryTable, "type_id = ?", [id], "name, rowid");
        return ok({ entries: rows.map((row) => resource.present(request, row)), pagination });
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
  return source && external_id ? { source, external_id } : undefined;
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

/** The attributes of a request: values, targets of references, and errors. */
interface ParsedAttributes {
  readonly values: CatalogEntryRow["attributes"];
  /** The ids of referenced entries, by attribute id. Holds only the references in the request. */
  readonly targets: ReadonlyMap<string, readonly string[]>;
  readonly errors: readonly InvalidField[];
}

/**
 * Reads the attributes of a request. References that the request omits stay as they are on the existing entry
 * `entryId`. Throws 404 for an unknown person.
 */
function readAttributes(
  database: Database,
  type: CatalogTypeRow,
  input: Fields,
  entryId: string | undefined,
): ParsedAttributes {
  const definitions = attributesOf(database, type.id);
  const errors: InvalidField[] = [];
  const values: Record<string, AttributeValue> = {};
  const targets = new Map<string, readonly string[]>();
  const slugs = new Set(definitions.map(({ slug }) => slug));
  for (const name of Object.keys(input)) {
    if (!slugs.has(name)) errors.push({ field: `attributes.${name}`, message: `is no attribute of ${type.name}` });
  }
  for (const definition of definitions) {
    const field = `attributes.${definition.slug}`;
    const value = Object.hasOwn(input, definition.slug) ? (input[definition.slug] ?? null) : undefined;
    const parsed = isReference(definition)
      ? readTargets(database, definition, value, entryId)
      : readValue(database, definition, value ?? null);
    if (typeof parsed === "string") errors.push({ field, message: parsed });
    else if (isEmpty(parsed.value) && definition.required) errors.push({ field, message: "can't be blank" });
    else if (!isReference(definition) && isStorable(parsed.value)) values[definition.slug] = parsed.value;
    else if (value !== undefined && isList(parsed.value)) targets.set(definition.id, parsed.value.map(String));
  }
  return { values, targets, errors };
}

function isReference({ attribute_type }: CatalogAttributeRow): boolean {
  return attribute_type === "reference";
}

function isEmpty(value: Json): boolean {
  return value === null || value === "" || (isList(value) && value.length === 0);
}

/** Whether the value is present. Every value that `readValue` accepts is of the type. */
function isStorable(value: Json): value is AttributeValue {
  return !isEmpty(value) && !isFields(value);
}

/** The targets of a reference after the write. An undefined `input` keeps the current ones. */
function readTargets(
  database: Database,
  { id, reference_type_id }: CatalogAttributeRow,
  input: Json | undefined,
  entryId: string | undefined,
): { readonly value: Json } | string {
  if (input === undefined) {
    const currentReferences =
      entryId === undefined ? [] : database.list(catalogReferences, { entry_id: entryId, attribute_id: id });
    return { value: currentReferences.map(({ target_entry_id }) => target_entry_id) };
  }
  const ids = (isList(input) ? input : [input]).filter((value) => !isEmpty(value));
  const isEntry = (value: Json): boolean => {
    const target = typeof value === "string" ? database.find(catalogEntryTable, { id: value }) : undefined;
    return target !== undefined && target.type_id === reference_type_id;
  };
  const unknownTarget = ids.find((value) => !isEntry(value));
  if (unknownTarget !== undefined)
    return `${JSON.stringify(unknownTarget)} is not the id of an entry that it can refer to`;
  return { value: [...new Set(ids)] };
}

function readValue(
  database: Database,
  definition: CatalogAttributeRow,
  input: Json,
): { readonly value: Json } | string {
  if (input === null || input === "") return { value: null };
  const { attribute_type, options } = definition;
  if (attribute_type === "select") {
    return options.some((option) => option === input) ? { value: input } : `must be one of ${options.join(", ")}`;
  }
  if (!isOfType(attribute_type, input)) return `must be ${nouns[attribute_type]}`;
  if (attribute_type === "workspace_member") return { value: memberId(database, String(input)) };
  if (attribute_type === "workspace_members" && isList(input)) {
    return { value: input.map((word) => memberId(database, String(word))) };
  }
  return { value: input };
}

const nouns: { readonly [Type in AttributeType]: string } = {
  text: "text",
  number: "a number",
  boolean: "true or false",
  select: "one of the options",
  list: "a list of texts",
  reference: "the id of an entry",
  slack_channel: "a channel",
  workspace_member: "a person",
  workspace_members: "a list of people",
};

function isOfType(type: AttributeType, value: Json): boolean {
  if (type === "number") return typeof value === "number" || (typeof value === "string" && isNumeric(value));
  if (type === "boolean") return typeof value === "boolean";
  if (type === "list" || type === "workspace_members") {
    return isList(value) && value.every((item) => typeof item === "string");
  }
  return typeof value === "string";
}

function isNumeric(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}

/** The membership id of a person, who is named by chat user ID, email address or membership id. */
function memberId(database: Database, word: string): string {
  const { id } = requireFound(
    database.find(members, { chat_user_id: word }) ??
      database.find(members, { email: word }) ??
      database.find(members, { id: word }),
  );
  return id;
}
