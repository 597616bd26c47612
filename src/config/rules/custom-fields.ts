/** Rules of custom fields: the source of their options, and unique options. */

import type { Findings } from "../../core/findings.ts";
import { isFields, isList, type Json, listIn } from "../../core/json.ts";
import { allowedSentence } from "../../core/suggest.ts";
import { OPTION_SOURCES, optionSourceOf } from "../../kinds/values/option-source.ts";
import type { DeclaredResource } from "../resources/declared-resource.ts";
import { locationOf } from "../resources/origins.ts";
import type { ResourceRule } from "./rule.ts";

/** Checks the type, the option source and the options of a field. */
export const checkCustomField: ResourceRule = (resource, { findings }) => {
  checkSource(resource, findings);
  checkOptions(resource, findings);
};

function checkSource({ fields, origins }: DeclaredResource, findings: Findings): void {
  const type = String(fields.field_type);
  const allowed = OPTION_SOURCES[type] ?? [];
  const stated = typeof fields.option_source === "string" ? fields.option_source : undefined;
  if (stated !== undefined && allowed.length > 0 && !allowed.includes(stated)) {
    const message = `a field of type ${type} cannot have the option source "${stated}"`;
    findings.error("E_OPTION_SOURCE", message, locationOf(origins, "/option_source"), {
      help: allowedSentence(allowed),
    });
    return;
  }
  const source = optionSourceOf(fields);
  if (source === undefined) return;
  if (isList(fields.options) && source !== "fixed") {
    const help =
      source === "catalog"
        ? "Its options are the entries of the catalog type."
        : `A field of type ${type} has no options.`;
    findings.error(
      "E_OPTIONS",
      "only a field with the option source fixed has options",
      locationOf(origins, "/options"),
      { help },
    );
  }
  if (isList(fields.options) && fields.options.length === 0 && source === "fixed") {
    findings.error(
      "E_OPTIONS",
      "a field with the option source fixed needs at least one option",
      locationOf(origins, "/options"),
    );
  }
  if (typeof fields.catalog_type === "string" && source !== "catalog") {
    const message = `a field with the option source "${source}" has no catalog_type`;
    const help = "Write option_source: catalog, or delete catalog_type.";
    findings.error("E_CATALOG_TYPE", message, locationOf(origins, "/catalog_type"), { help });
  }
  if (fields.catalog_type === null && source === "catalog") {
    const message = "a field with the option source catalog needs a catalog_type";
    findings.error("E_CATALOG_TYPE", message, locationOf(origins, "/catalog_type"));
  }
}

interface Option {
  readonly label: string;
  readonly from?: string;
  readonly at: string;
}

function checkOptions({ fields, origins }: DeclaredResource, findings: Findings): void {
  const options = listIn(fields.options).map(optionOf);
  const labels = new Map<string, Option>();
  for (const option of options) {
    const first = labels.get(option.label);
    if (first !== undefined) {
      findings.error("E_OPTION_DUP", `the option "${option.label}" is declared twice`, locationOf(origins, option.at), {
        related: [{ message: "first here", at: locationOf(origins, first.at) }],
      });
    }
    labels.set(option.label, first ?? option);
  }
  const claims = new Map<string, Option>();
  for (const option of options) {
    if (option.from === undefined) continue;
    const at = locationOf(origins, `${option.at}/renamed_from`);
    const kept = labels.get(option.from);
    const claim = claims.get(option.from);
    if (kept !== undefined) {
      findings.error("E_RENAME", `"${option.from}" is still the label of an option`, at, {
        related: [{ message: "declared here", at: locationOf(origins, kept.at) }],
        help: "Remove renamed_from once the new label is applied.",
      });
    } else if (claim !== undefined) {
      findings.error("E_RENAME", `two options have renamed_from "${option.from}"`, at, {
        related: [{ message: "first here", at: locationOf(origins, `${claim.at}/renamed_from`) }],
      });
    }
    claims.set(option.from, claim ?? option);
  }
}

function optionOf(option: Json, index: number): Option {
  const at = `/options/${index}`;
  if (!isFields(option)) return { label: String(option), at };
  const { label, renamed_from } = option;
  return { label: String(label), at, ...(typeof renamed_from === "string" ? { from: renamed_from } : {}) };
}
