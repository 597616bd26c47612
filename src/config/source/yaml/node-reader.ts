/**
 * The tree of a YAML document, from its text and the events of the parser, side by side: between two tokens only what the grammar
 * asks for there is accepted. So no token can begin or end where the parser is more lenient than YAML, every comment is known to be one,
 * and what this program does not support is refused at its place.
 */

import { bare, type Fields, type Json } from "../../../core/json.ts";
import type { Limits } from "../limits.ts";
import type { Node, Span } from "../tree.ts";
import { Anchors } from "./anchors.ts";
import { keyError, LONG_KEY, LONGEST_KEY, tagName } from "./core-schema.ts";
import { CODE, type Cursor, isBlankOrEnd, isFlowIndicator } from "./cursor.ts";
import {
  type AliasEvent,
  type CollectionEvent,
  EVENT,
  isFlow,
  SCALAR,
  type ScalarEvent,
  type YamlEvent,
} from "./events.ts";
import type { FileErrors } from "./file-errors.ts";
import { type FileKey, Offsets } from "./lazy-nodes.ts";
import { ScalarReader } from "./scalar-reader.ts";
import { depthError, misplaced } from "./syntax-error.ts";

/** A mapping that is being read. */
interface Mapping {
  readonly fields: Record<string, Json>;
  count: number;
  /** In the offsets of the file. */
  readonly index: number;
}

/** A key before its value was read. */
interface Key extends Span {
  /** Undefined if it was refused. */
  readonly key: FileKey | undefined;
  /** Quoted or in brackets: its colon needs no blank behind it. */
  readonly isJsonLike: boolean;
}

export class NodeReader {
  readonly #cursor: Cursor;
  readonly #events: readonly YamlEvent[];
  readonly #limits: Limits;
  readonly #errors: FileErrors;
  readonly #anchors: Anchors;
  readonly #offsets: Offsets;
  readonly #scalars: ScalarReader;
  #hasDecomposedKeys = false;
  /** Behind the event that begins the document. */
  #next = 1;
  #depth = 0;
  /** Collections in brackets around this place, and the column of the block collection around these. */
  #brackets = 0;
  #column = -1;

  /** The cursor stands before the first value, behind the marker of the document. */
  constructor(cursor: Cursor, events: readonly YamlEvent[], limits: Limits, errors: FileErrors) {
    this.#cursor = cursor;
    this.#events = events;
    this.#limits = limits;
    this.#errors = errors;
    this.#anchors = new Anchors(limits, errors);
    this.#offsets = new Offsets(events.length);
    this.#scalars = new ScalarReader(cursor, this.#offsets, limits, errors);
  }

  /** The value of the document, which ends with the text. */
  root(): { readonly node: Node; readonly value: Json } {
    const cursor = this.#cursor;
    const value = this.#value("");
    cursor.skip();
    if (cursor.isMarker("...")) {
      cursor.at += 3;
      cursor.skip();
    }
    if (!cursor.isAtEnd) this.#refuseHere();
    this.#offsets.trim();
    return { node: this.#offsets.node(value, 0), value };
  }

  #refuseHere(): never {
    this.#errors.refuse(misplaced(this.#cursor));
  }

