/** Live rules as the files declare them, where the service stores the same in another form or an apply has seen it store something else. */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { equal, type Fields } from "../../core/json.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import { type LastApplied, wasStoredOtherwise } from "../../workspace/match/last-applied.ts";
import { compareField, isSecret, type OtherForm, otherFormWarning } from "../diff/compare.ts";
import type { Warning } from "../model/plan.ts";

/** The rules of a list in the declared form, with a warning for each field that the service stores otherwise, unless it is secret. */
export interface ReadRules {
  readonly live: readonly LiveResource[];
  readonly warnings: readonly Warning[];
}

/** Reads the live rules of a list beside the declared ones at the same places; `fields` are what is sent of these. */
export function readAsDeclared(
  live: readonly LiveResource[],
  declared: readonly DeclaredResource[],
  fields: readonly Fields[],
  lastApplied: LastApplied,
): ReadRules {
  const warnings: Warning[] = [];
  const rules = live.map((resource, index) => {
    const own = declared[index];
    if (own === undefined) return resource;
    const forms = Object.entries(fields[index] ?? {}).flatMap(([name, after]): readonly OtherForm[] => {
      const before = resource.fields[name] ?? null;
      if (equal(before, after)) return [];
      const same = compareField(own.kind, name, before, after);
      if (same.isSame) return same.forms.length === 0 ? [] : [{ name, live: before, forms: same.forms }];
      return wasStoredOtherwise(lastApplied, own.address, { path: `/${name}`, before, after })
        ? [{ name, live: before, forms: [] }]
        : [];
    });
    if (forms.length === 0) return resource;
    const told = forms.filter(({ name }) => !isSecret(own, name));
    warnings.push(...told.map((form) => otherFormWarning(own, form)));
    const asDeclared = Object.fromEntries(forms.map(({ name }) => [name, fields[index]?.[name] ?? null]));
    return { ...resource, fields: { ...resource.fields, ...asDeclared } };
  });
  return { live: rules, warnings };
}
