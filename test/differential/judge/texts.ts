/** Values as texts that are equal if the values mean the same. */

import { isFields, isList, type Json } from "../../../src/core/json.ts";
import { rowsOf, textsOf } from "../cases/choice.ts";

/** Conditions in any order, with values in any order. */
export function conditionSet(conditions: Json | undefined): Json {
  return rowsOf(conditions)
    .map(({ condition_field, custom_field, operator, values }) =>
      text([condition_field ?? null, custom_field ?? null, operator ?? null, sorted(values)]),
    )
    .sort();
}

/** Texts in one order, each once. */
export function sorted(value: Json | undefined): Json {
  return [...new Set(textsOf(value))].sort();
}

/** Permissions in any order. */
export function permissionSet(value: Json | undefined): Json {
  return Object.entries(isFields(value) ? value : {})
    .filter(([, actions]) => textsOf(actions).length > 0)
    .map(([resource, actions]) => `${resource} ${text(sorted(actions))}`)
    .sort();
}

/** The value as text, with the members of objects in one order. */
export function text(value: Json | undefined): string {
  if (isList(value)) return `[${value.map(text).join()}]`;
  if (!isFields(value)) return JSON.stringify(value ?? null);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${name}:${text(member)}`).join()}}`;
}
