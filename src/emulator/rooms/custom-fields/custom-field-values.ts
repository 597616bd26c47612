/** The value of a custom field on an incident: how it is read from a request, kept, and shown. */

import { isList, type Json } from "../../../core/json.ts";
import type { Database } from "../../store/database.ts";
import { type CustomFieldRow, choicesOf, takesSeveral } from "./custom-field-tables.ts";

/** A value to keep, or what is wrong with the one that was sent. */
export type ReadValue = { readonly value: Json } | { readonly message: string };

/**
 * Reads a value for a field: text, a number or a link as it is; a choice by its label, slug or id, kept as its id, several
 * as a list of ids. null, blank text and an empty list mean "no answer" and are kept as null.
 */
export function readFieldValue(database: Database, field: CustomFieldRow, sent: Json): ReadValue {
  if (sent === null || sent === "" || (isList(sent) && sent.length === 0)) return { value: null };
  if (field.option_source !== "none") return readChoices(database, field, sent);
  if (field.field_type === "number") return readNumber(sent);
  if (typeof sent !== "string") return { message: "must be text" };
  if (sent.trim() === "") return { value: null };
  if (field.field_type === "link" && !/^https?:\/\/[^\s/]/i.test(sent)) return { message: "must be an http(s) link" };
  return { value: sent };
}

function readNumber(sent: Json): ReadValue {
  if (typeof sent === "number") return { value: sent };
  const isNumeric = typeof sent === "string" && /^\s*[+-]?(\d+(\.\d*)?|\.\d+)\s*$/.test(sent);
  return isNumeric ? { value: Number(sent) } : { message: "must be a number" };
}

function readChoices(database: Database, field: CustomFieldRow, sent: Json): ReadValue {
  const several = takesSeveral(field);
  if (isList(sent) && !several) return { message: "takes one choice" };
  const choices = choicesOf(database, field);
  const words = new Map<Json, string>();
  // A label wins over a slug of another choice, and an id over both.
  for (const { id, slug } of choices) if (slug !== undefined) words.set(slug, id);
  for (const { id, label } of choices) words.set(label, id);
  for (const { id } of choices) words.set(id, id);
  const ids = new Set<string>();
  for (const word of isList(sent) ? sent : [sent]) {
    const id = words.get(word);
    if (id === undefined) return { message: `must be one of ${choices.map(({ label }) => label).join(", ")}` };
    ids.add(id);
  }
  const [first = null] = ids;
  return { value: several ? [...ids] : first };
}

/** The value as it is shown: choices by their labels, an id that no choice bears any more as it is. */
export function shownFieldValue(database: Database, field: CustomFieldRow, value: Json): Json {
  if (field.option_source === "none" || value === null) return value;
  const labels = new Map(choicesOf(database, field).map(({ id, label }) => [id, label]));
  const labelOf = (id: Json): Json => (typeof id === "string" ? (labels.get(id) ?? id) : id);
  return isList(value) ? value.map(labelOf) : labelOf(value);
}

/** The ids that a kept value chooses: what conditions compare with. */
export function chosenIds(value: Json): readonly string[] {
  return (isList(value) ? value : [value]).filter((id) => typeof id === "string");
}
