/**
 * The door of js-yaml: the fast way from YAML text to a tree with places, for what most files are written in. What it does not
 * take, because it is rare, not allowed, or read differently by others, is left to `yaml.ts`, which also knows what to say of it.
 */

import { COLLECTION_STYLE, EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE } from "js-yaml";
import type { Limits } from "./limits.ts";
import { keyFlaw, NOT_TEXT, textFlaw } from "./text.ts";
import type { ListNode, MapNode, Member, Node, Span } from "./tree.ts";

/**
 * The tree of a text, as `yaml.ts` reads it; undefined when that one has to be asked. The end of
 * what is written over several lines lies on a later line than its start, and nowhere in particular there.
 */
export function quickTree(text: string, limits: Limits): Node | undefined {
  try {
    return UNSURE.test(text) ? undefined : new Reading(text, limits).document();
  } catch (error) {
    // Whatever a parser throws is about this text, and the other one says it with its place.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/**
 * A tab where a line begins, which is an indentation to one reader and a blank to another; directives; the end of a document; the
 * mark of its beginning behind blanks, which is none.
 */
const UNSURE = /^(?: *\t|%|\.\.\.| +---(?:\s|$))/m;

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

type Scalar = Extract<Event, { type: typeof EVENT_ID.SCALAR }>;

class Reading {
  readonly #text: string;
  readonly #limits: Limits;
  readonly #events: readonly Event[];
  /** Each key once: most of them stand in every entry. */
  readonly #keys = new Map<string, string>();
  #next = 0;
  /** Behind what was read last. */
  #end = 0;
  #values = 0;
  #depth = 0;

  constructor(text: string, limits: Limits) {
    this.#text = text;
    this.#limits = limits;
    this.#events = parseEvents(text, {});
  }

  document(): Node {
    const first = this.#take();
    if (first.type !== EVENT_ID.DOCUMENT || first.directives.length > 0 || first.explicitEnd) throw new Elsewhere();
    const root = this.#node(this.#take(), "");
    if (this.#take().type !== EVENT_ID.POP || this.#next < this.#events.length) throw new Elsewhere();
    if (root.type !== "map") throw new Elsewhere();
    return root;
  }

  #take(): Event {
    const event = this.#events[this.#next];
    if (event === undefined) throw new Elsewhere();
    this.#next += 1;
    return event;
  }

  /** `name` is the key that holds the value, or the list that it is in. */
  #node(event: Event, name: string): Node {
    if (event.type === EVENT_ID.SCALAR) return this.#value(event, name);
    if (event.type !== EVENT_ID.MAPPING && event.type !== EVENT_ID.SEQUENCE) throw new Elsewhere();
    if (event.anchorStart >= 0 || event.tagStart >= 0) throw new Elsewhere();
    this.#depth += 1;
    // One less than is allowed: the other reader tells where it is too deep.
    if (this.#depth >= this.#limits.depth) throw new Elsewhere();
    const { start } = event;
    const isFlow = event.style === COLLECTION_STYLE.FLOW;
    const opening = this.#text[start];
    // A pair in a list has no brace of its own.
    if (isFlow && opening !== "{" && opening !== "[") throw new Elsewhere();
    this.#end = isFlow ? start + 1 : start;
    const node =
      event.type === EVENT_ID.MAPPING
        ? { type: "map" as const, members: this.#members(), start, end: this.#close(isFlow) }
        : { type: "list" as const, items: this.#items(name), start, end: this.#close(isFlow) };
    this.#depth -= 1;
    return node;
  }

  #items(name: string): ListNode["items"] {
    const items: Node[] = [];
    for (let event = this.#take(); event.type !== EVENT_ID.POP; event = this.#take()) {
      items.push(this.#node(event, name));
    }
    return items;
  }

  #members(): MapNode["members"] {
    const members = new Map<string, Member>();
    for (let event = this.#take(); event.type !== EVENT_ID.POP; event = this.#take()) {
      if (event.type !== EVENT_ID.SCALAR || members.size === this.#limits.keys) throw new Elsewhere();
      // The other reader counts a key before it knows that it is one.
      if (this.#values >= this.#limits.values) throw new Elsewhere();
      const { start, end } = this.#span(event);
      const key = this.#key(event, start, end);
      this.#end = end;
      const value = this.#node(this.#take(), key);
      if (members.has(key)) throw new Elsewhere();
      members.set(key, { start, end, value });
    }
    return members;
  }

  #key(event: Scalar, start: number, end: number): string {
    // A question mark before a key announces one of any sort, and its value may be left out.
    if (this.#ahead(start, QUESTION) < start || end - start > LONGEST_KEY) throw new Elsewhere();
    if (!event.fast && this.#text.slice(start, end).includes("\n")) throw new Elsewhere();
    const written = getScalarValue(this.#text, event);
    const known = this.#keys.get(written);
    if (known !== undefined) return known;
    if (written === "" || written === "<<" || NOT_TEXT.test(written)) throw new Elsewhere();
    if (keyFlaw(written) !== undefined || written.normalize("NFC") !== written) throw new Elsewhere();
    this.#keys.set(written, written);
    return written;
  }

  #value(event: Scalar, name: string): Node {
    const { start, end } = this.#span(event);
    this.#end = end;
    this.#values += 1;
    if (this.#values > this.#limits.values) throw new Elsewhere();
    const text = getScalarValue(this.#text, event);
    const value = event.style === SCALAR_STYLE.PLAIN ? plain(text) : text;
    if (typeof value === "string" && textFlaw(value, name) !== undefined) throw new Elsewhere();
    return { type: "scalar", value, start, end };
  }

  /** Where a scalar stands, with its quotes, or with the line that announces a block. */
  #span(event: Scalar): Span {
    const { valueStart, valueEnd, style } = event;
    if (valueStart < 0 || event.anchorStart >= 0 || event.tagStart >= 0) throw new Elsewhere();
    switch (style) {
      case SCALAR_STYLE.PLAIN:
        return { start: valueStart, end: valueEnd };
      case SCALAR_STYLE.SINGLE_QUOTED:
      case SCALAR_STYLE.DOUBLE_QUOTED:
        return { start: valueStart - 1, end: valueEnd + 1 };
      default:
        return { start: this.#header(valueStart), end: valueEnd };
    }
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
