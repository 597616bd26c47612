/** One condition of a routing rule: whether a field of an alert meets it. */

import { isFields, isList, type Json } from "../core/json.ts";
import { search } from "./regular-expression.ts";

/** A condition as files and service have it. */
export interface Condition {
  readonly field: string;
  readonly operator: string;
  /** Null where the operator takes none. */
  readonly value: Json;
}

/** Whether a condition holds; `undefined` with the reason when it cannot be told here. */
export type Verdict = { readonly matched: boolean } | { readonly matched: undefined; readonly why: string };

/** Fields are compared as text with upper and lower case told apart; undefined is a field that the alert lacks. */
type Operator = (value: Json, actual: string | undefined) => Verdict;

const OPERATORS: Readonly<Record<string, Operator>> = {
  is_one_of: (value, actual) => ({ matched: isList(value) && value.some((item) => textOf(item) === actual) }),
  contains: (value, actual) => ({ matched: actual?.includes(textOf(value)) === true }),
  starts_with: (value, actual) => ({ matched: actual?.startsWith(textOf(value)) === true }),
  matches_regex: (value, actual) => {
    if (actual === undefined) return { matched: false };
    const result = search(textOf(value), actual);
    return result.found === undefined ? { matched: undefined, why: result.why } : { matched: result.found };
  },
  is_empty: (_value, actual) => ({ matched: actual === undefined || /^\p{White_Space}*$/u.test(actual) }),
};

/** Whether the field's text meets the condition; an operator that nobody here knows is never guessed at. */
export function verdict({ operator, value }: Omit<Condition, "field">, actual: string | undefined): Verdict {
  const known = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
  return known?.(value, actual) ?? { matched: undefined, why: `the operator ${operator} is not known` };
}

/** A value as the service compares it. */
export function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The conditions in a rule's field, as far as they have the shape of some. */
export function conditionsIn(value: Json | undefined): readonly Condition[] {
  if (!isList(value)) return [];
  return value.map((item) => {
    const { field = "", operator = "", value: wanted = null } = isFields(item) ? item : {};
    return { field: String(field), operator: String(operator), value: wanted };
  });
}
