/**
 * Compares a response with the request. A service writes values in its own form: trimmed, sorted, an option as an object, a reference
 * by its id. A field that it does not return is no difference.
 */

import { equal, type Fields, isFields, isList, type Json } from "../../core/json.ts";
import { NAME_FIELDS } from "../../kinds/lookup.ts";
import type { Precondition } from "../../plan/plan.ts";

/** Names of an operation's fields and referenced resources in responses. */
export type ResponseNames = Pick<Precondition, "told" | "ids">;

/** Returns the fields of a row that may show a field of the body. */
export function responseFieldsOf(field: string, { told }: ResponseNames): readonly string[] {
  return told?.[field] ?? [field];
}

/** Whether every field of the body that the row shows has the value that was sent. */
export function confirms(row: Fields, body: Fields, wording: ResponseNames): boolean {
  return Object.entries(body).every(([field, sent]) => confirmsField(row, field, sent, wording));
}

/** Whether the row shows this value of the field, or does not show the field. */
export function confirmsField(row: Fields, field: string, sent: Json, wording: ResponseNames): boolean {
  const present = responseFieldsOf(field, wording).flatMap((wire) => row[wire] ?? []);
  const values = responseFieldsOf(field, wording).filter((wire) => row[wire] !== undefined);
  if (values.length === 0) return true;
  return present.length === 0
    ? isBlank(sent)
    : values.some((wire) => isSameValue(sent, row[wire] ?? null, wording.ids ?? {}));
}

/** Whether a value that was sent and one that was returned are the same. */
function isSameValue(sent: Json, told: Json, ids: Readonly<Record<string, string>>): boolean {
  if (equal(sent, told) || (isBlank(sent) && isBlank(told))) return true;
  if (isList(sent)) return isList(told) ? hasSameItems(sent, told, ids) : told === sent.length;
  if (isFields(sent)) return isFields(told) && hasSameMembers(sent, told, ids);
  if (isFields(told))
    return NAME_FIELDS.some((name) => told[name] !== undefined && isSameValue(sent, told[name] ?? null, ids));
  if (isList(told)) return false;
  return isSameText(String(sent), String(told)) || (typeof sent === "string" && ids[sent] === told);
}

function hasSameMembers(sent: Fields, told: Fields, ids: Readonly<Record<string, string>>): boolean {
  return Object.entries(sent).every(([name, value]) => told[name] === undefined || isSameValue(value, told[name], ids));
}

/** Whether the lists have the same items, in any order. */
function hasSameItems(sent: readonly Json[], told: readonly Json[], ids: Readonly<Record<string, string>>): boolean {
  if (sent.length !== told.length) return false;
  const free = [...told];
  return sent.every((item) => {
    const at = free.findIndex((other) => isSameValue(item, other, ids));
    if (at >= 0) free.splice(at, 1);
    return at >= 0;
  });
}

function isBlank(value: Json): boolean {
  return value === null || value === "" || value === false || (isList(value) && value.length === 0);
}

function isSameText(left: string, right: string): boolean {
  if (normalise(left) === normalise(right)) return true;
  return INSTANT.test(left) && INSTANT.test(right) && Date.parse(left) === Date.parse(right);
}

const INSTANT = /^\d{4}-\d\d-\d\dT/;

function normalise(text: string): string {
  return text.normalize("NFC").trim().replace(/\s+/g, " ").toLowerCase();
}
