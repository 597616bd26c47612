/**
 * Ruby's regular expressions, which the service searches with, in JavaScript's words. What would not mean the same is not
 * translated: a test that needs it cannot be decided here, which is better than deciding it wrongly.
 */

import { type Context, createContext, runInContext } from "node:vm";

/** The service stops a search after so long, and then nothing is found. */
const LIMIT_MILLISECONDS = 100;

/** What a search came to; `undefined` with the reason when it cannot be told what the service would find. */
export type Found = { readonly found: boolean } | { readonly found: undefined; readonly why: string };

/** A machine that is busy with other things stops a search as well: only one that never ends is stopped every time. */
const TRIES = 3;

let searching: Context | undefined;

/** What searches came to, by expression and text: whoever asks again is told the same, however busy the machine is by then. */
const known = new Map<string, Found>();

/** So many are remembered; then it begins anew. */
const MOST_KNOWN = 100_000;

/** Searches a text, anywhere in it, for a Ruby expression. */
export function search(expression: string, text: string): Found {
  const asked = JSON.stringify([expression, text]);
  const found = known.get(asked) ?? searched(expression, text);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(asked, found);
  return found;
}

function searched(expression: string, text: string): Found {
  const pattern = translated(expression);
  if (pattern === undefined) return { found: undefined, why: "this regular expression is Ruby's alone" };
  // Only a script in a context of its own can be stopped in the middle of a search.
  searching ??= createContext({});
  Object.assign(searching, { source: pattern.source, flags: pattern.flags, text });
  for (let tried = 0; tried < TRIES; tried += 1) {
    const found = searchedIn(searching);
    if (found !== undefined) return { found };
  }
  return { found: undefined, why: "searching for this regular expression takes longer than 0.1 s" };
}

/** What a search comes to; undefined when it was stopped. */
function searchedIn(context: Context): boolean | undefined {
  try {
    return runInContext("new RegExp(source, flags).test(text)", context, { timeout: LIMIT_MILLISECONDS }) === true;
  } catch (error) {
    // The error belongs to the other context, so its class is not the one of this name here.
    if ((error as Partial<NodeJS.ErrnoException>)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  }
}

/** The expression for JavaScript; undefined when JavaScript cannot mean the same, or when it is no expression. */
export function translated(expression: string): RegExp | undefined {
  const [leading = "", options = ""] = /^\(\?([im]+)\)/.exec(expression) ?? [];
  try {
    const source = new Translation(expression.slice(leading.length), options.includes("m")).source();
    return new RegExp(source, options.includes("i") ? "iu" : "u");
  } catch (error) {
    if (error instanceof Untranslatable || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Ends a translation: there are no words for it. */
class Untranslatable extends Error {}

const START = "(?<![\\s\\S])";
const END = "(?![\\s\\S])";
/** A character of a word, as word boundaries see it: in every script, though \w itself knows only ASCII. */
const WORD = "[\\p{L}\\p{M}\\p{N}\\p{Pc}]";

/** Escapes outside brackets that JavaScript writes otherwise, or would read otherwise in another mode. */
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["A", START],
  ["z", END],
  ["Z", `(?=\\n?${END})`],
  ["b", `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`],
  ["B", `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`],
  ["d", "[0-9]"],
  ["D", "[^0-9]"],
  ["w", "[A-Za-z0-9_]"],
  ["W", "[^A-Za-z0-9_]"],
  ["s", "[ \\t-\\r]"],
  ["S", "[^ \\t-\\r]"],
  ["h", "[0-9a-fA-F]"],
  ["H", "[^0-9a-fA-F]"],
]);

/** The same inside brackets. */
const CLASS_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["b", "\\x08"],
  ["d", "0-9"],
  ["D", "\\D"],
  ["w", "A-Za-z0-9_"],
  ["W", "\\W"],
  ["s", " \\t-\\r"],
  ["S", "\\0-\\x08\\x0e-\\x1f!-\\u{10ffff}"],
  ["h", "0-9a-fA-F"],
]);

/** Escapes of single characters, the same inside and outside brackets. */
const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ["n", "\\n"],
  ["t", "\\t"],
  ["r", "\\r"],
  ["f", "\\f"],
  ["v", "\\v"],
  ["a", "\\x07"],
  ["e", "\\x1b"],
]);

/** Bracket expressions by name, as members of a set. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ["alpha", "\\p{Alphabetic}"],
  ["digit", "\\p{Nd}"],
  ["alnum", "\\p{Alphabetic}\\p{Nd}"],
  ["upper", "\\p{Uppercase}"],
  ["lower", "\\p{Lowercase}"],
  ["space", "\\p{White_Space}"],
  ["punct", "\\p{P}$+<=>^`|~"],
  ["xdigit", "0-9A-Fa-f"],
]);

/** Reads an expression from left to right and writes it again. */
class Translation {
  #rest: string;
  /** Whether the dot means line ends too. */
  readonly #dotAll: boolean;

