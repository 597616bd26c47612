/** Custom fields: their options are matched by label, and some fields can never be read back. */

import { type Fields, isFields, isList, type Json } from "../core/json.ts";
import { asText } from "./equality.ts";
import type { Kind } from "./kind.ts";
import type { IdLookup } from "./lookup.ts";

export const customFields: Kind = {
  name: "custom_fields",
  title: "custom field",
  module: "custom-fields",
  source: "Configuration resources, rule 3",
  identity: { keys: ["slug"], idFields: ["slug"], slug: "word" },
  endpoint: {
    list: { path: "/custom_fields" },
    member: { path: "/custom_fields/{id}" },
    envelope: { list: "custom_fields", item: "custom_field" },
  },
  lifecycle: { required: ["name", "field_type"] },
  references: {
    answeredIn: "custom_fields",
    dependsOn: ["catalog_types"],
    of: (fields) =>
      typeof fields.catalog_type === "string"
        ? [{ at: "/catalog_type", kind: "catalog_types", scope: "", key: fields.catalog_type }]
        : [],
  },
  codec: {
    responseFields: { catalog_type: ["catalog_type", "catalog_type_id"] },
    decode: ({ options, ...row }, names) => ({
      ...row,
      ...(row.catalog_type === undefined ? catalogType(row, names) : {}),
      // What a catalog offers is no option of the field's own.
      ...(row.option_source === "none" || (row.option_source === "catalog" && isSelect(row))
        ? { options: [] }
        : isList(options) && SOURCES[String(row.field_type)] !== "catalog"
          ? { options: options.map(label) }
          : {}),
    }), // Another type may need another source than the live one.
    fillForReplace: (declared, live) => {
      const source = SOURCES[String(declared.field_type ?? live.field_type)];
      const stays = source === SOURCES[String(live.field_type)] || declared.option_source !== undefined;
      return stays || source === undefined ? declared : { ...declared, option_source: source };
    },
  },
  fields: {
    field_type: { attention: true },
    description: { equals: asText },
    options: { optionList: true },
    option_source: { computedDefault: (fields) => SOURCES[String(fields.field_type)] },
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

function catalogType(row: Fields, names: IdLookup): Fields {
  const id = row.catalog_type_id;
  if (id === undefined) return {};
  return { catalog_type: typeof id === "string" ? (names.key("catalog_types", id) ?? id) : null };
}

function label(option: Json): Json {
  return isFields(option) ? (option.label ?? null) : option;
}
