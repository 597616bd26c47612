/** The expressions of `entries_from`: JSONata, bounded, with nothing to work on but one document and its path. */

import { type Context, createContext, runInContext } from "node:vm";
import { isFields, isList, type Json } from "../../core/json.ts";
import { type JsonataExpression, loadJsonata } from "./jsonata.ts";

/** An expression that cannot be read, or fails for a document. The message is for people. */
export class InvalidExpression extends Error {}

/** The limits of one evaluation. */
const LIMITS = { milliseconds: 1000, depth: 200, items: 20_000, characters: 200_000, steps: 200_000 } as const;

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
  readonly #compiled: JsonataExpression;
  #steps = 0;

  private constructor(text: string, compiled: JsonataExpression) {
    this.text = text;
    this.#compiled = compiled;
    this.path = pathOf(compiled.ast());
    compiled.onStep((result) => this.#check(result));
  }

  /** Compiles a text. Throws {@link InvalidExpression}. */
  static async compile(text: string): Promise<Expression> {
    const compile = await loadJsonata();
    try {
      const compiled = compile(text, {
        ...LIMITS,
        functions: { pad: { signature: "<s-ns?:s>", run: pad } },
        RegularExpression: StoppableRegularExpression,
      });
      refuseFunctions(compiled.ast());
      return new Expression(text, compiled);
    } catch (error) {
      throw asInvalid(error);
    }
  }

  /**
   * The result for a document, `$path` being the path of its file from the root of the repository; undefined if there is none. Parts
   * of the document are the same objects as in it. Throws {@link InvalidExpression}.
   */
  async evaluate(document: Json, path: string): Promise<Json | undefined> {
    const member = this.path === undefined ? undefined : memberAt(document, this.path);
    if (member !== undefined) return member.value;
    this.#steps = 0;
    try {
      const result = await this.#compiled.evaluate(document, { path });
      refuseOtherValues(result);
      return result as Json | undefined;
    } catch (error) {
      throw asInvalid(error);
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

/** The function `$pad`. The package's own makes a list of as many items as the width, whatever that is. */
function pad(text: string | undefined, width: number, filler = " "): string | undefined {
  if (text === undefined) return undefined;
  if (Math.abs(width) > LIMITS.characters) {
    throw new InvalidExpression(`it makes a text of more than ${LIMITS.characters} characters`);
  }
  const characters = [...(filler === "" ? " " : filler)];
  const missing = Math.max(0, Math.trunc(Math.abs(width)) - [...text].length);
  const padding = Array.from({ length: missing }, (_, at) => characters[at % characters.length]).join("");
  return width < 0 ? padding + text : text + padding;
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

/** The member names of an expression such as `metadata.name`. */
function pathOf(ast: unknown): readonly string[] | undefined {
  if (!isObject(ast) || !("type" in ast) || ast.type !== "path" || !("steps" in ast)) return undefined;
  const steps: readonly unknown[] = Array.isArray(ast.steps) ? ast.steps : [];
  const names = steps.flatMap((step) =>
    isObject(step) && "type" in step && step.type === "name" && "value" in step && Object.keys(step).length === 3
      ? [String(step.value)]
      : [],
  );
  return names.length === steps.length ? names : undefined;
}

/** The member at a path through mappings; undefined where there is a list, or no mapping, which the library deals with. */
function memberAt(document: Json, path: readonly string[]): { readonly value: Json | undefined } | undefined {
  let at = document;
  for (const name of path) {
    if (!isFields(at)) return undefined;
    const value = Object.hasOwn(at, name) ? at[name] : undefined;
    if (value === undefined) return { value: undefined };
    at = value;
  }
  return isList(at) ? undefined : { value: at };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Time after which a search is stopped. */
const SEARCH_MILLISECONDS = 250;

let searching: Context | undefined;

/** A context to search in: only a script in its own context can be stopped. */
function searchContext(): Context {
  searching ??= createContext({});
  return searching;
}

/** A regular expression whose search is stopped after a while: some take centuries for a text of fifty characters. */
class StoppableRegularExpression {
  lastIndex = 0;
  readonly #expression: RegExp;

  constructor(expression: RegExp) {
    this.#expression = new RegExp(expression.source, expression.flags);
  }

  exec(text: string): RegExpExecArray | null {
    this.#expression.lastIndex = this.lastIndex;
    const context = searchContext();
    Object.assign(context, { expression: this.#expression, text });
    try {
      return runInContext("expression.exec(text)", context, { timeout: SEARCH_MILLISECONDS }) as RegExpExecArray | null;
    } catch (error) {
      const { code } = error as Partial<NodeJS.ErrnoException>;
      if (code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      throw new InvalidExpression(`the search for /${this.#expression.source}/ takes too long`);
    } finally {
      this.lastIndex = this.#expression.lastIndex;
    }
  }
}
