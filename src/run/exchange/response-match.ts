/**
 * Compares a response with the request. A service writes values in its own form: trimmed, sorted, an option as an object, a reference
 * by its id. A field that it does not return is no difference.
 */

import { equal, type Fields, isFields, isList, type Json, stepsOf } from "../../core/json.ts";
import { NAME_FIELDS } from "../../kinds/model/lookup.ts";
import { foldedName } from "../../kinds/values/sameness.ts";
import type { Operation, Precondition } from "../../plan/model/plan.ts";

/** Names of an operation's fields and referenced resources in responses. */
export type ResponseNames = Pick<Precondition, "told" | "ids">;

/** Returns the fields of a row that may show a field of the body. */
export function responseFieldsOf(field: string, { told }: ResponseNames): readonly string[] {
  return told?.[field] ?? [field];
}

/** The response to a creation without the fields that show a value from the environment. */
export function recordedResponse({ inserts = [], guard }: Operation, row: Fields): Fields {
  const secret = inserts.filter((insert) => insert.secret !== undefined).map(({ at }) => stepsOf(at)[1] ?? "");
  const wires = new Set(secret.flatMap((field) => responseFieldsOf(field, guard ?? {})));
  return Object.fromEntries(Object.entries(row).filter(([wire]) => !wires.has(wire)));
}

/** Whether every field of the body that the row shows has the value that was sent. */
export function confirms(row: Fields, body: Fields, names: ResponseNames): boolean {
  return Object.entries(body).every(([field, sent]) => confirmsField(row, field, sent, names));
}

/** Whether the row shows this value of the field, or does not show the field. */
export function confirmsField(row: Fields, field: string, sent: Json, names: ResponseNames): boolean {
  const present = responseFieldsOf(field, names).flatMap((wire) => row[wire] ?? []);
  const values = responseFieldsOf(field, names).filter((wire) => row[wire] !== undefined);
  if (values.length === 0) return true;
  return present.length === 0
    ? isBlank(sent)
    : values.some((wire) => isSameValue(sent, row[wire] ?? null, names.ids ?? {}));
}

/** Whether a value that was sent and one that was returned are the same. */
function isSameValue(sent: Json, returned: Json, ids: Readonly<Record<string, string>>): boolean {
  if (equal(sent, returned) || (isBlank(sent) && isBlank(returned))) return true;
  if (isList(sent)) return isList(returned) ? hasSameItems(sent, returned, ids) : returned === sent.length;
  if (isFields(sent)) return isFields(returned) && hasSameMembers(sent, returned, ids);
  if (isFields(returned))
    return NAME_FIELDS.some((name) => returned[name] !== undefined && isSameValue(sent, returned[name] ?? null, ids));
  if (isList(returned)) return false;
  return isSameText(String(sent), String(returned)) || (typeof sent === "string" && ids[sent] === returned);
}

function hasSameMembers(sent: Fields, returned: Fields, ids: Readonly<Record<string, string>>): boolean {
  return Object.entries(sent).every(
    ([name, value]) => returned[name] === undefined || isSameValue(value, returned[name], ids),
  );
}

/** Whether the lists have the same items, in any order. */
function hasSameItems(
  sent: readonly Json[],
  returned: readonly Json[],
  ids: Readonly<Record<string, string>>,
): boolean {
  if (sent.length !== returned.length) return false;
  const unpaired = [...returned];
  return sent.every((item) => {
    const index = unpaired.findIndex((other) => isSameValue(item, other, ids));
    if (index >= 0) unpaired.splice(index, 1);
    return index >= 0;
  });
}

function isBlank(value: Json): boolean {
  return value === null || value === "" || value === false || (isList(value) && value.length === 0);
}

function isSameText(left: string, right: string): boolean {
  if (foldedName(left) === foldedName(right)) return true;
  return INSTANT.test(left) && INSTANT.test(right) && Date.parse(left) === Date.parse(right);
}

const INSTANT = /^\d{4}-\d\d-\d\dT/;
