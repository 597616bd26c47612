/**
 * The canonical layout of a file: indentation, blanks, blank lines and line ends. Words, quotes, comments and their order do not
 * change.
 */

import type { CstItem, CstNode, CstToken } from "./cst.ts";

/** The longest line of a flow collection. */
const WIDTH = 120;

/** The syntax has no canonical layout, such as a key after a question mark. */
export class NoCanonicalLayout extends Error {}

/** Returns the text of a document in its canonical layout. Throws {@link NoCanonicalLayout}. */
export function layOut(document: CstNode): string {
  const layout = new Layout();
  const [item] = document.items;
  if (item?.value === undefined) throw new NoCanonicalLayout();
  layout.trivia(item.start);
  layout.value(item.value, 0, "own");
  layout.trivia(document.after);
  return layout.end();
}

/** The place where a value begins: on its own line, after a colon, or after a hyphen. */
type ValueStart = "own" | "colon" | "hyphen";

/** A comment on its own line. */
interface LineComment {
  readonly text: string;
  readonly apart: boolean;
}

class Layout {
  readonly #lines: string[] = [];
  #line: string | undefined;
  #waiting: LineComment[] = [];
  /** Line breaks since the last output. */
  #breaks = 0;

  /** Adds the tokens between values; returns anchors and tags. */
  trivia(marks: readonly CstToken[]): readonly string[] {
    for (const { type, source } of marks) {
      if (type === "newline") this.#breaks += 1;
      else if (type === "comment") this.#comment(source);
      else if (type === "doc-start") this.#open("---", 0);
      else if (!KNOWN.has(type)) throw new NoCanonicalLayout();
    }
    return props(marks);
  }

  #comment(text: string): void {
    if (this.#breaks === 0 && this.#line !== undefined) this.#line += ` ${text}`;
    else this.#waiting.push({ text, apart: this.#breaks > 1 });
    this.#breaks = 0;
  }

