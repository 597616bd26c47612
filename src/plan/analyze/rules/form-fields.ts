/** Analyzers of the fields of incident forms. */

import { type Fields, listIn, objectsIn } from "../../../core/json.ts";
import { type Analyzer, placeOf } from "../analyzer.ts";
import type { PlannedResource, PlannedWorkspace } from "../planned-workspace.ts";

/** A form field that is required and never shown. */
export const requiredAndHidden: Analyzer = {
  id: "A005",
  name: "required-and-hidden",
  severity: "error",
  title: "A form field is required and is never shown.",
  why: "Either responders cannot submit the form in the middle of an incident, or nobody is ever asked for a value that others rely on.",
  fix: "Make the field visible, make it optional, or correct its conditions.",
  *find(workspace) {
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
  },
};

/** The reason why the conditions never hold; undefined if they can. They may read the custom fields of `forms`. */
function neverHolds(field: PlannedResource, forms: readonly string[], workspace: PlannedWorkspace): string | undefined {
  const conditions = objectsIn(field.fields.conditions).filter((_, index) => !field.hasUnknown(`/conditions/${index}`));
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

/** A new required field on the declare form. */
export const declareFormDemand: Analyzer = {
  id: "A010",
  name: "declare-form-demand",
  severity: "warning",
  title: "The declare form requires a custom field, and programs that do not send it can no longer declare incidents.",
  why: "The service checks declarations through the API against the declare form. A monitor that declared incidents yesterday is refused today, and nobody sees the refusal.",
  fix: "Make the field optional on the declare form and required on the resolve form. Or change every program to send it, and then waive this finding in the line above: # incidentctl: allow A010 until DATE because REASON.",
  *find(workspace) {
    if (!workspace.isManaged("forms", "declare")) return;
    for (const field of workspace.resources("forms", "declare")) {
      const { fields, declared, live } = field;
      if (declared === undefined || typeof fields.custom_field !== "string") continue;
      if (fields.required !== true || fields.visible === false) continue;
      // The live form already requires it.
      if (live?.fields.required === true && live.fields.visible !== false) continue;
      const conditional = objectsIn(fields.conditions).length > 0;
      yield {
        message: `${field.address}: declarations through the API fail without this field${conditional ? " if its conditions hold" : ""}`,
        ...placeOf(field, "/required"),
        ...(conditional ? { severity: "note" } : {}),
      };
    }
  },
};