  constructor(expression: string, dotAll: boolean) {
    this.#rest = expression;
    this.#dotAll = dotAll;
  }

  source(): string {
    let written = "";
    while (this.#rest !== "") written += this.#next();
    return written;
  }

  #next(): string {
    const group = this.#take(/^\(\?(?::|=|!|<=|<!|<[a-z]\w*>)/);
    if (group !== undefined) return group.startsWith("(?<") && group.endsWith(">") ? "(" : group;
    if (this.#take(/^\(\?#[^)\\]*\)/) !== undefined) return "";
    // Other groups: options in the middle, atomic groups, absence, conditions.
    if (this.#rest.startsWith("(?")) throw new Untranslatable();
    const counted = this.#take(/^\{\d*,?\d*\}/);
    if (counted !== undefined && /\d/.test(counted)) return this.#repetition(counted);
    if (counted !== undefined) return counted.replace(/[{}]/g, "\\$&");
    const [character = ""] = this.#rest;
    this.#rest = this.#rest.slice(character.length);
    switch (character) {
      case "\\":
        return this.#escape(ESCAPES);
      case "[":
        return this.#set();
      case ".":
        return this.#dotAll ? "[\\s\\S]" : "[^\\n]";
      case "^":
        // A line begins after a line end, but not where the text ends with it.
        return "(?:(?<![\\s\\S])|(?<=\\n)(?=[\\s\\S]))";
      case "$":
        return "(?=\\n|(?![\\s\\S]))";
      case "{":
      case "}":
      case "]":
        return `\\${character}`;
      default:
        return character;
    }
  }

  #repetition(counted: string): string {
    // Behind a fixed number a question mark makes it all optional, which JavaScript reads as reluctant.
    if (/^\{\d+\}$/.test(counted) && this.#rest.startsWith("?")) throw new Untranslatable();
    return counted.replace("{,", "{0,");
  }

  #escape(known: ReadonlyMap<string, string>): string {
    const point = this.#take(/^(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]{1,6}\})/);
    if (point !== undefined) return `\\${point}`;
    const property = this.#take(/^[pP]\{(?:L|Lu|Ll|M|N|Nd|P|S|Z)\}/);
    if (property !== undefined) return `\\${property}`;
    const [character = ""] = this.#rest;
    this.#rest = this.#rest.slice(character.length);
    const written = known.get(character) ?? CHARACTERS.get(character);
    if (written !== undefined) return written;
    // What is left are references to groups, and letters that one of the two languages reads in a way of its own.
    if (character === "" || /[A-Za-z0-9]/.test(character)) throw new Untranslatable();
    return literal(character);
  }

  /** A set in brackets; sets within sets and their intersections are Ruby's alone. */
  #set(): string {
    let written = this.#take(/^\^/) === undefined ? "[" : "[^";
    if (this.#rest.startsWith("]")) throw new Untranslatable();
    /** Whether a hyphen would now be read as the middle of a range that nobody meant. */
    let closed = true;
    while (!this.#rest.startsWith("]")) {
      const named = this.#take(/^\[:[a-z]+:\]/);
      if (named !== undefined) {
        const members = NAMED.get(named.slice(2, -2));
        if (members === undefined) throw new Untranslatable();
        written += members;
        closed = true;
        continue;
      }
      const shorthand = /^\\[dDwWsSh]/.test(this.#rest);
      const lone: boolean = this.#rest.startsWith("-") && (closed || /^-(?:\]|\\[dDwWsSh]|\[:)/.test(this.#rest));
      if (this.#rest === "" || this.#rest.startsWith("[") || this.#rest.startsWith("&&")) throw new Untranslatable();
      const [character = ""] = this.#rest;
      this.#rest = this.#rest.slice(character.length);
      if (character === "\\") written += this.#escape(CLASS_ESCAPES);
      else written += lone ? "\\-" : character === "-" ? "-" : literal(character);
      closed = shorthand || lone;
    }
    this.#rest = this.#rest.slice(1);
    return `${written}]`;
  }

  #take(pattern: RegExp): string | undefined {
    const [taken] = pattern.exec(this.#rest) ?? [];
    if (taken !== undefined) this.#rest = this.#rest.slice(taken.length);
    return taken;
  }
}

/** The character itself, wherever it stands. */
function literal(character: string): string {
  if (/[$()*+./?[\\\]^{|}-]/.test(character))
    return `\\x${(character.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}`;
  return character;
}
