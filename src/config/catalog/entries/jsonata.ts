/** The only file that imports the JSONata package. It is loaded with the first expression. */

import type { Json } from "../../../core/json.ts";
import { BOUNDED_FUNCTIONS, LIMITS, type NativeFunction, StoppableRegularExpression } from "./bounds.ts";

/** A compiled expression. */
export interface JsonataExpression {
  /** The syntax tree, as the package documents it. */
  ast(): unknown;
  /** The result; variables without their `$`. */
  evaluate(document: Json, variables: Readonly<Record<string, Json>>): Promise<unknown>;
  /** Calls a function after each step of each evaluation, with the result of the step. */
  onStep(check: (result: unknown) => void): void;
}

/** The package's functions by name. Those of several expressions are the same. */
const packaged = new Map<string, NativeFunction>();

/** The package, loaded. */
export interface Jsonata {
  /** Compiles a text, with the bounds of an evaluation; throws an object with a `message` if that is no expression. */
  compile(text: string): JsonataExpression;
  /** Whether the package has a function of the name, without its `$`. */
  hasFunction(name: string): Promise<boolean>;
}

/** Loads the package. */
export async function loadJsonata(): Promise<Jsonata> {
  const { default: jsonata } = await import("jsonata");
  for (const name of Object.keys(BOUNDED_FUNCTIONS)) {
    if (packaged.has(name)) continue;
    const found = (await jsonata(`$${name}`).evaluate(null)) as { readonly implementation?: unknown } | undefined;
    if (typeof found?.implementation !== "function") throw new Error(`the package has no function $${name}`);
    packaged.set(name, found.implementation as NativeFunction);
  }
  const hasFunction = async (name: string): Promise<boolean> =>
    /^\w+$/.test(name) && (await jsonata(`$${name}`).evaluate(null)) !== undefined;
  const compile = (text: string): JsonataExpression => {
    const expression = jsonata(text, {
      stack: LIMITS.depth,
      sequence: LIMITS.items,
      RegexEngine: StoppableRegularExpression as unknown as RegExpConstructor,
    });
    for (const [name, { replace, signature }] of Object.entries(BOUNDED_FUNCTIONS)) {
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
  return { compile, hasFunction };
}
