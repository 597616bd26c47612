/** The concrete syntax of a YAML text, for what changes files: the only file that imports yaml. It never decides what a file means. */

import { type CST, Lexer, Parser, parseDocument } from "yaml";
import type { Json } from "../../core/json.ts";
import type { Concrete, ConcreteItem, Mark } from "./cst.ts";

/** YAML 1.2 core and nothing else, as `config/source/yaml/` reads it. */
const OPTIONS = {
  version: "1.2",
  schema: "core",
  merge: false,
  resolveKnownTags: false,
  stringKeys: true,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: "silent",
} as const;

/** The value of a text for this parser; undefined if it refuses the text. */
export function parseValue(text: string): Json | undefined {
  const document = parseDocument(text, OPTIONS);
  return document.errors.length + document.warnings.length > 0 ? undefined : document.toJS({ maxAliasCount: -1 });
}

/** The only document of a text that can be read, with every character of it, also those around its value. */
export function concrete(text: string): Concrete | undefined {
  const tokens = [...new Parser().parse(text)];
  const document = tokens.find((token) => token.type === "document");
  if (document?.type !== "document" || document.value === undefined) return undefined;
  const at = tokens.indexOf(document);
  const marks = (some: readonly CST.Token[]): readonly Mark[] => some.flatMap(mark);
  return {
    type: "document",
    items: [
      {
        start: [...marks(tokens.slice(0, at)), ...document.start.flatMap(mark)],
        sep: [],
        value: concreteOf(document.value),
      },
    ],
    offset: document.offset,
    source: "",
    before: [],
    after: [...(document.end ?? []).flatMap(mark), ...marks(tokens.slice(at + 1))],
  };
}

function concreteOf(token: CST.Token): Concrete {
  const { type, offset } = token;
  const items: readonly LooseItem[] = "items" in token ? token.items : [];
  const start = type === "flow-collection" ? token.start.source : "";
  return {
    type: type === "flow-collection" ? (start === "{" ? "flow-map" : "flow-seq") : type,
    offset,
    items: items.map(itemOf),
    source: "source" in token && typeof token.source === "string" ? token.source : start,
    before: type === "block-scalar" ? token.props.flatMap(mark) : [],
    after: "end" in token ? (token.end ?? []).flatMap(mark) : [],
  };
}

/** An item of any of the parser's collections. */
interface LooseItem {
  readonly start: readonly CST.SourceToken[];
  readonly key?: CST.Token | null | undefined;
  readonly sep?: readonly CST.SourceToken[] | undefined;
  readonly value?: CST.Token | undefined;
}

function itemOf({ start, key, sep = [], value }: LooseItem): ConcreteItem {
  return {
    start: start.flatMap(mark),
    ...(key == null ? {} : { key: concreteOf(key) }),
    sep: sep.flatMap(mark),
    ...(value === undefined ? {} : { value: concreteOf(value) }),
  };
}

function mark(token: CST.Token): readonly Mark[] {
  return "source" in token ? [{ type: token.type, offset: token.offset, source: token.source }] : [];
}

/** Where the comments of a text begin and end, in its order; a `#` within a value is none. */
export function commentsOf(text: string): readonly { readonly start: number; readonly end: number }[] {
  const found: { start: number; end: number }[] = [];
  let offset = 0;
  let scalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    // The lexer puts marks between the pieces of the text: the start of a document, and that a plain scalar follows.
    if (lexeme === DOCUMENT_MARK || lexeme === FLOW_ERROR_MARK || (lexeme === SCALAR_MARK && !scalar)) {
      scalar = lexeme === SCALAR_MARK;
      continue;
    }
    if (!scalar && lexeme.startsWith("#")) found.push({ start: offset, end: offset + lexeme.length });
    scalar = false;
    offset += lexeme.length;
  }
  return found;
}

const DOCUMENT_MARK = "\u0002";
const FLOW_ERROR_MARK = "\u0018";
const SCALAR_MARK = "\u001f";
