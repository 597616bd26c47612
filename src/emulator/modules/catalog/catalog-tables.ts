/** The tables of the catalog: types, their attributes, entries, and the references from one entry to another. */

import type { SchemaValue } from "../../http/value-schema.ts";
import {
  boolean,
  enumText,
  indexed,
  integer,
  json,
  key,
  optionalText,
  type Table,
  table,
  text,
  uniqueText,
} from "../../store/table.ts";

/** A catalog type. */
export interface CatalogTypeRow {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
  readonly icon: string | null;
  readonly color: string | null;
  /** The four built-in types are `system` and cannot be deleted. */
  readonly kind: "system" | "custom";
}

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

/** One attribute of a catalog type. */
export interface CatalogAttributeRow {
  readonly id: string;
  readonly type_id: string;
  readonly slug: string;
  readonly name: string;
  readonly attribute_type: AttributeType;
  readonly required: boolean;
  readonly role: AttributeRole | null;
  /** The options of a `select`; otherwise empty. */
  readonly options: readonly string[];
  /** The target type of a `reference`; otherwise null. */
  readonly reference_type_id: string | null;
  /** 1-based. */
  readonly position: number;
}

/** The schema of an attribute's value. */
export const attributeValue = {
  title: "CatalogAttributeValue",
  type: ["string", "number", "boolean", "array"],
  items: { type: "string" },
} as const;

/** The value of an attribute that is no reference. */
export type AttributeValue = SchemaValue<typeof attributeValue>;

/** An entry of a catalog type. */
export interface CatalogEntryRow {
  readonly id: string;
  readonly type_id: string;
  readonly name: string;
  /** Unique within the type. */
  readonly slug: string;
  readonly source: string | null;
  readonly external_id: string | null;
  /** The values of all attributes except references, by attribute slug. */
  readonly attributes: { readonly [slug: string]: AttributeValue };
}

/** One target of a reference attribute. */
export interface CatalogReferenceRow {
  readonly id: string;
  readonly entry_id: string;
  readonly attribute_id: string;
  readonly target_entry_id: string;
  /** 1-based, within the attribute. */
  readonly position: number;
}

/** The catalog types. */
export const catalogTypes: Table<CatalogTypeRow> = table("catalog_types", {
  id: key,
  name: text,
  slug: uniqueText,
  description: optionalText,
  icon: optionalText,
  color: optionalText,
  kind: enumText(),
});

/** The attributes of all catalog types. */
export const catalogAttributes: Table<CatalogAttributeRow> = table(
  "catalog_attributes",
  {
    id: key,
    type_id: text,
    slug: text,
    name: text,
    attribute_type: enumText(),
    required: boolean,
    role: enumText(),
    options: json(),
    reference_type_id: optionalText,
    position: integer,
  },
  "UNIQUE (type_id, slug)",
);

/** The entries of all catalog types. */
export const catalogEntries: Table<CatalogEntryRow> = table(
  "catalog_entries",
  {
    id: key,
    type_id: text,
    name: text,
    slug: text,
    source: optionalText,
    external_id: optionalText,
    attributes: json(),
  },
  "UNIQUE (type_id, slug)",
  "UNIQUE (type_id, source, external_id)",
);

/** The references between entries. */
export const catalogReferences: Table<CatalogReferenceRow> = indexed(
  table(
    "catalog_references",
    { id: key, entry_id: text, attribute_id: text, target_entry_id: text, position: integer },
    "UNIQUE (entry_id, attribute_id, target_entry_id)",
  ),
  "target_entry_id",
);
