/** The bounds of an evaluation. The package looks at its own ones between steps only: these hold within a step too. */

import { type Context, createContext, Script } from "node:vm";
import { processorTime, runWithin, timeLimit } from "../../../core/clock.ts";
import { canonical, type Json } from "../../../core/json.ts";

/** An expression that cannot be read, or fails for a document. The message is for people. */
export class InvalidExpression extends Error {}

/** The limits of one evaluation, and the processor time of all of an expression; `size` is that of a value as text. */
export const LIMITS = {
  milliseconds: 1000,
  totalMilliseconds: 60_000,
  depth: 200,
  items: 20_000,
  characters: 200_000,
  size: 20_000_000,
  steps: 200_000,
} as const;

/** A function of expressions. The package calls it with the evaluation as `this`. */
export type NativeFunction = (this: unknown, ...values: never[]) => unknown;

/** A function in place of the package's, and the types of its parameters as the package writes them. */
interface BoundedFunction {
  readonly signature: string;
  /** Makes it; it may call that of the package. */
  readonly replace: (packaged: NativeFunction) => NativeFunction;
}

/** Functions in place of the package's, which can take minutes or fill the memory within one step. */
export const BOUNDED_FUNCTIONS: Readonly<Record<string, BoundedFunction>> = {
  pad: { signature: "<s-ns?:s>", replace: () => pad },
  join: { signature: "<a<s>s?:s>", replace: () => join },
  distinct: { signature: "<x:x>", replace: () => distinct },
  string: { signature: "<x-b?:s>", replace: boundedString },
  sort: { signature: "<af?:a>", replace: () => sort },
  spread: { signature: "<x-:a<o>>", replace: boundedSpread },
  sift: { signature: "<o-f?:o>", replace: boundedSift },
  reduce: { signature: "<afj?:j>", replace: timedReduce },
  formatNumber: { signature: "<n-so?:s>", replace: (packaged) => stoppable("formatNumber", packaged, LONG_PICTURE) },
  formatInteger: { signature: "<n-s:s>", replace: (packaged) => stoppable("formatInteger", packaged, LONG_PICTURE) },
  parseInteger: { signature: "<s-s:n>", replace: (packaged) => stoppable("parseInteger", packaged, LONG_PICTURE) },
  toMillis: { signature: "<s-s?:n>", replace: (packaged) => stoppable("toMillis", packaged, 0) },
  fromMillis: { signature: "<n-s?s?:s>", replace: (packaged) => stoppable("fromMillis", packaged, LONG_PICTURE) },
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

/** Refuses a text of more characters than an evaluation may make. */
export function refuseLength(characters: number): void {
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

/** A function of values, which the package calls with the evaluation as `this`. */
type Call = (this: unknown, ...values: readonly unknown[]) => unknown;

/** A function that an expression passes to another one. */
type Callback = ((...values: readonly unknown[]) => Promise<unknown>) & { arity?: number };

/** Refuses a long value before it becomes a text. */
function boundedString(packaged: NativeFunction): NativeFunction {
  return function (this: unknown, ...values: readonly unknown[]) {
    let rest: number = LIMITS.characters;
    const count = (value: unknown): void => {
      rest -= typeof value === "string" ? value.length : 1;
      if (rest < 0) refuseLength(Number.POSITIVE_INFINITY);
      if (typeof value !== "object" || value === null || isFunction(value)) return;
      for (const [name, part] of Object.entries(value)) {
        if (!Array.isArray(value)) rest -= name.length;
        count(part);
      }
    };
    count(values[0]);
    return (packaged as Call).call(this, ...values);
  };
}

/** Sorts as the package does, but in lists that it does not copy for each item, and not for longer than an evaluation may take. */
async function sort(
  values: readonly unknown[] | undefined,
  isBehind?: Callback,
): Promise<readonly unknown[] | undefined> {
  if (values === undefined || values.length <= 1) return values;
  if (isBehind === undefined) {
    for (const type of ["string", "number"]) if (values.every((value) => typeof value === type)) return sorted(values);
    throw new InvalidExpression(
      "$sort needs a function that compares two values, unless all are texts or all are numbers",
    );
  }
  const compare = withDeadline("sort", isBehind);
  let runs = values.map((value) => [value]);
  while (runs.length > 1) {
    const merged: unknown[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await mergedRuns(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0];
}

function sorted(values: readonly unknown[]): readonly unknown[] {
  return values.toSorted((left, right) => {
    const [first, second] = [left as string, right as string];
    return first > second ? 1 : second > first ? -1 : 0;
  });
}

async function mergedRuns(left: readonly unknown[], right: readonly unknown[], isBehind: Callback): Promise<unknown[]> {
  const merged: unknown[] = [];
  let [from, to] = [0, 0];
  while (from < left.length && to < right.length) {
    if (await isBehind(left[from], right[to])) merged.push(right[to++]);
    else merged.push(left[from++]);
  }
  return merged.concat(left.slice(from), right.slice(to));
}

/** Spreads the items of a list one by one: the package copies all of them for each. */
function boundedSpread(packaged: NativeFunction): NativeFunction {
  return function spread(this: unknown, value: unknown): unknown {
    if (!Array.isArray(value) || value.length === 0) return (packaged as Call).call(this, value);
    const spreadItems: unknown[] = [];
    for (const item of value) {
      const parts = spread.call(this, item);
      for (const part of Array.isArray(parts) ? parts : [parts]) if (part !== undefined) spreadItems.push(part);
      refuseItems(spreadItems.length);
    }
    return spreadItems;
  };
}

function boundedSift(packaged: NativeFunction): NativeFunction {
  return function (this: unknown, ...values: readonly unknown[]) {
    const [value] = values;
    if (typeof value === "object" && value !== null) refuseItems(Object.keys(value).length);
    return (packaged as Call).call(this, ...values);
  };
}

/** Refuses a list of more items than an evaluation may make. */
export function refuseItems(items: number): void {
  if (items <= LIMITS.items) return;
  throw new InvalidExpression(`it makes a list of more than ${LIMITS.items} items`);
}

function timedReduce(packaged: NativeFunction): NativeFunction {
  return function (this: unknown, list: unknown, reducer: Callback, ...rest: readonly unknown[]) {
    return (packaged as Call).call(this, list, withDeadline("reduce", reducer), ...rest);
  } as NativeFunction;
}

/** The function, which refuses calls after the time of an evaluation: calls of the package's own functions are no steps. */
function withDeadline(name: string, callback: Callback): Callback {
  const isOver = timeLimit(LIMITS.milliseconds);
  const timed: Callback = async (...values) => {
    if (isOver()) throw new InvalidExpression(`$${name} takes too long`);
    return callback(...values);
  };
  if (callback.arity !== undefined) timed.arity = callback.arity;
  return timed;
}

/** Texts of a picture or number that take little time. */
const LONG_PICTURE = 100;

const CALL = new Script("call()");

/** A function of the package that is stopped after a while if it has a picture, and a text that is longer than so many characters. */
function stoppable(name: string, packaged: NativeFunction, most: number): NativeFunction {
  return function (this: unknown, ...values: readonly unknown[]) {
    const call = () => (packaged as Call).call(this, ...values);
    const texts = values.filter((value) => typeof value === "string");
    if (values[1] === undefined || texts.every(({ length }) => length <= most)) return call();
    const context = searchContext();
    Object.assign(context, { call });
    return stopped((timeout) => CALL.runInContext(context, { timeout }), `$${name} takes too long`);
  };
}

/** Runs a script; throws {@link InvalidExpression} with the message if it is stopped. */
function stopped(run: (timeout: number) => unknown, message: string): unknown {
  const ended = runWithin(STEP_MILLISECONDS, run);
  if (ended === undefined) throw new InvalidExpression(message);
  return ended.result;
}

/** Whether a value is a function of the package, which is an object that leads to everything that it sees. */
export function isFunction(value: object): boolean {
  return "_jsonata_lambda" in value || "_jsonata_function" in value;
}

/** The sizes of values as texts. A value that holds another one twice, and so on, is small in memory and endless as a text. */
export class Sizes {
  readonly #known = new WeakMap<object, number>();

  of(value: unknown): number {
    if (typeof value === "string") return value.length + 1;
    if (typeof value !== "object" || value === null) return 1;
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const parts: readonly unknown[] = isFunction(value) ? [] : Array.isArray(value) ? value : Object.values(value);
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

/** Processor time after which a single step is stopped. */
const STEP_MILLISECONDS = 250;

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
    if (this.#milliseconds <= 0) throw new InvalidExpression(this.#refusal);
    this.#expression.lastIndex = this.lastIndex;
    const context = searchContext();
    Object.assign(context, { expression: this.#expression, text });
    const start = processorTime();
    try {
      const run = (timeout: number) => SEARCH.runInContext(context, { timeout });
      return stopped(run, this.#refusal) as RegExpExecArray | null;
    } finally {
      this.#milliseconds -= processorTime() - start;
      this.lastIndex = this.#expression.lastIndex;
    }
  }

  get #refusal(): string {
    return `the search for /${this.#expression.source}/ takes too long`;
  }
}
