/** The tables of the catalog: types, their attributes, entries, and the references from one entry to another. */

import type { SchemaValue } from "../../http/value-schema.ts";
import type { RowOf } from "../../resource/field.ts";
import { tableOf } from "../../resource/schemas.ts";
import { slugInput } from "../../service/names.ts";
import { indexed, type RowOfColumns, rowTable, type Table } from "../../store/table.ts";

export const catalogTypeFields = {
  id: { value: { type: "string", format: "uuid" } },
  name: {
    value: { type: "string", examples: ["Vendor"] },
    input: "The display name; renaming never changes the slug.",
    reading: "name",
    required: true,
  },
  slug: {
    value: { type: "string", examples: ["vendor"] },
    input: slugInput as typeof slugInput,
    reading: "none",
    unique: true,
  },
  description: {
    value: { type: ["string", "null"] },
    input: "Free text; null is ignored.",
    reading: "clearable",
  },
  icon: { value: { type: ["string", "null"] }, input: "Null is ignored.", reading: "clearable", fullOnly: true },
  color: {
    value: { type: ["string", "null"] },
    input: "A color code, stored as sent; null is ignored.",
    reading: "clearable",
    fullOnly: true,
  },
  // Those of the kind `system` cannot be deleted.
  kind: {
    value: {
      type: "string",
      enum: ["system", "custom"],
      description: "system for the four built-in types.",
    },
    initial: "custom",
  },
} as const;

export type CatalogTypeRow = RowOf<typeof catalogTypeFields>;

/** The type of an attribute's value. */
export type AttributeType = (typeof attributeTypes)[number];

/** Every attribute type. */
export const attributeTypes = [
  "text",
  "number",
  "boolean",
  "select",
  "list",
  "reference",
  "slack_channel",
  "workspace_member",
  "workspace_members",
] as const;

/** The use of an attribute in alert routing. */
export type AttributeRole = (typeof attributeRoles)[number];

/** Every role. */
export const attributeRoles = ["members", "manager", "notification_channel", "repository"] as const;

/** The fields of an attribute of a catalog type. */
export const catalogAttributeFields = {
  id: { value: { type: "string" } },
  type_id: { value: { type: "string" }, hidden: true },
  slug: { value: { type: "string" }, liveNames: ["slug", "key"] },
  name: { value: { type: "string" } },
  attribute_type: { value: { type: "string", enum: attributeTypes as typeof attributeTypes }, initial: "text" },
  required: { value: { type: "boolean" } },
  role: { value: { anyOf: [{ type: "string", enum: attributeRoles as typeof attributeRoles }, { type: "null" }] } },
  // Those of a `select`; otherwise empty.
  options: { value: { type: "array", items: { type: "string" } } },
  // The target type of a `reference`; otherwise null.
  reference_type_id: { value: { type: ["string", "null"] } },
  // 1-based.
  position: { value: { type: "integer" } },
} as const;

export type CatalogAttributeRow = RowOf<typeof catalogAttributeFields>;

/** The schema of an attribute's value. */
export const attributeValue = {
  title: "CatalogAttributeValue",
  type: ["string", "number", "boolean", "array"],
  items: { type: "string" },
} as const;

/** The value of an attribute that is no reference. */
export type AttributeValue = SchemaValue<typeof attributeValue>;

export const catalogEntryFields = {
  id: { value: { type: "string", format: "uuid" } },
  type_id: { value: { type: "string" }, hidden: true },
  name: {
    value: { type: "string", examples: ["Checkout"] },
    input: "The display name; renaming never changes the slug.",
    reading: "name",
    required: true,
  },
  // Unique within the type.
  slug: {
    value: { type: "string", examples: ["checkout"] },
    input: slugInput as typeof slugInput,
    sentIn: "create",
  },
  source: {
    value: { type: ["string", "null"], examples: [null] },
    input: { type: ["string", "null"], description: "The system that the entry comes from, with external_id." },
    sentIn: "create",
  },
  external_id: {
    value: { type: ["string", "null"], examples: [null] },
    input: { type: ["string", "null"], description: "With source: an entry that has both is updated (200)." },
    sentIn: "create",
  },
  attributes: {
    value: {
      type: "object",
      additionalProperties: attributeValue as typeof attributeValue,
      description: "Values by attribute slug, without references.",
      examples: [{ tier: "Critical" }],
    },
    input: {
      type: ["object", "null"],
      description: "Values by attribute slug: the whole map but for references, which stay unless they are sent.",
    },
  },
} as const;

export type CatalogEntryRow = RowOf<typeof catalogEntryFields>;

const referenceColumns = {
  id: { type: "string" },
  entry_id: { type: "string" },
  attribute_id: { type: "string" },
  target_entry_id: { type: "string" },
  // 1-based, within the attribute.
  position: { type: "integer" },
} as const;

/** One target of a reference attribute. */
export type CatalogReferenceRow = RowOfColumns<typeof referenceColumns>;

export const catalogTypes: Table<CatalogTypeRow> = tableOf("catalog_types", catalogTypeFields);

/** The attributes of all catalog types. */
export const catalogAttributes: Table<CatalogAttributeRow> = tableOf(
  "catalog_attributes",
  catalogAttributeFields,
  "UNIQUE (type_id, slug)",
);

/** The entries of all catalog types. */
export const catalogEntries: Table<CatalogEntryRow> = tableOf(
  "catalog_entries",
  catalogEntryFields,
  "UNIQUE (type_id, slug)",
  "UNIQUE (type_id, source, external_id)",
);

/** The references between entries. */
export const catalogReferences: Table<CatalogReferenceRow> = indexed(
  rowTable("catalog_references", referenceColumns, "UNIQUE (entry_id, attribute_id, target_entry_id)"),
  "target_entry_id",
);
