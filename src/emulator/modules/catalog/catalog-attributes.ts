/** Attributes of a catalog type. A new list is matched with the existing attributes by slug. */

import { randomUUID } from "node:crypto";
import { type Fields, fieldsIn, type Json, listIn } from "../../../core/json.ts";
import { type HttpError, type InvalidField, unprocessable, validationError } from "../../http/http-error.ts";
import { type ObjectSchema, objectSchema } from "../../http/response-schema.ts";
import type { SchemaValue, ValueSchema } from "../../http/value-schema.ts";
import { liveRow } from "../../resource/live-row.ts";
import { type ReplicaLoad, textOf } from "../../service/live-rows.ts";
import type { Database } from "../../store/database.ts";
import { slugLetter, wordSlug } from "../../store/slug.ts";
import {
  type AttributeRole,
  type AttributeType,
  attributeRoles,
  attributeTypes,
  type CatalogAttributeRow,
  type CatalogTypeRow,
  catalogAttributeFields,
  catalogAttributes,
  catalogEntries,
  catalogReferences,
  catalogTypes,
} from "./catalog-tables.ts";

/** The attribute types that can have each role. */
const roleTypes: { readonly [Role in AttributeRole]: readonly AttributeType[] } = {
  members: ["workspace_member", "workspace_members"],
  manager: ["workspace_member"],
  notification_channel: ["slack_channel"],
  repository: ["text"],
};

/** The schema of a list of attributes. `isolatedDeclarations` requires the type assertion. */
export const attributesSchema = {
  type: ["array", "null"],
  description: "The whole list, matched by the slug of the name. The type of an attribute never changes.",
  items: {
    type: "object",
    properties: {
      name: {
        type: "string",
        pattern: slugLetter as string,
        examples: ["Owner"],
        refusal: (name: Json | undefined, field: string): HttpError | undefined => nameError(name, field),
      },
      attribute_type: { type: "string", enum: attributeTypes as typeof attributeTypes },
      required: { type: ["boolean", "null"] },
      role: {
        type: ["string", "null"],
        enum: ["members", "manager", "notification_channel", "repository", "", null],
        description: "What routing uses it for; left out, it stays.",
        refusal: (role: Json | undefined, field: string): HttpError | undefined => roleError(role, field),
      },
      reference_type: { type: ["string", "null"], description: "The slug of the type that a reference points into." },
      options: { type: ["array", "null"], items: { type: "string" }, description: "The choices of a select." },
    },
    required: ["name"],
  },
} as const;

/** The schema of the attributes of a new type, which has none before: each has a type, and what this needs. */
export const newAttributesSchema: ValueSchema = {
  ...attributesSchema,
  items: {
    ...attributesSchema.items,
    refusal: (attribute, field) => {
      const errors = attributeErrors(fieldsIn(attribute));
      return errors.length === 0 ? undefined : validationError(...errors.map((message) => ({ field, message })));
    },
    oneOf: attributeTypes.map((type) => ({
      type: "object",
      properties: {
        attribute_type: { type: "string", enum: [type] },
        role: { enum: [...attributeRoles.filter((role) => roleTypes[role].includes(type)), "", null] },
        ...(type === "select" ? { options: { type: "array", minItems: 1 } } : {}),
        ...(type === "reference" ? { reference_type: { type: "string" } } : {}),
      },
      required: [
        "attribute_type",
        ...(type === "select" ? ["options"] : type === "reference" ? ["reference_type"] : []),
      ],
    })),
  },
};

function nameError(name: Json | undefined, field: string): HttpError | undefined {
  if (typeof name !== "string") return undefined;
  if (name.trim() === "") return validationError({ field, message: "can't be blank" });
  return validationError({ field: parentOf(field), message: "needs a name with letters or digits" });
}

function roleError(role: Json | undefined, field: string): HttpError | undefined {
  if (typeof role !== "string") return undefined;
  const message = `has the role "${role}"; known are ${attributeRoles.join(", ")}`;
  return validationError({ field: parentOf(field), message });
}

/** The path without its last member. */
function parentOf(field: string): string {
  return field.slice(0, field.lastIndexOf("."));
}

/** The errors in what an attribute's type needs and allows. `type` is that of the attribute which is there already. */
function attributeErrors(
  { attribute_type, role, options, reference_type }: Fields,
  type = attributeTypes.find((each) => each === attribute_type),
): readonly string[] {
  if (type === undefined) return ["needs an attribute_type"];
  const known = attributeRoles.find((each) => each === role);
  return [
    ...(known !== undefined && !roleTypes[known].includes(type)
      ? [`cannot have the role ${known}: it is a ${type}`]
      : []),
    ...(type === "select" && listIn(options).length === 0 ? ["needs options"] : []),
    ...(type === "reference" && typeof reference_type !== "string" ? ["needs a reference_type"] : []),
  ];
}

const attributeProperties = {
  slug: { type: "string", examples: ["owner"] },
  name: { type: "string", examples: ["Owner"] },
  attribute_type: { type: "string", enum: attributeTypes as typeof attributeTypes },
  required: { type: "boolean" },
  role: {
    type: "string",
    enum: attributeRoles as typeof attributeRoles,
    description: "What routing uses it for; absent if for nothing.",
  },
  options: {
    type: "array",
    items: { type: "string" },
    description: "The choices of a select; absent for other types.",
  },
  reference_type: {
    type: ["string", "null"],
    description: "The slug of the type that a reference points into; absent for other types.",
  },
} as const;

