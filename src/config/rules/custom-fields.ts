/** Rules of custom fields: the source of their options, and unique options. */

import { isFields, type Json, listIn, textIn } from "../../core/json.ts";
import { rejectedOptions } from "../../kinds/values/option-source.ts";
import type { ResourceRule } from "./rule.ts";

/** Checks the option source and the options of a field. */
export const checkCustomField: ResourceRule = (resource, context) => {
  for (const { code, message, field, help } of rejectedOptions(resource.fields, undefined, false))
    context.error(code ?? "E_OPTIONS", message, `/${field}`, help === undefined ? {} : { help });
  checkOptions(resource, context);
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
