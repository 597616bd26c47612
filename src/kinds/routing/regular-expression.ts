/** The search for a Ruby regular expression in a text, which can be stopped. */

import { type Context, createContext, runInContext } from "node:vm";
import { processorTime, runWithin } from "../../core/clock.ts";
import { type SearchResult, TOO_LARGE, translate, Untranslatable } from "./ruby-expression.ts";

/** Time after which the service stops a search without a match. */
const LIMIT_MILLISECONDS = 100;

/** Attempts before a search counts as too slow: the first ones may only compile the expression. */
const ATTEMPTS = 3;

let searching: Context | undefined;

/** Results by expression and text, so that the same search always has the same result, however busy the machine is. */
const known = new Map<string, SearchResult>();

/** Characters of expressions and texts to keep before the map is cleared. */
const MAX_KNOWN = 10_000_000;
let knownLength = 0;

/** Whether {@link searchTogether} is at work. */
let isTogether = false;

/** Compiled expressions, or why there is none. */
const compiled = new Map<string, RegExp | string>();

/** Milliseconds of a processor that the searches of one piece of work have taken one by one, by expression. */
export type SearchTimes = Map<string, number>;
/** Milliseconds after which that work does not search for an expression any more. */
const MAX_SPENT = 5000;
/** The times of the work that is done; undefined while no work limits them. */
let spent: SearchTimes | undefined;
const TOO_SLOW: SearchResult = {
  isFound: undefined,
  why: "the searches for this regular expression take too long",
};

/** Does work whose searches for one expression take a limited time altogether: those after it are undecided. */
export function searchWithin<Result>(times: SearchTimes, work: () => Result): Result {
  spent = times;
  try {
    return work();
  } finally {
    spent = undefined;
  }
}

function isUsedUp(expression: string): boolean {
  return (spent?.get(expression) ?? 0) > MAX_SPENT;
}

/**
 * Does work in which many texts are searched, and stops it when all its searches together take longer than a single one may. Then the
 * result is undefined: the same work is to be done in smaller parts, or search by search. So no search needs a limit of its own.
 */
export function searchTogether<Result>(work: () => Result): { readonly result: Result } | undefined {
  const done: Result[] = [];
  searching ??= createContext({});
  Object.assign(searching, { work: () => void done.push(work()) });
  isTogether = true;
  try {
    runInContext("work()", searching, { timeout: LIMIT_MILLISECONDS });
    const [result] = done;
    return result === undefined ? undefined : { result };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  } finally {
    isTogether = false;
  }
}

function searchDirectly(expression: string, text: string): SearchResult {
  if (isUsedUp(expression)) return TOO_SLOW;
  const known = compiled.get(expression);
  try {
    if (typeof known === "string") return { isFound: undefined, why: known };
    if (known !== undefined) return { isFound: known.test(text) };
    const { source, flags } = translate(expression);
    const made = new RegExp(source, flags);
    const isFound = made.test(text);
    compiled.set(expression, made);
    return { isFound };
  } catch (error) {
    const { name, message } = error as Error;
    if (name === "SyntaxError" || name === "RangeError") compiled.set(expression, TOO_LARGE);
    else if (error instanceof Untranslatable) compiled.set(expression, message);
    else throw error;
    return searchDirectly(expression, text);
  }
}

/** Searches a text for a Ruby expression. */
export function search(expression: string, text: string): SearchResult {
  if (isTogether) return searchDirectly(expression, text);
  const key = JSON.stringify([expression, text]);
  const earlier = known.get(key);
  if (earlier !== undefined) return earlier;
  if (isUsedUp(expression)) return TOO_SLOW;
  if (knownLength + key.length > MAX_KNOWN) {
    known.clear();
    knownLength = 0;
  }
  const result = runSearch(expression, text);
  known.set(key, result);
  knownLength += key.length;
  return result;
}

function runSearch(expression: string, text: string): SearchResult {
  const since = processorTime();
  try {
    const { source, flags } = translate(expression);
    // Only a script in its own context can be stopped during a search.
    searching ??= createContext({});
    const context = Object.assign(searching, { source, flags, text });
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const ended = runWithin(LIMIT_MILLISECONDS, (timeout) => isFoundIn(context, timeout));
      if (ended !== undefined) return { isFound: ended.result };
    }
  } catch (error) {
    if (error instanceof Untranslatable) return { isFound: undefined, why: error.message };
    throw error;
  } finally {
    spent?.set(expression, (spent.get(expression) ?? 0) + processorTime() - since);
  }
  return { isFound: undefined, why: "the search for this regular expression takes longer than 0.1 s" };
}

function isFoundIn(context: Context, timeout: number): boolean {
  try {
    return runInContext("new RegExp(source, flags).test(text)", context, { timeout }) === true;
  } catch (error) {
    // `instanceof` fails for an error of another context.
    const { name } = error as Error;
    // Some expressions are found to be too large only when they are compiled, which is at the first search.
    if (name === "SyntaxError" || name === "RangeError") throw new Untranslatable(TOO_LARGE);
    throw error;
  }
}
