/** Conditions of routing rules: their operators, and the values that these take and match. */

import { type Context, createContext, runInContext } from "node:vm";
import { type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import type { SchemaValue } from "../../http/value-schema.ts";

/** A valid condition. */
interface RoutingCondition {
  readonly field: string;
  readonly operator: RoutingOperator;
  /** null if the operator takes none. */
  readonly value: Json;
}

/** The name of an operator. */
export type RoutingOperator = (typeof routingOperators)[number];

/** Every operator. */
export const routingOperators = ["is_one_of", "contains", "starts_with", "matches_regex", "is_empty"] as const;

/** The schema of a stored condition, which keeps properties that the service does not know. */
export const routingConditionSchema = {
  title: "RoutingCondition",
  type: "object",
  properties: {
    field: { type: "string", description: "A field of the alert, such as service.", examples: ["service"] },
    operator: { type: "string", enum: routingOperators as typeof routingOperators },
    value: { description: "A list for is_one_of, nothing for is_empty, else a text.", examples: [["checkout"]] },
  },
  required: ["field", "operator"],
  additionalProperties: {},
} as const;

/** A stored condition. */
export type StoredCondition = SchemaValue<typeof routingConditionSchema>;

/** Whether the value is a valid condition. */
export function isCondition(value: Json): value is StoredCondition & Fields {
  return conditionError(value) === undefined;
}

interface Operator {
  /** The error in the value; undefined if it is valid. */
  refusal(value: Json | undefined): string | undefined;
  /** Whether an alert's field matches. `actual` is undefined if the alert lacks the field. */
  matches(value: Json, actual: string | undefined): boolean;
}

const operators: { readonly [Name in RoutingOperator]: Operator } = {
  is_one_of: {
    refusal: (value) => (isList(value) && value.length > 0 ? undefined : "needs a list of values"),
    matches: (value, actual) => isList(value) && value.some((item) => String(item) === actual),
  },
  contains: {
    refusal: textError,
    matches: (value, actual) => actual?.includes(String(value)) === true,
  },
  starts_with: {
    refusal: textError,
    matches: (value, actual) => actual?.startsWith(String(value)) === true,
  },
  matches_regex: {
    refusal: (value) => {
      const isValid = typeof value === "string" && value !== "" && regularExpression(value) !== undefined;
      return isValid ? undefined : "needs a valid regular expression";
    },
    matches: (value, actual) => actual !== undefined && matchesExpression(String(value), actual),
  },
  is_empty: {
    refusal: (value) => (value == null ? undefined : "takes no value"),
    matches: (_value, actual) => actual === undefined || actual.trim() === "",
  },
};

/** The errors in a list of conditions, such as "Condition 1 needs a field". */
export function routingConditionErrors(conditions: readonly Json[]): readonly string[] {
  return conditions.flatMap((condition, index) => {
    const reason = conditionError(condition);
    return reason === undefined ? [] : [`Condition ${index + 1} ${reason}`];
  });
}

function conditionError(condition: Json): string | undefined {
  if (!isFields(condition)) return "must be an object";
  const { field, operator, value } = condition;
  if (typeof field !== "string" || field.trim() === "") return "needs a field";
  if (!isOperator(operator)) return `needs an operator, one of ${Object.keys(operators).join(", ")}`;
  return operators[operator].refusal(value);
}

/** A stored condition with typed parts. */
export function parseStoredCondition({ field, operator, value = null }: StoredCondition): RoutingCondition {
  if (!isOperator(operator)) throw new Error(`a stored condition has the operator ${JSON.stringify(operator)}`);
  return { field: String(field), operator, value };
}

/** Whether an alert's field matches the condition. `actual` is undefined if the alert lacks the field. */
export function matchesCondition({ operator, value }: RoutingCondition, actual: string | undefined): boolean {
  return operators[operator].matches(value, actual);
}

function isOperator(value: Json | undefined): value is RoutingOperator {
  return typeof value === "string" && Object.hasOwn(operators, value);
}

function textError(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? undefined : "needs a text value";
}

const searchMilliseconds = 100;
/** A busy machine can exceed the time once, but rarely three times. */
const searchTries = 3;
let searchContext: Context | undefined;

/** Whether the text matches the expression. A search of more than 0.1 s counts as no match. */
function matchesExpression(expression: string, text: string): boolean {
  const pattern = regularExpression(expression);
  if (pattern === undefined) return false;
  // Only a script in its own context can be interrupted during a search.
  searchContext ??= createContext({});
  Object.assign(searchContext, { source: pattern.source, flags: pattern.flags, text });
  for (let attempt = 0; attempt < searchTries; attempt += 1) {
    const isFound = runSearch(searchContext);
    if (isFound !== undefined) return isFound;
  }
  return false;
}

/** Whether the search matches; undefined if it timed out. */
function runSearch(context: Context): boolean | undefined {
  try {
    return runInContext("new RegExp(source, flags).test(text)", context, { timeout: searchMilliseconds }) === true;
  } catch (error) {
    // Not `instanceof Error`: the error may belong to the other context.
    const { code, name } = error as Partial<NodeJS.ErrnoException>;
    if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    // Too large to be compiled, which happens at the first search.
    if (name === "SyntaxError" || name === "RangeError") return false;
    throw error;
  }
}

/**
 * Escapes that JavaScript lacks. With the flag "m", which Ruby's ^ and $ require, the anchors of the whole text need
 * lookarounds.
 */
const escapes: ReadonlyMap<string, string> = new Map([
  ["\\A", "(?<![\\s\\S])"],
  ["\\z", "(?![\\s\\S])"],
  ["\\Z", "(?=\\n?(?![\\s\\S]))"],
  ["\\h", "[0-9a-fA-F]"],
  ["\\H", "[^0-9a-fA-F]"],
]);

const classes: ReadonlyMap<string, string> = new Map([
  ["[:alpha:]", "A-Za-z"],
  ["[:digit:]", "0-9"],
  ["[:alnum:]", "A-Za-z0-9"],
  ["[:upper:]", "A-Z"],
  ["[:lower:]", "a-z"],
  ["[:space:]", "\\s"],
  ["[:punct:]", "!-\\/:-@\\[-`{-~"],
]);

/**
 * The expression in JavaScript; undefined if invalid. Options inside an expression, possessive quantifiers and atomic
 * groups count as invalid, since JavaScript lacks them.
 */
export function regularExpression(text: string): RegExp | undefined {
  const [leading = "", options = ""] = /^\(\?([im]+)\)/.exec(text) ?? [];
  // In Ruby, "m" lets a dot match line ends.
  const flags = `m${options.includes("i") ? "i" : ""}${options.includes("m") ? "s" : ""}`;
  const source = text
    .slice(leading.length)
    .replace(/\\[\s\S]|\[:[a-z]+:\]/g, (part) => escapes.get(part) ?? classes.get(part) ?? part);
  try {
    return new RegExp(source, flags);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
