/** A005: a form field that must be answered and is never asked. */

import type { Fields } from "../../core/json.ts";
import type { Analyzer, Hit } from "../analyzer.ts";
import { about, rowsOf, textsOf } from "../reading.ts";
import type { Subject, View } from "../view.ts";

export const requiredAndHidden: Analyzer = {
  id: "A005",
  name: "required-and-hidden",
  severity: "error",
  title: "A form field is required and can never be seen.",
  why: "Either the form can never be sent, in the middle of an incident, or the field that somebody counts on is never asked.",
  fix: "Make the field visible, make it optional, or correct its conditions.",
  find,
};

function* find(view: View): Iterable<Hit> {
  for (const { kind, scope, subjects } of view.lists) {
    if (kind !== "forms") continue;
    for (const field of subjects) {
      if (field.declared === undefined || field.fields.required !== true) continue;
      if (field.fields.visible === false) {
        const stated = field.declared.fields.visible === undefined ? "/required" : "/visible";
        yield { message: `${field.address} is required and hidden`, ...about(field, stated) };
        continue;
      }
      const asks = field.declared.kind.scopes?.readableFrom?.[scope];
      const why = neverHolds(field, asks ?? [], view);
      if (why === undefined) continue;
      const message = `${field.address} is required, but its conditions can never hold: ${why}`;
      yield { message, ...about(field, "/conditions"), severity: "warning" };
    }
  }
}

/** Why no incident can meet all conditions, undefined when one could; `forms` are those that they may ask for fields of. */
function neverHolds({ fields }: Subject, forms: readonly string[], view: View): string | undefined {
  const conditions = rowsOf(fields.conditions);
  for (const name of ["severity", "incident_type"]) {
    const own = conditions.filter(({ condition_field }) => condition_field === name);
    if (excluded(own)) return `they leave no ${name.replace("_", " ")}`;
  }
  for (const { custom_field } of conditions) {
    if (typeof custom_field !== "string") continue;
    const asked = forms.flatMap((scope) => view.subject("forms", custom_field, scope) ?? []);
    if (asked.length > 0 && asked.every((field) => field.fields.visible === false)) {
      return `custom_fields/${custom_field} is hidden on this form and on those before it`;
    }
  }
  return undefined;
}

/** An incident has one value, so what is allowed is what every `one_of` names and no `not_one_of` does. */
function excluded(conditions: readonly Fields[]): boolean {
  const allowing = conditions
    .filter(({ operator }) => operator === "one_of")
    .map(({ values }) => new Set(textsOf(values)));
  const refused = new Set(
    conditions.filter(({ operator }) => operator === "not_one_of").flatMap(({ values }) => textsOf(values)),
  );
  const [first, ...others] = allowing;
  if (first === undefined) return false;
  return ![...first].some((value) => !refused.has(value) && others.every((other) => other.has(value)));
}
