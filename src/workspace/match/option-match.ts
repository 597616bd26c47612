/** Matches declared options with live ones: by label, or by a former label that the configuration names. */

import { isFields, isList, type Json } from "../../core/json.ts";
import { optionLabel } from "../../kinds/values/option-source.ts";
import { compareName } from "../../kinds/values/same-field.ts";
import { isSameName } from "../../kinds/values/sameness.ts";

/** Declared renames that are still to be made, as pairs of old and new label: the old one is live, the new one is not. */
export function pendingRenames(
  live: readonly string[],
  declared: readonly Json[],
): readonly (readonly [string, string])[] {
  const labels = new Set(declared.map(optionLabel));
  return declared.flatMap((option): readonly (readonly [string, string])[] => {
    if (!isFields(option) || option.renamed_from === undefined) return [];
    const from = String(option.renamed_from);
    const to = optionLabel(option);
    return live.includes(from) && !live.includes(to) && !labels.has(from) ? [[from, to]] : [];
  });
}

/** Live labels that are not declared and not renamed: they would be removed. */
export function removedOptions(live: readonly string[], declared: readonly Json[]): readonly string[] {
  const labels = new Set(declared.map(optionLabel));
  const renamed = new Set(pendingRenames(live, declared).map(([from]) => from));
  return live.filter((label) => !labels.has(label) && !renamed.has(label));
}

/**
 * New labels that are removed live ones in another form, as pairs of the declared and the live label. Upper and lower case tell two options
 * apart only where both are declared, or both are live.
 */
export function copiedOptions(
  live: readonly string[],
  declared: readonly Json[],
): readonly (readonly [string, string])[] {
  const renamed = new Set(pendingRenames(live, declared).map(([, to]) => to));
  const created = declared.map(optionLabel).filter((label) => !live.includes(label) && !renamed.has(label));
  if (created.length === 0) return [];
  const removed = removedOptions(live, declared);
  return created.flatMap((label) => {
    const other =
      removed.find((former) => compareName(former, label).isSame) ??
      removed.find((former) => isSameName(former, label));
    return other === undefined ? [] : [[label, other] as const];
  });
}

/** Values of a live list that the declared one omits; none if either is no list. */
export function removedValues(live: Json | undefined, declared: Json | undefined): readonly Json[] {
  return isList(live) && isList(declared) ? live.filter((value) => !declared.includes(value)) : [];
}
