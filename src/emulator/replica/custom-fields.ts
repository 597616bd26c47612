/** The custom fields of a replica, with the live ids of their options. */

import { randomUUID } from "node:crypto";
import { type Fields, fieldsIn } from "../../core/json.ts";
import { catalogTypes } from "../modules/catalog/catalog-tables.ts";
import {
  type CustomFieldOptionRow,
  type CustomFieldRow,
  customFieldOptions,
  customFieldTable,
} from "../modules/custom-fields/custom-field-tables.ts";
import { idOf, type ReplicaLoad, rowsAt, textOf, textOrNull } from "../service/live-rows.ts";

/** Loads the custom fields, if they were read. */
export function loadCustomFields(load: ReplicaLoad): void {
  const rows = rowsAt(load, "/custom_fields");
  if (rows === undefined) return;
  const { database } = load.service;
  database.remove(customFieldTable, {});
  database.remove(customFieldOptions, {});
  for (const row of rows) {
    const field = fieldRow(load, row);
    database.insert(customFieldTable, field);
    if (field.option_source === "fixed") database.insert(customFieldOptions, ...optionRows(load, row, field.id));
  }
}

function fieldRow(load: ReplicaLoad, row: Fields): CustomFieldRow {
  const { database } = load.service;
  const slug = textOf(row, "catalog_type");
  const type = slug === undefined ? undefined : database.find(catalogTypes, { slug });
  return {
    id: idOf(load, row, "custom fields"),
    name: textOf(row, "name") ?? "",
    slug: textOf(row, "slug") ?? "",
    description: textOrNull(row, "description"),
    field_type: (textOf(row, "field_type") ?? "text") as CustomFieldRow["field_type"],
    option_source: sourceOf(row),
    catalog_type_id: textOf(row, "catalog_type_id") ?? type?.id ?? null,
  };
}

function sourceOf(row: Fields): CustomFieldRow["option_source"] {
  const source = textOf(row, "option_source");
  if (source === "fixed" || source === "catalog" || source === "none") return source;
  return Array.isArray(row.options) && row.options.length > 0 ? "fixed" : "none";
}

function optionRows(load: ReplicaLoad, row: Fields, field_id: string): readonly CustomFieldOptionRow[] {
  const options = Array.isArray(row.options) ? row.options : [];
  return options.map((option, index) => {
    const fields = typeof option === "string" ? { id: randomUUID(), label: option } : fieldsIn(option);
    return {
      id: idOf(load, fields, "options of custom fields"),
      field_id,
      label: textOf(fields, "label") ?? "",
      position: index + 1,
    };
  });
}
