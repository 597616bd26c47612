/** Conditions of routing rules: their operators, and the values that these take and match. */

import { type Context, createContext, runInContext } from "node:vm";
import { runWithin } from "../../../core/clock.ts";
import { isFields, isList, type Json } from "../../../core/json.ts";
import { isValid } from "../../http/body-schema.ts";
import { type InvalidField, validationError } from "../../http/http-error.ts";
import { regularExpression } from "../../http/regular-expression.ts";
import { nonBlankText, type SchemaValue, type ValueSchema } from "../../http/value-schema.ts";

/** A condition with typed parts. */
interface RoutingCondition {
  readonly field: string;
  readonly operator: RoutingOperator;
  /** null if the operator takes none. */
  readonly value: Json;
}

/** The name of an operator. */
export type RoutingOperator = (typeof routingOperators)[number];

export const routingOperators = ["is_one_of", "contains", "starts_with", "matches_regex", "is_empty"] as const;

interface Operator {
  /** The schema of the value that it takes. */
  readonly value: ValueSchema;
  /** The error in any other value. */
  readonly valueError: string;
  /** Whether an alert's field matches. `actual` is undefined if the alert lacks the field. */
  matches(value: Json, actual: string | undefined): boolean;
}

const text: ValueSchema = { type: "string", minLength: 1 };

const operators: { readonly [Name in RoutingOperator]: Operator } = {
  is_one_of: {
    value: { type: "array", minItems: 1, examples: [["checkout"]] },
    valueError: "needs a list of values",
    matches: (value, actual) => isList(value) && value.some((item) => String(item) === actual),
  },
  contains: {
    value: text,
    valueError: "needs a text value",
    matches: (value, actual) => actual?.includes(String(value)) === true,
  },
  starts_with: {
    value: text,
    valueError: "needs a text value",
    matches: (value, actual) => actual?.startsWith(String(value)) === true,
  },
  matches_regex: {
    value: { ...text, format: "ruby-regex", description: "Of Ruby: (?i), \\\\A and \\\\z have a meaning too." },
    valueError: "needs a valid regular expression",
    matches: (value, actual) => actual !== undefined && matchesExpression(String(value), actual),
  },
  is_empty: {
    value: { type: "null" },
    valueError: "takes no value",
    matches: (_value, actual) => actual === undefined || actual.trim() === "",
  },
};

/** The schema of a condition with one operator. */
interface ConditionChoice {
  readonly type: "object";
  readonly properties: {
    readonly field: { readonly type: "string" };
    readonly operator: { readonly type: "string"; readonly enum: readonly RoutingOperator[] };
    readonly value: Record<never, never>;
  };
  readonly required: readonly ["field", "operator"] | readonly ["field", "operator", "value"];
  readonly additionalProperties: ValueSchema;
}

interface RoutingConditionSchema extends ValueSchema {
  readonly type?: never;
  readonly title: string;
  readonly oneOf: readonly ConditionChoice[];
}

/** The schema of a condition, which keeps properties that the service does not know. */
export const routingConditionSchema: RoutingConditionSchema = {
  title: "RoutingCondition",
  oneOf: routingOperators.map((operator) => ({
    type: "object",
    properties: {
      field: { ...nonBlankText, description: "A field of the alert, such as service.", examples: ["service"] },
      operator: { type: "string", enum: [operator] },
      value: operators[operator].value,
    },
    required: operator === "is_empty" ? ["field", "operator"] : ["field", "operator", "value"],
    additionalProperties: {},
  })),
};

export type StoredCondition = SchemaValue<typeof routingConditionSchema>;

interface RoutingConditionsSchema extends ValueSchema {
  readonly type: readonly ["array", "null"];
  readonly items: RoutingConditionSchema;
}

/** The schema of a rule's conditions in requests. */
export const routingConditionsSchema: RoutingConditionsSchema = {
  type: ["array", "null"],
  items: routingConditionSchema,
  description: "All have to hold; [] holds for every alert. Replaced whole.",
  examples: [[{ field: "service", operator: "is_one_of", value: ["checkout"] }]],
  refusal(conditions = null, field) {
    return isList(conditions) ? validationError(...conditions.flatMap(conditionErrors(field))) : undefined;
  },
};

/** The errors of each condition of a list, such as "Condition 1 needs a field". */
function conditionErrors(field: string): (condition: Json, index: number) => readonly InvalidField[] {
  return (condition, index) => {
    if (isValid(routingConditionSchema, condition)) return [];
    return [{ field, message: `Condition ${index + 1} ${conditionError(condition)}` }];
  };
}

function conditionError(condition: Json): string {
  if (!isFields(condition)) return "must be an object";
  const { field, operator } = condition;
  if (typeof field !== "string" || field.trim() === "") return "needs a field";
  if (!isOperator(operator)) return `needs an operator, one of ${routingOperators.join(", ")}`;
  return operators[operator].valueError;
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

const searchMilliseconds = 100;
/** The first searches may only compile the expression. */
const searchTries = 3;
let searchContext: Context | undefined;

/** Whether the text matches the expression. A search of more than 0.1 s counts as no match. */
function matchesExpression(expression: string, text: string): boolean {
  const pattern = regularExpression(expression);
  if (pattern === undefined) return false;
  // Only a script in its own context can be interrupted during a search.
  searchContext ??= createContext({});
  const context = Object.assign(searchContext, { source: pattern.source, flags: pattern.flags, text });
  try {
    const search = (timeout: number) => runInContext("new RegExp(source, flags).test(text)", context, { timeout });
    for (let attempt = 0; attempt < searchTries; attempt += 1) {
      const ended = runWithin(searchMilliseconds, search);
      if (ended !== undefined) return ended.result === true;
    }
    return false;
  } catch (error) {
    // Not `instanceof Error`: the error may belong to the other context.
    const { name } = error as Error;
    // Too large to be compiled, which happens at the first search.
    if (name === "SyntaxError" || name === "RangeError") return false;
    throw error;
  }
}
