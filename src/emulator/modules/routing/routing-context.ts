/** The fields that routing conditions read: those of the alert as text, and those of the catalog entries that it names. */

import type { Fields, Json } from "../../../core/json.ts";
import type { Database } from "../../store/database.ts";
import {
  type CatalogEntryRow,
  catalogAttributes,
  catalogEntries,
  catalogReferences,
  catalogTypes,
} from "../catalog/catalog-tables.ts";

/** Fields by name; all values are text. */
export type RoutingContext = { readonly [field: string]: string };

/** The catalog types whose entries an alert can name in the field of the same name. */
const enrichingTypes = ["service", "team", "environment", "functionality"] as const;

/**
 * The alert's fields as text, with the team that the service references and with every plain attribute of the named
 * entries, such as `service.tier`. The alert's own fields win; null counts as absent.
 */
export function createRoutingContext(database: Database, fields: Fields): RoutingContext {
  const values = new Map(
    Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, textOf(value)]])),
  );
  const service = findEntry(database, "service", values.get("service"));
  const team = service === undefined ? undefined : referencedEntry(database, service, "team");
  if (team !== undefined && !values.has("team")) values.set("team", team.name);
  for (const type of enrichingTypes) {
    const entry = findEntry(database, type, values.get(type));
    for (const [slug, value] of Object.entries(entry?.attributes ?? {})) {
      const name = `${type}.${slug}`;
      if (isPlain(value) && !values.has(name)) values.set(name, textOf(value));
    }
  }
  return Object.fromEntries(values);
}

/** The entry of a type with this name (in any case), slug or external id. */
export function findEntry(database: Database, typeSlug: string, name: string | undefined): CatalogEntryRow | undefined {
  const type = name === undefined ? undefined : database.find(catalogTypes, { slug: typeSlug });
  if (type === undefined || name === undefined) return undefined;
  const clause = "WHERE type_id = ? AND (lower(name) = lower(?) OR slug = ? OR external_id = ?) LIMIT 1";
  return database.query(catalogEntries, clause, [type.id, name, name, name])[0];
}

/** The first entry of a type that the entry references. */
export function referencedEntry(
  database: Database,
  entry: CatalogEntryRow,
  typeSlug: string,
): CatalogEntryRow | undefined {
  const type = database.find(catalogTypes, { slug: typeSlug });
  const attributes = database.list(
    catalogAttributes,
    { type_id: entry.type_id, attribute_type: "reference" },
    { order: "position" },
  );
  for (const { id, reference_type_id } of attributes) {
    if (type === undefined || reference_type_id !== type.id) continue;
    const place = { entry_id: entry.id, attribute_id: id };
    const [reference] = database.list(catalogReferences, place, { order: "position", limit: 1 });
    if (reference !== undefined) return database.find(catalogEntries, { id: reference.target_entry_id });
  }
  return undefined;
}

function isPlain(value: Json): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
