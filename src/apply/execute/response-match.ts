/**
 * Whether what the service tells is what was sent. Services write values in their own words: trimmed, sorted, a choice as an
 * object, a mention by its id. What is not told is no difference.
 */

import { equal, type Fields, isFields, isList, type Json } from "../../core/json.ts";
import { NAME_FIELDS } from "../../kinds/lookup.ts";
import type { Precondition } from "../../plan/plan.ts";

/** How bodies and rows of an operation speak of the same. */
export type Wording = Pick<Precondition, "told" | "ids">;

/** The wire fields under which a row may tell a field of the body. */
export function wiresOf(field: string, { told }: Wording): readonly string[] {
  return told?.[field] ?? [field];
}

/** Whether every field of the body that the row tells has the value that was sent. */
export function tells(row: Fields, body: Fields, wording: Wording): boolean {
  return Object.entries(body).every(([field, sent]) => tellsField(row, field, sent, wording));
}

/** Whether the row tells this value of the field, or nothing of it. */
export function tellsField(row: Fields, field: string, sent: Json, wording: Wording): boolean {
  const told = wiresOf(field, wording).flatMap((wire) => row[wire] ?? []);
  const values = wiresOf(field, wording).filter((wire) => row[wire] !== undefined);
  if (values.length === 0) return true;
  return told.length === 0 ? isBlank(sent) : values.some((wire) => means(sent, row[wire] ?? null, wording.ids ?? {}));
}

/** Whether the two values mean the same. */
function means(sent: Json, told: Json, ids: Readonly<Record<string, string>>): boolean {
  if (equal(sent, told) || (isBlank(sent) && isBlank(told))) return true;
  if (isList(sent)) return isList(told) ? sameItems(sent, told, ids) : told === sent.length;
  if (isFields(sent)) return isFields(told) && membersOf(sent, told, ids);
  if (isFields(told))
    return NAME_FIELDS.some((name) => told[name] !== undefined && means(sent, told[name] ?? null, ids));
  if (isList(told)) return false;
  return alike(String(sent), String(told)) || (typeof sent === "string" && ids[sent] === told);
}

function membersOf(sent: Fields, told: Fields, ids: Readonly<Record<string, string>>): boolean {
  return Object.entries(sent).every(([name, value]) => told[name] === undefined || means(value, told[name], ids));
}

/** The same items, in whatever order. */
function sameItems(sent: readonly Json[], told: readonly Json[], ids: Readonly<Record<string, string>>): boolean {
  if (sent.length !== told.length) return false;
  const free = [...told];
  return sent.every((item) => {
    const at = free.findIndex((other) => means(item, other, ids));
    if (at >= 0) free.splice(at, 1);
    return at >= 0;
  });
}

function isBlank(value: Json): boolean {
  return value === null || value === "" || value === false || (isList(value) && value.length === 0);
}

function alike(left: string, right: string): boolean {
  if (plain(left) === plain(right)) return true;
  return INSTANT.test(left) && INSTANT.test(right) && Date.parse(left) === Date.parse(right);
}

const INSTANT = /^\d{4}-\d\d-\d\dT/;

function plain(text: string): string {
  return text.normalize("NFC").trim().replace(/\s+/g, " ").toLowerCase();
}
