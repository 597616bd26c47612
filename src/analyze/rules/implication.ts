/** Whether one routing condition holds whenever another does: only where that is certain for every alert. */

import { canonical, type Fields, isList, type Json } from "../../json.ts";
import { rowsOf } from "../reading.ts";

/** Whether every alert that meets the narrow rule's conditions meets the broad rule's: each of those follows from one of these. */
export function covers(broad: Json | undefined, narrow: Json | undefined): boolean {
  const held = rowsOf(narrow);
  return rowsOf(broad).every((wanted) => held.some((condition) => implies(condition, wanted)));
}

/** Conditions on different fields, and regular expressions that differ, say nothing about each other. */
function implies(held: Fields, wanted: Fields): boolean {
  if (held.field !== wanted.field) return false;
  if (canonical(asSet(held)) === canonical(asSet(wanted))) return true;
  const test = tests[String(wanted.operator)];
  const texts = test === undefined ? undefined : witnesses(held, String(wanted.operator));
  return texts !== undefined && texts.length > 0 && texts.every((text) => test?.(text, wanted.value ?? null) === true);
}

/** Whether a value, or a part of it that is known, is enough for a condition. */
const tests: Readonly<Record<string, (text: string, value: Json) => boolean>> = {
  is_one_of: (text, value) => isList(value) && value.map(String).includes(text),
  contains: (text, value) => typeof value === "string" && text.includes(value),
  starts_with: (text, value) => typeof value === "string" && text.startsWith(value),
};

/** What a condition tells of the value: all it can be, or the part that is known and that the other operator looks at. */
function witnesses({ operator, value }: Fields, wanted: string): readonly string[] | undefined {
  if (operator === "is_one_of") return isList(value) ? value.map(String) : undefined;
  if (typeof value !== "string" || value === "") return undefined;
  if (operator === "starts_with") return wanted === "is_one_of" ? undefined : [value];
  return operator === "contains" && wanted === "contains" ? [value] : undefined;
}

function asSet({ field = null, operator = null, value = null }: Fields): Json {
  return [field, operator, isList(value) ? [...new Set(value.map(String))].sort() : value];
}
