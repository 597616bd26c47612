/** Conditions of routing rules compared: whether one rule matches all alerts of another one, or none of them. */

import { canonical, isList, type Json, listIn, objectsIn } from "../../core/json.ts";

/** A condition, parsed once for many comparisons. */
export interface ParsedCondition {
  readonly field: string;
  readonly operator: string;
  /** Values of `is_one_of`. */
  readonly texts: ReadonlySet<string>;
  /** Value of the other operators; empty if there is none. */
  readonly text: string;
  /** Canonical text; equal for conditions with the same meaning. */
  readonly meaning: string;
}

/** The conditions of a rule. */
export function parseConditions(value: Json | undefined): readonly ParsedCondition[] {
  return objectsIn(value).map((condition) => {
    const { field, operator, value = null } = condition;
    const texts = listIn(value).map(String);
    return {
      field: String(field),
      operator: String(operator),
      texts: new Set(texts),
      text: typeof value === "string" ? value : "",
      meaning: canonical([field ?? null, operator ?? null, isList(value) ? [...new Set(texts)].sort() : value]),
    };
  });
}

/** Whether every alert that matches the narrow conditions matches the broad ones: a narrow one implies each of them. */
export function covers(broad: readonly ParsedCondition[], narrow: readonly ParsedCondition[]): boolean {
  return broad.every((conclusion) => narrow.some((premise) => implies(premise, conclusion)));
}

/** Whether no alert matches both: two of their conditions are about one field and leave no common value. False if that is not certain. */
export function excludes(one: readonly ParsedCondition[], other: readonly ParsedCondition[]): boolean {
  return one.some((left) => other.some((right) => left.field === right.field && contradict(left, right)));
}

function contradict(left: ParsedCondition, right: ParsedCondition): boolean {
  if (left.operator === "is_one_of") {
    const test = tests[right.operator];
    return test !== undefined && isStated(right) && every(left.texts, (text) => !test(text, right));
  }
  if (right.operator === "is_one_of") return contradict(right, left);
  if (left.operator !== "starts_with" || right.operator !== "starts_with" || left.text === "" || right.text === "") {
    return false;
  }
  return !left.text.startsWith(right.text) && !right.text.startsWith(left.text);
}

/** Whether the value of a condition is known as text: every alert matches an empty one. */
function isStated({ operator, text }: ParsedCondition): boolean {
  return operator === "is_one_of" || text !== "";
}

/** Whether the premise implies the conclusion. Different fields, and different regular expressions, imply nothing. */
function implies(premise: ParsedCondition, conclusion: ParsedCondition): boolean {
  if (premise.field !== conclusion.field) return false;
  if (premise.meaning === conclusion.meaning) return true;
  const test = tests[conclusion.operator];
  if (test === undefined) return false;
  if (premise.operator === "is_one_of") {
    return premise.texts.size > 0 && every(premise.texts, (text) => test(text, conclusion));
  }
  // The premise gives a part of the value: its beginning, or a text within it.
  const isEnough =
    premise.operator === "starts_with"
      ? conclusion.operator !== "is_one_of"
      : premise.operator === "contains" && conclusion.operator === "contains";
  return isEnough && premise.text !== "" && test(premise.text, conclusion);
}

/** Operator → whether a value, or a known part of it, satisfies the condition. */
const tests: Readonly<Record<string, (text: string, condition: ParsedCondition) => boolean>> = {
  is_one_of: (text, { texts }) => texts.has(text),
  contains: (text, condition) => condition.text !== "" && text.includes(condition.text),
  starts_with: (text, condition) => condition.text !== "" && text.startsWith(condition.text),
};

function every(texts: ReadonlySet<string>, holds: (text: string) => boolean): boolean {
  for (const text of texts) if (!holds(text)) return false;
  return true;
}
