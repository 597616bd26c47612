/** The value of a custom field on an incident, in requests, storage and responses. */

import { isList, type Json } from "../../../core/json.ts";
import type { SchemaValue } from "../../http/value-schema.ts";
import type { Database } from "../../store/database.ts";
import { type CustomFieldRow, choicesOf, takesSeveral } from "./custom-field-tables.ts";

/** The schema of a value in responses: choices are shown by label, or by id if they are gone. */
export const fieldValueSchema = {
  title: "CustomFieldValue",
  type: ["string", "number", "array"],
  items: { type: "string" },
} as const;

export type FieldValue = SchemaValue<typeof fieldValueSchema>;

/** A value to store, or the error in the request's value. */
export type ParsedValue = { readonly value: FieldValue | null } | { readonly message: string };

/**
 * Reads a value for a field: text, a number or a link; a choice by label, slug or id, stored as its id; several choices
 * as a list of ids. null, blank text and, for several choices, an empty list count as no answer and are stored as null.
 */
export function readFieldValue(database: Database, field: CustomFieldRow, input: Json): ParsedValue {
  if (input === null || input === "") return { value: null };
  if (field.option_source !== "none") return readChoices(database, field, input);
  if (field.field_type === "number") return readNumber(input);
  if (typeof input !== "string") return { message: "must be text" };
  if (input.trim() === "") return { value: null };
  if (field.field_type === "link" && !/^https?:\/\/[^\s/]/i.test(input)) return { message: "must be an http(s) link" };
  return { value: input };
}

function readNumber(input: Json): ParsedValue {
  if (typeof input === "number") return { value: input };
  const isNumeric = typeof input === "string" && /^\s*[+-]?(\d+(\.\d*)?|\.\d+)\s*$/.test(input);
  return isNumeric ? { value: Number(input) } : { message: "must be a number" };
}

function readChoices(database: Database, field: CustomFieldRow, input: Json): ParsedValue {
  const several = takesSeveral(field);
  if (isList(input) && !several) return { message: "takes one choice" };
  const choices = choicesOf(database, field);
  const words = new Map<Json, string>();
  // A label wins over another choice's slug, and an id over both.
  for (const { id, slug } of choices) if (slug !== undefined) words.set(slug, id);
  for (const { id, label } of choices) words.set(label, id);
  for (const { id } of choices) words.set(id, id);
  const ids = new Set<string>();
  for (const word of isList(input) ? input : [input]) {
    const id = words.get(word);
    if (id === undefined) return { message: `must be one of ${choices.map(({ label }) => label).join(", ")}` };
    ids.add(id);
  }
  const [first = null] = ids;
  return { value: several && first !== null ? [...ids] : first };
}

/** The value for a response: choices by label. The id of a removed choice stays. */
export function serializeFieldValue(database: Database, field: CustomFieldRow, value: FieldValue): FieldValue {
  if (field.option_source === "none") return value;
  const labels = new Map(choicesOf(database, field).map(({ id, label }) => [id, label]));
  const labelOf = (id: string): string => labels.get(id) ?? id;
  if (isList(value)) return value.map(labelOf);
  return typeof value === "string" ? labelOf(value) : value;
}

/** The ids in a stored value. Conditions compare with them. */
export function chosenIds(value: Json): readonly string[] {
  return (isList(value) ? value : [value]).filter((id) => typeof id === "string");
}
