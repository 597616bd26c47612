/**
 * The trees of made entries. The places of their values are in foreign files, whose trees are read a second time for that, so they are
 * computed on request: most runs need only the values.
 */

import { escapedStep, type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import type { Source } from "../../source/source.ts";
import { follow, type MapNode, type Member, type Node, type Span } from "../../source/tree.ts";
import { escapeSubstitutions } from "../../values/substitution.ts";
import type { FileSpan, ForeignDocument } from "../files/document.ts";
import type { ValueTemplate } from "./entry-source.ts";

/** A part of a document that may make an entry. */
export interface Item {
  readonly value: Json;
  readonly document: ForeignDocument;
  /** Its place; the whole document, or a part of that. */
  readonly at: FileSpan;
  /** The node of the part. */
  readonly node: () => Node;
}

/** The whole document. */
export function wholeDocument(document: ForeignDocument): Item {
  return { value: document.value, document, at: document, node: () => document.node };
}

/** A part of a document. A text in a list has the place of the document. */
export function partOf(document: ForeignDocument, value: Json): Item {
  const node = () => document.nodeOf(value) ?? document.node;
  return { value, document, at: spanAt(document, node), node };
}

/**
 * The place in an item that the value of a template comes from: the only member that its expression names, or of several the one
 * whose text makes the most of the value; or else the item.
 */
export function placeOfTemplate(item: Item, template: ValueTemplate, value?: Json): FileSpan {
  const paths = "literal" in template ? [] : template.expression.paths;
  if (paths.length === 0) return item.at;
  return spanAt(item.document, () => {
    const node = item.node();
    const members = new Map(
      paths.flatMap((path) => {
        const pointer = path.map((name) => `/${escapedStep(name)}`).join("");
        const found = follow(node, pointer);
        return found.whole ? [[pointer, found.node] as const] : [];
      }),
    );
    if (members.size === 1) return [...members.values()][0] ?? item.at;
    const result = JSON.stringify(value ?? null).toLowerCase();
    let [most, longest]: [Span, number] = [item.at, 0];
    for (const member of members.values()) {
      const text = member.type === "scalar" ? String(member.value).toLowerCase() : "";
      if (text.length > longest && result.includes(JSON.stringify(text).slice(1, -1))) {
        [most, longest] = [member, text.length];
      }
    }
    return most;
  });
}

/** A place that is computed on request, once. */
function spanAt({ source }: ForeignDocument, find: () => Span): FileSpan {
  let found: Span | undefined;
  const span = (): Span => {
    found ??= find();
    return found;
  };
  return {
    source,
    get start() {
      return span().start;
    },
    get end() {
      return span().end;
    },
  };
}

/** An entry as the files would declare it. Do not spread: its parts are getters. Each of its values is at the place in the foreign file that it comes from. */
export class MadeEntry implements MapNode {
  readonly type = "map";
  readonly source: Source;
  readonly madeAt: Span;
  readonly fields: Fields;
  readonly #item: Item;
  readonly #templates: ReadonlyMap<string, ValueTemplate>;
  /** The entries of other documents that give some values, by the key of the template. */
  readonly #owners: ReadonlyMap<string, MadeEntry>;
  #members: ReadonlyMap<string, Member> | undefined;

  /** `templates`: what made the values, by key; those of attributes by `attributes/NAME`. `madeAt`: the globs of their source. */
  constructor(
    item: Item,
    fields: Fields,
    templates: ReadonlyMap<string, ValueTemplate>,
    madeAt: Span,
    owners: ReadonlyMap<string, MadeEntry> = new Map(),
  ) {
    this.source = item.at.source;
    this.madeAt = madeAt;
    this.fields = fields;
    this.#item = item;
    this.#templates = templates;
    this.#owners = owners;
  }

  /** The entry with these fields, of which another document gives those `taken`, by the keys of their templates. */
  joined(other: MadeEntry, fields: Fields, taken: ReadonlySet<string>): MadeEntry {
    const owners = new Map([...this.#owners, ...[...taken].map((key) => [key, other] as const)]);
    return new MadeEntry(this.#item, fields, this.#templates, this.madeAt, owners);
  }

  /** The kind that the document names, such as Component; undefined if it names none. */
  get documentKind(): string | undefined {
    const { value } = this.#item.document;
    return isFields(value) && typeof value.kind === "string" ? value.kind : undefined;
  }

  /** The value of the entry: foreign text has no substitutions. */
  get literal(): Fields {
    return this.fields;
  }

  get start(): number {
    return this.#item.at.start;
  }

  get end(): number {
    return this.#item.at.end;
  }

  get members(): ReadonlyMap<string, Member> {
    this.#members ??= new Map(Object.entries(this.fields).map(([name, value]) => [name, this.#member(name, value)]));
    return this.#members;
  }

  #member(name: string, value: Json): Member {
    const owner = this.#owners.get(name);
    if (owner !== undefined) return owner.#member(name, value);
    const template = this.#templates.get(name);
    const { start, end, source } =
      template === undefined ? this.#item.at : placeOfTemplate(this.#item, template, value);
    const span = { start, end, source, madeAt: template?.at ?? this.madeAt };
    if (isFields(value)) {
      const members = Object.entries(value).map(([key, one]) => [key, this.#member(`${name}/${key}`, one)] as const);
      const computed = JSON.stringify(value);
      return { ...span, value: { ...span, computed, type: "map", members: new Map(members) } };
    }
    const expression = template === undefined || "literal" in template ? undefined : template.expression.text;
    return { ...span, value: treeOf(value, span), expression };
  }
}

/** A tree of a scalar or a list, all of it at one place. */
function treeOf(json: Json, span: Span): Node {
  const computed = typeof json === "string" ? json : JSON.stringify(json);
  if (isList(json)) return { ...span, computed, type: "list", items: json.map((item) => treeOf(item, span)) };
  if (isFields(json)) throw new Error("no value of an entry is a mapping in a list");
  const value = typeof json === "string" ? escapeSubstitutions(json) : json;
  return { ...span, computed, type: "scalar", value };
}
