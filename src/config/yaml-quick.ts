/**
 * The fast way from YAML text to a tree with places, for what most files are written in. What it does not take, because it
 * is rare, not allowed, or read differently by others, is left to `yaml.ts`, which also knows what to say of it.
 */

import { BREAK, Cursor, HASH, RETURN } from "./cursor.ts";
import { Elsewhere } from "./elsewhere.ts";
import type { Limits } from "./limits.ts";
import { furtherEnd, isBracket, plain, plainEnd } from "./plain.ts";
import { closingQuote, unquoted } from "./quoted.ts";
import { keyFlaw, NOT_TEXT, textFlaw } from "./text.ts";
import { textBlock } from "./text-block.ts";
import type { Member, Node } from "./tree.ts";

/**
 * The tree of a text, as `yaml.ts` reads it; undefined when that one has to be asked. The end of
 * what is written over several lines lies on a later line than its start, and nowhere in particular there.
 */
export function quickTree(text: string, limits: Limits): Node | undefined {
  try {
    return new Reading(text, limits).document();
  } catch (error) {
    if (error instanceof Elsewhere) return undefined;
    throw error;
  }
}

/** What the other parser allows of a key is a little more. */
const LONGEST_KEY = 1000;
/** How many keys are remembered. */
const KEYS = 256;

const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const COMMA = 0x2c;
const HYPHEN = 0x2d;
const COLON = 0x3a;
const GREATER = 0x3e;
const LIST = 0x5b;
const LIST_END = 0x5d;
const MAP = 0x7b;
const PIPE = 0x7c;
const MAP_END = 0x7d;