/** The schema of an attribute in responses. */
export const attributeSchema: ObjectSchema<typeof attributeProperties, "role" | "options" | "reference_type"> =
  objectSchema("CatalogAttribute", attributeProperties, { optional: ["role", "options", "reference_type"] });

/** One attribute of a request. */
export type SentAttribute = Extract<SchemaValue<typeof attributesSchema>, readonly unknown[]>[number];

/** The attributes of a type, in order. */
export function attributesOf(database: Database, typeId: string): readonly CatalogAttributeRow[] {
  return database.list(catalogAttributes, { type_id: typeId }, { order: "position" });
}

/** The attributes of a type for a response. */
export function serializeAttributes(
  database: Database,
  typeId: string,
): readonly SchemaValue<typeof attributeSchema>[] {
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
 * Replaces the type's attributes. Throws 422 for an invalid attribute, for the removal of an attribute or option in
 * use, for another target type of a reference, and for any removal from a built-in type.
 */
export function replaceAttributes(database: Database, type: CatalogTypeRow, input: readonly SentAttribute[]): void {
  const existing = new Map(attributesOf(database, type.id).map((row) => [row.slug, row]));
  const parsed = input.map((attribute, index) => {
    return readAttribute(database, type, attribute, index, existing.get(wordSlug(attribute.name)));
  });
  const errors = [...parsed.flatMap(({ errors }) => errors), ...duplicateErrors(parsed.map(({ row }) => row))];
  if (errors.length > 0) throw validationError(...errors);
  const keptSlugs = new Set(parsed.map(({ row }) => row.slug));
  for (const row of existing.values()) if (!keptSlugs.has(row.slug)) remove(database, type, row);
  for (const { row } of parsed) {
    const before = existing.get(row.slug);
    if (before === undefined) {
      database.insert(catalogAttributes, row);
    } else {
      checkUse(database, before, row);
      database.update(catalogAttributes, row.id, row);
    }
  }
}

/** The row for an attribute of a request, and its errors. */
function readAttribute(
  database: Database,
  type: CatalogTypeRow,
  input: SentAttribute,
  index: number,
  before: CatalogAttributeRow | undefined,
): { readonly row: CatalogAttributeRow; readonly errors: readonly InvalidField[] } {
  const field = `attributes[${index}]`;
  const attribute_type = before?.attribute_type ?? input.attribute_type ?? "text";
  const role = input.role === undefined ? (before?.role ?? null) : input.role || null;
  const target = input.reference_type == null ? undefined : database.find(catalogTypes, { slug: input.reference_type });
  const row: CatalogAttributeRow = {
    id: before?.id ?? randomUUID(),
    type_id: type.id,
    slug: wordSlug(input.name),
    name: input.name.trim(),
    attribute_type,
    required: input.required === true,
    role,
    options: attribute_type === "select" ? [...new Set(input.options ?? [])] : [],
    reference_type_id: attribute_type === "reference" ? (target?.id ?? null) : null,
    position: index + 1,
  };
  const errors = [
    ...attributeErrors({ ...(input as Fields), role }, before?.attribute_type),
    ...(input.reference_type != null && target === undefined
      ? [`points into "${input.reference_type}", which is no catalog type`]
      : []),
  ];
  return { row, errors: errors.map((message) => ({ field, message })) };
}

/** Errors for slugs and roles that occur twice. */
function duplicateErrors(rows: readonly CatalogAttributeRow[]): readonly InvalidField[] {
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
  if (type.kind === "system") throw unprocessable(`${name} belongs to a built-in type and cannot be removed.`);
  const count = database.count(catalogReferences, { attribute_id: id }) + valuesOf(database, type.id, slug).length;
  if (count > 0) throw unprocessable(`${name} is in use by ${count} entries and cannot be removed.`);
  database.remove(catalogAttributes, { id });
}

function checkUse(database: Database, before: CatalogAttributeRow, after: CatalogAttributeRow): void {
  if (before.reference_type_id !== after.reference_type_id) {
    throw unprocessable(`${before.name} cannot point into another type.`);
  }
  const removedOptions = before.options.filter((option) => !after.options.includes(option));
  if (removedOptions.length === 0) return;
  for (const value of valuesOf(database, before.type_id, before.slug)) {
    if (removedOptions.some((option) => option === value)) {
      throw unprocessable(`"${value}" of ${before.name} is in use by an entry and cannot be removed.`);
    }
  }
}

/** The values of an attribute, other than a reference, in all entries of the type. */
function valuesOf(database: Database, typeId: string, slug: string): readonly unknown[] {
  const values = database.list(catalogEntries, { type_id: typeId }).map(({ attributes }) => attributes[slug] ?? null);
  return values.filter((value) => value !== null);
}

/** Loads the attributes of a type of a replica. */
export function loadAttributes(
  load: ReplicaLoad,
  definitions: readonly Fields[],
  { id: type_id }: CatalogTypeRow,
): void {
  const { database } = load.service;
  const rows = definitions.map((live, index) => {
    const target = textOf(live, "reference_type_id", "reference_type") ?? "";
    const type = database.find(catalogTypes, { slug: target }) ?? database.find(catalogTypes, { id: target });
    const row = liveRow(load, catalogAttributeFields, live, "catalog attributes", {
      id: randomUUID(),
      type_id,
      reference_type_id: type?.id ?? null,
      position: index + 1,
    });
    return row.slug === "" ? { ...row, slug: wordSlug(row.name) } : row;
  });
  database.insert(catalogAttributes, ...rows);
}
