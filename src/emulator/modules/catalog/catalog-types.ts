/** Catalog types: four are built in. Deleting a type deletes its entries. */

import { randomUUID } from "node:crypto";
import { objectsIn } from "../../../core/json.ts";
import { requireFound, unprocessable } from "../../http/http-error.ts";
import { listOf } from "../../http/response-schema.ts";
import { resourceModule } from "../../resource/resource.ts";
import { textOf } from "../../service/live-rows.ts";
import type { ServiceModule } from "../../service/module.ts";
import { slugOfNew } from "../../service/names.ts";
import type { ServiceContext } from "../../service/service-context.ts";
import type { Database } from "../../store/database.ts";
import { refuseIfReferenced } from "../../store/references.ts";
import { wordSlug } from "../../store/slug.ts";
import {
  attributeSchema,
  attributesSchema,
  loadAttributes,
  newAttributesSchema,
  replaceAttributes,
  type SentAttribute,
  serializeAttributes,
} from "./catalog-attributes.ts";
import {
  type CatalogEntryRow,
  type CatalogTypeRow,
  catalogAttributes,
  catalogEntries,
  catalogReferences,
  catalogTypeFields,
  catalogTypes as catalogTypeTable,
} from "./catalog-tables.ts";

/** The module of /api/v1/catalog/types. */
export const catalogTypes: ServiceModule = {
  ...resourceModule({
    title: "CatalogType",
    path: "catalog/types",
    ability: "catalog",
    fields: { ...catalogTypeFields, attributes: { input: attributesSchema, creationInput: newAttributesSchema } },
    table: catalogTypeTable,
    address: "slug",
    summaries: {
      list: "Lists the catalog types, the built-in ones first.",
      create: "Creates a catalog type with its attributes.",
      get: "Reads a catalog type.",
      update: "Changes a catalog type; attributes, when sent, are the whole list.",
      delete: "Deletes a catalog type that no attribute points into, with its entries.",
    },
    complete: (request, { name }) => ({ slug: slugOfNew(request, name) }),
    afterWrite({ database, body }, row) {
      if (body.attributes != null) replaceAttributes(database, row, body.attributes);
    },
    protect(request, type) {
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
    },
    afterRemove(service, { id: type_id }) {
      const { database } = service;
      const entries = database.list(catalogEntries, { type_id });
      // References between entries of the type do not prevent its deletion.
      for (const { id } of entries) database.remove(catalogReferences, { entry_id: id });
      for (const entry of entries) {
        refuseIfReferenced(entry, "catalog/entries", service);
        database.remove(catalogEntries, { id: entry.id });
        removeReferences(service, entry);
      }
      database.remove(catalogAttributes, { type_id });
    },
    computed: { attribute_definitions: { value: listOf(attributeSchema) } },
    compute: ({ database }, { id }) => ({ attribute_definitions: serializeAttributes(database, id) }),
    computeLive(_load, live) {
      const isBuiltIn = builtIn.some(([name]) => wordSlug(name) === live.slug);
      const kind = textOf(live, "kind") ?? (isBuiltIn ? "system" : "custom");
      return { kind: kind === "system" ? "system" : "custom" };
    },
    loadParts: (load, live, row) => loadAttributes(load, objectsIn(live.attribute_definitions ?? live.attributes), row),
  }),
  tables: [catalogTypeTable, catalogAttributes, catalogEntries, catalogReferences],
  seed: seedTypes,
};

/** The type with this slug. Throws 404 if there is none. */
export function catalogTypeOf(database: Database, slug: string): CatalogTypeRow {
  return requireFound(database.find(catalogTypeTable, { slug }));
}

/** Removes the references of an entry that is gone. */
export function removeReferences({ database }: ServiceContext, { id }: CatalogEntryRow): void {
  database.remove(catalogReferences, { entry_id: id });
  database.remove(catalogReferences, { target_entry_id: id });
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
