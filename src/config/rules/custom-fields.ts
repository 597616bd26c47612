/** Custom fields: where their choices come from, and that each choice is told from the others. */

import type { Findings } from "../../core/findings.ts";
import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import type { DeclaredResource } from "../../kinds/resource.ts";
import type { Check } from "./rule.ts";

/** The sources that fit a type; the first is what it has when none is stated. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  text: ["none"],
  number: ["none"],
  link: ["none"],
  single_select: ["fixed", "catalog"],
  multi_select: ["fixed", "catalog"],
  catalog_reference: ["catalog"],
  catalog_multi_reference: ["catalog"],
};

/** Holds the field's type, its source of choices and its options against each other. */
export const checkCustomField: Check = (entry, { findings }) => {
  checkSource(entry, findings);
  checkOptions(entry, findings);
};

function checkSource({ fields, place }: DeclaredResource, findings: Findings): void {
  const type = String(fields.field_type);
  const fitting = SOURCES[type] ?? [];
  const stated = typeof fields.option_source === "string" ? fields.option_source : undefined;
  if (stated !== undefined && fitting.length > 0 && !fitting.includes(stated)) {
    findings.error(
      "E_OPTION_SOURCE",
      `a field of type ${type} cannot have the option source "${stated}"`,
      place("/option_source"),
      {
        help: `It can be ${fitting.join(" or ")}.`,
      },
    );
    return;
  }
  const source = stated ?? fitting[0];
  if (source === undefined) return;
  if (isList(fields.options) && source !== "fixed") {
    const help =
      source === "catalog" ? "Its choices are the entries of the catalog type." : `A ${type} has no choices.`;
    findings.error("E_OPTIONS", "only a field with fixed choices lists options", place("/options"), { help });
  }
  if (isList(fields.options) && fields.options.length === 0 && source === "fixed") {
    findings.error("E_OPTIONS", "a field with fixed choices needs at least one option", place("/options"));
  }
  if (typeof fields.catalog_type === "string" && source !== "catalog") {
    findings.error(
      "E_CATALOG_TYPE",
      `a field with the option source "${source}" has no catalog_type`,
      place("/catalog_type"),
      {
        help: "Write option_source: catalog, or leave catalog_type out.",
      },
    );
  }
  if (fields.catalog_type === null && source === "catalog") {
    findings.error(
      "E_CATALOG_TYPE",
      "a field whose choices come from the catalog needs a catalog_type",
      place("/catalog_type"),
    );
  }
}

interface Option {
  readonly label: string;
  readonly from?: string;
  readonly at: string;
}

function checkOptions({ fields, place }: DeclaredResource, findings: Findings): void {
  const options = (isList(fields.options) ? fields.options : []).map(optionOf);
  const labels = new Map<string, Option>();
  for (const option of options) {
    const first = labels.get(option.label);
    if (first !== undefined) {
      findings.error("E_OPTION_DUP", `the option "${option.label}" is listed twice`, place(option.at), {
        related: [{ message: "first here", at: place(first.at) }],
      });
    }
    labels.set(option.label, first ?? option);
  }
  const claims = new Map<string, Option>();
  for (const option of options) {
    if (option.from === undefined) continue;
    const kept = labels.get(option.from);
    const claim = claims.get(option.from);
    if (kept !== undefined) {
      findings.error(
        "E_RENAME",
        `"${option.from}" is still the label of an option`,
        place(`${option.at}/renamed_from`),
        {
          related: [{ message: "listed here", at: place(kept.at) }],
          help: "Leave renamed_from out once the new label is applied.",
        },
      );
    } else if (claim !== undefined) {
      findings.error("E_RENAME", `two options were "${option.from}" before`, place(`${option.at}/renamed_from`), {
        related: [{ message: "first here", at: place(`${claim.at}/renamed_from`) }],
      });
    }
    claims.set(option.from, claim ?? option);
  }
}

function optionOf(option: Json, index: number): Option {
  const at = `/options/${index}`;
  if (!isFields(option)) return { label: String(option), at };
  const { label, renamed_from }: Fields = option;
  return { label: String(label), at, ...(typeof renamed_from === "string" ? { from: renamed_from } : {}) };
}
