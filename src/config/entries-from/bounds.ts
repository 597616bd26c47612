/** The bounds of an evaluation. The package looks at its own ones between steps only: these hold within a step too. */

import { type Context, createContext, Script } from "node:vm";
import { canonical, type Json } from "../../core/json.ts";
import type { BoundedFunction } from "./jsonata.ts";

/** An expression that cannot be read, or fails for a document. The message is for people. */
export class InvalidExpression extends Error {}

/** The limits of one evaluation, and the time of all of an expression; `size` is that of a value as text. */
export const LIMITS = {
  milliseconds: 1000,
  totalMilliseconds: 60_000,
  depth: 200,
  items: 20_000,
  characters: 200_000,
  size: 20_000_000,
  steps: 200_000,
} as const;

/** Functions in place of the package's, which can take minutes or fill the memory within one step. */
export const BOUNDED_FUNCTIONS: Readonly<Record<string, BoundedFunction>> = {
  pad: { signature: "<s-ns?:s>", run: pad },
  join: { signature: "<a<s>s?:s>", run: join },
  distinct: { signature: "<x:x>", run: distinct },
};

function pad(text: string | undefined, width: number, filler = " "): string | undefined {
  if (text === undefined) return undefined;
  refuseLength(Math.abs(width));
  const characters = [...(filler === "" ? " " : filler)];
  const missing = Math.max(0, Math.trunc(Math.abs(width)) - [...text].length);
  const padding = Array.from({ length: missing }, (_, at) => characters[at % characters.length]).join("");
  return width < 0 ? padding + text : text + padding;
}

function join(texts: readonly string[] | undefined, separator = ""): string | undefined {
  if (texts === undefined) return undefined;
  refuseLength(texts.reduce((sum, text) => sum + text.length + separator.length, 0));
  return texts.join(separator);
}

function refuseLength(characters: number): void {
  if (characters <= LIMITS.characters) return;
  throw new InvalidExpression(`it makes a text of more than ${LIMITS.characters} characters`);
}

/** Compares texts of the values: the package compares each value with each other one. */
function distinct(values: Json | undefined): Json | undefined {
  if (!Array.isArray(values)) return values;
  const byText = new Map<string, Json>();
  for (const value of values) {
    const text = canonical(value);
    if (!byText.has(text)) byText.set(text, value);
  }
  // The package unwraps a list with this mark if it has one item.
  return "sequence" in values ? Object.assign([...byText.values()], { sequence: true }) : [...byText.values()];
}

/** The sizes of values as texts. A value that holds another one twice, and so on, is small in memory and endless as a text. */
export class Sizes {
  readonly #known = new WeakMap<object, number>();

  of(value: unknown): number {
    if (typeof value === "string") return value.length + 1;
    if (typeof value !== "object" || value === null) return 1;
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    // The package represents functions by objects, which lead to everything that they see.
    const isFunction = "_jsonata_lambda" in value || "_jsonata_function" in value;
    const parts: readonly unknown[] = isFunction ? [] : Array.isArray(value) ? value : Object.values(value);
    const size = parts.reduce<number>((sum, part) => sum + this.of(part), 1);
    this.#known.set(value, size);
    return size;
  }
}

const SEARCH = new Script("expression.exec(text)");

let searching: Context | undefined;

/** A context to search in: only a script in its own context can be stopped. */
function searchContext(): Context {
  searching ??= createContext({});
  return searching;
}

/** Time after which a search is stopped. */
const SEARCH_MILLISECONDS = 250;

/** A regular expression whose searches are stopped after a while: one can take centuries for a text of fifty characters. */
export class StoppableRegularExpression {
  lastIndex = 0;
  readonly #expression: RegExp;
  /** The time that all searches may still take. */
  #milliseconds: number = LIMITS.milliseconds;

  constructor(expression: RegExp) {
    this.#expression = new RegExp(expression.source, expression.flags);
  }

  exec(text: string): RegExpExecArray | null {
    if (this.#milliseconds <= 0) this.#refuse();
    this.#expression.lastIndex = this.lastIndex;
    const context = searchContext();
    Object.assign(context, { expression: this.#expression, text });
    const start = performance.now();
    try {
      return SEARCH.runInContext(context, { timeout: SEARCH_MILLISECONDS }) as RegExpExecArray | null;
    } catch (error) {
      const { code } = error as Partial<NodeJS.ErrnoException>;
      if (code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      return this.#refuse();
    } finally {
      this.#milliseconds -= performance.now() - start;
      this.lastIndex = this.#expression.lastIndex;
    }
  }

  #refuse(): never {
    throw new InvalidExpression(`the search for /${this.#expression.source}/ takes too long`);
  }
}
