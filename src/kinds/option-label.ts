/** Options of a custom field as files write them: a label, or a mapping that renames one. */

import { isFields, type Json } from "../core/json.ts";

/** The label of a declared option. */
export function optionLabel(option: Json): string {
  return String(isFields(option) ? option.label : option);
}