  /** Begins a line. */
  #open(text: string, indent: number): void {
    this.#flush(indent);
    this.#space(this.#breaks > 1);
    this.#line = " ".repeat(indent) + text;
    this.#breaks = 0;
  }

  #flush(indent: number): void {
    this.#close();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { text, apart } of waiting) {
      this.#space(apart);
      this.#lines.push(" ".repeat(indent) + text);
    }
  }

  #close(): void {
    if (this.#line !== undefined) this.#lines.push(this.#line.trimEnd());
    this.#line = undefined;
  }

  #space(apart: boolean): void {
    this.#close();
    if (apart && this.#lines.length > 0 && !/[:[{-]$/.test(this.#lines.at(-1) ?? "")) this.#lines.push("");
  }

  end(): string {
    this.#flush(0);
    return `${this.#lines.join("\n")}\n`;
  }

  /** Whether the next value must begin a line: a comment precedes it. */
  #isBroken(): boolean {
    return this.#waiting.length > 0 || this.#line === undefined || this.#line.includes(" #");
  }

  value(value: CstNode, indent: number, beginning: ValueStart): void {
    switch (value.type) {
      case "block-map":
        this.#pairs(value, indent, beginning);
        break;
      case "block-seq":
        this.#items(value, indent, beginning);
        break;
      case "block-scalar":
        this.#block(value, indent);
        break;
      case "flow-map":
      case "flow-seq":
        this.#flow(value, indent);
        break;
      default:
        this.#text(value, indent);
    }
    if (value.type !== "flow-map" && value.type !== "flow-seq") this.trivia(value.after);
  }

  #pairs({ items }: CstNode, indent: number, beginning: ValueStart): void {
    for (const [index, { start, key, sep, value }] of items.entries()) {
      if (this.trivia(start).length > 0) throw new NoCanonicalLayout();
      if (key === undefined) continue;
      if (key.items.length > 0 || key.type === "block-scalar" || key.source.includes("\n"))
        throw new NoCanonicalLayout();
      const compact = index === 0 && beginning === "hyphen" && !this.#isBroken();
      if (compact) this.#line += ` ${key.source}:`;
      else this.#open(`${key.source}:`, indent);
      this.#behind(sep, value, indent, "colon");
    }
  }

  #items({ items }: CstNode, indent: number, beginning: ValueStart): void {
    for (const [index, { start, value }] of items.entries()) {
      const hyphen = start.findIndex(({ type }) => type === "seq-item-ind");
      this.trivia(hyphen < 0 ? start : start.slice(0, hyphen));
      if (hyphen < 0) continue;
      if (index === 0 && beginning === "hyphen" && !this.#isBroken()) this.#line += " -";
      else this.#open("-", indent);
      this.#behind(start.slice(hyphen + 1), value, indent, "hyphen");
    }
  }

  /** Adds what follows a colon or a hyphen. */
  #behind(sep: readonly CstToken[], value: CstNode | undefined, indent: number, beginning: ValueStart): void {
    const props = this.trivia(sep);
    for (const prop of props) this.#line += ` ${prop}`;
    if (value === undefined) return;
    const isBlock = value.type === "block-map" || value.type === "block-seq";
    // Blank lines between a key and its value are removed.
    if (isBlock) this.#breaks = Math.min(this.#breaks, 1);
    this.value(value, indent + 2, isBlock && props.length > 0 ? "own" : beginning);
  }

  /** Adds a scalar: on the line, or below the comments before it. */
  #text({ source }: CstNode, indent: number): void {
    const [first = "", ...rest] = source.split(/\r?\n/);
    this.#append(first, indent);
    this.#more(rest, indent);
  }

  /** Adds the further lines of a scalar. */
  #more(rest: readonly string[], indent: number): void {
    for (const line of rest) {
      this.#lines.push((this.#line ?? "").trimEnd());
      this.#line = line.trim() === "" ? "" : " ".repeat(indent) + line.trim();
    }
  }

  #append(text: string, indent: number): void {
    if (this.#isBroken()) this.#open(text, indent);
    else this.#line += ` ${text}`;
    this.#breaks = 0;
  }

  #block({ before, source }: CstNode, indent: number): void {
    const head = before.find(({ type }) => type === "block-scalar-header");
    const comment = before.find(({ type }) => type === "comment");
    if (head === undefined || /\d/.test(head.source)) throw new NoCanonicalLayout();
    this.#append(comment === undefined ? head.source : `${head.source} ${comment.source}`, indent);
    const lines = source.split(/\r?\n/);
    lines.pop();
    const filled = lines.filter((line) => line.trim() !== "");
    const margin = Math.min(...filled.map((line) => line.length - line.trimStart().length));
    const kept = head.source.includes("+");
    const last = kept ? lines.length : lines.findLastIndex((line) => line.trim() !== "") + 1;
    for (const line of lines.slice(0, last)) {
      this.#lines.push((this.#line ?? "").replace(/^ *$/, ""));
      this.#line = line.trim() === "" && line.length <= margin ? "" : " ".repeat(indent) + line.slice(margin);
    }
    // Blanks at the end of a line are part of the block scalar.
    if (this.#line !== undefined) this.#lines.push(this.#line);
    this.#line = undefined;
    this.#breaks = 1 + (kept ? 0 : lines.length - last);
  }

  /** Adds a flow collection: on one line if it fits and has no comment, else an item on each line. */
  #flow(value: CstNode, indent: number): void {
    const inline = inlineText(value);
    const line = this.#line ?? "";
    const isBroken = this.#isBroken();
    const column = isBroken ? indent : line.length + 1;
    if (inline !== undefined && (column + inline.length <= WIDTH || value.items.length === 0)) {
      this.#append(inline, indent);
      this.trivia(value.after.slice(1));
      return;
    }
    const own = isBroken || (/^\s*-/.test(line) && !line.endsWith(":")) ? indent : indent - 2;
    this.#append(value.source, indent);
    this.#brackets(value, own, "");
    this.trivia(value.after.slice(1));
  }

  /** Adds the items of an open flow collection, and its closing bracket. */
  #brackets({ items, after }: CstNode, own: number, tail: string): void {
    const last = items.findLastIndex(({ key, value: one }) => key !== undefined || one !== undefined);
    for (const [index, item] of items.entries()) {
      // The parser puts a comma at the beginning of the next item.
      const comma = item.start.findIndex(({ type }) => type === "comma");
      this.trivia(comma < 0 ? [] : item.start.slice(0, comma));
      this.#flowItem({ ...item, start: item.start.slice(comma + 1) }, own + 2, index <= last);
    }
    const closing = after[0] ?? fail();
    this.#breaks = Math.min(this.#breaks, 1);
    this.#open(closing.source + tail, own);
  }

  #flowItem({ start, key, sep, value }: CstItem, indent: number, isReal: boolean): void {
    const own = this.trivia(start);
    if (!isReal) return;
    const before = key === undefined ? [] : [`${inlineText(key) ?? fail()}:`];
    if (key !== undefined && !sep.some(({ type }) => type === "map-value-ind")) throw new NoCanonicalLayout();
    const behind = this.trivia(sep);
    this.#breaks = Math.min(this.#breaks, 1);
    const inline = value === undefined ? "" : inlineText(value);
    const words = [...own, ...before, ...behind];
    const text = [...words, ...(inline === undefined || inline === "" ? [] : [inline])].join(" ");
    const isFlow = value?.type.startsWith("flow") === true && value.items.length > 0;
    if (value !== undefined && isFlow && (inline === undefined || indent + text.length >= WIDTH)) {
      this.#open([...words, value.source].join(" "), indent);
      this.#brackets(value, indent, ",");
    } else if (inline !== undefined) {
      this.#open(`${text},`, indent);
    } else if (value !== undefined && value.items.length === 0) {
      const [first = "", ...rest] = value.source.split(/\r?\n/);
      this.#open([...words, first].join(" "), indent);
      this.#more(rest, indent + 2);
      this.#line += ",";
    } else throw new NoCanonicalLayout();
    this.trivia(value === undefined ? [] : value.type.startsWith("flow") ? value.after.slice(1) : value.after);
  }
}

