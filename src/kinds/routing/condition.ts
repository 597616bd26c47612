/** Evaluates one condition of a routing rule against a field of an alert. */

import { fieldsIn, isList, type Json } from "../../core/json.ts";
import { search } from "./regular-expression.ts";

/** A condition, as the configuration and the service have it. */
export interface RuleCondition {
  readonly field: string;
  readonly operator: string;
  /** Null if the operator takes no value. */
  readonly value: Json;
  /** It comes from the environment. Whether it matches would tell it, character by character, so that is not decided offline. */
  readonly isSecret?: true;
  /** The name of the field comes from the environment. */
  readonly isFieldSecret?: true;
}

/** Whether a condition matches; undefined, with the reason, if that cannot be decided offline. */
export type ConditionResult = { readonly matched: boolean } | { readonly matched: undefined; readonly why: string };

/** Compares text, case-sensitively; `actual` is undefined for a field that the alert does not have. */
type Operator = (value: Json, actual: string | undefined) => ConditionResult;

const OPERATORS: Readonly<Record<string, Operator>> = {
  is_one_of: (value, actual) => ({ matched: isList(value) && value.some((item) => comparableText(item) === actual) }),
  contains: (value, actual) => ({ matched: actual?.includes(comparableText(value)) === true }),
  starts_with: (value, actual) => ({ matched: actual?.startsWith(comparableText(value)) === true }),
  matches_regex: (value, actual) => {
    if (actual === undefined) return { matched: false };
    const result = search(comparableText(value), actual);
    return result.isFound === undefined ? { matched: undefined, why: result.why } : { matched: result.isFound };
  },
  is_empty: (_value, actual) => ({ matched: actual === undefined || /^\p{White_Space}*$/u.test(actual) }),
};

/** The result of the condition for a field. An unknown operator, and a value from the environment, are undecided. */
export function evaluateCondition(
  { operator, value, isSecret }: Omit<RuleCondition, "field">,
  actual: string | undefined,
): ConditionResult {
  if (isSecret === true) return { matched: undefined, why: FROM_ENVIRONMENT };
  const test = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
  return test?.(value, actual) ?? { matched: undefined, why: `the operator ${operator} is unknown` };
}

const FROM_ENVIRONMENT = "a value comes from the environment, and is not evaluated offline";

/** The text by which the service compares a value. */
export function comparableText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The conditions of a rule; missing parts are empty. `secrets` are JSON Pointers into the list. */
export function toConditions(value: Json | undefined, secrets: readonly string[] = []): readonly RuleCondition[] {
  if (!isList(value)) return [];
  return value.map((item, index) => {
    const { field = "", operator = "", value: operand = null } = fieldsIn(item);
    const isSecret = secrets.some((pointer) => pointer.startsWith(`/${index}/`));
    const condition = { field: String(field), operator: String(operator), value: operand };
    const isFieldSecret = secrets.includes(`/${index}/field`);
    return isSecret ? { ...condition, isSecret, ...(isFieldSecret ? { isFieldSecret } : {}) } : condition;
  });
}
