/** The declare form as a check: what it asks for in the case at hand, and what a declaration answers. */

import type { Fields, Json } from "../../json.ts";
import type { OptionRow } from "../configuration/option-list.ts";
import type { Database } from "../database.ts";
import type { FieldError } from "../refusal.ts";

/** What a declaration says, as far as the form asks. */
export interface Answers {
  readonly severity: OptionRow | undefined;
  readonly type: OptionRow | undefined;
  readonly summary: string | null | undefined;
  readonly visibility: string | null | undefined;
  /** Values by the custom field's slug. */
  readonly custom: Fields;
}

/** The custom values by the field's id; what the form refuses is added to the errors, one entry per field. */
export function checkAnswers(
  _database: Database,
  answers: Answers,
  errors: FieldError[],
): { readonly [fieldId: string]: Json } {
  for (const field of Object.keys(answers.custom))
    errors.push({ field, message: "is not a field of the declare form" });
  return {};
}
