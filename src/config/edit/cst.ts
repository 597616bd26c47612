/** YAML as it is written: every value with its place, its style and its anchor, so that a part can be changed and the rest stay. */

import type { Member, Node } from "../source/tree.ts";

/** A piece of text that is no value: an indicator, blanks, a line's end, a comment, an anchor, a tag. */
export interface Mark {
  readonly type: string;
  readonly offset: number;
  readonly source: string;
}

/** A value of the concrete syntax, or the document around one. */
export interface Concrete {
  readonly type: string;
  readonly offset: number;
  /** Of a single value as it is written; of a block its lines; the opening bracket of a flow collection. */
  readonly source: string;
  readonly items: readonly ConcreteItem[];
  /** The head of a block of lines. */
  readonly before: readonly Mark[];
  readonly after: readonly Mark[];
}

/** An item of a list, a pair of a mapping, or what a document holds. */
export interface ConcreteItem {
  readonly start: readonly Mark[];
  readonly key?: Concrete;
  readonly sep: readonly Mark[];
  readonly value?: Concrete;
}

/** How a value is written. */
type Style = "plain" | "single" | "double" | "block" | "flow";

/** A value with where and how it is written; offsets count in the text of its file. */
export interface Written {
  readonly type: "scalar" | "alias" | "map" | "list";
  readonly style: Style;
  /** It stands within the brackets of a flow collection. */
  readonly inBrackets: boolean;
  readonly node: Node;
  readonly start: number;
  /** Of a collection in block style the end of its last line, a comment there included. */
  readonly end: number;
  readonly anchor?: string;
  readonly pairs: readonly WrittenPair[];
  readonly items: readonly WrittenItem[];
  /** A part of it is written in a way that is not changed in place, such as a key after a question mark. */
  readonly odd: boolean;
}

/** A key and its value. */
export interface WrittenPair {
  readonly key: string;
  readonly start: number;
  /** Behind the colon. */
  readonly colon: number;
  readonly end: number;
  /** Undefined where nothing stands behind the colon. */
  readonly value?: Written;
}

/** An item, from its hyphen in block style. */
export interface WrittenItem {
  readonly start: number;
  readonly end: number;
  readonly value?: Written;
}

/** The value of a document, with the tree that it was read into. */
export function writtenOf(document: Concrete, node: Node, text: string): Written | undefined {
  const [item] = document.items;
  return item?.value === undefined ? undefined : written(item.value, node, item.start, text, false);
}

function written(token: Concrete, node: Node, props: readonly Mark[], text: string, inBrackets: boolean): Written {
  const anchor = props.find(({ type }) => type === "anchor")?.source.slice(1);
  const shared = { node, start: token.offset, inBrackets, ...(anchor === undefined ? {} : { anchor }) };
  switch (token.type) {
    case "block-map":
    case "flow-map":
      return { ...shared, ...mapping(token, node, text, inBrackets) };
    case "block-seq":
    case "flow-seq":
      return { ...shared, ...sequence(token, node, text, inBrackets) };
    case "block-scalar":
      return { ...shared, type: "scalar", style: "block", ...lines(token), pairs: [], items: [], odd: false };
    default: {
      const style = STYLES[token.type] ?? "plain";
      const type = token.type === "alias" ? "alias" : "scalar";
      return { ...shared, type, style, end: token.offset + token.source.length, pairs: [], items: [], odd: false };
    }
  }
}

const STYLES: Readonly<Record<string, Style>> = {
  "single-quoted-scalar": "single",
  "double-quoted-scalar": "double",
};

/** A block of lines begins with its head and ends before the line break that ends it. */
function lines({ offset, before, source }: Concrete): { readonly start: number; readonly end: number } {
  const head = before.find(({ type }) => type === "block-scalar-header");
  const kept =
    head?.source.includes("+") === true ? source.replace(/\r?\n$/, "") : source.replace(/(?:\r?\n[ \t]*)+$/, "");
  const last = before.at(-1);
  const content = last === undefined ? offset : last.offset + last.source.length;
  const end = kept === "" && last !== undefined ? last.offset : content + kept.length;
  return { start: head?.offset ?? offset, end };
}

