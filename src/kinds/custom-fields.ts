/** Custom fields: their options are matched by label, and some fields can never be read back. */

import { type Fields, isFields, isList, type Json } from "../core/json.ts";
import type { Kind, Names } from "./kind.ts";
import { asText } from "./same.ts";

export const customFields: Kind = {
  name: "custom_fields",
  title: "custom field",
  room: "custom-fields",
  source: "Configuration resources, rule 3",
  key: ["slug"],
  collection: { path: "/custom_fields" },
  member: { path: "/custom_fields/{id}" },
  address: ["slug"],
  list: "custom_fields",
  item: "custom_field",
  slug: "word",
  answeredIn: "custom_fields",
  required: ["name", "field_type"],
  after: ["catalog_types"],
  inRow: { catalog_type: ["catalog_type", "catalog_type_id"] },
  fields: {
    field_type: { attention: true },
    description: { same: asText },
    options: { choices: true },
    option_source: { derived: (fields) => SOURCES[String(fields.field_type)] },
  },
  references: (fields) =>
    typeof fields.catalog_type === "string"
      ? [{ at: "/catalog_type", kind: "catalog_types", scope: "", key: fields.catalog_type }]
      : [],
  decode: ({ options, ...row }, names) => ({
    ...row,
    ...(row.catalog_type === undefined ? catalogType(row, names) : {}),
    // What a catalog offers is no option of the field's own.
    ...(row.option_source === "none" || (row.option_source === "catalog" && isSelect(row))
      ? { options: [] }
      : isList(options) && SOURCES[String(row.field_type)] !== "catalog"
        ? { options: options.map(label) }
        : {}),
  }),
  // Another type may need another source than the live one.
  complete: (declared, live) => {
    const source = SOURCES[String(declared.field_type ?? live.field_type)];
    const stays = source === SOURCES[String(live.field_type)] || declared.option_source !== undefined;
    return stays || source === undefined ? declared : { ...declared, option_source: source };
  },
};

/** Which source of options a field type has when none is declared. */
const SOURCES: Readonly<Record<string, string>> = {
  text: "none",
  number: "none",
  link: "none",
  single_select: "fixed",
  multi_select: "fixed",
  catalog_reference: "catalog",
  catalog_multi_reference: "catalog",
};

/** Its options may be its own as well, so that there are none of them has to be said. */
function isSelect({ field_type }: Fields): boolean {
  return SOURCES[String(field_type)] === "fixed";
}

function catalogType(row: Fields, names: Names): Fields {
  const id = row.catalog_type_id;
  if (id === undefined) return {};
  return { catalog_type: typeof id === "string" ? (names.key("catalog_types", id) ?? id) : null };
}

function label(option: Json): Json {
  return isFields(option) ? (option.label ?? null) : option;
}
