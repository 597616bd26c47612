/**
 * The canonical layout of a file: indentation, blanks, blank lines and line ends, and nothing else. Every word, quote and comment
 * stays, in its order.
 */

import type { Concrete, ConcreteItem, Mark } from "./cst.ts";

/** What is broken over several lines when it is longer. */
const WIDTH = 120;

/** Written in a way that has no canonical layout, such as a key after a question mark. */
export class NoLayout extends Error {}

/** The text of a document in its canonical layout. Throws {@link NoLayout}. */
export function laidOut(document: Concrete): string {
  const layout = new Layout();
  const [item] = document.items;
  if (item?.value === undefined) throw new NoLayout();
  layout.marks(item.start);
  layout.value(item.value, 0, "own");
  layout.marks(document.after);
  return layout.end();
}

/** How a value may begin: on a line of its own, behind a colon, or behind a hyphen. */
type Beginning = "own" | "colon" | "hyphen";

/** A comment with a line of its own. */
interface Remark {
  readonly text: string;
  readonly apart: boolean;
}

class Layout {
  readonly #lines: string[] = [];
  #line: string | undefined;
  #waiting: Remark[] = [];
  /** Line breaks since anything was written. */
  #breaks = 0;
  #last = 0;

  /** Takes what stands between values; gives anchors and tags. */
  marks(marks: readonly Mark[]): readonly string[] {
    const props: string[] = [];
    for (const { type, source } of marks) {
      if (type === "newline") this.#breaks += 1;
      else if (type === "comment") this.#comment(source);
      else if (type === "anchor" || type === "tag") props.push(source);
      else if (type === "doc-start") this.#open("---", 0);
      else if (!KNOWN.has(type)) throw new NoLayout();
    }
    return props;
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
    this.#last = indent;
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
    this.#flush(this.#last > 0 && this.#waiting.length > 0 ? 0 : 0);
    return `${this.#lines.join("\n")}\n`;
  }

