/** Custom fields: their options are matched by label, and some fields can never be read back. */

import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import { counted } from "../../core/value-text.ts";
import { defineKind } from "../model/define-kind.ts";
import type { Kind } from "../model/kind.ts";
import type { IdLookup } from "../model/lookup.ts";
import { equalTexts } from "../values/equality.ts";
import { OPTION_SOURCES, optionSourceOf, rejectedOptions } from "../values/option-source.ts";

export const customFields: Kind = defineKind({
  name: "custom_fields",
  title: "custom field",
  identity: { keys: ["slug"], displayName: "name", idFields: ["slug"], slug: "word" },
  lifecycle: {
    required: ["name", "field_type"],
    rejectFields: () => rejectedOptions,
    rejectUpdate: (live, declared, incidents) => {
      const changed = ["field_type", "option_source"].find(
        (name) => live[name] !== undefined && declared[name] !== undefined && live[name] !== declared[name],
      );
      if (changed === undefined || incidents === 0) return undefined;
      const holders = incidents === undefined ? "incidents may" : counted(incidents, "incident does", "incidents do");
      const message = `its ${changed} is ${live[changed]} and cannot change to ${declared[changed]} once an incident has a value of it, and ${holders}; declare a new field instead`;
      return { field: changed, message };
    },
  },
  references: {
    answeredIn: "custom_fields",
    dependsOn: ["catalog_types"],
    of: () => (fields) =>
      typeof fields.catalog_type === "string"
        ? [{ at: "/catalog_type", kind: "catalog_types", scope: "", key: fields.catalog_type }]
        : [],
  },
  codec: {
    responseFields: { catalog_type: ["catalog_type", "catalog_type_id"] },
    decode:
      (lookup) =>
      ({ options, ...row }) => ({ ...row, ...catalogTypeOf(row, lookup), ...optionsOf(row, options) }),
    // Another field type or a catalog type may need another option source than the live one.
    fillForReplace: () => (declared, live) => {
      const source = optionSourceOf(declared, live);
      const stays = declared.option_source !== undefined || source === (live.option_source ?? optionSourceOf({}, live));
      return stays || source === undefined ? declared : { ...declared, option_source: source };
    },
  },
  fields: {
    field_type: { attention: true },
    description: { equals: equalTexts },
    options: { optionList: true, mostItems: 100 },
    option_source: { computedDefault: (fields) => optionSourceOf(fields) },
  },
});

/** The catalog type by its slug, where the row tells its id; null for none, which may be an empty text. */
function catalogTypeOf({ catalog_type, catalog_type_id: id }: Fields, lookup: IdLookup): Fields {
  if (catalog_type === "") return { catalog_type: null };
  if (catalog_type !== undefined || id === undefined) return {};
  return { catalog_type: typeof id === "string" && id !== "" ? (lookup.key("catalog_types", id, "") ?? id) : null };
}

/** The labels of a field's own options. Those that it takes from the catalog are none of its own. */
function optionsOf({ option_source: source, field_type }: Fields, options: Json | undefined): Fields {
  const [usual] = OPTION_SOURCES[String(field_type)] ?? [];
  if (source === "none" || (source === "catalog" && usual === "fixed")) return { options: [] };
  return isList(options) && usual !== "catalog" ? { options: options.map(label) } : {};
}

function label(option: Json): Json {
  return isFields(option) ? (option.label ?? null) : option;
}
