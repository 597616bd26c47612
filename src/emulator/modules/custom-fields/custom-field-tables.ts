/** The tables of custom fields and their options, and the choices of a field. */

import { type Json, listIn } from "../../../core/json.ts";
import { type HttpError, validationError } from "../../http/http-error.ts";
import type { RowOf } from "../../resource/field.ts";
import { tableOf } from "../../resource/schemas.ts";
import { slugInput } from "../../service/names.ts";
import type { Database } from "../../store/database.ts";
import { indexed, type RowOfColumns, rowTable, type Table } from "../../store/table.ts";
import { catalogEntries } from "../catalog/catalog-tables.ts";

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

const maximumOptions = 100;
const maximumLabelLength = 75;

/** A label, blank or of at most 75 characters between the white space around it. */
const labelPattern = "^\\s*(\\S([\\s\\S]{0,73}\\S)?)?\\s*$";

function lengthError(labels: Json | undefined): HttpError | undefined {
  if (listIn(labels).length <= maximumOptions) return undefined;
  return validationError({ field: "options", message: `takes at most ${maximumOptions} options` });
}

function labelError(label: Json | undefined): HttpError | undefined {
  if (typeof label !== "string") return undefined;
  const message = `"${label.trim()}" is longer than ${maximumLabelLength} characters`;
  return validationError({ field: "options", message });
}

export const customFieldFields = {
  id: { value: { type: "string", format: "uuid" } },
  name: {
    value: { type: "string", examples: ["Region"] },
    input: "The display name; renaming never changes the slug.",
    reading: "none",
    required: true,
  },
  slug: {
    value: { type: "string", examples: ["region"] },
    input: slugInput as typeof slugInput,
    reading: "none",
    unique: true,
  },
  field_type: {
    value: { type: "string", enum: fieldTypes as typeof fieldTypes, examples: ["single_select"] },
    input: "The type of its values.",
    reading: "choice",
    required: true,
    initial: "text",
  },
  option_source: {
    value: { type: "string", enum: optionSources as typeof optionSources, examples: ["fixed"] },
    input: "Where its choices come from; has to fit the type.",
    reading: "choice",
    required: true,
  },
  description: {
    value: { type: ["string", "null"] },
    input: "Free text; null clears it.",
    reading: "nullable",
    fullOnly: true,
  },
  catalog_type: {
    input: { type: ["string", "null"], description: "The slug of the type whose entries are the choices." },
  },
  options: {
    input: {
      type: ["array", "null"],
      maxItems: maximumOptions as number,
      items: {
        type: "string",
        pattern: labelPattern as string,
        refusal: (label: Json | undefined): HttpError | undefined => labelError(label),
      },
      description: "The labels of the fixed options, the whole list in order; left out, all options stay.",
      examples: [["Europe", "America"]],
      refusal: (labels: Json | undefined): HttpError | undefined => lengthError(labels),
    },
  },
  // The catalog type whose entries are the choices; null for other sources.
  catalog_type_id: { value: { type: ["string", "null"] }, hidden: true, liveNames: ["catalog_type_id"] },
} as const;

/** A custom field. Fields are listed in the order of their creation. */
export type CustomFieldRow = RowOf<typeof customFieldFields>;

const optionColumns = {
  id: { type: "string" },
  field_id: { type: "string" },
  label: { type: "string" },
  // 1-based.
  position: { type: "integer" },
} as const;

/** One fixed option of a custom field. */
export type CustomFieldOptionRow = RowOfColumns<typeof optionColumns>;

/** A choice: a fixed option or a catalog entry. */
export interface FieldChoice {
  readonly id: string;
  readonly label: string;
  /** Catalog entries only. */
  readonly slug?: string;
}

export const customFieldTable: Table<CustomFieldRow> = tableOf("custom_fields", customFieldFields);

/** The fixed options of all custom fields. */
export const customFieldOptions: Table<CustomFieldOptionRow> = indexed(
  rowTable("custom_field_options", optionColumns),
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
