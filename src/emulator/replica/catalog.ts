/** The catalog of a replica: types with attributes, then entries, then references. */

import { randomUUID } from "node:crypto";
import { type Fields, fieldsIn, objectsIn, textsIn } from "../../core/json.ts";
import {
  type CatalogAttributeRow,
  type CatalogEntryRow,
  type CatalogReferenceRow,
  type CatalogTypeRow,
  catalogAttributes,
  catalogEntries,
  catalogReferences,
  catalogTypes,
} from "../modules/catalog/catalog-tables.ts";
import { members } from "../modules/people.ts";
import { flagOf, idOf, type ReplicaLoad, rowsAt, textOf, textOrNull } from "../service/live-rows.ts";
import { wordSlug } from "../store/slug.ts";

const builtIn: readonly string[] = ["team", "service", "environment", "functionality"];
/** The number of arguments of a call is limited, and entries can have many references. */
const rowsAtOnce = 1000;

/** Loads types and entries, if they were read. */
export function loadCatalog(load: ReplicaLoad): void {
  const types = rowsAt(load, "/catalog/types");
  if (types === undefined) return;
  const { database } = load.service;
  database.remove(catalogReferences, {});
  database.remove(catalogEntries, {});
  database.remove(catalogAttributes, {});
  database.remove(catalogTypes, {});
  const rowsWithTypes = types.map((row) => ({ row, type: typeRow(load, row) }));
  database.insert(catalogTypes, ...rowsWithTypes.map(({ type }) => type));
  const ids = new Map(
    rowsWithTypes.flatMap(({ type }) => [[type.slug, type.id] as const, [type.id, type.id] as const]),
  );
  const attributes = new Map(
    rowsWithTypes.map(({ row, type }) => {
      const definitions = objectsIn(row.attribute_definitions ?? row.attributes);
      return [type.id, definitions.map((each, index) => attributeRow(each, index, type, ids))] as const;
    }),
  );
  database.insert(catalogAttributes, ...[...attributes.values()].flat());
  const entries = rowsWithTypes.flatMap(({ type }) =>
    (rowsAt(load, `/catalog/types/${encodeURIComponent(type.slug)}/entries`) ?? []).map((row) => ({
      row,
      entry: entryRow(load, row, type),
    })),
  );
  database.insert(catalogEntries, ...entries.map(({ entry }) => entry));
  const attributeIds = new Map(
    [...attributes].map(([type, rows]) => [type, new Map(rows.map(({ slug, id }) => [slug, id]))]),
  );
  const references = entries.flatMap(({ row, entry }) => referenceRows(row, entry, attributeIds.get(entry.type_id)));
  for (let at = 0; at < references.length; at += rowsAtOnce) {
    database.insert(catalogReferences, ...references.slice(at, at + rowsAtOnce));
  }
}

/** Creates people for unknown names in the catalog and in the plan, so that the replica accepts writes that name them. */
export function loadPeople({ service: { database }, notes }: ReplicaLoad, peopleInPlan: readonly string[]): void {
  const knownPeople = new Set(
    database.list(members).flatMap(({ id, email, chat_user_id }) => [id, email, chat_user_id]),
  );
  const memberWords = database
    .list(catalogAttributes)
    .flatMap(({ type_id, slug, attribute_type }) =>
      attribute_type === "workspace_member" || attribute_type === "workspace_members"
        ? database.list(catalogEntries, { type_id }).flatMap(({ attributes }) => wordsIn(attributes[slug]))
        : [],
    );
  const words = [...new Set([...memberWords, ...peopleInPlan])].filter((word) => !knownPeople.has(word));
  if (words.length === 0) return;
  notes.add(`${words.length} people in the catalog or the plan are assumed to exist`);
  database.insert(
    members,
    ...words.map((word) => ({ id: word, name: word, email: word, chat_user_id: word, role: "member" as const })),
  );
}

function wordsIn(value: Fields[string] | undefined): readonly string[] {
  return typeof value === "string" ? [value] : textsIn(value);
}

function typeRow(load: ReplicaLoad, row: Fields): CatalogTypeRow {
  const slug = textOf(row, "slug") ?? "";
  const kind = textOf(row, "kind") ?? (builtIn.includes(slug) ? "system" : "custom");
  return {
    id: idOf(load, row, "catalog types"),
    name: textOf(row, "name") ?? "",
    slug,
    description: textOrNull(row, "description"),
    icon: textOrNull(row, "icon"),
    color: textOrNull(row, "color"),
    kind: kind === "system" ? "system" : "custom",
  };
}

function attributeRow(
  row: Fields,
  index: number,
  { id: type_id }: CatalogTypeRow,
  ids: ReadonlyMap<string, string>,
): CatalogAttributeRow {
  const name = textOf(row, "name") ?? "";
  const target = textOf(row, "reference_type_id", "reference_type");
  return {
    id: randomUUID(),
    type_id,
    slug: textOf(row, "slug", "key") ?? wordSlug(name),
    name,
    attribute_type: (textOf(row, "attribute_type") ?? "text") as CatalogAttributeRow["attribute_type"],
    required: flagOf(row, false, "required"),
    role: textOrNull(row, "role") as CatalogAttributeRow["role"],
    options: textsIn(row.options),
    reference_type_id: target === undefined ? null : (ids.get(target) ?? null),
    position: index + 1,
  };
}

function entryRow(load: ReplicaLoad, row: Fields, type: CatalogTypeRow): CatalogEntryRow {
  return {
    id: idOf(load, row, "catalog entries"),
    type_id: type.id,
    name: textOf(row, "name") ?? "",
    slug: textOf(row, "slug") ?? "",
    source: textOrNull(row, "source"),
    external_id: textOrNull(row, "external_id"),
    attributes: fieldsIn(row.attributes) as CatalogEntryRow["attributes"],
  };
}

/** The references of an entry. `attributes` maps slugs to ids. */
function referenceRows(
  row: Fields,
  entry: CatalogEntryRow,
  attributes: ReadonlyMap<string, string> = new Map(),
): CatalogReferenceRow[] {
  return objectsIn(row.references).flatMap((reference, index) => {
    const attribute_id = attributes.get(textOf(reference, "key") ?? "");
    const target_entry_id = textOf(reference, "target_entry_id");
    return attribute_id === undefined || target_entry_id === undefined
      ? []
      : [{ id: randomUUID(), entry_id: entry.id, attribute_id, target_entry_id, position: index + 1 }];
  });
}
