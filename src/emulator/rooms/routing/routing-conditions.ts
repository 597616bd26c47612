/** The conditions of routing rules: every operator with what its value must be and what it matches. */

import { type Context, createContext, runInContext } from "node:vm";
import { type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import { regularExpression } from "./ruby-expression.ts";

/** A condition that was checked: a field, an operator, and the value that the operator takes. */
export interface RoutingCondition {
  readonly field: string;
  readonly operator: RoutingOperator;
  /** null where the operator takes none. */
  readonly value: Json;
}

/** The name of an operator. */
export type RoutingOperator = "is_one_of" | "contains" | "starts_with" | "matches_regex" | "is_empty";

interface Operator {
  /** What is wrong with the value, undefined when nothing is. */
  refusal(value: Json | undefined): string | undefined;
  /** Whether an alert's field matches; undefined for a field that the alert does not have. */
  matches(value: Json, actual: string | undefined): boolean;
}

const operators: { readonly [Name in RoutingOperator]: Operator } = {
  is_one_of: {
    refusal: (value) => (isList(value) && value.length > 0 ? undefined : "needs a list of values"),
    matches: (value, actual) => isList(value) && value.some((item) => String(item) === actual),
  },
  contains: {
    refusal: needsText,
    matches: (value, actual) => actual?.includes(String(value)) === true,
  },
  starts_with: {
    refusal: needsText,
    matches: (value, actual) => actual?.startsWith(String(value)) === true,
  },
  matches_regex: {
    refusal: (value) => {
      const isValid = typeof value === "string" && value !== "" && regularExpression(value) !== undefined;
      return isValid ? undefined : "needs a valid regular expression";
    },
    matches: (value, actual) => actual !== undefined && found(String(value), actual),
  },
  is_empty: {
    refusal: (value) => (value == null ? undefined : "takes no value"),
    matches: (_value, actual) => actual === undefined || actual.trim() === "",
  },
};

/** What is wrong with a list of conditions, by ordinal ("Condition 1 needs a field"); empty when nothing is. */
export function routingConditionErrors(conditions: readonly Json[]): readonly string[] {
  return conditions.flatMap((condition, index) => {
    const reason = refusalOf(condition);
    return reason === undefined ? [] : [`Condition ${index + 1} ${reason}`];
  });
}

function refusalOf(condition: Json): string | undefined {
  if (!isFields(condition)) return "must be an object";
  const { field, operator, value } = condition;
  if (typeof field !== "string" || field.trim() === "") return "needs a field";
  if (!isOperator(operator)) return `needs an operator, one of ${Object.keys(operators).join(", ")}`;
  return operators[operator].refusal(value);
}

/** A stored condition with its parts typed. */
export function routingCondition({ field, operator, value = null }: Fields): RoutingCondition {
  if (!isOperator(operator)) throw new Error(`a stored condition has the operator ${JSON.stringify(operator)}`);
  return { field: String(field), operator, value };
}

/** Whether an alert's field, undefined when it has none, matches the condition. */
export function matchesCondition({ operator, value }: RoutingCondition, actual: string | undefined): boolean {
  return operators[operator].matches(value, actual);
}

function isOperator(value: Json | undefined): value is RoutingOperator {
  return typeof value === "string" && Object.hasOwn(operators, value);
}

function needsText(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? undefined : "needs a text value";
}

const searchMilliseconds = 100;
/** What else the machine does stops a search as well, though not time after time. */
const searchTries = 3;
let searching: Context | undefined;

/** Searches the text for the expression; a search that takes longer than 0.1 s finds nothing. */
function found(expression: string, text: string): boolean {
  const pattern = regularExpression(expression);
  if (pattern === undefined) return false;
  // Only a script of a context of its own can be stopped in the middle of a search.
  searching ??= createContext({});
  Object.assign(searching, { source: pattern.source, flags: pattern.flags, text });
  for (let tried = 0; tried < searchTries; tried += 1) {
    const isFound = foundIn(searching);
    if (isFound !== undefined) return isFound;
  }
  return false;
}

/** Undefined when the search was stopped. */
function foundIn(context: Context): boolean | undefined {
  try {
    return runInContext("new RegExp(source, flags).test(text)", context, { timeout: searchMilliseconds }) === true;
  } catch (error) {
    // Not `instanceof Error`: the error may be one of the other context.
    const isTimeout =
      typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    if (isTimeout) return undefined;
    throw error;
  }
}
