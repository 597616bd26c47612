/** Rules of custom fields: the source of their options, and unique options. */

import { isFields, isList, type Json, listIn, textIn } from "../../core/json.ts";
import { allowedSentence } from "../../core/suggest.ts";
import { OPTION_SOURCES, optionSourceOf } from "../../kinds/values/option-source.ts";
import type { ResourceRule } from "./rule.ts";

/** Checks the type, the option source and the options of a field. */
export const checkCustomField: ResourceRule = (resource, context) => {
  checkSource(resource, context);
  checkOptions(resource, context);
};

const checkSource: ResourceRule = ({ fields }, { error }) => {
  const type = String(fields.field_type);
  const allowed = OPTION_SOURCES[type] ?? [];
  const stated = textIn(fields.option_source);
  if (stated !== undefined && allowed.length > 0 && !allowed.includes(stated)) {
    const message = `a field of type ${type} cannot have the option source "${stated}"`;
    error("E_OPTION_SOURCE", message, "/option_source", { help: allowedSentence(allowed) });
    return;
  }
  const source = optionSourceOf(fields);
  if (source === undefined) return;
  if (isList(fields.options) && source !== "fixed") {
    const help =
      source === "catalog"
        ? "Its options are the entries of the catalog type."
        : `A field of type ${type} has no options.`;
    error("E_OPTIONS", "only a field with the option source fixed has options", "/options", { help });
  }
  if (isList(fields.options) && fields.options.length === 0 && source === "fixed") {
    error("E_OPTIONS", "a field with the option source fixed needs at least one option", "/options");
  }
  if (typeof fields.catalog_type === "string" && source !== "catalog") {
    const message = `a field with the option source "${source}" has no catalog_type`;
    const help = "Write option_source: catalog, or delete catalog_type.";
    error("E_CATALOG_TYPE", message, "/catalog_type", { help });
  }
  if (fields.catalog_type === null && source === "catalog") {
    error("E_CATALOG_TYPE", "a field with the option source catalog needs a catalog_type", "/catalog_type");
  }
};

interface Option {
  readonly label: string;
  readonly from?: string | undefined;
  readonly pointer: string;
}

const checkOptions: ResourceRule = ({ fields }, { error, at }) => {
  const options = listIn(fields.options).map(optionOf);
  const labels = new Map<string, Option>();
  for (const option of options) {
    const first = labels.get(option.label);
    if (first !== undefined) {
      const related = [{ message: "first here", at: at(first.pointer) }];
      error("E_OPTION_DUP", `the option "${option.label}" is declared twice`, option.pointer, { related });
    }
    labels.set(option.label, first ?? option);
  }
  const claims = new Map<string, Option>();
  for (const option of options) {
    if (option.from === undefined) continue;
    const pointer = `${option.pointer}/renamed_from`;
    const kept = labels.get(option.from);
    const claim = claims.get(option.from);
    if (kept !== undefined) {
      error("E_RENAME", `"${option.from}" is still the label of an option`, pointer, {
        related: [{ message: "declared here", at: at(kept.pointer) }],
        help: "Remove renamed_from once the new label is applied.",
      });
    } else if (claim !== undefined) {
      const related = [{ message: "first here", at: at(`${claim.pointer}/renamed_from`) }];
      error("E_RENAME", `two options have renamed_from "${option.from}"`, pointer, { related });
    }
    claims.set(option.from, claim ?? option);
  }
};

function optionOf(option: Json, index: number): Option {
  const pointer = `/options/${index}`;
  if (!isFields(option)) return { label: String(option), pointer };
  return { label: String(option.label), pointer, from: textIn(option.renamed_from) };
}
