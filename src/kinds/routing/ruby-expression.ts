/**
 * Ruby regular expressions, which the service uses, translated to JavaScript. An expression that JavaScript cannot express with the same
 * meaning is not translated, and a test that needs it stays undecided.
 */

/** Whether the text matches; undefined, with the reason, if the result of the service is unknown. */
export type SearchResult =
  | { readonly isFound: boolean; readonly why?: never }
  | { readonly isFound: undefined; readonly why: string };

/**
 * Most characters of an expression, before and after its translation, and most Unicode properties in the translation: each is a set of
 * hundreds of ranges. The compilation cannot be stopped; at these limits it takes a few tenths of a second.
 */
const MAX_LENGTH = 20_000;
const MAX_PROPERTIES = 800;

const NO_EQUIVALENT = "JavaScript has no equivalent of this Ruby regular expression";
/** The reason for which an expression is not compiled. */
export const TOO_LARGE: string = "this regular expression is too large to be evaluated offline";

/** The expression for JavaScript. Throws {@link Untranslatable} if it has no equivalent, is invalid or is too large. */
export function translate(expression: string): { readonly source: string; readonly flags: string } {
  if (expression.length > MAX_LENGTH) throw new Untranslatable(TOO_LARGE);
  const [leading = "", options = ""] = /^\(\?([im]+)\)/.exec(expression) ?? [];
  const source = new RubyTranslator(expression.slice(leading.length), options.includes("m")).source();
  const properties = source.split("\\p{").length + source.split("\\P{").length - 2;
  if (source.length > MAX_LENGTH || properties > MAX_PROPERTIES) throw new Untranslatable(TOO_LARGE);
  const flags = options.includes("i") ? "iu" : "u";
  try {
    new RegExp(source, flags);
  } catch (error) {
    if (error instanceof SyntaxError) throw new Untranslatable();
    throw error;
  }
  return { source, flags };
}

/** Ends the translation of an expression that is not evaluated; the message is the reason. */
export class Untranslatable extends Error {
  constructor(why: string = NO_EQUIVALENT) {
    super(why);
    this.name = "Untranslatable";
  }
}

/** The error for a construct without an equivalent, and what has the same effect, if there is such a thing. */
function noEquivalent(construct: string, instead?: string): Untranslatable {
  return new Untranslatable(`${NO_EQUIVALENT}: ${construct}${instead === undefined ? "" : `; ${instead}`}`);
}

/** The error for a group without an equivalent: options in the middle, atomic groups, absence operators, conditionals. */
function unknownGroup(rest: string): Untranslatable {
  const [options] = /^\(\?[a-z-]+[:)]/.exec(rest) ?? [];
  if (options !== undefined) return noEquivalent(options, "write (?i) or (?m) at the beginning of the expression");
  if (rest.startsWith("(?>")) return noEquivalent("the atomic group (?>…)", "write (?:…)");
  return noEquivalent(`the group ${rest.slice(0, 3)}…)`);
}

const START = "(?<![\\s\\S])";
const END = "(?![\\s\\S])";
/** A word character for word boundaries, in every script, although `\w` matches only ASCII. */
const WORD = "[\\p{L}\\p{M}\\p{N}\\p{Pc}]";

/** Escapes outside brackets that JavaScript writes or reads differently. */
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

/** Such escapes inside brackets. */
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

/** Escapes of single characters, inside and outside brackets. */
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

/** Translates an expression from left to right. */
class RubyTranslator {
  #rest: string;
  /** Whether the dot matches line ends. */
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
    // Other groups have no equivalent: options in the middle, atomic groups, absence operators, conditionals.
    if (this.#rest.startsWith("(?")) throw unknownGroup(this.#rest);
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
        // Start of a line, but not after a final line end.
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
    // In Ruby `{n}?` is optional; in JavaScript it is lazy.
    if (/^\{\d+\}$/.test(counted) && this.#rest.startsWith("?")) {
      throw noEquivalent(`${counted}?`, `write (?:…${counted})?`);
    }
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
    // References to groups, and letters that the two languages read differently.
    if (/[pP]/.test(character)) throw noEquivalent(`the property \\${character}`, "write the characters in brackets");
    if (/[1-9k]/.test(character)) throw noEquivalent(`the reference \\${character} to a group`);
    if (character === "" || /[A-Za-z0-9]/.test(character)) throw noEquivalent(`the escape \\${character}`);
    return literal(character);
  }

  /** A set in brackets. Nested sets and intersections have no equivalent. */
  #set(): string {
    let written = this.#take(/^\^/) === undefined ? "[" : "[^";
    if (this.#rest.startsWith("]")) throw noEquivalent("empty brackets", "write \\] for the character");
    /** Whether a hyphen is literal here, because nothing before it can start a range. */
    let closed = true;
    while (!this.#rest.startsWith("]")) {
      const named = this.#take(/^\[:[a-z]+:\]/);
      if (named !== undefined) {
        const members = NAMED.get(named.slice(2, -2));
        if (members === undefined) throw noEquivalent(named, "write the characters");
        written += members;
        closed = true;
        continue;
      }
      const shorthand = /^\\[dDwWsSh]/.test(this.#rest);
      const lone: boolean = this.#rest.startsWith("-") && (closed || /^-(?:\]|\\[dDwWsSh]|\[:)/.test(this.#rest));
      if (this.#rest === "") throw noEquivalent("brackets that are not closed");
      if (/^(?:\[|&&)/.test(this.#rest)) throw noEquivalent("brackets in brackets", "write all characters in one pair");
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

/** The character, escaped for use anywhere in an expression. */
function literal(character: string): string {
  if (/[$()*+./?[\\\]^{|}-]/.test(character))
    return `\\x${(character.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}`;
  return character;
}
