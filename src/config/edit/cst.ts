/** The syntax of a YAML file: every value with its place, style and anchor, so that a part can be changed in the text. */

import type { Member, Node } from "../source/tree.ts";

/** A piece of text between values: an indicator, blanks, a line end, a comment, an anchor, a tag. */
export interface CstToken {
  readonly type: string;
  readonly offset: number;
  readonly source: string;
}

/** A value of the concrete syntax tree, or the document around it. */
export interface CstNode {
  readonly type: string;
  readonly offset: number;
  /** The text of a scalar, the lines of a block scalar, or the opening bracket of a flow collection. */
  readonly source: string;
  readonly items: readonly CstItem[];
  /** The header of a block scalar. */
  readonly before: readonly CstToken[];
  readonly after: readonly CstToken[];
}

/** An item of a list, a pair of a mapping, or the content of a document. */
export interface CstItem {
  readonly start: readonly CstToken[];
  readonly key?: CstNode | undefined;
  readonly sep: readonly CstToken[];
  readonly value?: CstNode | undefined;
}

/** The style of a value. */
export type Style = "plain" | "single" | "double" | "block" | "flow";

/** A value with its place and style; offsets are in the text of its file. */
export interface SyntaxNode {
  readonly type: "scalar" | "alias" | "map" | "list";
  readonly style: Style;
  /** Whether it is within the brackets of a flow collection. */
  readonly inBrackets: boolean;
  readonly node: Node;
  readonly start: number;
  /** The end; of a block collection the end of its last line, with a comment there. */
  readonly end: number;
  readonly anchor: string | undefined;
  readonly pairs: readonly SyntaxPair[];
  readonly items: readonly SyntaxItem[];
  /** Whether its syntax cannot be edited, such as a key after a question mark. */
  readonly isUneditable: boolean;
}

/** A key and its value. */
export interface SyntaxPair {
  readonly key: string;
  readonly start: number;
  /** The offset after the colon. */
  readonly colon: number;
  readonly end: number;
  /** Undefined if nothing follows the colon. */
  readonly value: SyntaxNode | undefined;
}

/** An item; in block style it begins at its hyphen. */
export interface SyntaxItem {
  readonly start: number;
  readonly end: number;
  readonly value: SyntaxNode | undefined;
}

/** Returns the value of a document, with its tree. */
export function syntaxNodeOf(document: CstNode, node: Node, text: string): SyntaxNode | undefined {
  const [item] = document.items;
  return item?.value === undefined ? undefined : nodeOf(item.value, node, item.start, text, false);
}

function nodeOf(token: CstNode, node: Node, props: readonly CstToken[], text: string, inBrackets: boolean): SyntaxNode {
  const anchor = props.find(({ type }) => type === "anchor")?.source.slice(1);
  const shared = { node, start: token.offset, inBrackets, anchor };
  switch (token.type) {
    case "block-map":
    case "flow-map":
      return { ...shared, ...mapping(token, node, text, inBrackets) };
    case "block-seq":
    case "flow-seq":
      return { ...shared, ...sequence(token, node, text, inBrackets) };
    case "block-scalar":
      return { ...shared, type: "scalar", style: "block", ...lines(token), pairs: [], items: [], isUneditable: false };
    default: {
      const style = STYLES[token.type] ?? "plain";
      const type = token.type === "alias" ? "alias" : "scalar";
      const end = token.offset + token.source.length;
      return { ...shared, type, style, end, pairs: [], items: [], isUneditable: false };
    }
  }
}

const STYLES: Readonly<Record<string, Style>> = {
  "single-quoted-scalar": "single",
  "double-quoted-scalar": "double",
};

/** A block scalar begins with its header and ends before its last line break. */
function lines({ offset, before, source }: CstNode): { readonly start: number; readonly end: number } {
  const head = before.find(({ type }) => type === "block-scalar-header");
  const kept =
    head?.source.includes("+") === true ? source.replace(/\r?\n$/, "") : source.replace(/(?:\r?\n[ \t]*)+$/, "");
  const last = before.at(-1);
  const content = last === undefined ? offset : last.offset + last.source.length;
  const end = kept === "" && last !== undefined ? last.offset : content + kept.length;
  return { start: head?.offset ?? offset, end };
}

