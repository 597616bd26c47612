/** Where the tokens of a YAML document lie in its text. */

import type { Span } from "../tree.ts";
import {
  type AliasEvent,
  type CollectionEvent,
  EVENT,
  isFlow,
  SCALAR,
  type ScalarEvent,
  type YamlEvent,
} from "./events.ts";

/** The places of tokens. A document is read in its order: each function moves behind the token. */
export interface TokenPlaces {
  /** The anchor and the tag of a value. */
  properties(event: ScalarEvent | CollectionEvent): void;
  alias(event: AliasEvent): Span;
  scalar(event: ScalarEvent): Span;
  /** Returns where a collection starts; `first` is the event behind its own, `colon` the place behind the colon in front of it. */
  open(event: CollectionEvent, first: YamlEvent | undefined, colon: number | undefined): number;
  beforeItem(event: CollectionEvent, isFirst: boolean): void;
  behindItem(event: CollectionEvent): void;
  /** Returns whether a question mark stands before the key. */
  beforeKey(): boolean;
  /** Returns where the key starts that follows and is not a text. */
  keyStart(event: YamlEvent): number;
  /** Returns the place behind the colon, if lines of keys or items cannot begin in the line of that. */
  behindKey(event: CollectionEvent, key: YamlEvent, start: number, hasQuestionMark: boolean): number | undefined;
  /** Returns where a collection ends. */
  close(event: CollectionEvent): number;
  endDocument(): void;
}

/** The tokens as the parser found them. It is more lenient than YAML, as most programs are. */
export class ParsedTokens implements TokenPlaces {
  readonly #text: string;
  /** The end of what was read last. */
  #end = 0;
  /** Of each open collection, whether it is in brackets. */
  readonly #brackets: boolean[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  properties({ anchorEnd, tagEnd }: ScalarEvent | CollectionEvent): void {
    this.#end = Math.max(this.#end, anchorEnd, tagEnd);
  }

  alias({ anchorStart, anchorEnd: end }: AliasEvent): Span {
    this.#end = end;
    return { start: anchorStart - 1, end };
  }

  /** A scalar with its quotes; of a block of text, its lines. */
  scalar({ valueStart, valueEnd, style, indent }: ScalarEvent): Span {
    if (valueStart < 0) return { start: this.#end, end: this.#end };
    let [start, end] = [valueStart, valueEnd];
    if (style === SCALAR.SINGLE_QUOTED || style === SCALAR.DOUBLE_QUOTED) [start, end] = [start - 1, end + 1];
    else if (style !== SCALAR.PLAIN) {
      start = Math.min(valueStart + Math.max(indent, 0), valueEnd);
      end = start + this.#text.slice(start, valueEnd).trimEnd().length;
    }
    this.#end = Math.max(this.#end, end);
    return { start, end };
  }

  open(event: CollectionEvent): number {
    const { start } = event;
    // A single pair in a list in brackets has no brackets of its own.
    const isBracketed = isFlow(event) && this.#text[start] === (event.type === EVENT.MAPPING ? "{" : "[");
    this.#brackets.push(isBracketed);
    this.#end = Math.max(this.#end, isBracketed ? start + 1 : start);
    return start;
  }

  beforeItem(): void {
    // The parser has read what separates items.
  }

  behindItem(): void {
    // The parser has read what separates items.
  }

  beforeKey(): boolean {
    return false;
  }

  keyStart(event: YamlEvent): number {
    return "start" in event ? event.start : this.#end;
  }

  behindKey(): undefined {
    return undefined;
  }

  close(): number {
    if (this.#brackets.pop() === true) this.#end = this.#closing();
    return this.#end;
  }

  endDocument(): void {
    // The parser has read what is between documents.
  }

  /** The end of the collection in brackets whose content was read: behind blanks, comments, and what may follow a key. */
  #closing(): number {
    let at = this.#end;
    for (;;) {
      while (/[\s,:?]/.test(this.#text[at] ?? "")) at += 1;
      if (this.#text[at] !== "#") return at + 1;
      at = this.#text.indexOf("\n", at);
    }
  }
}
