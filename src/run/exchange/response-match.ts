/** Compares a response with the request. A field that the service does not return is no difference. */

import { type Fields, type Json, stepsOf } from "../../core/json.ts";
import { isAnswerTo } from "../../kinds/values/same-answer.ts";
import type { Operation, Precondition } from "../../plan/model/plan.ts";

/** Names of an operation's fields and referenced resources in responses. */
export type ResponseNames = Pick<Precondition, "told" | "ids">;

/** Returns the fields of a row that may show a field of the body. */
export function responseFieldsOf(field: string, { told }: ResponseNames): readonly string[] {
  return told?.[field] ?? [field];
}

/** The members of a response, or what is recorded of them, without those that show a value from the environment. */
export function recordedMembers<Value>(
  { inserts = [], guard }: Operation,
  members: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  const secret = inserts.filter((insert) => insert.secret !== undefined).map(({ at }) => stepsOf(at)[1] ?? "");
  const wires = new Set(secret.flatMap((field) => responseFieldsOf(field, guard ?? {})));
  return Object.fromEntries(Object.entries(members).filter(([wire]) => !wires.has(wire)));
}

/** Whether every field of the body that the row shows has the value that was sent. */
export function confirms(row: Fields, body: Fields, names: ResponseNames): boolean {
  return Object.entries(body).every(([field, sent]) => confirmsField(row, field, sent, names));
}

/** Whether the row shows this value of the field, or does not show the field. */
export function confirmsField(row: Fields, field: string, sent: Json, names: ResponseNames): boolean {
  const values = responseFieldsOf(field, names).flatMap((wire) => (row[wire] === undefined ? [] : [row[wire]]));
  return values.length === 0 || values.some((value) => isAnswerTo(sent, value, names.ids));
}
