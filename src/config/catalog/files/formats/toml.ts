/** A TOML file, which is one document: the only file that imports toml-eslint-parser. Dates are texts as they are written. */

import { type AST, ParseError, parseTOML } from "toml-eslint-parser";
import { bare } from "../../../../core/json.ts";
import type { FileErrors } from "../../../source/file-errors.ts";
import type { Limits } from "../../../source/limits.ts";
import type { Source } from "../../../source/source.ts";
import { exactValue } from "../../../source/text.ts";
import type { ListNode, MapNode, Member, Node, Span } from "../../../source/tree.ts";
import { depthError } from "../../../source/yaml/syntax-error.ts";
import type { FileSpan, ReadFormat } from "../document.ts";

/** Reads the document; none from a file without keys. */
export const readToml: ReadFormat = (source, limits, errors) => {
  refuseSize(source.text, errors);
  const body = parse(source, limits, errors);
  const document = new TomlReader(source, limits, errors).document(body);
  return document.members.size > 0 ? [document] : [];
};

/** The parser takes about 50 µs and 5 kB for each key. */
const KEYS = 50_000;

function refuseSize(text: string, errors: FileErrors): void {
  let count = 0;
  for (const { index } of text.matchAll(/[=[{,]/g)) {
    count += 1;
    if (count <= KEYS) continue;
    const message = `the file has more than ${KEYS} keys, commas and brackets`;
    errors.refuse({ code: "E_TOO_LARGE", message, help: "Split it.", start: index });
  }
}

function parse(source: Source, limits: Limits, errors: FileErrors): AST.TOMLTopLevelTable {
  try {
    return parseTOML(source.text, { tomlVersion: "1.0" }).body[0];
  } catch (error) {
    // The parser calls itself for each level of brackets.
    if (error instanceof RangeError) errors.refuse(depthError(0, limits));
    if (!(error instanceof ParseError)) throw error;
    const message = `this is not TOML: ${error.message.slice(0, 1).toLowerCase()}${error.message.slice(1)}`;
    return errors.refuse({ code: "E_SYNTAX", message, help: "Correct it.", start: error.index });
  }
}

/** A table while it is read: more keys can follow under another header. */
interface Table {
  readonly entries: Map<string, Entry>;
  start: number;
  end: number;
}

/** A key, and its value: a finished one, a table, or a list of tables. */
interface Entry {
  readonly key: Span;
  readonly value: Node | Table | Table[];
}

class TomlReader {
  readonly #source: Source;
  readonly #limits: Limits;
  readonly #errors: FileErrors;

  constructor(source: Source, limits: Limits, errors: FileErrors) {
    this.#source = source;
    this.#limits = limits;
    this.#errors = errors;
  }

  document({ body, range: [start, end] }: AST.TOMLTopLevelTable): MapNode {
    const root: Table = { entries: new Map(), start, end };
    for (const one of body) {
      if (one.type === "TOMLKeyValue") this.#addPair(root, one, 1);
      else {
        const table = this.#tableAt(root, one);
        for (const pair of one.body) this.#addPair(table, pair, one.resolvedKey.length + 1);
      }
    }
    return this.#map(root);
  }

  /** The table that a header names. */
  #tableAt(root: Table, { key: { keys }, kind, range }: AST.TOMLTable): Table {
    let table = root;
    this.#checkDepth(keys.length, range[0]);
    for (const [at, key] of keys.entries()) {
      const isNew = kind === "array" && at === keys.length - 1;
      table = this.#child(table, key, range, isNew);
    }
    return table;
  }

  /** The table of a key in a table, the last one of a list of tables, or a new one at the end of that list. */
  #child({ entries }: Table, key: AST.TOMLBare | AST.TOMLQuoted, [start, end]: AST.Range, isNewItem: boolean): Table {
    const name = nameOf(key);
    const value = entries.get(name)?.value;
    const created: Table = { entries: new Map(), start, end };
    if (value === undefined) {
      entries.set(name, { key: this.#span(key.range), value: isNewItem ? [created] : created });
      return created;
    }
    if (Array.isArray(value)) {
      if (isNewItem) value.push(created);
      return widened(value.at(-1) ?? created, end);
    }
    // The parser has refused headers of other values.
    return "entries" in value ? widened(value, end) : created;
  }

  #addPair(table: Table, { key: { keys }, value, range }: AST.TOMLKeyValue, depth: number): void {
    this.#checkDepth(depth + keys.length, range[0]);
    let at = table;
    for (const key of keys.slice(0, -1)) at = this.#child(at, key, range, false);
    const last = keys.at(-1);
    if (last === undefined) return;
    const node = this.#content(value, depth + keys.length - 1);
    at.entries.set(nameOf(last), { key: this.#span(last.range), value: node });
  }

  #content(content: AST.TOMLContentNode, depth: number): Node {
    const [start, end] = content.range;
    this.#checkDepth(depth, start);
    if (content.type === "TOMLArray") {
      return this.#list(
        content.elements.map((element) => this.#content(element, depth + 1)),
        content.range,
      );
    }
    if (content.type === "TOMLInlineTable") {
      const table: Table = { entries: new Map(), start, end };
      for (const pair of content.body) this.#addPair(table, pair, depth + 1);
      return this.#map(table);
    }
    // The parser gives a 0 at the end of the file no characters.
    const range: AST.Range = [start, Math.max(end, start + 1)];
    const text = this.#source.text.slice(...range);
    const value = content.value instanceof Date ? text : content.value;
    const digits = content.kind === "integer" ? content.bigint.toString() : text;
    return { type: "scalar", value: exactValue(value, digits), ...this.#span(range) };
  }

  #map({ entries, start, end }: Table): MapNode {
    const value = bare();
    const members = new Map<string, Member>();
    for (const [name, { key, value: entry }] of entries) {
      const node = Array.isArray(entry) ? this.#tables(entry) : "entries" in entry ? this.#map(entry) : entry;
      value[name] = node.value ?? null;
      members.set(name, { ...key, value: node });
    }
    return { type: "map", members, value, ...this.#span([start, end]) };
  }

  #tables(tables: readonly Table[]): ListNode {
    const items = tables.map((table) => this.#map(table));
    return this.#list(items, [tables[0]?.start ?? 0, tables.at(-1)?.end ?? 0]);
  }

  #list(items: readonly Node[], range: AST.Range): ListNode {
    return { type: "list", items, value: items.map(({ value }) => value ?? null), ...this.#span(range) };
  }

  #span([start, end]: AST.Range): FileSpan {
    return { start, end, source: this.#source };
  }

  #checkDepth(depth: number, start: number): void {
    if (depth > this.#limits.depth) this.#errors.refuse(depthError(start, this.#limits));
  }
}

function nameOf(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === "TOMLBare" ? key.name : key.value;
}

function widened(table: Table, end: number): Table {
  table.end = Math.max(table.end, end);
  return table;
}
