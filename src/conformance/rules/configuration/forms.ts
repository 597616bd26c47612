/** Rules 2 and 5 of the configuration resources: the four forms and the change of one field. */

import type { Fields } from "../../../core/json.ts";
import { type Expected, every, row, sameWithout } from "../../expected.ts";
import { fieldOnForm, formField, forms, made, onSeverity } from "../../fixtures/given.ts";
import { forEach, type RowStep, rulesOf, type StepOutcome } from "../../row.ts";
import type { ConformanceRule } from "../../rule.ts";
import { array, boolean, nonEmptyString } from "../../value-shape.ts";

const formFieldShape: Expected = {
  name: nonEmptyString,
  slug: nonEmptyString,
  source: nonEmptyString,
  visible: boolean,
  required: boolean,
  locked: boolean,
  conditions: array,
};

const field = { field: fieldOnForm("text") };

/** A change of the suite's own field on the declare form. */
function changed(change: Fields, outcome: StepOutcome = {}): RowStep {
  return { request: "PATCH forms/declare", body: { custom_field: "{field.slug}", ...change }, ...outcome };
}

function changedSystem(form: string, system_field: string, change: Fields, outcome: StepOutcome): RowStep {
  return { request: `PATCH forms/${form}`, body: { system_field, ...change }, ...outcome };
}

function shown(members: Expected, slug = "{field.slug}", form = "declare"): RowStep {
  return { request: `GET forms/${form}`, shows: { fields: row({ slug }, members) } };
}

/** Severity and Status on the forms that ask for them. */
const locked: readonly (readonly [field: string, form: string])[] = [
  ["severity", "declare"],
  ["severity", "update"],
  ["severity", "resolve"],
  ["status", "update"],
];

export const formRules: readonly ConformanceRule[] = rulesOf("Configuration resources", {
  ...forEach(forms, (form) => ({
    [`resources.2.exists.${form}`]: {
      title: `2: the ${form} form exists; GET reads it with its fields`,
      steps: [{ request: `GET forms/${form}`, shows: { fields: every({}) } }],
    },
  })),
  "resources.2.only": {
    title: "2: exactly four forms exist; another slug is no form",
    // The wire facts have 400 here, the document's table of errors 404: both say there is none.
    steps: [{ request: "GET forms/escalate", status: "400 or 404" }],
  },
  "resources.2.create": {
    title: "2: a form cannot be created",
    steps: ["forms", "forms/postmortem"].map((path) => ({
      request: `POST ${path}`,
      body: { name: "Postmortem" },
      status: "4xx",
    })),
  },
  "resources.2.delete": {
    title: "2: a form cannot be deleted",
    steps: [
      { request: "DELETE forms/cancel", status: "4xx" },
      { request: "GET forms/cancel", shows: { fields: every({}) } },
    ],
  },
  "resources.2.one": {
    title: "2: PATCH changes one field and leaves every other field of the form as it was",
    given: field,
    steps: [
      changed({ visible: false, required: false }),
      { request: "GET forms/declare", keep: "before" },
      changed({ visible: true, required: true }),
      { request: "GET forms/declare", shows: { fields: sameWithout("{field.slug}", "{before.fields}") } },
    ],
  },
  "resources.2.form": {
    title: "2: PATCH changes the field on that form only",
    given: field,
    steps: [
      { request: "GET forms/cancel", keep: "before" },
      changed({ visible: false }),
      changed({ visible: true }),
      { request: "GET forms/cancel", shows: { fields: "{before.fields}" } },
    ],
  },
  "resources.5.custom": {
    title: "5: custom_field names a custom field by its slug; visible and required are kept",
    given: field,
    steps: [
      { visible: true, required: true },
      { visible: true, required: false },
      { visible: false, required: false },
    ].flatMap((change) => [changed(change), shown(change)]),
  },
  "resources.5.system": {
    title: "5: system_field names a field of the form's own; visible and required are kept",
    given: { before: formField("declare", "summary") },
    steps: [true, false].flatMap((required) => [
      changedSystem("declare", "summary", { visible: true, required }, { status: "200" }),
      shown({ visible: true, required }, "summary"),
    ]),
  },
  "resources.5.partial": {
    title: "5: what is not sent of a field stays as it was",
    given: field,
    steps: [
      changed({ visible: true, required: true, conditions: [onSeverity] }),
      changed({ required: false }),
      shown({ visible: true, required: false, conditions: [{}] }),
    ],
  },
  "resources.5.conditions": {
    title: "5: sending conditions replaces the existing set",
    given: { ...field, type: made("incident_types") },
    steps: [
      changed({
        visible: true,
        conditions: [onSeverity, { condition_field: "incident_type", operator: "one_of", values: ["{type.slug}"] }],
      }),
      changed({ conditions: [onSeverity] }),
      shown({ conditions: [{ condition_field: "severity" }] }),
    ],
  },
  "resources.5.cleared": {
    title: "5: an empty array of conditions clears them",
    given: field,
    steps: [
      changed({ visible: true, conditions: [onSeverity] }),
      changed({ conditions: [] }),
      shown({ conditions: [] }),
    ],
  },
  "resources.5.unnamed": {
    title: "5: a change that names no field is refused",
    steps: [{ request: "PATCH forms/declare", body: { visible: true }, refusal: "400 or 422" }],
  },
  "resources.5.unknown": {
    title: "5: a change that names a field the workspace does not have is refused",
    steps: [
      {
        request: "PATCH forms/declare",
        body: { custom_field: "no_such_field", visible: true },
        status: "400, 404 or 422",
      },
    ],
  },
  ...forEach(locked, ([slug, form]) =>
    forEach(["visible", "required"] as const, (flag) => ({
      [`resources.5.locked.${form}.${slug}.${flag}`]: {
        title: `5: ${slug} on the ${form} form cannot be ${flag === "visible" ? "hidden" : "made optional"}`,
        steps: [changedSystem(form, slug, { [flag]: false }, { refusal: "422" }), shown({ [flag]: true }, slug, form)],
      },
    })),
  ),
  "disabled.3.form": {
    title: "Disabled entries 3: deleting a custom field a form refers to is refused with 422 and the count",
    given: field,
    steps: [{ request: "DELETE custom_fields/{field.slug}", refusal: "422", message: /\b\d+\b/ }],
  },
  "disabled.3.condition": {
    title: "Disabled entries 3: deleting a severity a form's condition refers to is refused with 422",
    given: { severity: made("severities"), ...field },
    steps: [
      changed({ visible: true, conditions: [onSeverity] }),
      { request: "DELETE severities/{severity.slug}", refusal: "422" },
    ],
  },
  "forms.answer": {
    basis: "wire",
    title:
      "a form reads { form, name, fields: [{ name, slug, source, visible, required, locked, conditions }] }, a change { form, field, visible, required, locked, conditions: their number }",
    given: field,
    steps: [
      ...forms.map((form) => ({
        request: `GET forms/${form}`,
        shows: { form, name: nonEmptyString, fields: every(formFieldShape) },
      })),
      changed(
        { visible: true, required: false },
        {
          shows: {
            form: "declare",
            field: nonEmptyString,
            visible: true,
            required: false,
            locked: false,
            conditions: 0,
          },
        },
      ),
    ],
  },
  "forms.locked.conditions": {
    basis: "wire",
    title: "conditions on a locked field are refused with 422; an empty array is not",
    steps: [
      changedSystem("update", "status", { conditions: [onSeverity] }, { refusal: "422" }),
      changedSystem("update", "status", { conditions: [] }, { status: "200" }),
    ],
  },
});