  #take(): YamlEvent {
    const event = this.#events[this.#next];
    if (event === undefined) this.#refuseHere();
    this.#next += 1;
    return event;
  }

  /** Whether the collection ends here; moves over its last event. */
  #isOver(): boolean {
    const isOver = this.#events[this.#next]?.type === EVENT.POP;
    if (isOver) this.#next += 1;
    return isOver;
  }

  /**
   * The next value; `name` is the key that holds it, or the list that it is in. Lines of keys or items do not begin in the line of
   * the colon that they stand behind, if any.
   */
  #value(name: string, colon?: number): Json {
    const event = this.#take();
    if (event.type === EVENT.ALIAS) return this.#alias(event);
    if (event.type !== EVENT.SCALAR && event.type !== EVENT.MAPPING && event.type !== EVENT.SEQUENCE)
      this.#refuseHere();
    const anchors = this.#anchors;
    const before = anchors.expanded;
    const hasProperties = event.anchorStart >= 0 || event.tagStart >= 0;
    const tag = hasProperties ? this.#properties(event) : undefined;
    const anchor = event.anchorStart < 0 ? undefined : this.#cursor.text.slice(event.anchorStart, event.anchorEnd);
    anchors.begin(anchor);
    const index = this.#offsets.next;
    const value =
      event.type === EVENT.SCALAR
        ? this.#scalars.value(event, tag, name, this.#depth)
        : this.#collection(event, tag, name, colon);
    if (anchor !== undefined) anchors.end(anchor, { value, index }, before);
    return value;
  }

  /** Moves over the anchor and the tag of a value; returns the name of the tag. */
  #properties(event: ScalarEvent | CollectionEvent): string | undefined {
    const { anchorStart, anchorEnd, tagStart, tagEnd } = event;
    const cursor = this.#cursor;
    const isEmpty = event.type === EVENT.SCALAR && event.valueStart < 0;
    const spans = [
      ...(anchorStart < 0 ? [] : [{ start: anchorStart - 1, end: anchorEnd }]),
      ...(tagStart < 0 ? [] : [{ start: tagStart, end: tagEnd }]),
    ].sort((one, other) => one.start - other.start);
    for (const { start, end } of spans) {
      cursor.skip();
      if (cursor.at !== start) this.#refuseHere();
      cursor.at = end;
      if (!isBlankOrEnd(cursor.code) && !(isEmpty && isFlowIndicator(cursor.code))) this.#refuseHere();
    }
    if (anchorStart >= 0) this.#refuseColon(anchorStart, anchorEnd);
    if (tagStart < 0) return undefined;
    const tag = this.#tag({ tagStart, tagEnd });
    if (tag === undefined) this.#scalars.refuseTag(tagStart, tagEnd);
    return tag;
  }

  /** The name of a tag; undefined if YAML's core schema has no such tag. */
  #tag({ tagStart, tagEnd }: Pick<ScalarEvent, "tagStart" | "tagEnd">): string | undefined {
    return tagName(this.#cursor.text.slice(tagStart, tagEnd));
  }

  /** Parsers do not agree whether a colon at its end belongs to the name of an anchor. */
  #refuseColon(start: number, end: number): void {
    if (this.#cursor.text.charCodeAt(end - 1) !== CODE.colon) return;
    const message = "the name of an anchor or alias ends with a colon";
    const help = "Put a blank before the colon, or quote a text that begins with * or &.";
    this.#errors.refuse({ code: "E_ALIAS", message, help, start: start - 1, end });
  }

  #alias({ anchorStart, anchorEnd: end }: AliasEvent): Json {
    const cursor = this.#cursor;
    const start = anchorStart - 1;
    cursor.skip();
    if (cursor.at !== start) this.#refuseHere();
    cursor.at = end;
    this.#refuseColon(anchorStart, end);
    const anchored = this.#anchors.resolve(cursor.text.slice(anchorStart, end), start, end);
    if (anchored === undefined) return null;
    this.#offsets.alias(anchored.index);
    return anchored.value;
  }

  #collection(event: CollectionEvent, tag: string | undefined, name: string, colon?: number): Json {
    const { type, tagStart, tagEnd } = event;
    if (tag !== undefined && tag !== "" && tag !== (type === EVENT.MAPPING ? "map" : "seq")) {
      this.#scalars.refuseTag(tagStart, tagEnd);
    }
    const cursor = this.#cursor;
    cursor.skip();
    const start = cursor.at;
    if (!isFlow(event) && (start !== event.start || (colon !== undefined && !cursor.hasLineEndSince(colon)))) {
      this.#refuseHere();
    }
    this.#depth += 1;
    if (this.#depth > this.#limits.depth) this.#errors.refuse(depthError(start, this.#limits));
    const column = this.#column;
    if (!isFlow(event)) this.#column = cursor.column;
    const index = this.#offsets.begin(start);
    const value = type === EVENT.MAPPING ? this.#fields(event, index) : this.#items(event, name);
    this.#offsets.end(index, cursor.at);
    this.#column = column;
    this.#depth -= 1;
    return value;
  }

  #items(event: CollectionEvent, name: string): readonly Json[] {
    const items: Json[] = [];
    if (isFlow(event)) {
      if (this.#cursor.at !== event.start) this.#refuseHere();
      this.#open();
      while (!this.#isOver()) {
        items.push(this.#value(name));
        this.#skipComma(CODE.closeBracket);
      }
      this.#close(CODE.closeBracket);
    } else {
      while (!this.#isOver()) {
        if (items.length > 0) this.#skipToLine();
        if (!this.#cursor.isIndicator(CODE.hyphen)) this.#refuseHere();
        this.#cursor.at += 1;
        items.push(this.#value(name));
      }
    }
    // Trims spare array capacity.
    return items.slice();
  }

  #fields(event: CollectionEvent, index: number): Fields {
    const mapping: Mapping = { fields: bare(), count: 0, index };
    if (!isFlow(event)) {
      for (let isFirst = true; !this.#isOver(); isFirst = false) {
        if (!isFirst) this.#skipToLine();
        this.#blockPair(mapping);
      }
    } else if (this.#isLonePair(event)) {
      this.#flowPair(mapping);
      if (!this.#isOver()) this.#refuseHere();
    } else {
      this.#open();
      while (!this.#isOver()) {
        this.#flowPair(mapping);
        this.#skipComma(CODE.closeBrace);
      }
      this.#close(CODE.closeBrace);
    }
    if (this.#hasDecomposedKeys) this.#refuseTwins(mapping);
    return mapping.fields;
  }

  /** Whether a mapping is a single pair in a list in brackets, which has no brackets of its own. */
  #isLonePair({ start }: CollectionEvent): boolean {
    const first = this.#events[this.#next];
    const isOpened = this.#cursor.at === start && this.#cursor.code === CODE.openBrace;
    return !isOpened || (first?.type === EVENT.MAPPING && first.start === start);
  }

  #open(): void {
    this.#brackets += 1;
    this.#cursor.at += 1;
  }

  #skipComma(closing: number): void {
    const cursor = this.#cursor;
    cursor.skip();
    if (cursor.code === CODE.comma) cursor.at += 1;
    else if (cursor.code !== closing) this.#refuseHere();
  }

  /** Moves behind a closing bracket. Only the outermost may stand in the column of what holds it. */
  #close(closing: number): void {
    const cursor = this.#cursor;
    cursor.skip();
    if (cursor.code !== closing) this.#refuseHere();
    this.#brackets -= 1;
    if (this.#brackets > 0 && cursor.isFirstWithin(this.#column)) this.#refuseHere();
    cursor.at += 1;
  }

  /** Moves to the next key or hyphen of a block collection, which begins its line in the column of the first. */
  #skipToLine(): void {
    this.#cursor.skip();
    if (!this.#cursor.isIndentedBy(this.#column)) this.#refuseHere();
  }

  #blockPair(mapping: Mapping): void {
    const cursor = this.#cursor;
    if (cursor.isIndicator(CODE.question)) {
      cursor.at += 1;
      const key = this.#key();
      cursor.skip();
      if (cursor.isIndicator(CODE.colon) && cursor.isIndentedBy(this.#column)) cursor.at += 1;
      this.#member(mapping, key);
      return;
    }
    const key = this.#key();
    cursor.skipBlanks();
    if (!cursor.isIndicator(CODE.colon)) this.#refuseHere();
    this.#refuseLongKey(key);
    cursor.at += 1;
    this.#member(mapping, key, cursor.at);
  }

  #flowPair(mapping: Mapping): void {
    const cursor = this.#cursor;
    cursor.skip();
    if (cursor.isIndicator(CODE.question)) cursor.at += 1;
    const key = this.#key();
    cursor.skip();
    if (cursor.code === CODE.colon) {
      const following = cursor.text.charCodeAt(cursor.at + 1);
      if (!key.isJsonLike && !isBlankOrEnd(following) && !isFlowIndicator(following)) this.#refuseHere();
      this.#refuseLongKey(key);
      cursor.at += 1;
    }
    this.#member(mapping, key);
  }

  #key(): Key {
    const event = this.#take();
    const isScalar = event.type === EVENT.SCALAR;
    const tag = isScalar && event.tagStart >= 0 ? this.#tag(event) : undefined;
    if (!isScalar || event.anchorStart >= 0 || (tag ?? "str") !== "str") return this.#refusedKey(event);
    if (tag !== undefined) this.#properties(event);
    const { start, text } = this.#scalars.text(event, this.#depth);
    const end = this.#cursor.at;
    const isJsonLike = event.style !== SCALAR.PLAIN;
    const known = this.#offsets.knownKey(text);
    if (known !== undefined) return { key: known, start, end, isJsonLike };
    const error = keyError(text, isJsonLike || tag !== undefined);
    if (error !== undefined) {
      this.#errors.add({ ...error, start, end });
      return { key: undefined, start, end, isJsonLike };
    }
    if (text.normalize("NFC") !== text) this.#hasDecomposedKeys = true;
    return { key: this.#offsets.newKey(text), start, end, isJsonLike };
  }

  /** A key that is no plain text, after its events were read. */
  #refusedKey(event: YamlEvent): Key {
    const cursor = this.#cursor;
    cursor.skip();
    const start = cursor.at;
    const message = "a key must be a plain text, without anchor, alias or tag";
    this.#errors.add({ code: "E_KEY_TYPE", message, help: "If it is a text, quote it.", start });
    this.#next -= 1;
    this.#value("");
    const isJsonLike = event.type === EVENT.SCALAR ? event.style !== SCALAR.PLAIN : event.type !== EVENT.ALIAS;
    return { key: undefined, start, end: cursor.at, isJsonLike };
  }

  /** Refuses a key that is longer than YAML allows before a colon; the cursor stands at the colon. */
  #refuseLongKey({ start }: Key): void {
    const end = this.#cursor.at;
    if (end - start > LONGEST_KEY) this.#errors.refuse({ ...LONG_KEY, start, end });
  }

  /** Reads the value of a key. */
  #member(mapping: Mapping, { key, start, end }: Key, colon?: number): void {
    const { fields, index } = mapping;
    if (mapping.count === this.#limits.keys) {
      const message = `the mapping has more than ${this.#limits.keys} keys`;
      this.#errors.refuse({ code: "E_TOO_MANY_KEYS", message, help: "Use fewer keys.", start, end });
    }
    if (key === undefined) {
      this.#value("", colon);
      return;
    }
    this.#offsets.key(key, start, end);
    const value = this.#value(key.name, colon);
    if (key.name in fields) this.#refuseTwin(key, { start, end }, key, index);
    else {
      fields[key.name] = value;
      mapping.count += 1;
    }
  }

  /** Refuses keys that differ only in how their accents are encoded. */
  #refuseTwins({ fields, index }: Mapping): void {
    const offsets = this.#offsets;
    const firstKeys = new Map<string, FileKey>();
    for (const key of Object.keys(fields).flatMap((name) => offsets.knownKey(name) ?? [])) {
      const normal = key.name.normalize("NFC");
      const first = firstKeys.get(normal);
      if (first === undefined) firstKeys.set(normal, key);
      else this.#refuseTwin(key, offsets.firstKey(key, index), first, index);
    }
  }

  #refuseTwin({ name }: FileKey, { start, end }: Span, first: FileKey, index: number): void {
    const message = `the mapping has the key "${name}" twice`;
    const related = this.#errors.isFull
      ? undefined
      : { message: "first here", ...this.#offsets.firstKey(first, index) };
    this.#errors.add({ code: "E_DUP_KEY", message, help: "Keep one of the two.", start, end, related });
  }
}
