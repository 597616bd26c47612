/** Expressions of workflows, evaluated by GitHub's own library. */

import { data, Evaluator, Lexer, Parser } from "@actions/expressions";

/** The contexts of an expression by name, as plain JSON. */
export type Contexts = Readonly<Record<string, unknown>>;

/** The state of the steps or jobs before, for `success()` and the like. */
export type Status = "success" | "failure" | "cancelled";

/** The value of an expression. A context or a function that does not exist there is an error. */
function evaluate(expression: string, contexts: Contexts, status: Status): data.ExpressionData {
  const functions = statusFunctions(status);
  const { tokens } = new Lexer(expression).lex();
  const parsed = new Parser(tokens, Object.keys(contexts), [...functions.values()]).parse();
  const values: unknown = JSON.parse(JSON.stringify(contexts), data.reviver);
  if (!(values instanceof data.Dictionary)) throw new Error("contexts are an object");
  return new Evaluator(parsed, values, functions).evaluate();
}

/** A text with its expressions replaced. A text that is one expression gives its value, which need not be a text. */
export function interpolate(text: string, contexts: Contexts, status: Status = "success"): unknown {
  const whole = /^\$\{\{((?:(?!\$\{\{|\}\}).)*)\}\}$/s.exec(text.trim());
  if (whole !== null) {
    const value = evaluate(whole[1] ?? "", contexts, status);
    return JSON.parse(JSON.stringify(value, data.replacer) ?? "null");
  }
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) =>
    evaluate(expression, contexts, status).coerceString(),
  );
}

/** The same as a text, as in an environment variable. */
export function interpolateText(text: string, contexts: Contexts): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) =>
    evaluate(expression, contexts, "success").coerceString(),
  );
}

/** Whether a condition lets a step or a job run. Without a status function, it also requires success. */
export function isMet(condition: string | undefined, contexts: Contexts, status: Status): boolean {
  const expression = (condition ?? "success()").replace(/^\$\{\{(.*)\}\}$/s, "$1");
  const isTrue = isTruthy(evaluate(expression, contexts, status));
  return /\b(?:success|failure|always|cancelled)\(\)/.test(expression) ? isTrue : isTrue && status === "success";
}

function isTruthy(value: data.ExpressionData): boolean {
  return !["", "0", "false"].includes(value.coerceString());
}

function statusFunctions(status: Status) {
  const named = (name: string, holds: boolean) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: (): data.ExpressionData => new data.BooleanData(holds),
  });
  const functions = [
    named("success", status === "success"),
    named("failure", status === "failure"),
    named("cancelled", status === "cancelled"),
    named("always", true),
  ];
  return new Map(functions.map((one) => [one.name, one]));
}
