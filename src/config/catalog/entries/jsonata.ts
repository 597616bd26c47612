/** The only file that imports the JSONata package. It is loaded with the first expression. */

import type { Json } from "../../../core/json.ts";

/** A compiled expression. */
export interface JsonataExpression {
  /** The syntax tree, as the package documents it. */
  ast(): unknown;
  /** The result; variables without their `$`. */
  evaluate(document: Json, variables: Readonly<Record<string, Json>>): Promise<unknown>;
  /** Calls a function after each step of each evaluation, with the result of the step. */
  onStep(check: (result: unknown) => void): void;
}

/** A function of expressions. The package calls it with the evaluation as `this`. */
export type NativeFunction = (this: unknown, ...values: never[]) => unknown;

/** A function in place of the package's, and the types of its parameters as the package writes them. */
export interface BoundedFunction {
  readonly signature: string;
  /** Makes it; it may call that of the package. */
  readonly replace: (packaged: NativeFunction) => NativeFunction;
}

/** Bounds of an evaluation. */
export interface JsonataBounds {
  readonly milliseconds: number;
  readonly depth: number;
  readonly items: number;
  /** Stands in for `RegExp`. */
  readonly RegularExpression: new (
    expression: RegExp,
  ) => { lastIndex: number; exec(text: string): RegExpExecArray | null };
}

/** Compiles a text. Throws an object with a `message` if it is no expression. */
export type CompileJsonata = (text: string, bounds: JsonataBounds) => JsonataExpression;

/** The package's functions by name. Those of several expressions are the same. */
const packaged = new Map<string, NativeFunction>();

/** Loads the package. `functions`: functions in place of the package's, by name. */
export async function loadJsonata(functions: Readonly<Record<string, BoundedFunction>>): Promise<CompileJsonata> {
  const { default: jsonata } = await import("jsonata");
  for (const name of Object.keys(functions)) {
    if (packaged.has(name)) continue;
    const found = (await jsonata(`$${name}`).evaluate(null)) as { readonly implementation?: unknown } | undefined;
    if (typeof found?.implementation !== "function") throw new Error(`the package has no function $${name}`);
    packaged.set(name, found.implementation as NativeFunction);
  }
  return (text, { milliseconds, depth, items, RegularExpression }) => {
    const expression = jsonata(text, {
      timeout: milliseconds,
      stack: depth,
      sequence: items,
      RegexEngine: RegularExpression as unknown as RegExpConstructor,
    });
    for (const [name, { replace, signature }] of Object.entries(functions)) {
      const original = packaged.get(name) as NativeFunction;
      // The package tells by the length how many values a function takes.
      const run = Object.defineProperty(replace(original), "length", { value: original.length });
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
