/** The concrete syntax tree of a YAML text, for edits: the only file that imports yaml. It does not decide what a file means. */

import { type CST, Lexer, Parser, parseDocument } from "yaml";
import type { Json } from "../../core/json.ts";
import type { CstItem, CstNode, CstToken } from "./cst.ts";

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

/** Returns the value that this parser reads; undefined if the text has errors. */
export function parseValue(text: string): Json | undefined {
  const document = parseDocument(text, OPTIONS);
  return document.errors.length + document.warnings.length > 0 ? undefined : document.toJS({ maxAliasCount: -1 });
}

/** Returns the syntax tree of a valid text with one document: every character of it. */
export function parseCst(text: string): CstNode | undefined {
  const tokens = [...new Parser().parse(text)];
  const document = tokens.find((token) => token.type === "document");
  if (document?.type !== "document" || document.value === undefined) return undefined;
  const at = tokens.indexOf(document);
  const marks = (some: readonly CST.Token[]): readonly CstToken[] => some.flatMap(tokenOf);
  return {
    type: "document",
    items: [
      {
        start: [...marks(tokens.slice(0, at)), ...document.start.flatMap(tokenOf)],
        sep: [],
        value: nodeOf(document.value),
      },
    ],
    offset: document.offset,
    source: "",
    before: [],
    after: [...(document.end ?? []).flatMap(tokenOf), ...marks(tokens.slice(at + 1))],
  };
}

function nodeOf(token: CST.Token): CstNode {
  const { type, offset } = token;
  const items: readonly ParserItem[] = "items" in token ? token.items : [];
  const start = type === "flow-collection" ? token.start.source : "";
  return {
    type: type === "flow-collection" ? (start === "{" ? "flow-map" : "flow-seq") : type,
    offset,
    items: items.map(itemOf),
    source: "source" in token && typeof token.source === "string" ? token.source : start,
    before: type === "block-scalar" ? token.props.flatMap(tokenOf) : [],
    after: "end" in token ? (token.end ?? []).flatMap(tokenOf) : [],
  };
}

/** An item of any of the parser's collections. */
interface ParserItem {
  readonly start: readonly CST.SourceToken[];
  readonly key?: CST.Token | null | undefined;
  readonly sep?: readonly CST.SourceToken[] | undefined;
  readonly value?: CST.Token | undefined;
}

function itemOf({ start, key, sep = [], value }: ParserItem): CstItem {
  return {
    start: start.flatMap(tokenOf),
    key: key == null ? undefined : nodeOf(key),
    sep: sep.flatMap(tokenOf),
    value: value && nodeOf(value),
  };
}

function tokenOf(token: CST.Token): readonly CstToken[] {
  return "source" in token ? [{ type: token.type, offset: token.offset, source: token.source }] : [];
}

/** Returns the comments of a text, in order. */
export function commentsOf(text: string): readonly { readonly start: number; readonly end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  let offset = 0;
  let scalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    // The lexer puts control characters between the pieces of the text: before a document, and before a plain scalar.
    if (lexeme === DOCUMENT_MARK || lexeme === FLOW_ERROR_MARK || (lexeme === SCALAR_MARK && !scalar)) {
      scalar = lexeme === SCALAR_MARK;
      continue;
    }
    if (!scalar && lexeme.startsWith("#")) ranges.push({ start: offset, end: offset + lexeme.length });
    scalar = false;
    offset += lexeme.length;
  }
  return ranges;
}

const DOCUMENT_MARK = "\u0002";
const FLOW_ERROR_MARK = "\u0018";
const SCALAR_MARK = "\u001f";
