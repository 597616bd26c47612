/** Whether one routing condition holds whenever another does: only where that is certain for every alert. */

import { canonical, isList, type Json } from "../../core/json.ts";
import { rowsOf } from "../reading.ts";

/** A condition, taken apart once for the many comparisons that it takes part in. */
export interface Condition {
  readonly field: string;
  readonly operator: string;
  /** The texts of `is_one_of`. */
  readonly texts: ReadonlySet<string>;
  /** The text of the other operators; empty where there is none. */
  readonly text: string;
  /** Equal for conditions that mean the same. */
  readonly meaning: string;
}

/** The conditions of a rule. */
export function conditionsOf(value: Json | undefined): readonly Condition[] {
  return rowsOf(value).map((condition) => {
    const { field, operator, value: wanted = null } = condition;
    const texts = isList(wanted) ? wanted.map(String) : [];
    return {
      field: String(field),
      operator: String(operator),
      texts: new Set(texts),
      text: typeof wanted === "string" ? wanted : "",
      meaning: canonical([field ?? null, operator ?? null, isList(wanted) ? [...new Set(texts)].sort() : wanted]),
    };
  });
}

/** Whether every alert that meets the narrow conditions meets the broad ones: each of those follows from one of these. */
export function covers(broad: readonly Condition[], narrow: readonly Condition[]): boolean {
  return broad.every((wanted) => narrow.some((held) => implies(held, wanted)));
}

/** Conditions on different fields, and regular expressions that differ, say nothing about each other. */
function implies(held: Condition, wanted: Condition): boolean {
  if (held.field !== wanted.field) return false;
  if (held.meaning === wanted.meaning) return true;
  const enough = tests[wanted.operator];
  if (enough === undefined) return false;
  if (held.operator === "is_one_of") return held.texts.size > 0 && every(held.texts, (text) => enough(text, wanted));
  // What is known is a part of the value: its beginning, or something in it.
  const tells =
    held.operator === "starts_with"
      ? wanted.operator !== "is_one_of"
      : held.operator === "contains" && wanted.operator === "contains";
  return tells && held.text !== "" && enough(held.text, wanted);
}

/** Whether a value, or a part of it that is known, is enough for a condition. */
const tests: Readonly<Record<string, (text: string, wanted: Condition) => boolean>> = {
  is_one_of: (text, { texts }) => texts.has(text),
  contains: (text, wanted) => wanted.text !== "" && text.includes(wanted.text),
  starts_with: (text, wanted) => wanted.text !== "" && text.startsWith(wanted.text),
};

function every(texts: ReadonlySet<string>, holds: (text: string) => boolean): boolean {
  for (const text of texts) if (!holds(text)) return false;
  return true;
}
