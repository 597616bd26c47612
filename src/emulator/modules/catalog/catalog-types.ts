/** Catalog types: four are built in. Deleting a type deletes its entries. */

import { randomUUID } from "node:crypto";
import { requireFound, unprocessable } from "../../http/http-error.ts";
import { listOf, objectSchema, uuid } from "../../http/response-schema.ts";
import type { BodySchema, SchemaValue } from "../../http/value-schema.ts";
import { created, endpoint, noContent, ok, type RequestContext, type ServiceModule } from "../../service/module.ts";
import { freeSlug, readName } from "../../service/names.ts";
import type { ServiceContext } from "../../service/service-context.ts";
import type { Database } from "../../store/database.ts";
import { refuseIfReferenced } from "../../store/references.ts";
import { wordSlug } from "../../store/slug.ts";
import {
  attributeSchema,
  attributesSchema,
  replaceAttributes,
  type SentAttribute,
  serializeAttributes,
} from "./catalog-attributes.ts";
import {
  type CatalogTypeRow,
  catalogAttributes,
  catalogEntries,
  catalogReferences,
  catalogTypes as catalogTypeTable,
} from "./catalog-tables.ts";
import { removeEntry } from "./entry-removal.ts";

const properties = {
  name: {
    type: ["string", "null"],
    description: "The display name; renaming never changes the slug.",
    examples: ["Vendor"],
  },
  description: { type: ["string", "null"], description: "Free text; null is ignored." },
  icon: { type: ["string", "null"], description: "Null is ignored." },
  color: { type: ["string", "null"], description: "A color code, stored as sent; null is ignored." },
  attributes: attributesSchema,
  slug: { description: "Ignored, unless the dialect `slug` accepts it." },
} as const;

const createBody = { type: "object", properties, required: ["name"] } as const satisfies BodySchema;
const updateBody = { type: "object", properties } as const satisfies BodySchema;

type TypeBody = SchemaValue<typeof updateBody>;

const catalogType = objectSchema(
  "CatalogType",
  {
    id: uuid,
    slug: { type: "string", examples: ["vendor"] },
    name: { type: "string", examples: ["Vendor"] },
    description: { type: ["string", "null"] },
    kind: { type: "string", enum: ["system", "custom"], description: "system for the four built-in types." },
    attribute_definitions: listOf(attributeSchema),
    icon: { type: ["string", "null"] },
    color: { type: ["string", "null"] },
  },
  { fullOnly: ["icon", "color"] },
);

type CatalogType = SchemaValue<typeof catalogType>;

/** The module of /api/v1/catalog/types. */
export const catalogTypes: ServiceModule = {
  tables: [catalogTypeTable, catalogAttributes, catalogEntries, catalogReferences],
  seed: seedTypes,
  endpoints: [
    endpoint({
      method: "GET",
      path: "/catalog/types",
      operationId: "listCatalogTypes",
      summary: "Lists the catalog types, the built-in ones first.",
      requiredAbility: "catalog.read",
      responses: { 200: objectSchema("CatalogTypeList", { types: listOf(catalogType) }) },
      handle: (request) => ok({ types: request.database.list(catalogTypeTable).map((row) => serialize(request, row)) }),
    }),
    endpoint({
      method: "POST",
      path: "/catalog/types",
      operationId: "createCatalogType",
      summary: "Creates a catalog type with its attributes.",
      requiredAbility: "catalog.create",
      body: createBody,
      member: "catalog_type",
      responses: { 201: catalogType },
      handle: (request) => created(serialize(request, create(request))),
    }),
    endpoint({
      method: "GET",
      path: "/catalog/types/:slug",
      operationId: "getCatalogType",
      summary: "Reads a catalog type.",
      requiredAbility: "catalog.read",
      member: "catalog_type",
      responses: { 200: catalogType },
      handle: (request) => {
        const row = catalogTypeOf(request.database, request.param("slug"));
        return ok(serialize(request, row));
      },
    }),
    endpoint({
      method: "PATCH",
      path: "/catalog/types/:slug",
      operationId: "updateCatalogType",
      summary: "Changes a catalog type; attributes, when sent, are the whole list.",
      requiredAbility: "catalog.update",
      body: updateBody,
      member: "catalog_type",
      responses: { 200: catalogType },
      handle: (request) => ok(serialize(request, update(request))),
    }),
    endpoint({
      method: "DELETE",
      path: "/catalog/types/:slug",
      operationId: "deleteCatalogType",
      summary: "Deletes a catalog type that no attribute points into, with its entries.",
      requiredAbility: "catalog.delete",
      responses: { 204: null },
      handle: (request) => {
        remove(request, catalogTypeOf(request.database, request.param("slug")));
        return noContent;
      },
    }),
  ],
};

