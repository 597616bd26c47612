/** What routing conditions see: the fields of an alert as text, and what the catalog knows about the entries they name. */

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

/** The catalog types whose entries an alert's field of the same name may name. */
const enriching = ["service", "team", "environment", "functionality"] as const;

/**
 * The fields as text with the catalog's knowledge added: the team that the service refers to, and every plain attribute of
 * the entries named, as `service.tier`. A field that was given is never replaced; null counts as not given.
 */
export function contextOf(database: Database, fields: Fields): RoutingContext {
  const given = new Map(
    Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, textOf(value)]])),
  );
  const service = entryNamed(database, "service", given.get("service"));
  const team = service === undefined ? undefined : referredTo(database, service, "team");
  if (team !== undefined && !given.has("team")) given.set("team", team.name);
  for (const type of enriching) {
    const entry = entryNamed(database, type, given.get(type));
    for (const [slug, value] of Object.entries(entry?.attributes ?? {})) {
      const name = `${type}.${slug}`;
      if (isPlain(value) && !given.has(name)) given.set(name, textOf(value));
    }
  }
  return Object.fromEntries(given);
}

/** The entry of a type that the text names, by its name whatever the case, its slug or its external id. */
export function entryNamed(
  database: Database,
  typeSlug: string,
  named: string | undefined,
): CatalogEntryRow | undefined {
  const type = named === undefined ? undefined : database.find(catalogTypes, { slug: typeSlug });
  if (type === undefined || named === undefined) return undefined;
  const clause = "WHERE type_id = ? AND (lower(name) = lower(?) OR slug = ? OR external_id = ?) LIMIT 1";
  return database.query(catalogEntries, clause, [type.id, named, named, named])[0];
}

/** The first entry of a type that the entry refers to. */
export function referredTo(database: Database, entry: CatalogEntryRow, typeSlug: string): CatalogEntryRow | undefined {
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
