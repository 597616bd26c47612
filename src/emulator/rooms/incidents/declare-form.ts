/** The declare form as a check: what it asks for in the case at hand, and what a declaration answers. */

import type { Fields, Json } from "../../../core/json.ts";
import type { FieldError } from "../../http/http-error.ts";
import type { Database } from "../../store/database.ts";
import { readFieldValue } from "../custom-fields/custom-field-values.ts";
import { conditionsHold } from "../forms/conditions.ts";
import { type FormField, formFields, type SystemField } from "../forms/form-fields.ts";
import { type CustomValues, chosenByField } from "./custom-values.ts";

/** What a declaration says, as far as the form asks. */
export interface Answers {
  readonly severity_id: string | null;
  readonly incident_type_id: string | null;
  /** The answers to the form's own fields; blank means not answered. */
  readonly system: { readonly [Field in SystemField]?: string | null | undefined };
  /** Values by the custom field's slug. */
  readonly custom: Fields;
}

/**
 * The custom values to keep, by the field's id. What the form refuses is added to the errors, one entry per field, under the
 * field's slug: a key that is no visible field of the form, an invalid value, and no answer to a required field whose
 * conditions hold.
 */
export function checkAnswers(database: Database, answers: Answers, errors: FieldError[]): CustomValues {
  const fields = formFields(database, "declare").filter(({ visible }) => visible);
  const custom = fields.filter((field) => field.custom !== undefined);
  for (const slug of Object.keys(answers.custom)) {
    if (custom.every((field) => field.slug !== slug)) {
      errors.push({ field: slug, message: "is not a field of the declare form" });
    }
  }
  const failed = new Set<string>();
  const values = custom.flatMap((field): [string, Json][] => {
    const read = readAnswer(database, field, answers.custom);
    if (read === undefined) return [];
    if ("value" in read) return read.value === null ? [] : [[field.custom?.id ?? "", read.value]];
    failed.add(field.slug);
    errors.push({ field: field.slug, message: read.message });
    return [];
  });
  const kept: CustomValues = Object.fromEntries(values);
  const { severity_id, incident_type_id } = answers;
  const given = { severity_id, incident_type_id, chosen: chosenByField(kept) };
  for (const field of fields) {
    if (!field.required || failed.has(field.slug) || !conditionsHold(field.conditions, given)) continue;
    if (!isAnswered(field, answers, kept)) errors.push({ field: field.slug, message: "can't be blank" });
  }
  return kept;
}

function readAnswer(
  database: Database,
  { custom, slug }: FormField,
  sent: Fields,
): ReturnType<typeof readFieldValue> | undefined {
  if (custom === undefined || !Object.hasOwn(sent, slug)) return undefined;
  return readFieldValue(database, custom, sent[slug] ?? null);
}

function isAnswered({ custom, system }: FormField, answers: Answers, kept: CustomValues): boolean {
  if (custom !== undefined) return Object.hasOwn(kept, custom.id);
  return system === undefined || (answers.system[system] ?? "").trim() !== "";
}
