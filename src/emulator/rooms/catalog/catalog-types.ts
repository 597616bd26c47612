/** Catalog types: four are built in; deleting another takes its entries with it. */

import { randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import type { BodyShape, ValueOf } from "../../http/body-schema.ts";
import { member } from "../../http/envelope.ts";
import { invalid, notFound, refused } from "../../http/http-error.ts";
import type { Service } from "../../service-context.ts";
import type { Database } from "../../store/database.ts";
import { guardReferences } from "../../store/references.ts";
import { newSlug, wordSlug } from "../../store/slug.ts";
import { type Call, created, noContent, ok, type Room, route } from "../room.ts";
import { attributesShape, replaceAttributes, type SentAttribute, shownAttributes } from "./catalog-attributes.ts";
import {
  type CatalogTypeRow,
  catalogAttributes,
  catalogEntries,
  catalogReferences,
  catalogTypes as catalogTypeTable,
} from "./catalog-tables.ts";
import { removeEntry } from "./entry-removal.ts";

const properties = {
  name: { type: ["string", "null"], description: "The display name; renaming never changes the slug." },
  description: { type: ["string", "null"], description: "Free text; null is ignored." },
  icon: { type: ["string", "null"], description: "Null is ignored." },
  color: { type: ["string", "null"], description: "A color code, stored as sent; null is ignored." },
  attributes: attributesShape,
  slug: { description: "Ignored, unless the dialect `slug` accepts it." },
} as const;

const createBody = { type: "object", properties, required: ["name"] } as const satisfies BodyShape;
const updateBody = { type: "object", properties } as const satisfies BodyShape;

type TypeBody = ValueOf<typeof updateBody>;

/** The room of /api/v1/catalog/types. */
export const catalogTypes: Room = {
  tables: [catalogTypeTable, catalogAttributes, catalogEntries, catalogReferences],
  seed: seedTypes,
  routes: [
    route({
      method: "GET",
      path: "/catalog/types",
      summary: "Lists the catalog types, the built-in ones first.",
      needs: "catalog.read",
      handle: (call) => ok({ types: call.database.list(catalogTypeTable).map((row) => shown(call, row)) }),
    }),
    route({
      method: "POST",
      path: "/catalog/types",
      summary: "Creates a catalog type with its attributes.",
      needs: "catalog.create",
      body: createBody,
      handle: (call) => created(member("catalog_type", shown(call, create(call)), call.dialects)),
    }),
    route({
      method: "GET",
      path: "/catalog/types/:slug",
      summary: "Reads a catalog type.",
      needs: "catalog.read",
      handle: (call) => {
        const row = catalogTypeOf(call.database, call.param("slug"));
        return ok(member("catalog_type", shown(call, row), call.dialects));
      },
    }),
    route({
      method: "PATCH",
      path: "/catalog/types/:slug",
      summary: "Changes a catalog type; attributes, when sent, are the whole list.",
      needs: "catalog.update",
      body: updateBody,
      handle: (call) => ok(member("catalog_type", shown(call, update(call)), call.dialects)),
    }),
    route({
      method: "DELETE",
      path: "/catalog/types/:slug",
      summary: "Deletes a catalog type that no attribute points into, with its entries.",
      needs: "catalog.delete",
      handle: (call) => {
        remove(call, catalogTypeOf(call.database, call.param("slug")));
        return noContent;
      },
    }),
  ],
};

/** The type with this slug. Throws 404 when there is none. */
export function catalogTypeOf(database: Database, slug: string): CatalogTypeRow {
  const row = database.find(catalogTypeTable, { slug });
  if (row === undefined) throw notFound();
  return row;
}

function shown({ database, dialects }: Pick<Service, "database" | "dialects">, row: CatalogTypeRow): Fields {
  const { id, slug, name, description, kind, icon, color } = row;
  return {
    id,
    slug,
    name,
    description,
    kind,
    attribute_definitions: shownAttributes(database, id),
    ...(dialects.readable === "partial" ? {} : { icon, color }),
  };
}

function create({ database, dialects, body }: Call<TypeBody>): CatalogTypeRow {
  const { name = "", ...others } = attributesOf(body);
  if (name === "") throw invalid({ field: "name", message: "can't be blank" });
  const slug = newSlug(name, wordSlug, typeof body.slug === "string" ? body.slug : undefined, dialects);
  if (slug === "") throw invalid({ field: "slug", message: "can't be blank" });
  if (database.find(catalogTypeTable, { slug }) !== undefined) {
    throw invalid({ field: "slug", message: "has already been taken" });
  }
  const absent = { description: null, icon: null, color: null, kind: "custom" } as const;
  const row: CatalogTypeRow = { id: randomUUID(), name, slug, ...absent, ...others };
  database.insert(catalogTypeTable, row);
  replaceAttributes(database, row, body.attributes ?? []);
  return row;
}

function update({ database, body, param }: Call<TypeBody>): CatalogTypeRow {
  const { id, slug } = catalogTypeOf(database, param("slug"));
  database.update(catalogTypeTable, id, attributesOf(body));
  const row = catalogTypeOf(database, slug);
  if (body.attributes != null) replaceAttributes(database, row, body.attributes);
  return row;
}

function remove(call: Call<unknown>, type: CatalogTypeRow): void {
  const { database } = call;
  if (type.kind === "system") throw refused(`${type.name} is built in and cannot be deleted.`);
  const pointing = database
    .list(catalogAttributes, { reference_type_id: type.id })
    .find(({ type_id }) => type_id !== type.id);
  if (pointing !== undefined) {
    const holder = database.find(catalogTypeTable, { id: pointing.type_id });
    throw refused(
      `${type.name} is in use by 1 attribute(s), ${pointing.name} of ${holder?.name}, and cannot be deleted.`,
    );
  }
  guardReferences(type, "catalog/types", call);
  const entries = database.list(catalogEntries, { type_id: type.id });
  // References from entry to entry of the type go with it.
  for (const { id } of entries) database.remove(catalogReferences, { entry_id: id });
  for (const entry of entries) removeEntry(call, entry);
  database.remove(catalogAttributes, { type_id: type.id });
  database.remove(catalogTypeTable, { id: type.id });
}

/** The fields that a body sets. null is ignored, and blank clears all but the name. */
function attributesOf(body: TypeBody): Partial<Pick<CatalogTypeRow, "name" | "description" | "icon" | "color">> {
  if (body.name?.trim() === "") throw invalid({ field: "name", message: "can't be blank" });
  return {
    ...(body.name == null ? {} : { name: body.name.trim() }),
    ...(body.description == null ? {} : { description: body.description.trim() === "" ? null : body.description }),
    ...(body.icon == null ? {} : { icon: body.icon === "" ? null : body.icon }),
    ...(body.color == null ? {} : { color: body.color === "" ? null : body.color }),
  };
}

const description: SentAttribute = { name: "Description", attribute_type: "text" };
const channel: SentAttribute = { name: "Slack channel", attribute_type: "slack_channel", role: "notification_channel" };
const ownerTeam: SentAttribute = { name: "Owner team", attribute_type: "reference", reference_type: "team" };

/** The built-in types, which not even a bare workspace is without. */
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

function seedTypes({ database }: Service): void {
  for (const [name, attributes] of builtIn) {
    const absent = { description: null, icon: null, color: null, kind: "system" } as const;
    const row: CatalogTypeRow = { id: randomUUID(), name, slug: wordSlug(name), ...absent };
    database.insert(catalogTypeTable, row);
    replaceAttributes(database, row, attributes);
  }
}