/** The type with this slug. Throws 404 if there is none. */
export function catalogTypeOf(database: Database, slug: string): CatalogTypeRow {
  return requireFound(database.find(catalogTypeTable, { slug }));
}

function serialize({ database }: Pick<ServiceContext, "database">, row: CatalogTypeRow): CatalogType {
  const { id, slug, name, description, kind, icon, color } = row;
  return {
    id,
    slug,
    name,
    description,
    kind,
    attribute_definitions: serializeAttributes(database, id),
    icon,
    color,
  };
}

function create(request: RequestContext<TypeBody>): CatalogTypeRow {
  const { database, body } = request;
  const fields = readFields(body);
  const name = readName(body.name);
  const slug = freeSlug(request, name, catalogTypeTable);
  const absent = { description: null, icon: null, color: null, kind: "custom" } as const;
  const row: CatalogTypeRow = { id: randomUUID(), slug, ...absent, ...fields, name };
  database.insert(catalogTypeTable, row);
  replaceAttributes(database, row, body.attributes ?? []);
  return row;
}

function update({ database, body, param }: RequestContext<TypeBody>): CatalogTypeRow {
  const { id, slug } = catalogTypeOf(database, param("slug"));
  database.update(catalogTypeTable, id, readFields(body));
  const row = catalogTypeOf(database, slug);
  if (body.attributes != null) replaceAttributes(database, row, body.attributes);
  return row;
}

function remove(request: RequestContext<unknown>, type: CatalogTypeRow): void {
  const { database } = request;
  if (type.kind === "system") throw unprocessable(`${type.name} is built in and cannot be deleted.`);
  const referrer = database
    .list(catalogAttributes, { reference_type_id: type.id })
    .find(({ type_id }) => type_id !== type.id);
  if (referrer !== undefined) {
    const holder = database.find(catalogTypeTable, { id: referrer.type_id });
    throw unprocessable(
      `${type.name} is in use by 1 attribute(s), ${referrer.name} of ${holder?.name}, and cannot be deleted.`,
    );
  }
  refuseIfReferenced(type, "catalog/types", request);
  const entries = database.list(catalogEntries, { type_id: type.id });
  // References between entries of the type do not prevent its deletion.
  for (const { id } of entries) database.remove(catalogReferences, { entry_id: id });
  for (const entry of entries) removeEntry(request, entry);
  database.remove(catalogAttributes, { type_id: type.id });
  database.remove(catalogTypeTable, { id: type.id });
}

/** The fields that a request sets. null is ignored; blank clears any field but the name. */
function readFields(body: TypeBody): Partial<Pick<CatalogTypeRow, "name" | "description" | "icon" | "color">> {
  return {
    ...(body.name == null ? {} : { name: readName(body.name) }),
    ...(body.description == null ? {} : { description: body.description.trim() === "" ? null : body.description }),
    ...(body.icon == null ? {} : { icon: body.icon === "" ? null : body.icon }),
    ...(body.color == null ? {} : { color: body.color === "" ? null : body.color }),
  };
}

const description: SentAttribute = { name: "Description", attribute_type: "text" };
const channel: SentAttribute = { name: "Slack channel", attribute_type: "slack_channel", role: "notification_channel" };
const ownerTeam: SentAttribute = { name: "Owner team", attribute_type: "reference", reference_type: "team" };

/** The built-in types, which even a bare workspace has. */
const builtIn: readonly (readonly [name: string, attributes: readonly SentAttribute[]])[] = [
  [
    "Team",
    [
      description,
      channel,
      { name: "Manager", attribute_type: "workspace_member", role: "manager" },
      { name: "Members", attribute_type: "workspace_members", role: "members" },
    ],
  ],
  [
    "Service",
    [
      description,
      ownerTeam,
      { name: "Tier", attribute_type: "select", options: ["Critical", "Standard", "Internal"] },
      { name: "Repository", attribute_type: "text", role: "repository" },
      channel,
    ],
  ],
  [
    "Environment",
    [description, { name: "Is production", attribute_type: "boolean" }, { name: "Region", attribute_type: "text" }],
  ],
  ["Functionality", [description, ownerTeam]],
];

function seedTypes({ database }: ServiceContext): void {
  for (const [name, attributes] of builtIn) {
    const absent = { description: null, icon: null, color: null, kind: "system" } as const;
    const row: CatalogTypeRow = { id: randomUUID(), name, slug: wordSlug(name), ...absent };
    database.insert(catalogTypeTable, row);
    replaceAttributes(database, row, attributes);
  }
}