const KNOWN: ReadonlySet<string> = new Set([
  "anchor",
  "tag",
  "space",
  "comma",
  "map-value-ind",
  "seq-item-ind",
  "doc-end",
  "flow-map-end",
  "flow-seq-end",
]);

function fail(): never {
  throw new NoCanonicalLayout();
}

/** A value on one line; undefined if it has a comment or a line break. */
function inlineText(value: CstNode): string | undefined {
  if (value.type === "block-scalar" || value.type === "block-map" || value.type === "block-seq") return undefined;
  const isFlow = value.type === "flow-map" || value.type === "flow-seq";
  if (!isFlow) return value.source.includes("\n") ? undefined : value.source;
  const closing = value.after[0]?.source ?? fail();
  const parts: string[] = [];
  for (const { start, key, sep, value: inner } of value.items) {
    const own = inner !== undefined && !inner.type.startsWith("flow") ? inner.after : [];
    if ([...start, ...sep, ...own].some(({ type }) => type === "comment")) return undefined;
    if ([...start, ...sep].some(({ type }) => type === "explicit-key-ind")) throw new NoCanonicalLayout();
    if (key === undefined && inner === undefined) continue;
    const words = props(start);
    if (key !== undefined) {
      const text = inlineText(key);
      if (text === undefined) return undefined;
      // Without a colon it is a key without a value, or an item.
      words.push(sep.some(({ type }) => type === "map-value-ind") ? `${text}:` : text, ...props(sep));
    }
    const text = inner === undefined ? "" : inlineText(inner);
    if (text === undefined) return undefined;
    if (text !== "") words.push(text);
    parts.push(words.join(" "));
  }
  const [open, end] = value.type === "flow-map" && parts.length > 0 ? ["{ ", " }"] : [value.source, closing];
  return open + parts.join(", ") + end;
}

function props(marks: readonly CstToken[]): string[] {
  return marks.filter(({ type }) => type === "anchor" || type === "tag").map(({ source }) => source);
}
