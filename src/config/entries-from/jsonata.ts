/** The only file that imports the JSONata package. It is loaded with the first expression. */

import type { Json } from "../../core/json.ts";

/** A compiled expression. */
export interface JsonataExpression {
  /** The syntax tree, as the package documents it. */
  ast(): unknown;
  /** The result; variables without their `$`. */
  evaluate(document: Json, variables: Readonly<Record<string, Json>>): Promise<unknown>;
  /** Calls a function after each step of each evaluation, with the result of the step. */
  onStep(check: (result: unknown) => void): void;
}

/** A function, and the types of its parameters as the package writes them. */
export interface BoundedFunction {
  readonly signature: string;
  readonly run: (...values: never[]) => Json | undefined;
}

/** Bounds of an evaluation. */
export interface JsonataBounds {
  readonly milliseconds: number;
  readonly depth: number;
  readonly items: number;
  /** Functions in place of the package's, by name. */
  readonly functions: Readonly<Record<string, BoundedFunction>>;
  /** Stands in for `RegExp`. */
  readonly RegularExpression: new (
    expression: RegExp,
  ) => { lastIndex: number; exec(text: string): RegExpExecArray | null };
}

/** Compiles a text. Throws an object with a `message` if it is no expression. */
export type CompileJsonata = (text: string, bounds: JsonataBounds) => JsonataExpression;

/** Loads the package. */
export async function loadJsonata(): Promise<CompileJsonata> {
  const { default: jsonata } = await import("jsonata");
  return (text, { milliseconds, depth, items, functions, RegularExpression }) => {
    const expression = jsonata(text, {
      timeout: milliseconds,
      stack: depth,
      sequence: items,
      RegexEngine: RegularExpression as unknown as RegExpConstructor,
    });
    for (const [name, { run, signature }] of Object.entries(functions)) {
      expression.registerFunction(name, run as (...values: unknown[]) => unknown, signature);
    }
    return {
      ast: () => expression.ast(),
      evaluate: (document, variables) => expression.evaluate(document, { ...variables }),
      onStep: (check) => {
        // The package names its hook with a symbol, though its type says text.
        const hook: unknown = Symbol.for("jsonata.__evaluate_exit");
        const onExit = (_step: unknown, _input: unknown, _environment: unknown, result: unknown) => check(result);
        expression.assign(hook as string, onExit);
      },
    };
  };
}
