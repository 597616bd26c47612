/** The tables of custom fields and their options, and the choices of a field. */

import type { Database } from "../../store/database.ts";
import {
  enumText,
  indexed,
  integer,
  key,
  optionalText,
  type Table,
  table,
  text,
  uniqueText,
} from "../../store/table.ts";
import { catalogEntries } from "../catalog/catalog-tables.ts";

/** The type of a custom field. */
export type FieldType = (typeof fieldTypes)[number];

/** Every field type. */
export const fieldTypes = [
  "text",
  "number",
  "single_select",
  "multi_select",
  "link",
  "catalog_reference",
  "catalog_multi_reference",
] as const;

/** The source of a field's choices. */
export type OptionSource = (typeof optionSources)[number];

/** Every source. */
export const optionSources = ["none", "fixed", "catalog"] as const;

/** A custom field. Fields are listed in the order of their creation. */
export interface CustomFieldRow {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
  readonly field_type: FieldType;
  readonly option_source: OptionSource;
  /** The catalog type whose entries are the choices; null for other sources. */
  readonly catalog_type_id: string | null;
}

/** One fixed option of a custom field. */
export interface CustomFieldOptionRow {
  readonly id: string;
  readonly field_id: string;
  readonly label: string;
  /** 1-based. */
  readonly position: number;
}

/** A choice: a fixed option or a catalog entry. */
export interface FieldChoice {
  readonly id: string;
  readonly label: string;
  /** Catalog entries only. */
  readonly slug?: string;
}

/** The custom fields. */
export const customFieldTable: Table<CustomFieldRow> = table("custom_fields", {
  id: key,
  name: text,
  slug: uniqueText,
  description: optionalText,
  field_type: enumText(),
  option_source: enumText(),
  catalog_type_id: optionalText,
});

/** The fixed options of all custom fields. */
export const customFieldOptions: Table<CustomFieldOptionRow> = indexed(
  table("custom_field_options", { id: key, field_id: text, label: text, position: integer }),
  "field_id",
);

/** Whether the field has choices. Conditions can read only such fields. */
export function isSelectable({ option_source }: CustomFieldRow): boolean {
  return option_source !== "none";
}

/** Whether the field accepts several choices. */
export function takesSeveral({ field_type }: CustomFieldRow): boolean {
  return field_type === "multi_select" || field_type === "catalog_multi_reference";
}

/** The field's choices: its fixed options in order, or the entries of its catalog type by name. */
export function choicesOf(database: Database, field: CustomFieldRow): readonly FieldChoice[] {
  if (field.option_source === "fixed") {
    return database.list(customFieldOptions, { field_id: field.id }, { order: "position" });
  }
  if (field.option_source === "none" || field.catalog_type_id === null) return [];
  return database
    .list(catalogEntries, { type_id: field.catalog_type_id }, { order: "name, rowid" })
    .map(({ id, name, slug }) => ({ id, label: name, slug }));
}
