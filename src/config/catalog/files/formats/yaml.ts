/**
 * The documents of a YAML file that other programs are made for: YAML 1.2 with its core schema, with anchors, directives and the merge
 * keys of YAML 1.1, which most programs read. `config/source/yaml/` reads the configuration and is stricter.
 */

import { bare, fieldsIn, type Json, listIn } from "../../../../core/json.ts";
import type { Source } from "../../../source/source.ts";
import type { Member, Node, Span } from "../../../source/tree.ts";
import { Anchors } from "../../../source/yaml/anchors.ts";
import { plainValue, taggedValue, tagName } from "../../../source/yaml/core-schema.ts";
import {
  type AliasEvent,
  type CollectionEvent,
  EVENT,
  InvalidYaml,
  isFlow,
  readEvents,
  SCALAR,
  type ScalarEvent,
  scalarText,
  type YamlEvent,
} from "../../../source/yaml/events.ts";
import type { FileErrors } from "../../../source/yaml/file-errors.ts";
import { refuseTokens } from "../../../source/yaml/read-yaml.ts";
import { depthError, syntaxError } from "../../../source/yaml/syntax-error.ts";
import type { Part, ReadFormat } from "../document.ts";
import type { ForeignLimits } from "../limits.ts";
import { scalarPart } from "./scalar.ts";

/** Reads every document that is not empty. */
export const readYamlDocuments: ReadFormat = (source, limits, errors) => {
  refuseTokens(source.text, limits, errors);
  try {
    return new DocumentReader(source, readEvents(source.text, limits.depth), limits, errors).documents();
  } catch (error) {
    if (!(error instanceof InvalidYaml)) throw error;
    const { isTooDeep, reason, offset } = error;
    errors.add(isTooDeep ? depthError(offset, limits) : syntaxError(reason, source.text, offset));
    return [];
  }
};

/** A key before its value was read; without a name it was refused. */
interface Key extends Span {
  readonly name?: string;
  /** Whether it merges the mappings of its value. */
  readonly isMerge?: boolean;
}

/** A collection whose end is set when it has been read. */
interface OpenPart {
  readonly value: Json;
  readonly node: Node & { end: number };
}

class DocumentReader {
  readonly #source: Source;
  readonly #events: readonly YamlEvent[];
  readonly #limits: ForeignLimits;
  readonly #errors: FileErrors;
  #next = 0;
  /** The end of what was read last. */
  #end = 0;
  /** Members that merge keys have added, in all documents. */
  #merged = 0;
  /** Of the current document. */
  #anchors: Anchors;
  #anchored: Part[] = [];
  #tagHandles: ReadonlyMap<string, string> = new Map();

  constructor(source: Source, events: readonly YamlEvent[], limits: ForeignLimits, errors: FileErrors) {
    this.#source = source;
    this.#events = events;
    this.#limits = limits;
    this.#errors = errors;
    this.#anchors = new Anchors(limits, errors);
  }

