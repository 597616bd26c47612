/** The trees of YAML documents, from the events of the parser and the places of their tokens. */

import { bare, type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import type { FileErrors } from "../file-errors.ts";
import type { Limits } from "../limits.ts";
import type { Source } from "../source.ts";
import { exactValue, hasSubstitution, isExact, isOdd, type ScalarValue, textFlaw } from "../text.ts";
import type { Node, Span } from "../tree.ts";
import { type AnchoredValue, Anchors } from "./anchors.ts";
import { keyError, numberError, plainValue, taggedValue, tagName } from "./core-schema.ts";
import {
  type AliasEvent,
  type CollectionEvent,
  EVENT,
  SCALAR,
  type ScalarEvent,
  scalarText,
  type YamlEvent,
} from "./events.ts";
import { type FileKey, Offsets } from "./lazy-nodes.ts";
import { depthError } from "./syntax-error.ts";
import type { TokenPlaces } from "./tokens.ts";

/**
 * The rules for a file. A file of the configuration has keys that are texts, and values that are what they seem to be. A foreign file,
 * which other programs are made for, may have other keys, the merge keys of YAML 1.1, any text, and numbers that JSON cannot hold.
 */
export interface YamlPolicy {
  /** The source of the nodes of a foreign file; undefined for a file of the configuration. */
  readonly foreign: Source | undefined;
  readonly limits: Limits;
}

/** A mapping that is being read. */
interface Mapping {
  readonly fields: Record<string, Json>;
  count: number;
  /** In the offsets of the file. */
  readonly index: number;
  /** Mappings whose members it gets where it has no own ones. */
  merged: readonly AnchoredValue[];
}

const NONE: readonly AnchoredValue[] = [];

/** A key before its value was read. */
interface Key extends Span {
  /** Undefined if it was refused, or merges other mappings. */
  readonly key: FileKey | undefined;
  readonly isMerge?: boolean;
}

export class NodeReader {
  readonly #text: string;
  readonly #events: readonly YamlEvent[];
  readonly #tokens: TokenPlaces;
  readonly #isForeign: boolean;
  readonly #limits: Limits;
  readonly #errors: FileErrors;
  readonly #offsets: Offsets;
  #next = 0;
  #depth = 0;
  /** Scalars of the configuration so far. */
  #scalars = 0;
  /** Members that merge keys have added. */
  #merged = 0;
  #hasDecomposedKeys = false;
  /** Of the current document. */
  #anchors: Anchors;
  #tagHandles: ReadonlyMap<string, string> = new Map();

  constructor(
    text: string,
    events: readonly YamlEvent[],
    tokens: TokenPlaces,
    { foreign, limits }: YamlPolicy,
    errors: FileErrors,
  ) {
    this.#text = text;
    this.#events = events;
    this.#tokens = tokens;
    this.#isForeign = foreign !== undefined;
    this.#limits = limits;
    this.#errors = errors;
    this.#offsets = new Offsets(events.length, foreign);
    this.#anchors = new Anchors(limits, errors);
  }

  /** The trees of all documents. */
  documents(): readonly Node[] {
    const roots: AnchoredValue[] = [];
    while (this.#next < this.#events.length) {
      const event = this.#take();
      if (event.type !== EVENT.DOCUMENT) continue;
      this.#anchors = new Anchors(this.#limits, this.#errors);
      this.#tagHandles = new Map(
        event.directives.flatMap((one) => (one.kind === "tag" ? [[one.handle, one.prefix]] : [])),
      );
      const index = this.#offsets.next;
      roots.push({ value: this.#value(""), index });
      this.#tokens.endDocument();
    }
    this.#offsets.trim();
    return roots.map(({ value, index }) => this.#offsets.node(value, index));
  }

  #take(): YamlEvent {
    const event = this.#events[this.#next];
    if (event === undefined) throw new Error("the parser's events end too early");
    this.#next += 1;
    return event;
  }

  /** Whether the collection ends here; moves over its last event. */
  #isOver(): boolean {
    const isOver = this.#events[this.#next]?.type === EVENT.POP;
    if (isOver) this.#next += 1;
    return isOver;
  }

  /** The next value; `name` is the key that holds it, or the list that it is in; `colon`: see {@link TokenPlaces.open}. */
  #value(name: string, colon?: number): Json {
    const event = this.#take();
    if (event.type === EVENT.ALIAS) return this.#alias(event);
    if (event.type !== EVENT.SCALAR && event.type !== EVENT.MAPPING && event.type !== EVENT.SEQUENCE) {
      throw new Error("the parser's events are out of order");
    }
    const before = this.#begin(event);
    const tag = this.#knownTag(event);
    const index = this.#offsets.next;
    const value =
      event.type === EVENT.SCALAR ? this.#scalar(event, tag, name) : this.#collection(event, tag, name, colon);
    this.#end(event, value, index, before);
    return value;
  }

  /** Moves over the anchor and the tag of a value; returns how many values are before it. */
  #begin(event: ScalarEvent | CollectionEvent): number {
    const { anchorStart, anchorEnd, tagStart } = event;
    if (anchorStart >= 0 || tagStart >= 0) this.#tokens.properties(event);
    return this.#anchors.begin(anchorStart < 0 ? undefined : this.#text.slice(anchorStart, anchorEnd));
  }

  #end({ anchorStart, anchorEnd }: ScalarEvent | CollectionEvent, value: Json, index: number, before: number): void {
    if (anchorStart >= 0) this.#anchors.end(this.#text.slice(anchorStart, anchorEnd), { value, index }, before);
  }

  #alias(event: AliasEvent): Json {
    const anchored = this.#anchoredBy(event);
    if (anchored === undefined) this.#offsets.end(this.#offsets.begin(0), 0);
    else this.#offsets.alias(anchored.index);
    return anchored?.value ?? null;
  }

  #anchoredBy(event: AliasEvent): AnchoredValue | undefined {
    const { start, end } = this.#tokens.alias(event);
    return this.#anchors.resolve(this.#text.slice(event.anchorStart, end), start, end);
  }

  #scalar(event: ScalarEvent, tag: string | undefined, name: string): ScalarValue {
    const { start, end } = this.#tokens.scalar(event);
    const text = scalarText(this.#text, event);
    const index = this.#offsets.begin(start);
    this.#offsets.end(index, end);
    if (this.#isForeign) return exactValue(this.#resolve(event, tag, text), text);
    this.#scalars += 1;
    if (this.#scalars > this.#limits.values) this.#refuseScalars(start);
    const value = this.#resolve(event, tag, text);
    if (typeof value === "string") {
      const flaw = textFlaw(value, name);
      if (flaw !== undefined) this.#errors.add({ code: flaw[0], message: flaw[1], start, end });
      if (hasSubstitution(value)) this.#offsets.markSpecial(index);
    } else if (typeof value === "number") {
      if (!isExact(value)) this.#errors.add({ ...numberError(value, this.#text.slice(start, end)), start, end });
      if (isOdd(value, text)) this.#offsets.markSpecial(index);
    }
    return value;
  }

  #resolve(event: ScalarEvent, tag: string | undefined, text: string): ScalarValue {
    if (tag === undefined) return event.style === SCALAR.PLAIN ? plainValue(text) : text;
    const isMissing = tag === "" && event.valueStart < 0 && !this.#isForeign;
    const value = isMissing ? undefined : taggedValue(tag, text);
    if (value === undefined) this.#refuseTag(event);
    return value ?? null;
  }

  #refuseScalars(start: number): void {
    const message = `the file has more than ${this.#limits.values} values`;
    this.#errors.refuse({ code: "E_TOO_LARGE", message, help: "Split it.", start });
  }

  /** The name of a tag in the core schema; undefined without a tag, or if it has no such tag. */
  #tag({ tagStart, tagEnd }: ScalarEvent | CollectionEvent): string | undefined {
    if (tagStart < 0) return undefined;
    const written = this.#text.slice(tagStart, tagEnd);
    const [handle = ""] = /^!(?:[\w-]*!)?/.exec(written) ?? [];
    const prefix = this.#tagHandles.get(handle);
    return tagName(prefix === undefined ? written : `!<${prefix}${written.slice(handle.length)}>`);
  }

  /** The tag of a value; refuses one that the core schema does not have. */
  #knownTag(event: ScalarEvent | CollectionEvent): string | undefined {
    const tag = this.#tag(event);
    if (tag === undefined && event.tagStart >= 0) this.#refuseTag(event);
    return tag;
  }

  #refuseTag({ tagStart: start, tagEnd: end }: ScalarEvent | CollectionEvent): void {
    const tag = this.#text.slice(start, end);
    const [message, help] = this.#isForeign
      ? [
          `the tag ${tag} has no value that can be read here`,
          "Remove the tag, or exclude the file with a glob that begins with !.",
        ]
      : [`the tag ${tag} is not supported here`, "Remove the word that begins with !, or quote the text."];
    this.#errors.add({ code: "E_TAG", message, help, start, end });
  }

  #collection(event: CollectionEvent, tag: string | undefined, name: string, colon?: number): Json {
    const isMapping = event.type === EVENT.MAPPING;
    if (tag !== undefined && tag !== "" && tag !== (isMapping ? "map" : "seq")) this.#refuseTag(event);
    const start = this.#tokens.open(event, this.#events[this.#next], colon);
    this.#depth += 1;
    if (this.#depth > this.#limits.depth) this.#errors.refuse(depthError(start, this.#limits));
    const index = this.#offsets.begin(start);
    const value = isMapping ? this.#fields(event, index) : this.#items(event, name);
    this.#offsets.end(index, this.#tokens.close(event));
    this.#depth -= 1;
    return value;
  }

  #items(event: CollectionEvent, name: string): readonly Json[] {
    const items: Json[] = [];
    while (!this.#isOver()) {
      this.#tokens.beforeItem(event, items.length === 0);
      items.push(this.#value(name));
      this.#tokens.behindItem(event);
    }
    // Without the space for items to come, which is more than most lists have.
    return items.slice();
  }

  #fields(event: CollectionEvent, index: number): Fields {
    const mapping: Mapping = { fields: bare(), count: 0, index, merged: NONE };
    for (let isFirst = true; !this.#isOver(); isFirst = false) {
      this.#tokens.beforeItem(event, isFirst);
      this.#member(mapping, event);
      this.#tokens.behindItem(event);
    }
    if (this.#hasDecomposedKeys) this.#refuseDecomposed(mapping);
    for (const merged of mapping.merged) this.#merge(merged, mapping);
    return mapping.fields;
  }

  /** Reads a key and its value. */
  #member(mapping: Mapping, event: CollectionEvent): void {
    const hasQuestionMark = this.#tokens.beforeKey();
    const keyEvent = this.#take();
    const { key, start, end, isMerge } = this.#isForeign ? this.#foreignKey(keyEvent) : this.#key(keyEvent);
    const colon = this.#tokens.behindKey(event, keyEvent, start, hasQuestionMark);
    const { fields, index } = mapping;
    const { keys } = this.#limits;
    if (mapping.count === keys) {
      const message = `the mapping has more than ${keys} keys`;
      this.#errors.refuse({ code: "E_TOO_MANY_KEYS", message, help: "Use fewer keys.", start, end });
    }
    this.#offsets.key(key, start, end);
    const valueIndex = this.#offsets.next;
    const value = this.#value(key?.name ?? "", colon);
    if (isMerge === true) {
      const merged = this.#mergedMappings({ value, index: valueIndex }, { start, end });
      mapping.merged = [...mapping.merged, ...merged];
    }
    if (key === undefined) return;
    if (key.name in fields) this.#refuseTwin(key, { start, end }, key, index);
    else {
      fields[key.name] = value;
      mapping.count += 1;
    }
  }

  #key(event: YamlEvent): Key {
    const tag = event.type === EVENT.SCALAR ? this.#tag(event) : undefined;
    if (event.type !== EVENT.SCALAR || event.anchorStart >= 0 || (tag ?? "str") !== "str") {
      const start = this.#tokens.keyStart(event);
      const message = "a key must be a plain text, without anchor, alias or tag";
      this.#errors.add({ code: "E_KEY_TYPE", message, help: "If it is a text, quote it.", start });
      return { key: undefined, start, end: this.#skipKey() };
    }
    if (tag !== undefined) this.#tokens.properties(event);
    const { start, end } = this.#tokens.scalar(event);
    const name = scalarText(this.#text, event);
    const known = this.#offsets.knownKey(name);
    if (known !== undefined) return { key: known, start, end };
    const error = keyError(name, event.style !== SCALAR.PLAIN || tag !== undefined);
    if (error !== undefined) {
      this.#errors.add({ ...error, start, end });
      return { key: undefined, start, end };
    }
    if (name.normalize("NFC") !== name) this.#hasDecomposedKeys = true;
    return { key: this.#offsets.newKey(name), start, end };
  }

  /** A key of a foreign file; one that is not a text, such as 1 or true, is named as it is written. */
  #foreignKey(event: YamlEvent): Key {
    if (event.type === EVENT.SCALAR) {
      const name = scalarText(this.#text, event);
      const isMerge =
        this.#tag(event) === "merge" || (event.tagStart < 0 && event.style === SCALAR.PLAIN && name === "<<");
      if (isMerge) return { key: undefined, isMerge, ...this.#tokens.scalar(event) };
      return { key: this.#offsets.keyOf(name), ...this.#foreignKeySpan(event, name) };
    }
    if (event.type === EVENT.ALIAS) {
      const value = this.#anchoredBy(event)?.value ?? null;
      const span = { start: event.anchorStart - 1, end: event.anchorEnd };
      if (typeof value !== "object" || value === null) return { key: this.#offsets.keyOf(String(value)), ...span };
    }
    const start = this.#tokens.keyStart(event);
    const end = event.type === EVENT.ALIAS ? start : this.#skipKey();
    const message = "a key is a list or a mapping";
    const help = "Write a text before the colon. If this is a text with brackets, quote it.";
    this.#errors.add({ code: "E_KEY_TYPE", message, help, start, end });
    return { key: undefined, start, end };
  }

  /** Moves over a key. One that aliases may refer to is a value too, which makes no member. */
  #foreignKeySpan(event: ScalarEvent, text: string): Span {
    const before = this.#begin(event);
    const tag = this.#knownTag(event);
    if (event.anchorStart < 0) {
      this.#resolve(event, tag, text);
      return this.#tokens.scalar(event);
    }
    this.#offsets.key(undefined, 0, 0);
    const index = this.#offsets.next;
    const value = this.#scalar(event, tag, "");
    this.#end(event, value, index, before);
    return this.#offsets.span(index);
  }

  /** Moves over the key whose event was taken; returns its end. */
  #skipKey(): number {
    this.#next -= 1;
    this.#offsets.key(undefined, 0, 0);
    const index = this.#offsets.next;
    this.#value("");
    return this.#offsets.span(index).end;
  }

  #refuseTwin({ name }: FileKey, { start, end }: Span, first: FileKey, index: number): void {
    const message = `the mapping has the key "${name}" twice`;
    const related = this.#errors.isFull
      ? undefined
      : { message: "first here", ...this.#offsets.firstKey(first, index) };
    this.#errors.add({ code: "E_DUP_KEY", message, help: "Keep one of the two.", start, end, related });
  }

  /** Refuses keys that differ only in how their accents are encoded. */
  #refuseDecomposed({ fields, index }: Mapping): void {
    const offsets = this.#offsets;
    const firstKeys = new Map<string, FileKey>();
    for (const key of Object.keys(fields).flatMap((name) => offsets.knownKey(name) ?? [])) {
      const normal = key.name.normalize("NFC");
      const first = firstKeys.get(normal);
      if (first === undefined) firstKeys.set(normal, key);
      else this.#refuseTwin(key, offsets.firstKey(key, index), first, index);
    }
  }

  /** The mappings that a merge key names: one, or a list of them. */
  #mergedMappings({ value, index }: AnchoredValue, { start, end }: Span): readonly AnchoredValue[] {
    const target = this.#offsets.target(index);
    const named = isList(value)
      ? this.#offsets.itemsIn(target).map((at, item) => ({ value: value[item] ?? null, index: at }))
      : [{ value, index: target }];
    if (named.every((one) => isFields(one.value))) return named;
    const message = "the merge key << has a value that is not a mapping";
    this.#errors.add({ code: "E_MERGE_KEY", message, help: "Write <<: *anchor, or quote the key.", start, end });
    return [];
  }

  /** Adds the members of a mapping that are not there yet: those that are written, and those merged first, win. */
  #merge(merged: AnchoredValue, { fields }: Mapping): void {
    const { tokens } = this.#limits;
    for (const [key, index] of this.#offsets.keysIn(merged.index)) {
      this.#merged += 1;
      if (this.#merged > tokens) {
        const help = `Merge keys can add ${tokens} keys to a file.`;
        const message = "the merge keys make the file too large";
        this.#errors.refuse({ code: "E_ALIAS_LIMIT", message, help, ...this.#offsets.keySpan(index) });
      }
      if (key.name in fields) continue;
      this.#offsets.merge(key, index);
      fields[key.name] = (merged.value as Fields)[key.name] ?? null;
    }
  }
}
