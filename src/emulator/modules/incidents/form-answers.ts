/** The answers to a form: the values of its custom fields, and one error for each answer that is wrong or missing. */

import type { Fields } from "../../../core/json.ts";
import type { InvalidField } from "../../http/http-error.ts";
import type { Database } from "../../store/database.ts";
import { type FieldValue, readFieldValue } from "../custom-fields/custom-field-values.ts";
import { conditionsHold } from "../forms/conditions.ts";
import { type FormFieldState, type FormName, formFields, type SystemField } from "../forms/form-fields.ts";
import { type CustomValues, chosenIdsByField } from "../incident-record/incident.ts";

export interface FormAnswers {
  readonly severity_id: string | null;
  readonly incident_type_id: string | null;
  /** Answers to system fields; blank counts as no answer. */
  readonly system: { readonly [Field in SystemField]?: string | null | undefined };
  /** Answers to custom fields, by slug. */
  readonly custom: Fields;
  /** The values that the incident already has. An answer replaces one, and a blank answer removes it. */
  readonly stored?: CustomValues;
}

/**
 * The custom field values to store, by field id. Adds one error for each unknown or hidden field, each invalid value,
 * and each required field without an answer whose conditions hold.
 */
export function validateAnswers(
  database: Database,
  form: FormName,
  answers: FormAnswers,
  errors: InvalidField[],
): CustomValues {
  const fields = formFields(database, form).filter(({ visible }) => visible);
  const custom = fields.filter((field) => field.custom !== undefined);
  for (const slug of Object.keys(answers.custom)) {
    if (custom.every((field) => field.slug !== slug)) {
      errors.push({ field: slug, message: `is not a field of the ${form} form` });
    }
  }
  const invalidSlugs = new Set<string>();
  const given = custom.flatMap((field): [string, FieldValue | null][] => {
    const parsed = readAnswer(database, field, answers.custom);
    if (parsed === undefined) return [];
    if ("value" in parsed) return [[field.custom?.id ?? "", parsed.value]];
    invalidSlugs.add(field.slug);
    errors.push({ field: field.slug, message: parsed.message });
    return [];
  });
  const values = withoutNulls({ ...answers.stored, ...Object.fromEntries(given) });
  const { severity_id, incident_type_id } = answers;
  const inputs = { severity_id, incident_type_id, chosenIds: chosenIdsByField(values) };
  for (const field of fields) {
    if (!field.required || invalidSlugs.has(field.slug) || !conditionsHold(field.conditions, inputs)) continue;
    if (!isAnswered(field, answers, values)) errors.push({ field: field.slug, message: "can't be blank" });
  }
  return values;
}

function withoutNulls(values: { readonly [fieldId: string]: FieldValue | null }): CustomValues {
  const entries = Object.entries(values).flatMap(([id, value]) => (value === null ? [] : [[id, value] as const]));
  return Object.fromEntries(entries);
}

function readAnswer(
  database: Database,
  { custom, slug }: FormFieldState,
  input: Fields,
): ReturnType<typeof readFieldValue> | undefined {
  if (custom === undefined || !Object.hasOwn(input, slug)) return undefined;
  return readFieldValue(database, custom, input[slug] ?? null);
}

function isAnswered({ custom, system }: FormFieldState, answers: FormAnswers, values: CustomValues): boolean {
  if (custom !== undefined) return Object.hasOwn(values, custom.id);
  return system === undefined || (answers.system[system] ?? "").trim() !== "";
}
