/**
 * Expressions that need no steps: paths to members, comparisons of them with texts, and those joined by `and` and `or`. They are
 * evaluated here, because the package takes a promise for each part of an expression, which adds up for 10,000 documents.
 */

import { isFields, isList, type Json } from "../../../core/json.ts";

/** The result of a direct evaluation. */
export interface DirectResult {
  readonly value: Json | undefined;
}

/** Returns the result for a document; undefined where a path meets a list, which the package deals with. */
export type DirectEvaluation = (document: Json) => DirectResult | undefined;

/** A condition: the result for a document; undefined where a path meets a list. */
type Condition = (document: Json) => boolean | undefined;

/** A part of the package's syntax tree. */
type Part = Readonly<Record<string, unknown>>;

/** The evaluation of a syntax tree; undefined if it needs the package. */
export function directEvaluation(ast: unknown): DirectEvaluation | undefined {
  const path = pathOf(ast);
  if (path !== undefined) return (document) => memberAt(document, path);
  const condition = conditionOf(ast);
  if (condition === undefined) return undefined;
  return (document) => {
    const value = condition(document);
    return value === undefined ? undefined : { value };
  };
}

/** The member names of a tree such as that of `metadata.name`; undefined if it is anything but a path to a member. */
export function pathOf(ast: unknown): readonly string[] | undefined {
  if (!isPart(ast) || ast.type !== "path" || !Array.isArray(ast.steps)) return undefined;
  const steps: readonly unknown[] = ast.steps;
  const names = steps.flatMap((step) =>
    isPart(step) && step.type === "name" && Object.keys(step).length === 3 ? [String(step.value)] : [],
  );
  // Any other property changes the result: `a[]` makes a list of it.
  return names.length === steps.length && Object.keys(ast).length === 2 ? names : undefined;
}

/** The member names of each path that a tree begins at the document: those of `a.b` and `c` for `$f(a.b[0]) & c`. */
export function pathsIn(ast: unknown): readonly (readonly string[])[] {
  if (Array.isArray(ast)) return ast.flatMap(pathsIn);
  if (!isPart(ast)) return [];
  if (ast.type !== "path" || !Array.isArray(ast.steps)) return Object.values(ast).flatMap(pathsIn);
  const steps: readonly unknown[] = ast.steps;
  const end = steps.findIndex((step) => !isPart(step) || step.type !== "name");
  const names = steps.slice(0, end < 0 ? steps.length : end);
  // Later steps, and what is in brackets, begin at what the first ones give.
  return names.length === 0 ? pathsIn(steps[0]) : [names.map((step) => (isPart(step) ? String(step.value) : ""))];
}

function conditionOf(ast: unknown): Condition | undefined {
  if (!isPart(ast) || ast.type !== "binary") return undefined;
  switch (ast.value) {
    case "and":
    case "or":
      return joined(ast.value, conditionOf(ast.lhs), conditionOf(ast.rhs));
    case "=":
      return comparison(ast.lhs, ast.rhs, (text, value) => value === text);
    case "!=":
      return comparison(ast.lhs, ast.rhs, (text, value) => value !== undefined && value !== text);
    default:
      return undefined;
  }
}

function joined(operator: "and" | "or", left?: Condition, right?: Condition): Condition | undefined {
  if (left === undefined || right === undefined) return undefined;
  const decisive = operator === "or";
  return (document) => {
    const first = left(document);
    return first === undefined || first === decisive ? first : right(document);
  };
}

/** The comparison of a path on the left with a text on the right. */
function comparison(
  left: unknown,
  right: unknown,
  holds: (text: string, value: Json | undefined) => boolean,
): Condition | undefined {
  const path = pathOf(left);
  if (path === undefined || !isPart(right) || right.type !== "string" || typeof right.value !== "string")
    return undefined;
  const text = right.value;
  return (document) => {
    const member = memberAt(document, path);
    return member === undefined ? undefined : holds(text, member.value);
  };
}

/** The member at a path through mappings; undefined where there is a list. */
function memberAt(document: Json, path: readonly string[]): DirectResult | undefined {
  let at = document;
  for (const name of path) {
    if (!isFields(at)) return isList(at) ? undefined : NOTHING;
    const value = Object.hasOwn(at, name) ? at[name] : undefined;
    if (value === undefined) return NOTHING;
    at = value;
  }
  return isList(at) ? undefined : { value: at };
}

const NOTHING: DirectResult = { value: undefined };

function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null;
}