type Shape = Pick<Written, "type" | "style" | "end" | "pairs" | "items" | "odd">;

function mapping(token: Concrete, node: Node, text: string, inBrackets: boolean): Shape {
  const flow = token.type === "flow-map";
  const within = flow || inBrackets;
  const members: readonly (readonly [string, Member])[] = node.type === "map" ? [...node.members] : [];
  const real = token.items.filter(({ key }) => key !== undefined);
  const pairs = real.map(({ key, sep, start, value }, index): WrittenPair => {
    const [name = "", member] = members[index] ?? [];
    const from = key?.offset ?? token.offset;
    const to = from + (key?.source.length ?? 0);
    const colon = sep.find(({ type }) => type === "map-value-ind");
    const after = colon === undefined ? to : colon.offset + 1;
    const inner =
      value === undefined || member === undefined ? undefined : written(value, member.value, sep, text, within);
    const shared = { key: name, start: start.find(({ type }) => type === "anchor")?.offset ?? from, colon: after };
    return inner === undefined ? { ...shared, end: after } : { ...shared, end: inner.end, value: inner };
  });
  const odd =
    members.length !== pairs.length ||
    real.some(({ start, sep }) => [...start, ...sep].some(({ type }) => type === "explicit-key-ind" || type === "tag"));
  const end = flow ? closing(token) : lineEnd(text, pairs.at(-1)?.end ?? token.offset);
  return { type: "map", style: flow ? "flow" : "block", end, pairs, items: [], odd };
}

function sequence(token: Concrete, node: Node, text: string, inBrackets: boolean): Shape {
  const flow = token.type === "flow-seq";
  const within = flow || inBrackets;
  const values = node.type === "list" ? node.items : [];
  const real = token.items.filter(
    ({ start, value }) => value !== undefined || start.some(({ type }) => type === "seq-item-ind"),
  );
  const items = real.map(({ start, value }, index): WrittenItem => {
    const hyphen = start.find(({ type }) => type === "seq-item-ind");
    const item = values[index];
    const inner = value === undefined || item === undefined ? undefined : written(value, item, start, text, within);
    const anchor = start.find(({ type }) => type === "anchor" || type === "tag");
    const from = hyphen?.offset ?? anchor?.offset ?? inner?.start ?? token.offset;
    const shared = { start: from };
    return inner === undefined ? { ...shared, end: from + 1 } : { ...shared, end: inner.end, value: inner };
  });
  const odd =
    values.length !== items.length ||
    token.items.some(({ key, start }) => key !== undefined || start.some(({ type }) => type === "tag"));
  const end = flow ? closing(token) : lineEnd(text, items.at(-1)?.end ?? token.offset);
  return { type: "list", style: flow ? "flow" : "block", end, pairs: [], items, odd };
}

function closing({ after, offset }: Concrete): number {
  const bracket = after.find(({ type }) => type === "flow-map-end" || type === "flow-seq-end");
  return (bracket?.offset ?? offset) + 1;
}

/** Every value in a value, itself included. */
export function* partsOf(value: Written): Generator<Written> {
  yield value;
  for (const pair of value.pairs) if (pair.value !== undefined) yield* partsOf(pair.value);
  for (const item of value.items) if (item.value !== undefined) yield* partsOf(item.value);
}

/** The names of anchors that an alias stands for. */
export function* aliasesOf(root: Written, text: string): Generator<string> {
  for (const part of partsOf(root)) if (part.type === "alias") yield text.slice(part.start + 1, part.end);
}

/** The text that a value was read as; empty for what is none. */
export function textOf({ node }: Written): string {
  return node.type === "scalar" && typeof node.value === "string" ? node.value : "";
}

/** The end of the line that an offset lies in, before what breaks it. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  if (at < 0) return text.length;
  return text[at - 1] === "\r" && at > offset ? at - 1 : at;
}

/** How many characters stand before an offset in its line. */
export function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf("\n", offset - 1) + 1);
}