  documents(): readonly Part[] {
    const documents: Part[] = [];
    while (this.#next < this.#events.length) {
      const event = this.#take();
      if (event.type !== EVENT.DOCUMENT) continue;
      this.#anchors = new Anchors(this.#limits, this.#errors);
      this.#anchored = [];
      this.#tagHandles = new Map(
        event.directives.flatMap((one) => (one.kind === "tag" ? [[one.handle, one.prefix]] : [])),
      );
      const document = this.#part();
      if (document.value !== null) documents.push(document);
    }
    return documents;
  }

  #take(): YamlEvent {
    const event = this.#events[this.#next];
    if (event === undefined) throw new Error(`${this.#source.file}: the parser's events end too early`);
    this.#next += 1;
    return event;
  }

  /** Whether the collection ends here; moves over its last event. */
  #isOver(): boolean {
    const isOver = this.#events[this.#next]?.type === EVENT.POP;
    if (isOver) this.#next += 1;
    return isOver;
  }

  #part(): Part {
    const event = this.#take();
    if (event.type === EVENT.ALIAS) return this.#alias(event);
    if (event.type === EVENT.SCALAR) return this.#anchor(event, () => this.#scalar(event));
    if (event.type === EVENT.MAPPING || event.type === EVENT.SEQUENCE) {
      return this.#anchor(event, () => this.#collection(event));
    }
    throw new Error(`${this.#source.file}: the parser's events are out of order`);
  }

  /** Reads a value that may have an anchor. */
  #anchor({ anchorStart, anchorEnd, tagEnd }: ScalarEvent | CollectionEvent, read: () => Part): Part {
    this.#end = Math.max(this.#end, anchorEnd, tagEnd);
    const anchors = this.#anchors;
    const before = anchors.expanded;
    const name = anchorStart < 0 ? undefined : this.#source.text.slice(anchorStart, anchorEnd);
    anchors.begin(name);
    const part = read();
    if (name !== undefined) {
      anchors.end(name, { value: part.value, index: this.#anchored.length }, before);
      this.#anchored.push(part);
    }
    return part;
  }

  #alias({ anchorStart, anchorEnd: end }: AliasEvent): Part {
    const start = anchorStart - 1;
    this.#end = end;
    const anchored = this.#anchors.resolve(this.#source.text.slice(anchorStart, end), start, end);
    const part = anchored === undefined ? undefined : this.#anchored[anchored.index];
    return part ?? scalarPart(null, "", this.#source, start, end);
  }

  #scalar(event: ScalarEvent): Part {
    const text = scalarText(this.#source.text, event);
    const { start, end } = this.#spanOf(event);
    this.#end = Math.max(this.#end, end);
    const tag = this.#tag(event);
    const isPlain = event.style === SCALAR.PLAIN;
    const untagged = isPlain ? plainValue(text) : text;
    const value = tag === undefined ? untagged : taggedValue(tag, text);
    if (value === undefined) this.#refuseTag(event);
    return scalarPart(value ?? null, text, this.#source, start, end);
  }

  /** The place of a scalar with its quotes; of a block of text, the place of its lines. */
  #spanOf({ valueStart, valueEnd, style, indent }: ScalarEvent): Span {
    if (valueStart < 0) return { start: this.#end, end: this.#end };
    if (style === SCALAR.PLAIN) return { start: valueStart, end: valueEnd };
    if (style === SCALAR.SINGLE_QUOTED || style === SCALAR.DOUBLE_QUOTED) {
      return { start: valueStart - 1, end: valueEnd + 1 };
    }
    const start = Math.min(valueStart + Math.max(indent, 0), valueEnd);
    return { start, end: start + this.#source.text.slice(start, valueEnd).trimEnd().length };
  }

  /** The name of the tag in the core schema; undefined without a tag, or behind the error of another one. */
  #tag({ tagStart, tagEnd }: ScalarEvent | CollectionEvent): string | undefined {
    if (tagStart < 0) return undefined;
    const written = this.#source.text.slice(tagStart, tagEnd);
    const [handle = ""] = /^!(?:[\w-]*!)?/.exec(written) ?? [];
    const prefix = this.#tagHandles.get(handle);
    const tag = tagName(prefix === undefined ? written : `!<${prefix}${written.slice(handle.length)}>`);
    return tag ?? "unknown";
  }

  #refuseTag({ tagStart, tagEnd }: ScalarEvent | CollectionEvent): void {
    const message = `the tag ${this.#source.text.slice(tagStart, tagEnd)} has no value that can be read here`;
    const help = "Remove the tag, or exclude the file with a glob that begins with !.";
    this.#errors.add({ code: "E_TAG", message, help, start: tagStart, end: tagEnd });
  }

  #collection(event: CollectionEvent): Part {
    const { type, start } = event;
    const tag = this.#tag(event);
    const isMapping = type === EVENT.MAPPING;
    if (tag !== undefined && tag !== "" && tag !== (isMapping ? "map" : "seq")) this.#refuseTag(event);
    // A single pair in a list in brackets has no brackets of its own.
    const isBracketed = isFlow(event) && this.#source.text[start] === (isMapping ? "{" : "[");
    this.#end = Math.max(this.#end, isBracketed ? start + 1 : start);
    const part = isMapping ? this.#mapping(start) : this.#sequence(start);
    if (isBracketed) this.#end = this.#closing();
    part.node.end = this.#end;
    return part;
  }

  /** The end of the collection in brackets whose content was read: behind blanks, comments, and what may follow a key. */
  #closing(): number {
    const { text } = this.#source;
    let at = this.#end;
    for (;;) {
      while (/[\s,:?]/.test(text[at] ?? "")) at += 1;
      if (text[at] !== "#") return at + 1;
      at = text.indexOf("\n", at);
    }
  }

  #sequence(start: number): OpenPart {
    const value: Json[] = [];
    const items: Node[] = [];
    while (!this.#isOver()) {
      const item = this.#part();
      value.push(item.value);
      items.push(item.node);
    }
    return { value, node: { type: "list", items, start, end: start, source: this.#source } };
  }

  #mapping(start: number): OpenPart {
    const members = new Map<string, Member>();
    const fields = bare();
    const merged: Part[] = [];
    while (!this.#isOver()) {
      const key = this.#key();
      const { value, node } = this.#part();
      if (key.isMerge === true) merged.push(...this.#mergedParts({ value, node }, key));
      else if (key.name !== undefined && members.has(key.name)) this.#refuseTwin(key.name, key, members);
      else if (key.name !== undefined) {
        members.set(key.name, { start: key.start, end: key.end, source: this.#source, value: node });
        fields[key.name] = value;
      }
    }
    for (const part of merged) this.#merge(part, members, fields);
    return { value: fields, node: { type: "map", members, start, end: start, source: this.#source } };
  }

  #refuseTwin(name: string, { start, end }: Span, members: ReadonlyMap<string, Member>): void {
    const message = `the mapping has the key "${name}" twice`;
    const first = members.get(name);
    const related = first === undefined ? undefined : { message: "first here", start: first.start, end: first.end };
    this.#errors.add({ code: "E_DUP_KEY", message, help: "Keep one of the two.", start, end, related });
  }

  /** The mappings that a merge key names: one, or a list of them. */
  #mergedParts({ value, node }: Part, { start, end }: Span): readonly Part[] {
    const isList = node.type === "list";
    const parts = isList
      ? node.items.map((item, at) => ({ value: listIn(value)[at] ?? null, node: item }))
      : [{ value, node }];
    const mappings = parts.filter((part) => part.node.type === "map");
    if (mappings.length === parts.length) return mappings;
    const message = "the merge key << has a value that is not a mapping";
    this.#errors.add({ code: "E_MERGE_KEY", message, help: "Write <<: *anchor, or quote the key.", start, end });
    return [];
  }

  /** Adds the members of a mapping that are not there yet: those that are written, and those merged first, win. */
  #merge({ value, node }: Part, members: Map<string, Member>, fields: Record<string, Json>): void {
    if (node.type !== "map") return;
    for (const [name, member] of node.members) {
      this.#merged += 1;
      if (this.#merged > this.#limits.tokens) {
        const help = `Merge keys can add ${this.#limits.tokens} keys to a file.`;
        const message = "the merge keys make the file too large";
        this.#errors.refuse({ code: "E_ALIAS_LIMIT", message, help, start: member.start, end: member.end });
      }
      if (members.has(name)) continue;
      members.set(name, member);
      fields[name] = fieldsIn(value)[name] ?? null;
    }
  }

  /** A key; what is not a text, such as 1 or true, is named as it is written. */
  #key(): Key {
    const event = this.#take();
    if (event.type === EVENT.SCALAR) {
      const text = scalarText(this.#source.text, event);
      const tag = this.#tag(event);
      const isMerge = (tag === undefined && event.style === SCALAR.PLAIN && text === "<<") || tag === "merge";
      const { start, end } = isMerge ? this.#spanOf(event) : this.#anchor(event, () => this.#scalar(event)).node;
      this.#end = end;
      return { name: text, isMerge, start, end };
    }
    if (event.type === EVENT.ALIAS) {
      const { node } = this.#alias(event);
      const span = { start: event.anchorStart - 1, end: event.anchorEnd };
      if (node.type === "scalar") return { name: String(node.value), ...span };
    } else {
      this.#next -= 1;
      this.#part();
    }
    const start = "start" in event ? event.start : this.#end;
    const message = "a key is a list or a mapping";
    const help = "Write a text before the colon. If this is a text with brackets, quote it.";
    this.#errors.add({ code: "E_KEY_TYPE", message, help, start, end: this.#end });
    return { start, end: this.#end };
  }
}