/** What makes it necessary to look at every text: marks that nobody sees, and tabs. */
const SUSPECT = /[\t\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

class Reading extends Cursor {
  readonly #limits: Limits;
  readonly #isSuspect: boolean;
  /** Keys that were read, by a few of their characters: most of them stand in every entry. */
  readonly #keys = new Array<string>(KEYS).fill("");
  #values = 0;
  #depth = 0;

  constructor(text: string, limits: Limits) {
    super(text);
    this.#limits = limits;
    this.#isSuspect = SUSPECT.test(text);
  }

  document(): Node {
    this.nextLine();
    if (this.column === 0 && this.text.startsWith("---", this.at)) {
      this.at += 3;
      this.end = this.at;
      this.endLine();
    }
    if (this.column < 0) throw new Elsewhere();
    const root = this.#block(-1, "");
    if (root.type !== "map" || this.column >= 0) throw new Elsewhere();
    return root;
  }

  /** What begins a line or stands behind a hyphen, all of it indented by more than `parent`; `name` is the key above it. */
  #block(parent: number, name: string): Node {
    const start = this.at;
    const code = this.code(start);
    if (code === HYPHEN && this.isSpace(start + 1)) return this.#list(start - this.line, name);
    if (code === LIST || code === MAP) return this.#ended(this.#flow(code, parent, name));
    const isQuoted = code === DOUBLE_QUOTE || code === SINGLE_QUOTE;
    const quoted = isQuoted ? this.#quoted(parent) : undefined;
    if (!isQuoted) this.#plain(start, false);
    const colon = this.behindBlanks(this.at);
    if (this.code(colon) === COLON) return this.#map(start, this.#key(start, this.at, quoted), colon);
    if (quoted === undefined) return this.#plainValue(start, parent, name, false);
    return this.#ended(this.#textual(quoted, name, start, code === DOUBLE_QUOTE));
  }

  /** What goes on in the line of its key or hyphen, or begins below it. */
  #value(parent: number, name: string, isItem: boolean): Node {
    const at = this.behindBlanks(this.at);
    const code = this.code(at);
    if (code === BREAK || code === RETURN || code === HASH) {
      this.endLine();
      if (this.column > parent) return this.#block(parent, name);
      // The hyphens of a list may stand right below its key.
      const isList = !isItem && this.column === parent && this.code(this.at) === HYPHEN;
      if (!isList || !this.isSpace(this.at + 1)) throw new Elsewhere();
      return this.#list(parent, name);
    }
    if (at === this.at) throw new Elsewhere();
    this.at = at;
    if (code === PIPE || code === GREATER) return this.#lines(parent, name, code === GREATER);
    if (isItem) return this.#block(parent, name);
    if (code === LIST || code === MAP) return this.#ended(this.#flow(code, parent, name));
    if (code !== DOUBLE_QUOTE && code !== SINGLE_QUOTE) {
      this.#plain(at, false);
      return this.#plainValue(at, parent, name, false);
    }
    return this.#ended(this.#textual(this.#quoted(parent), name, at, code === DOUBLE_QUOTE));
  }

  #ended(node: Node): Node {
    this.endLine();
    return node;
  }

  #list(column: number, name: string): Node {
    const start = this.at;
    const items: Node[] = [];
    this.#deeper();
    do {
      this.at += 1;
      items.push(this.#value(column, name, true));
    } while (this.#goesOn(column) && this.code(this.at) === HYPHEN && this.isSpace(this.at + 1));
    this.#depth -= 1;
    return { type: "list", items, start, end: this.lastLine() };
  }

  /** A mapping whose first key was read, from the colon behind it. */
  #map(start: number, first: string, colon: number): Node {
    const members = new Map<string, Member>();
    const column = start - this.line;
    this.#deeper();
    let [key, from, end] = [first, start, this.at];
    this.at = colon + 1;
    while (true) {
      if (!this.isSpace(this.at)) throw new Elsewhere();
      this.#add(members, key, from, end, this.#value(column, key, false));
      if (!this.#goesOn(column)) break;
      from = this.at;
      key = this.#nextKey(false);
      end = this.end;
    }
    this.#depth -= 1;
    return { type: "map", members, start, end: this.lastLine() };
  }

  #add(members: Map<string, Member>, key: string, start: number, end: number, value: Node): void {
    if (members.size === this.#limits.keys || members.has(key)) throw new Elsewhere();
    members.set(key, { start, end, value });
  }

  /** Whether the next line belongs to the collection whose parts begin in the column. */
  #goesOn(column: number): boolean {
    if (this.column > column) throw new Elsewhere();
    return this.column === column;
  }

  #deeper(): void {
    this.#depth += 1;
    // One less than is allowed: the other reader tells where it is too deep.
    if (this.#depth >= this.#limits.depth) throw new Elsewhere();
  }

  /** A key and its colon; the key ends at `end`. */
  #nextKey(isFlow: boolean): string {
    const start = this.at;
    const code = this.code(start);
    const isQuoted = code === DOUBLE_QUOTE || code === SINGLE_QUOTE;
    const quoted = isQuoted ? this.#quoted(Number.POSITIVE_INFINITY) : undefined;
    if (!isQuoted) this.#plain(start, isFlow);
    const end = this.at;
    const colon = this.behindBlanks(end);
    if (this.code(colon) !== COLON) throw new Elsewhere();
    this.at = colon + 1;
    this.end = end;
    return this.#key(start, end, quoted);
  }

  #key(start: number, end: number, quoted: string | undefined): string {
    // The other reader counts a key before it knows that it is one.
    if (this.#values >= this.#limits.values) throw new Elsewhere();
    const text = this.text;
    const length = end - start;
    const slot = (31 * length + 7 * text.charCodeAt(start) + text.charCodeAt(end - 1)) % KEYS;
    const known = this.#keys[slot] ?? "";
    if (known.length === length && text.startsWith(known, start)) return known;
    const key = quoted ?? text.slice(start, end);
    if (length > LONGEST_KEY || key === "" || key === "<<" || NOT_TEXT.test(key)) throw new Elsewhere();
    if (keyFlaw(key) !== undefined || key.normalize("NFC") !== key) throw new Elsewhere();
    if (quoted === undefined) this.#keys[slot] = key;
    else if (text.slice(start, end).includes("\n")) throw new Elsewhere();
    return key;
  }

  /** To the end of a text without quotes in its line. */
  #plain(start: number, isFlow: boolean): void {
    this.at = start < this.text.length ? plainEnd(this.text, start, isFlow) : start;
  }

  /** A value without quotes, and what goes on with it in the next lines. */
  #plainValue(start: number, parent: number, name: string, isFlow: boolean): Node {
    let end = this.at;
    let text = this.text.slice(start, end);
    let isLong = false;
    while (this.#continues(parent, isFlow)) {
      const from = this.at;
      const between = this.text.slice(end, from);
      const breaks = between.split("\n").length - 1;
      end = furtherEnd(this.text, from, isFlow);
      if (breaks === 0 || end === from || between.includes("#")) throw new Elsewhere();
      text += (breaks === 1 ? " " : "\n".repeat(breaks - 1)) + this.text.slice(from, end);
      this.at = end;
      isLong = true;
    }
    this.end = end;
    this.#count();
    if (this.#isSuspect && textFlaw(text, name) !== undefined) throw new Elsewhere();
    return { type: "scalar", value: isLong ? text : plain(text), start, end };
  }

  /** Goes to what comes behind a text without quotes, and says whether that is a part of it. */
  #continues(parent: number, isFlow: boolean): boolean {
    if (isFlow) return !isBracket(this.#behindSpace(parent));
    this.endLine();
    return this.column > parent;
  }

  #textual(value: string, name: string, start: number, mayEscape: boolean): Node {
    this.end = this.at;
    this.#count();
    if ((mayEscape || this.#isSuspect) && textFlaw(value, name) !== undefined) throw new Elsewhere();
    return { type: "scalar", value, start, end: this.at };
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > this.#limits.values) throw new Elsewhere();
  }

  /** A block of text, from the mark that announces it. */
  #lines(parent: number, name: string, isFolded: boolean): Node {
    const start = this.at;
    const block = textBlock(this.text, start, parent, isFolded);
    this.#count();
    if (this.#isSuspect && textFlaw(block.value, name) !== undefined) throw new Elsewhere();
    this.end = block.end;
    this.at = block.end;
    this.nextLine();
    if (this.column > parent) throw new Elsewhere();
    return { type: "scalar", value: block.value, start, end: block.end };
  }

  /** What stands in quotes, without them. */
  #quoted(parent: number): string {
    const start = this.at;
    const end = closingQuote(this.text, start);
    this.at = end + 1;
    return unquoted(this.text, start, end, parent);
  }

  /** A list or mapping in brackets; all of its lines are indented by more than `parent`. */
  #flow(opening: number, parent: number, name: string): Node {
    const start = this.at;
    this.#deeper();
    this.at += 1;
    const node =
      opening === MAP
        ? { type: "map" as const, members: this.#flowMembers(parent), start, end: this.at + 1 }
        : { type: "list" as const, items: this.#flowItems(parent, name), start, end: this.at + 1 };
    this.at += 1;
    this.end = this.at;
    this.#depth -= 1;
    return node;
  }

  #flowItems(parent: number, name: string): readonly Node[] {
    const items: Node[] = [];
    let code = this.#behindSpace(parent);
    while (code !== LIST_END) {
      items.push(this.#flowValue(code, parent, name));
      code = this.#separated(LIST_END, parent);
    }
    return items;
  }

  #flowMembers(parent: number): ReadonlyMap<string, Member> {
    const members = new Map<string, Member>();
    let code = this.#behindSpace(parent);
    while (code !== MAP_END) {
      const start = this.at;
      const key = this.#nextKey(true);
      const end = this.end;
      code = this.#behindSpace(parent);
      this.#add(members, key, start, end, this.#flowValue(code, parent, key));
      code = this.#separated(MAP_END, parent);
    }
    return members;
  }

  /** Over the comma behind a part of what is in brackets; the first character of the next part, or the closing bracket. */
  #separated(closing: number, parent: number): number {
    const code = this.#behindSpace(parent);
    if (code === closing) return code;
    if (code !== COMMA) throw new Elsewhere();
    this.at += 1;
    return this.#behindSpace(parent);
  }

  #flowValue(code: number, parent: number, name: string): Node {
    const start = this.at;
    if (code === LIST || code === MAP) return this.#flow(code, parent, name);
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      return this.#textual(this.#quoted(parent), name, start, code === DOUBLE_QUOTE);
    }
    this.#plain(start, true);
    return this.#plainValue(start, parent, name, true);
  }

  /** Over blanks, comments and the ends of lines within brackets, to the character behind them. */
  #behindSpace(parent: number): number {
    const at = this.behindBlanks(this.at);
    const code = this.code(at);
    if (code === BREAK || code === RETURN || code === HASH) {
      this.endLine();
      if (this.column <= parent) throw new Elsewhere();
      return this.code(this.at);
    }
    this.at = at;
    return code;
  }
}
