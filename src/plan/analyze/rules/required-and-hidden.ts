/** A005: a form field that is required and never shown. */

import { type Fields, listIn, objectsIn } from "../../../core/json.ts";
import type { Analyzer, Hit } from "../analyzer.ts";
import { placeOf } from "../field-values.ts";
import type { PlannedResource, PlannedWorkspace } from "../planned-workspace.ts";

export const requiredAndHidden: Analyzer = {
  id: "A005",
  name: "required-and-hidden",
  severity: "error",
  title: "A form field is required and is never shown.",
  why: "Either responders cannot submit the form in the middle of an incident, or nobody is ever asked for a value that others rely on.",
  fix: "Make the field visible, make it optional, or correct its conditions.",
  find,
};

function* find(workspace: PlannedWorkspace): Iterable<Hit> {
  for (const { kind, scope, resources } of workspace.lists) {
    if (kind !== "forms") continue;
    for (const field of resources) {
      if (field.declared === undefined || field.fields.required !== true) continue;
      if (field.fields.visible === false) {
        const pointer = field.declared.fields.visible === undefined ? "/required" : "/visible";
        yield { message: `${field.address} is required and hidden`, ...placeOf(field, pointer) };
        continue;
      }
      const readableForms = field.declared.kind.scopes?.readableFrom?.[scope];
      const why = neverHolds(field, readableForms ?? [], workspace);
      if (why === undefined) continue;
      const message = `${field.address} is required, but its conditions can never hold: ${why}`;
      yield { message, ...placeOf(field, "/conditions"), severity: "warning" };
    }
  }
}

/** The reason why the conditions never hold; undefined if they can. They may read the custom fields of `forms`. */
function neverHolds(
  { fields }: PlannedResource,
  forms: readonly string[],
  workspace: PlannedWorkspace,
): string | undefined {
  const conditions = objectsIn(fields.conditions);
  for (const name of ["severity", "incident_type"]) {
    const own = conditions.filter(({ condition_field }) => condition_field === name);
    if (excluded(own)) return `no ${name.replace("_", " ")} satisfies them`;
  }
  for (const { custom_field } of conditions) {
    if (typeof custom_field !== "string") continue;
    const formFields = forms.flatMap((scope) => workspace.resource("forms", custom_field, scope) ?? []);
    if (formFields.length > 0 && formFields.every((field) => field.fields.visible === false)) {
      return `custom_fields/${custom_field} is hidden on this form and on those before it`;
    }
  }
  return undefined;
}

/** Whether no value satisfies the conditions: an incident has one, which every `one_of` and no `not_one_of` must name. */
function excluded(conditions: readonly Fields[]): boolean {
  const allowing = conditions
    .filter(({ operator }) => operator === "one_of")
    .map(({ values }) => new Set(listIn(values).map(String)));
  const refused = new Set(
    conditions.filter(({ operator }) => operator === "not_one_of").flatMap(({ values }) => listIn(values).map(String)),
  );
  const [first, ...others] = allowing;
  if (first === undefined) return false;
  return ![...first].some((value) => !refused.has(value) && others.every((other) => other.has(value)));
}