type CollectionParts = Pick<SyntaxNode, "type" | "style" | "end" | "pairs" | "items" | "isUneditable">;

function mapping(token: CstNode, node: Node, text: string, inBrackets: boolean): CollectionParts {
  const flow = token.type === "flow-map";
  const within = flow || inBrackets;
  const members: readonly (readonly [string, Member])[] = node.type === "map" ? [...node.members] : [];
  const pairItems = token.items.filter(({ key }) => key !== undefined);
  const pairs = pairItems.map(({ key, sep, start, value }, index): SyntaxPair => {
    const [name = "", member] = members[index] ?? [];
    const from = key?.offset ?? token.offset;
    const to = from + (key?.source.length ?? 0);
    const colon = sep.find(({ type }) => type === "map-value-ind");
    const after = colon === undefined ? to : colon.offset + 1;
    const inner = value && member && nodeOf(value, member.value, sep, text, within);
    const anchor = start.find(({ type }) => type === "anchor");
    return { key: name, start: anchor?.offset ?? from, colon: after, end: inner?.end ?? after, value: inner };
  });
  const isUneditable =
    members.length !== pairs.length ||
    pairItems.some(({ start, sep }) =>
      [...start, ...sep].some(({ type }) => type === "explicit-key-ind" || type === "tag"),
    );
  const end = flow ? closing(token) : lineEnd(text, pairs.at(-1)?.end ?? token.offset);
  return { type: "map", style: flow ? "flow" : "block", end, pairs, items: [], isUneditable };
}

function sequence(token: CstNode, node: Node, text: string, inBrackets: boolean): CollectionParts {
  const flow = token.type === "flow-seq";
  const within = flow || inBrackets;
  const values = node.type === "list" ? node.items : [];
  const listItems = token.items.filter(
    ({ start, value }) => value !== undefined || start.some(({ type }) => type === "seq-item-ind"),
  );
  const items = listItems.map(({ start, value }, index): SyntaxItem => {
    const hyphen = start.find(({ type }) => type === "seq-item-ind");
    const item = values[index];
    const inner = value && item && nodeOf(value, item, start, text, within);
    const anchor = start.find(({ type }) => type === "anchor" || type === "tag");
    const from = hyphen?.offset ?? anchor?.offset ?? inner?.start ?? token.offset;
    return { start: from, end: inner?.end ?? from + 1, value: inner };
  });
  const isUneditable =
    values.length !== items.length ||
    token.items.some(({ key, start }) => key !== undefined || start.some(({ type }) => type === "tag"));
  const end = flow ? closing(token) : lineEnd(text, items.at(-1)?.end ?? token.offset);
  return { type: "list", style: flow ? "flow" : "block", end, pairs: [], items, isUneditable };
}

function closing({ after, offset }: CstNode): number {
  const bracket = after.find(({ type }) => type === "flow-map-end" || type === "flow-seq-end");
  return (bracket?.offset ?? offset) + 1;
}

/** The value below some keys; undefined if there is none. */
export function valueBelow(root: SyntaxNode | undefined, keys: readonly string[]): SyntaxNode | undefined {
  return keys.reduce((node, name) => node?.pairs.find(({ key }) => key === name)?.value, root);
}

/** Yields a value and every value in it. */
export function* partsOf(value: SyntaxNode): Generator<SyntaxNode> {
  yield value;
  for (const pair of value.pairs) if (pair.value !== undefined) yield* partsOf(pair.value);
  for (const item of value.items) if (item.value !== undefined) yield* partsOf(item.value);
}

/** Yields the names of anchors with an alias. */
export function* aliasesOf(root: SyntaxNode, text: string): Generator<string> {
  for (const part of partsOf(root)) if (part.type === "alias") yield text.slice(part.start + 1, part.end);
}

/** The text of a value; empty if it is not a text. */
export function textOf({ node }: SyntaxNode): string {
  return node.type === "scalar" && typeof node.value === "string" ? node.value : "";
}

/** The end of the line of an offset, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  if (at < 0) return text.length;
  return text[at - 1] === "\r" && at > offset ? at - 1 : at;
}

/** The number of characters before an offset in its line. */
export function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf("\n", offset - 1) + 1);
}
