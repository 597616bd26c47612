/** The values that expressions make: texts, lists of texts, and their names in messages. */

import { isFields, isList, type Json } from "../../../core/json.ts";

/** A text, or a number or boolean as a text; undefined for anything else. */
export function textOf(value: Json): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

/** The value without blanks around its texts, empty texts, and what it loses by that; undefined if nothing is left. */
export function trimmed(value: Json): Json | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value.trim();
  if (value === null) return undefined;
  if (!isList(value)) return value;
  const items = value.flatMap((item) => trimmed(item) ?? []);
  return items.length === 0 ? undefined : items;
}

/** The texts in a value, at any depth. */
export function textsWithin(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  return isList(value) ? value.flatMap(textsWithin) : [];
}

/** Whether a value is a text, a number, a boolean, or none. */
export function isTextOrNull(value: Json): boolean {
  return value === null || textOf(value) !== undefined;
}

/** A value of the wrong type, for messages. */
export function describe(value: Json): string {
  if (isList(value)) return value.some(isFields) ? "a list of mappings" : "a list";
  if (isFields(value)) return "a mapping";
  return value === null ? "null" : JSON.stringify(value);
}
