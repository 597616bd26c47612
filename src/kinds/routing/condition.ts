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

/** A condition, ready to be evaluated for many alerts; `actual` is undefined for a field that the alert does not have. */
export type ConditionTest = (actual: string | undefined) => ConditionResult;

const MATCHES: ConditionResult = { matched: true };
const FAILS: ConditionResult = { matched: false };

/** Compares text, case-sensitively. */
const OPERATORS: Readonly<Record<string, (value: Json) => (actual: string | undefined) => boolean>> = {
  is_one_of: (value) => {
    const texts = new Set<string | undefined>(isList(value) ? value.map(comparableText) : []);
    return (actual) => texts.has(actual);
  },
  contains: (value) => {
    const text = comparableText(value);
    return (actual) => actual?.includes(text) === true;
  },
  starts_with: (value) => {
    const text = comparableText(value);
    return (actual) => actual?.startsWith(text) === true;
  },
  is_empty: () => (actual) => actual === undefined || /^\p{White_Space}*$/u.test(actual),
};

/** The test of a condition. An unknown operator, and a value from the environment, are undecided. */
export function conditionTest({ operator, value, isSecret }: Omit<RuleCondition, "field">): ConditionTest {
  if (isSecret === true) return () => UNDECIDED_SECRET;
  if (operator === "matches_regex") return regexTest(comparableText(value));
  const test = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator]?.(value) : undefined;
  if (test !== undefined) return (actual) => (test(actual) ? MATCHES : FAILS);
  const unknown: ConditionResult = { matched: undefined, why: `the operator ${operator} is unknown` };
  return () => unknown;
}

function regexTest(expression: string): ConditionTest {
  return (actual) => {
    if (actual === undefined) return FAILS;
    const { isFound, why = "" } = search(expression, actual);
    return isFound === undefined ? { matched: undefined, why } : isFound ? MATCHES : FAILS;
  };
}

/** The result of the condition for one field. */
export function evaluateCondition(
  condition: Omit<RuleCondition, "field">,
  actual: string | undefined,
): ConditionResult {
  return conditionTest(condition)(actual);
}

/** The result for a value from the environment. */
export const UNDECIDED_SECRET: ConditionResult = {
  matched: undefined,
  why: "a value comes from the environment, and is not evaluated offline",
};

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
