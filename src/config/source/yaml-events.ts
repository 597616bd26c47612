/**
 * The fast way from YAML text to a tree with places, for what most files are written in. What it does not
 * take, because it is rare, not allowed, or read differently by others, is left to `yaml.ts`, which also knows what to say of it.
 */

import { bare, type Fields, isFields, type Json } from "../../core/json.ts";
import { hasSubstitution } from "../resolve/substitution.ts";
import { BEHIND, COMPOUND, END, PLAIN, quickNode, SINGLE } from "./lazy-nodes.ts";
import type { Limits } from "./limits.ts";
import { isAsWritten, isScalar, type Marks, marksOf, SORT, scalarText, sortOf } from "./marks.ts";
import { cutOut, isForPeople, isOdd, keyFlaw, NOT_TEXT, textFlaw } from "./text.ts";
import type { Node } from "./tree.ts";

/**
 * The tree of a text, as `yaml.ts` reads it; undefined when that one has to be asked. The end of
 * what is written over several lines lies on a later line than its start, and nowhere in particular there. `known` holds texts
 * that recur from entry to entry and from file to file, so that each of them is there once.
 */
export function quickTree(text: string, limits: Limits, known: Map<string, string> = new Map()): Node | undefined {
  const marks = marksOf(text);
  if (marks === undefined) return undefined;
  try {
    return new Reading(text, marks, limits, known).document();
  } catch (error) {
    // Whatever goes wrong is about this text, and the other one says it with its place.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** Ends the reading: the text holds something that is left to the other reader. */
class Elsewhere extends Error {}

/** What the other parser allows of a key is a little more. */
const LONGEST_KEY = 1000;
const WHOLE = /^[-+]?\d{1,15}$/;
const DECIMAL = /^[-+]?\d+\.\d+$/;
const WORDS: ReadonlyMap<string, null | boolean> = new Map<string, null | boolean>([
  ["~", null],
  ["null", null],
  ["Null", null],
  ["NULL", null],
  ["true", true],
  ["True", true],
  ["TRUE", true],
  ["false", false],
  ["False", false],
  ["FALSE", false],
]);

class Reading {
  readonly #text: string;
  readonly #limits: Limits;
  readonly #marks: Marks;
  /** Each key once: most of them stand in every entry. */
  readonly #keys = new Map<string, string>();
  readonly #known: Map<string, string>;
  /** Where what was read stands, as in `quick-tree.ts`: two numbers for a key or a single value, four for what two events enclose. */
  readonly #numbers: Int32Array;
  #noted = 0;
  #next = 1;
  /** Behind what was read last. */
  #end = 0;
  /** The next question mark from there on. */
  #question = -1;
  #values = 0;
  /** How many values so far need more than being read. */
  #special = 0;
  #depth = 0;

  constructor(text: string, marks: Marks, limits: Limits, known: Map<string, string>) {
    this.#text = text;
    this.#limits = limits;
    this.#known = known;
    this.#marks = marks;
    this.#numbers = new Int32Array(marks[0] ?? 0);
  }

  document(): Node {
    const value = this.#read(this.#take(), "");
    if (this.#next < this.#marks.length) throw new Elsewhere();
    if (!isFields(value)) throw new Elsewhere();
    return quickNode(value, this.#numbers, 0);
  }

  #take(): number {
    const mark = this.#marks[this.#next];
    if (mark === undefined) throw new Elsewhere();
    this.#next += 1;
    return mark;
  }

  /** A value; `name` is the key that holds it, or the list that it is in. */
  #read(mark: number, name: string): Json {
    if (isScalar(mark)) return this.#scalar(mark, name);
    if (mark === SORT.end) throw new Elsewhere();
    this.#depth += 1;
    // One less than is allowed: the other reader tells where it is too deep.
    if (this.#depth >= this.#limits.depth) throw new Elsewhere();
    const start = this.#take();
    const isFlow = mark === SORT.flowMap || mark === SORT.flowList;
    const opening = this.#text[start];
    // A pair in a list has no brace of its own.
    if (isFlow && opening !== "{" && opening !== "[") throw new Elsewhere();
    this.#end = isFlow ? start + 1 : start;
    const [at, special] = [this.#noted, this.#special];
    this.#noted += COMPOUND;
    const value = mark <= SORT.flowMap ? this.#members() : this.#items(name);
    const numbers = this.#numbers;
    numbers[at] = start;
    numbers[at + END] = this.#close(isFlow);
    numbers[at + BEHIND] = this.#noted;
    numbers[at + PLAIN] = this.#special === special ? 1 : 0;
    this.#depth -= 1;
    return value;
  }

  #items(name: string): readonly Json[] {
    const items: Json[] = [];
    for (let mark = this.#take(); mark !== SORT.end; mark = this.#take()) {
      items.push(this.#read(mark, name));
    }
    // What was pushed to has room for more.
    return items.slice();
  }

  #members(): Fields {
    const fields = bare();
    let count = 0;
    for (let mark = this.#take(); mark !== SORT.end; mark = this.#take()) {
      if (!isScalar(mark) || count === this.#limits.keys) throw new Elsewhere();
      // The other reader counts a key before it knows that it is one.
      if (this.#values >= this.#limits.values) throw new Elsewhere();
      const valueStart = this.#take();
      const valueEnd = this.#take();
      const start = this.#start(mark, valueStart);
      const end = behind(mark, valueEnd);
      // A question mark before a key announces one of any sort, and its value may be left out.
      if (this.#isAsked(start) || end - start > LONGEST_KEY) throw new Elsewhere();
      if (!isAsWritten(mark) && this.#text.slice(start, end).includes("\n")) throw new Elsewhere();
      const key = this.#key(scalarText(this.#text, mark, valueStart, valueEnd));
      this.#note(start, end);
      const value = this.#read(this.#take(), key);
      if (key in fields) throw new Elsewhere();
      fields[key] = value;
      count += 1;
    }
    return fields;
  }

  #note(start: number, end: number): void {
    this.#numbers[this.#noted] = start;
    this.#numbers[this.#noted + END] = end;
    this.#noted += SINGLE;
    this.#end = end;
  }

  #key(written: string): string {
    const known = this.#keys.get(written);
    if (known !== undefined) return known;
    if (written === "" || written === "<<" || NOT_TEXT.test(written)) throw new Elsewhere();
    if (keyFlaw(written) !== undefined || written.normalize("NFC") !== written) throw new Elsewhere();
    const key = cutOut(written);
    this.#keys.set(key, key);
    return key;
  }

  /** Whether a question mark stands before an offset, and in no comment. */
  #isAsked(limit: number): boolean {
    if (this.#question < this.#end) {
      const next = this.#text.indexOf("?", this.#end);
      this.#question = next < 0 ? this.#text.length : next;
    }
    return this.#question < limit && this.#ahead(limit, QUESTION) < limit;
  }

  #scalar(mark: number, name: string): Json {
    const valueStart = this.#take();
    const valueEnd = this.#take();
    this.#note(this.#start(mark, valueStart), behind(mark, valueEnd));
    this.#values += 1;
    if (this.#values > this.#limits.values) throw new Elsewhere();
    const text = scalarText(this.#text, mark, valueStart, valueEnd);
    return sortOf(mark) === SORT.plain ? this.#plain(text, name) : this.#quoted(text, name);
  }

  /** What stands without quotes. What is no name or sentence recurs, and need not be looked at twice. */
  #plain(text: string, name: string): Json {
    const recurring = !isForPeople(name);
    const known = recurring ? this.#known.get(text) : undefined;
    if (known !== undefined) return known;
    const value = plain(text);
    if (typeof value === "number" && isOdd(value, text)) this.#special += 1;
    if (typeof value !== "string") return value;
    const special = this.#special;
    const own = this.#quoted(value, name);
    if (recurring && this.#special === special) this.#known.set(own, own);
    return own;
  }

  #quoted(text: string, name: string): string {
    if (textFlaw(text, name) !== undefined) throw new Elsewhere();
    if (hasSubstitution(text)) this.#special += 1;
    return cutOut(text);
  }

  /** Where a scalar begins: with its quotes, or with the line that announces a block. */
  #start(mark: number, valueStart: number): number {
    const sort = sortOf(mark);
    if (sort === SORT.plain) return valueStart;
    return isQuoted(sort) ? valueStart - 1 : this.#header(valueStart);
  }

  /** Where the announcement of a block begins; one that states more than `-` is left to the other reader. */
  #header(limit: number): number {
    const start = this.#ahead(limit, BLOCK);
    if (/[\d+]/.test(this.#text.slice(start + 1, start + 3))) throw new Elsewhere();
    return start;
  }

  /** Behind a collection: its bracket, or the end of its last line. */
  #close(isFlow: boolean): number {
    const { length } = this.#text;
    // A block of text ends behind its last line already.
    const line = isFlow ? this.#ahead(length, CLOSING) + 1 : this.#text.indexOf("\n", this.#end - 1);
    this.#end = line < 0 ? length : line;
    return this.#end;
  }

  /** The next of some characters that is not in a comment; the limit when there is none before it. */
  #ahead(limit: number, wanted: ReadonlySet<number>): number {
    for (let at = this.#end; at < limit; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (wanted.has(code)) return at;
      if (code !== HASH) continue;
      const end = this.#text.indexOf("\n", at);
      at = end < 0 ? limit : end;
    }
    return limit;
  }
}

/** Where a scalar ends, with its quotes. */
function behind(mark: number, valueEnd: number): number {
  return isQuoted(sortOf(mark)) ? valueEnd + 1 : valueEnd;
}

function isQuoted(sort: number): boolean {
  return sort === SORT.single || sort === SORT.double;
}

const HASH = 0x23;
const QUESTION: ReadonlySet<number> = new Set([0x3f]);
const BLOCK: ReadonlySet<number> = new Set([0x7c, 0x3e]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** What an unquoted text means: only in the spellings that leave no doubt. */
function plain(text: string): null | boolean | number | string {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  const first = text.charCodeAt(0);
  if (first > 0x39 || first < 0x2b) return text;
  if (WHOLE.test(text)) return Number.parseInt(text, 10);
  if (DECIMAL.test(text)) {
    const value = Number(text);
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new Elsewhere();
    return value;
  }
  if (NOT_TEXT.test(text)) throw new Elsewhere();
  return text;
}
