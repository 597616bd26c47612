/** The options of a custom field: their source, by its type, and the label of one. */

import { type Fields, isFields, isList, type Json, listIn } from "../../core/json.ts";
import { allowedSentence } from "../../core/suggest.ts";
import type { Rejection } from "../model/kind.ts";

/** The option sources of each field type, the default first. */
export const OPTION_SOURCES: Readonly<Record<string, readonly string[]>> = {
  text: ["none"],
  number: ["none"],
  link: ["none"],
  single_select: ["fixed", "catalog"],
  multi_select: ["fixed", "catalog"],
  catalog_reference: ["catalog"],
  catalog_multi_reference: ["catalog"],
};

/** The source of a declared field, stated or derived: a select with a catalog type takes its options from there. */
export function optionSourceOf(declared: Fields, live?: Fields): string | undefined {
  if (typeof declared.option_source === "string") return declared.option_source;
  const [usual, other] = OPTION_SOURCES[String(declared.field_type ?? live?.field_type)] ?? [];
  if (other === undefined || typeof declared.catalog_type === "string") return other ?? usual;
  if (declared.catalog_type === null || isList(declared.options)) return usual;
  const current = live?.option_source;
  return current === usual || current === other ? current : usual;
}

/**
 * Declared fields that do not fit together, or do not fit what the files omit: the live fields, or nothing where the field is new. Without
 * `isComplete`, nothing is known of what the files omit.
 */
export function rejectedOptions(declared: Fields, live: Fields | undefined, isComplete = true): readonly Rejection[] {
  const type = String(declared.field_type ?? live?.field_type);
  const source = optionSourceOf(declared, live);
  const allowed = OPTION_SOURCES[type];
  if (source === undefined || allowed === undefined) return [];
  if (!allowed.includes(source)) {
    const message = `a field of type ${type} cannot have the option source "${source}"`;
    return [{ field: "option_source", code: "E_OPTION_SOURCE", message, help: allowedSentence(allowed) }];
  }
  const catalogType = declared.catalog_type ?? inherited(declared, live);
  // The service may not return the options.
  const options = declared.options ?? (live === undefined ? [] : live.options);
  const stated = listIn(declared.options);
  const rejections: (Rejection | false)[] = [
    source === "catalog" &&
      typeof catalogType !== "string" &&
      (isComplete || catalogType === null) && {
        field: "catalog_type",
        code: "E_CATALOG_TYPE",
        message: "a field with the option source catalog needs a catalog_type",
      },
    source !== "catalog" &&
      typeof declared.catalog_type === "string" && {
        field: "catalog_type",
        code: "E_CATALOG_TYPE",
        message: `a field with the option source "${source}" has no catalog_type`,
        help: "Write option_source: catalog, or delete catalog_type.",
      },
    source !== "fixed" &&
      (stated.length > 0 || (!isComplete && isList(declared.options))) && {
        field: "options",
        code: "E_OPTIONS",
        message: `only a field with the option source fixed has options, and this one has ${source}`,
        help:
          source === "catalog"
            ? "Its options are the entries of the catalog type."
            : `A field of type ${type} has no options.`,
      },
    source === "fixed" &&
      isList(options) &&
      options.length === 0 &&
      (isComplete || declared.options !== undefined) && {
        field: declared.options === undefined ? (live === undefined ? "" : "field_type") : "options",
        code: "E_OPTIONS",
        message: "a field with the option source fixed needs at least one option",
      },
  ];
  return rejections.filter((rejection) => rejection !== false);
}

/** The live catalog type of a field that does not declare one. */
function inherited(declared: Fields, live: Fields | undefined): Fields[string] | undefined {
  return declared.catalog_type === undefined ? live?.catalog_type : null;
}

/** The label of a declared option. */
export function optionLabel(option: Json): string {
  return String(isFields(option) ? option.label : option);
}
