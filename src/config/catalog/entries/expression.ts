/** The expressions of `entries_from`: JSONata, bounded, with nothing to work on but one document and its path. */

import type { Json } from "../../../core/json.ts";
import { BOUNDED_FUNCTIONS, InvalidExpression, LIMITS, Sizes, StoppableRegularExpression } from "./bounds.ts";
import { type DirectEvaluation, directEvaluation, pathOf, pathsIn } from "./direct.ts";
import { type JsonataExpression, loadJsonata } from "./jsonata.ts";

/** Functions that would make other entries out of the same files, or expressions out of their text. */
const REFUSED = new Map([
  ["now", "the time"],
  ["millis", "the time"],
  ["random", "chance"],
  ["shuffle", "chance"],
  ["eval", "text of the document"],
]);

/** A compiled expression. */
export class Expression {
  readonly text: string;
  /** The names of members, if the expression is nothing but a path to a member. */
  readonly path: readonly string[] | undefined;
  /** The names of members on each path from the document. */
  readonly paths: readonly (readonly string[])[];
  /** Evaluates a document at once; undefined if the expression or the document needs {@link evaluate}. */
  readonly evaluateDirectly: DirectEvaluation;
  readonly #compiled: JsonataExpression;
  readonly #sizes = new Sizes();
  readonly #now: () => number;
  /** The time of all evaluations so far. */
  #milliseconds = 0;
  #steps = 0;

  private constructor(text: string, compiled: JsonataExpression, now: () => number) {
    this.text = text;
    this.#compiled = compiled;
    this.#now = now;
    const ast = compiled.ast();
    this.path = pathOf(ast);
    this.paths = this.path === undefined ? pathsIn(ast) : [this.path];
    this.evaluateDirectly = directEvaluation(ast) ?? (() => undefined);
    compiled.onStep((result) => this.#check(result));
  }

  /** Compiles a text. Throws {@link InvalidExpression}. `now` returns milliseconds. */
  static async compile(text: string, now: () => number = () => performance.now()): Promise<Expression> {
    const compile = await loadJsonata(BOUNDED_FUNCTIONS);
    try {
      const compiled = compile(text, {
        ...LIMITS,
        RegularExpression: StoppableRegularExpression,
      });
      refuseFunctions(compiled.ast());
      return new Expression(text, compiled, now);
    } catch (error) {
      throw asInvalid(error);
    }
  }

  /**
   * The result for a document, `$path` being the path of its file from the root of the repository; undefined if there is none. Parts
   * of the document are the same objects as in it. Throws {@link InvalidExpression}.
   */
  async evaluate(document: Json, path: string): Promise<Json | undefined> {
    const direct = this.evaluateDirectly(document);
    if (direct !== undefined) return direct.value;
    if (this.#milliseconds > LIMITS.totalMilliseconds) {
      throw new InvalidExpression(`it has taken more than ${LIMITS.totalMilliseconds / 1000} seconds in all`);
    }
    const start = this.#now();
    this.#steps = 0;
    try {
      const result = await this.#compiled.evaluate(document, { path });
      refuseOtherValues(result);
      return result as Json | undefined;
    } catch (error) {
      throw asInvalid(error);
    } finally {
      this.#milliseconds += this.#now() - start;
    }
  }

  /** Checks a step of an evaluation, so that neither a loop nor a text that doubles itself fills the memory. */
  #check(result: unknown): void {
    this.#steps += 1;
    if (this.#steps > LIMITS.steps) throw new InvalidExpression(`it takes more than ${LIMITS.steps} steps`);
    if (typeof result === "string" && result.length > LIMITS.characters)
      throw new InvalidExpression(`it makes a text of more than ${LIMITS.characters} characters`);
    if (Array.isArray(result) && result.length > LIMITS.items)
      throw new InvalidExpression(`it makes a list of more than ${LIMITS.items} items`);
    if (this.#sizes.of(result) > LIMITS.size)
      throw new InvalidExpression(`it makes a value of more than ${LIMITS.size} characters`);
  }
}

/** Refuses values that JSON does not have, also within others. The library represents functions by functions and marked objects. */
function refuseOtherValues(result: unknown, seen: Set<object> = new Set()): void {
  if (typeof result === "number" && !Number.isFinite(result)) {
    throw new InvalidExpression(`it gives ${result}, which is no number of JSON`);
  }
  if (typeof result === "function") throw new InvalidExpression("it gives a function, not a value");
  // A value that holds another one twice, and so on, is small, and endless as a tree.
  if (!isObject(result) || seen.has(result)) return;
  seen.add(result);
  if ("_jsonata_lambda" in result || "_jsonata_function" in result) {
    throw new InvalidExpression("it gives a function, not a value");
  }
  // The library's lists have properties of their own.
  for (const part of Array.isArray(result) ? result : Object.values(result)) refuseOtherValues(part, seen);
}

function asInvalid(error: unknown): InvalidExpression {
  if (error instanceof InvalidExpression) return error;
  // The library throws plain objects too.
  const message = isObject(error) && "message" in error ? String(error.message) : "it fails";
  return new InvalidExpression(message);
}

function refuseFunctions(part: unknown): void {
  if (!isObject(part)) return;
  if ("type" in part && part.type === "variable" && "value" in part) {
    const why = REFUSED.get(String(part.value));
    if (why !== undefined)
      throw new InvalidExpression(`$${String(part.value)} cannot be used: entries depend on the files, not on ${why}`);
  }
  for (const child of Object.values(part)) refuseFunctions(child);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
