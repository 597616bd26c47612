/** The attributes of a catalog type: how a resent list meets the ones that are there, matched by slug. */

import { randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import type { ValueOf } from "../../http/body-schema.ts";
import { type FieldError, invalid, refused } from "../../http/http-error.ts";
import type { Database } from "../../store/database.ts";
import { wordSlug } from "../../store/slug.ts";
import {
  type AttributeRole,
  type AttributeType,
  attributeRoles,
  attributeTypes,
  type CatalogAttributeRow,
  type CatalogTypeRow,
  catalogAttributes,
  catalogEntries,
  catalogReferences,
  catalogTypes,
} from "./catalog-tables.ts";

/** The shape of a list of attributes in a body. (The assertion states the type that `isolatedDeclarations` asks for.) */
export const attributesShape = {
  type: ["array", "null"],
  description: "The whole list, matched by the slug of the name. The type of an attribute never changes.",
  items: {
    type: "object",
    properties: {
      name: { type: "string", minLength: 1 },
      attribute_type: { type: "string", enum: attributeTypes as typeof attributeTypes },
      required: { type: ["boolean", "null"] },
      role: { type: ["string", "null"], description: "What routing uses it for; left out, it stays." },
      reference_type: { type: ["string", "null"], description: "The slug of the type that a reference points into." },
      options: { type: ["array", "null"], items: { type: "string" }, description: "The choices of a select." },
    },
    required: ["name"],
  },
} as const;

/** One attribute as it is sent. */
export type SentAttribute = Extract<ValueOf<typeof attributesShape>, readonly unknown[]>[number];

/** The attribute types that fit each role. */
const roleTypes: { readonly [Role in AttributeRole]: readonly AttributeType[] } = {
  members: ["workspace_member", "workspace_members"],
  manager: ["workspace_member"],
  notification_channel: ["slack_channel"],
  repository: ["text"],
};

/** The attributes of a type, in order. */
export function attributesOf(database: Database, typeId: string): readonly CatalogAttributeRow[] {
  return database.list(catalogAttributes, { type_id: typeId }, { order: "position" });
}

/** The attributes of a type as they are read back. */
export function shownAttributes(database: Database, typeId: string): readonly Fields[] {
  return attributesOf(database, typeId).map((row) => {
    const { slug, name, attribute_type, required, role, options, reference_type_id } = row;
    const target = reference_type_id === null ? undefined : database.find(catalogTypes, { id: reference_type_id });
    return {
      slug,
      name,
      attribute_type,
      required,
      ...(role === null ? {} : { role }),
      ...(attribute_type === "select" ? { options } : {}),
      ...(attribute_type === "reference" ? { reference_type: target?.slug ?? null } : {}),
    };
  });
}

/**
 * Makes the list the type's attributes. Throws 422 for an attribute that is not valid, and for a change that the entries
 * do not allow: the removal of an attribute or a choice that is used, another target of a reference, and any removal from
 * a built-in type.
 */
export function replaceAttributes(database: Database, type: CatalogTypeRow, sent: readonly SentAttribute[]): void {
  const existing = new Map(attributesOf(database, type.id).map((row) => [row.slug, row]));
  const read = sent.map((attribute, index) => {
    return readAttribute(database, type, attribute, index, existing.get(wordSlug(attribute.name)));
  });
  const errors = [...read.flatMap(({ errors }) => errors), ...repeated(read.map(({ row }) => row))];
  if (errors.length > 0) throw invalid(...errors);
  const kept = new Set(read.map(({ row }) => row.slug));
  for (const row of existing.values()) if (!kept.has(row.slug)) remove(database, type, row);
  for (const { row } of read) {
    const before = existing.get(row.slug);
    if (before === undefined) {
      database.insert(catalogAttributes, row);
    } else {
      checkUse(database, before, row);
      database.update(catalogAttributes, row.id, row);
    }
  }
}

/** The row that a sent attribute makes, with what is wrong with it. */
function readAttribute(
  database: Database,
  type: CatalogTypeRow,
  sent: SentAttribute,
  index: number,
  before: CatalogAttributeRow | undefined,
): { readonly row: CatalogAttributeRow; readonly errors: readonly FieldError[] } {
  const field = `attributes[${index}]`;
  const attribute_type = before?.attribute_type ?? sent.attribute_type ?? "text";
  const role = sent.role === undefined ? (before?.role ?? null) : roleOf(sent.role);
  const target = sent.reference_type == null ? undefined : database.find(catalogTypes, { slug: sent.reference_type });
  const row: CatalogAttributeRow = {
    id: before?.id ?? randomUUID(),
    type_id: type.id,
    slug: wordSlug(sent.name),
    name: sent.name.trim(),
    attribute_type,
    required: sent.required === true,
    role: role ?? null,
    options: attribute_type === "select" ? [...new Set(sent.options ?? [])] : [],
    reference_type_id: attribute_type === "reference" ? (target?.id ?? null) : null,
    position: index + 1,
  };
  const errors = [
    ...(before === undefined && sent.attribute_type === undefined ? ["needs an attribute_type"] : []),
    ...(row.slug === "" ? ["needs a name with letters or digits"] : []),
    ...(role === undefined ? [`has the role "${sent.role}"; known are ${attributeRoles.join(", ")}`] : []),
    ...(row.role !== null && !roleTypes[row.role].includes(attribute_type)
      ? [`cannot have the role ${row.role}: it is a ${attribute_type}`]
      : []),
    ...(attribute_type === "select" && row.options.length === 0 ? ["needs options"] : []),
    ...(sent.reference_type != null && target === undefined
      ? [`points into "${sent.reference_type}", which is no catalog type`]
      : []),
    ...(attribute_type === "reference" && sent.reference_type == null ? ["needs a reference_type"] : []),
  ];
  return { row, errors: errors.map((message) => ({ field, message })) };
}

/** The role named; null for none, undefined for one that is not known. */
function roleOf(sent: string | null): AttributeRole | null | undefined {
  return sent === null || sent === "" ? null : attributeRoles.find((role) => role === sent);
}

/** A slug and a role are there once in a type. */
function repeated(rows: readonly CatalogAttributeRow[]): readonly FieldError[] {
  const slugs = new Set<string>();
  const roles = new Set<string>();
  return rows.flatMap(({ name, slug, role }, index) => {
    const messages = [
      ...(slugs.has(slug) ? [`"${name}" is there twice`] : []),
      ...(role !== null && roles.has(role) ? [`the role ${role} is there twice`] : []),
    ];
    slugs.add(slug);
    if (role !== null) roles.add(role);
    return messages.map((message) => ({ field: `attributes[${index}]`, message }));
  });
}

function remove(database: Database, type: CatalogTypeRow, { id, slug, name }: CatalogAttributeRow): void {
  if (type.kind === "system") throw refused(`${name} belongs to a built-in type and cannot be removed.`);
  const count = database.count(catalogReferences, { attribute_id: id }) + holders(database, type.id, slug).length;
  if (count > 0) throw refused(`${name} is in use by ${count} entries and cannot be removed.`);
  database.remove(catalogAttributes, { id });
}

function checkUse(database: Database, before: CatalogAttributeRow, after: CatalogAttributeRow): void {
  if (before.reference_type_id !== after.reference_type_id) {
    throw refused(`${before.name} cannot point into another type.`);
  }
  const gone = before.options.filter((option) => !after.options.includes(option));
  if (gone.length === 0) return;
  for (const value of holders(database, before.type_id, before.slug)) {
    if (gone.some((option) => option === value)) {
      throw refused(`"${value}" of ${before.name} is in use by an entry and cannot be removed.`);
    }
  }
}

/** The values that the entries of a type hold for an attribute that is no reference. */
function holders(database: Database, typeId: string, slug: string): readonly unknown[] {
  const values = database.list(catalogEntries, { type_id: typeId }).map(({ attributes }) => attributes[slug] ?? null);
  return values.filter((value) => value !== null);
}