  /** Whether something stands between what was written and what comes that must not be drawn into its line. */
  #isBroken(): boolean {
    return this.#waiting.length > 0 || this.#line === undefined || this.#line.includes(" #");
  }

  value(value: Concrete, indent: number, beginning: Beginning): void {
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
        this.#flow(value, indent, "");
        break;
      default:
        this.#text(value, indent);
    }
    if (value.type !== "flow-map" && value.type !== "flow-seq") this.marks(value.after);
  }

  #pairs({ items }: Concrete, indent: number, beginning: Beginning): void {
    for (const [index, { start, key, sep, value }] of items.entries()) {
      if (this.marks(start).length > 0) throw new NoLayout();
      if (key === undefined) continue;
      if (key.items.length > 0 || key.type === "block-scalar" || key.source.includes("\n")) throw new NoLayout();
      const compact = index === 0 && beginning === "hyphen" && !this.#isBroken();
      if (compact) this.#line += ` ${key.source}:`;
      else this.#open(`${key.source}:`, indent);
      this.#behind(sep, value, indent, "colon");
    }
  }

  #items({ items }: Concrete, indent: number, beginning: Beginning): void {
    for (const [index, { start, value }] of items.entries()) {
      const hyphen = start.findIndex(({ type }) => type === "seq-item-ind");
      this.marks(hyphen < 0 ? start : start.slice(0, hyphen));
      if (hyphen < 0) continue;
      if (index === 0 && beginning === "hyphen" && !this.#isBroken()) this.#line += " -";
      else this.#open("-", indent);
      this.#behind(start.slice(hyphen + 1), value, indent, "hyphen");
    }
  }

  /** What stands behind a colon or a hyphen. */
  #behind(sep: readonly Mark[], value: Concrete | undefined, indent: number, beginning: Beginning): void {
    const props = this.marks(sep);
    for (const prop of props) this.#line += ` ${prop}`;
    if (value === undefined) return;
    const isBlock = value.type === "block-map" || value.type === "block-seq";
    // Blank lines between a key and what it holds say nothing.
    if (isBlock) this.#breaks = Math.min(this.#breaks, 1);
    this.value(value, indent + 2, isBlock && props.length > 0 ? "own" : beginning);
  }

  /** A single value: on the line, or below the comments that stand before it. */
  #text({ source }: Concrete, indent: number): void {
    const [first = "", ...rest] = source.split(/\r?\n/);
    this.#append(first, indent);
    this.#more(rest, indent);
  }

  /** The further lines of a single value. */
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

  #block({ before, source }: Concrete, indent: number): void {
    const [head, comment] = [
      before.find(({ type }) => type === "block-scalar-header"),
      before.find(({ type }) => type === "comment"),
    ];
    if (head === undefined || /\d/.test(head.source)) throw new NoLayout();
    this.#append(comment === undefined ? head.source : `${head.source} ${comment.source}`, indent);
    const lines = source.split(/\r?\n/);
    lines.pop();
    const filled = lines.filter((line) => line.trim() !== "");
    const margin = Math.min(...filled.map((line) => line.length - line.trimStart().length));
    const kept = head.source.includes("+");
    let last = lines.length;
    while (!kept && last > 0 && lines[last - 1]?.trim() === "") last -= 1;
    for (const line of lines.slice(0, last)) {
      this.#lines.push((this.#line ?? "").replace(/^ *$/, ""));
      this.#line = line.trim() === "" && line.length <= margin ? "" : " ".repeat(indent) + line.slice(margin);
    }
    // A line of the block keeps the blanks at its end: they are part of it.
    if (this.#line !== undefined) this.#lines.push(this.#line);
    this.#line = undefined;
    this.#breaks = 1 + (kept ? 0 : lines.length - last);
  }

  /** Brackets: on one line where they fit and hold no comment, else an item on each line. `tail` is what follows. */
  #flow(value: Concrete, indent: number, tail: string): void {
    const inline = inlineText(value);
    const column = this.#isBroken() ? indent : (this.#line ?? "").length + 1;
    if (inline !== undefined && (column + inline.length + tail.length <= WIDTH || value.items.length === 0)) {
      this.#append(inline, indent);
      this.marks(value.after.slice(1));
      return;
    }
    const own = this.#isBroken()
      ? indent
      : indent - (/^\s*-/.test(this.#line ?? "") && !/:$/.test(this.#line ?? "") ? 0 : 2);
    this.#append(value.source, indent);
    this.#brackets(value, own, "");
    this.marks(value.after.slice(1));
  }

  /** The items of what was opened, and the bracket that closes it. */
  #brackets({ items, after }: Concrete, own: number, tail: string): void {
    const last = items.findLastIndex(({ key, value: one }) => key !== undefined || one !== undefined);
    for (const [index, item] of items.entries()) {
      // A comma stands at the beginning of the item after it.
      const comma = item.start.findIndex(({ type }) => type === "comma");
      this.marks(comma < 0 ? [] : item.start.slice(0, comma));
      this.#flowItem({ ...item, start: item.start.slice(comma + 1) }, own + 2, index <= last);
    }
    const closing = after[0];
    if (closing === undefined) throw new NoLayout();
    this.#breaks = Math.min(this.#breaks, 1);
    this.#open(closing.source + tail, own);
  }

  #flowItem({ start, key, sep, value }: ConcreteItem, indent: number, isReal: boolean): void {
    const own = this.marks(start);
    if (!isReal) return;
    const before = key === undefined ? [] : [`${inlineText(key) ?? fail()}:`];
    if (key !== undefined && !sep.some(({ type }) => type === "map-value-ind")) throw new NoLayout();
    const behind = this.marks(sep);
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
    } else throw new NoLayout();
    this.marks(value === undefined ? [] : value.type.startsWith("flow") ? value.after.slice(1) : value.after);
  }
}

const KNOWN: ReadonlySet<string> = new Set([
  "space",
  "comma",
  "map-value-ind",
  "seq-item-ind",
  "doc-end",
  "flow-map-end",
  "flow-seq-end",
]);

function fail(): never {
  throw new NoLayout();
}

/** A value on one line; undefined when a comment or a line break within it forbids that. */
function inlineText(value: Concrete): string | undefined {
  if (value.type === "block-scalar" || value.type === "block-map" || value.type === "block-seq") return undefined;
  const isFlow = value.type === "flow-map" || value.type === "flow-seq";
  if (!isFlow) return value.source.includes("\n") ? undefined : value.source;
  const closing = value.after[0]?.source;
  if (closing === undefined) throw new NoLayout();
  const parts: string[] = [];
  for (const { start, key, sep, value: inner } of value.items) {
    const own = inner !== undefined && !inner.type.startsWith("flow") ? inner.after : [];
    if ([...start, ...sep, ...own].some(({ type }) => type === "comment")) return undefined;
    if ([...start, ...sep].some(({ type }) => type === "explicit-key-ind")) throw new NoLayout();
    if (key === undefined && inner === undefined) continue;
    const words = props(start);
    if (key !== undefined) {
      const text = inlineText(key);
      if (text === undefined) return undefined;
      // Without a colon it is a key that holds nothing, or an item.
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

function props(marks: readonly Mark[]): string[] {
  return marks.filter(({ type }) => type === "anchor" || type === "tag").map(({ source }) => source);
}
