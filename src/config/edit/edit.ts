/**
 * Edits a YAML text in place: the bytes of everything else stay, with comments, quotes and order. An edit that would overwrite a
 * comment, a substitution or an anchor is refused.
 */

import { equal, isFields, isList, type Json } from "../../core/json.ts";
import { hasSubstitution } from "../source/text.ts";
import { columnOf, lineEnd, partsOf, type SyntaxNode, type SyntaxPair, textOf } from "./cst.ts";
import type { EditableDocument } from "./editable-document.ts";
import { alignItems, type Edit, type ItemEdit } from "./list-change.ts";
import { flowText, itemText, keyText, memberText, pairsText, textInStyle } from "./yaml-writer.ts";

/** The reason to refuse an edit. */
export type EditRefusal = "substitution" | "anchor" | "comment" | "style";

/** Refuses an edit at a place. */
export class EditRefused extends Error {
  readonly reason: EditRefusal;
  /** Offset in the text. */
  readonly offset: number;
  constructor(reason: EditRefusal, offset: number) {
    super(reason);
    this.reason = reason;
    this.offset = offset;
  }
}

/** Returns the text after an edit of its document. Throws {@link EditRefused}. */
export function applyEdit(document: EditableDocument, edit: Edit): string {
  const { text, root } = document;
  return text.slice(0, root.start) + new Editor(document).changed(root, edit, -2) + text.slice(root.end);
}

/** Throws {@link EditRefused} if the value cannot be edited so. */
export function checkEdit(document: EditableDocument, value: SyntaxNode, edit: Edit): void {
  new Editor(document).changed(value, edit, 0);
}

class Editor {
  readonly #document: EditableDocument;
  readonly #text: string;
  readonly #eol: string;

  constructor(document: EditableDocument) {
    this.#document = document;
    this.#text = document.text;
    this.#eol = document.text.includes("\r\n") ? "\r\n" : "\n";
  }

  /** Returns the new text of a value; `indent` is that of its line. */
  changed(value: SyntaxNode, edit: Edit, indent: number): string {
    const isEmpty = "members" in edit ? edit.members.size === 0 : "was" in edit && equal(edit.was, edit.to);
    if (isEmpty) return this.#slice(value.start, value.end);
    this.#refuseShared(value);
    if (value.isUneditable) throw new EditRefused("style", value.start);
    if ("members" in edit) return this.#mapping(value, edit.members, edit.order ?? [], indent);
    if ("items" in edit) return this.#list(value, edit.items, indent);
    const { was, to } = edit;
    if (value.type === "map" && isFields(was) && isFields(to)) {
      const members = new Map<string, Edit | undefined>();
      for (const name of Object.keys(was)) if (!Object.hasOwn(to, name)) members.set(name, undefined);
      for (const [name, next] of Object.entries(to)) members.set(name, { was: was[name] ?? null, to: next });
      return this.#mapping(value, members, Object.keys(to), indent);
    } else if (value.type === "list" && isList(was) && isList(to)) {
      // Which item is which would tell whether the value of a variable is another item.
      const opaque = value.items.find((item) => item.value !== undefined && isSubstitution(item.value))?.value;
      if (opaque !== undefined) throw new EditRefused("substitution", opaque.start);
      return this.#list(value, alignItems(was, to), indent);
    } else if (value.type === "scalar" && (typeof to !== "object" || to === null)) {
      return this.#scalar(value, to, indent);
    }
    return this.#anew(value, to, indent);
  }

  #slice(start: number, end: number): string {
    return this.#text.slice(start, end);
  }

  /** Refuses to edit an alias, or a value with aliases. */
  #refuseShared(value: SyntaxNode): void {
    if (this.#isShared(value)) throw new EditRefused("anchor", value.start);
  }

  #isShared({ type, anchor }: SyntaxNode): boolean {
    return type === "alias" || (anchor !== undefined && this.#document.aliased.has(anchor));
  }

  /** Refuses to overwrite anchors, aliases and substitutions. */
  #refuseLoss(value: SyntaxNode): void {
    for (const part of partsOf(value)) {
      this.#refuseAliased(part);
      if (isSubstitution(part)) throw new EditRefused("substitution", part.start);
    }
  }

  /** Refuses to overwrite an anchor that aliases refer to. */
  #refuseAliased(part: SyntaxNode): void {
    if (part.anchor !== undefined && this.#document.aliased.has(part.anchor))
      throw new EditRefused("anchor", part.start);
  }

  /** The offset of the first comment between two offsets. */
  #comment(start: number, end: number): number | undefined {
    return this.#document.comments.find((offset) => offset >= start && offset < end);
  }

  #refuseComments(start: number, end: number): void {
    const nearest = this.#comment(start, end);
    if (nearest !== undefined) throw new EditRefused("comment", nearest);
  }

  #scalar(value: SyntaxNode, to: null | boolean | number | string, indent: number): string {
    if (isSubstitution(value)) throw new EditRefused("substitution", value.start);
    const isBlock = value.style === "block";
    const end = lineEnd(this.#text, isBlock ? value.start : value.end);
    const comment = this.#comment(value.start, end);
    // In brackets, and before a comment, a text cannot become a block scalar.
    const inLine = !isBlock && (comment !== undefined || value.inBrackets);
    // A text of several lines becomes a block scalar.
    const isNewBlock = typeof to === "string" && to.includes("\n") && !textOf(value).includes("\n") && !inLine;
    const insertionPoint = { indent, column: 0, eol: this.#eol, flow: inLine };
    const text =
      typeof to === "string" ? textInStyle(isNewBlock ? "block" : value.style, to, insertionPoint) : String(to);
    if (!isBlock || comment === undefined) return text;
    const [first = "", ...rest] = text.split(this.#eol);
    return [`${first} ${this.#slice(comment, end)}`, ...rest].join(this.#eol);
  }

  #anew(value: SyntaxNode, to: Json, indent: number): string {
    this.#refuseLoss(value);
    this.#refuseComments(value.start, value.end);
    const flat = value.style !== "block" || value.type === "scalar" || value.inBrackets;
    if (flat || !isFields(to)) return flowText(to);
    const column = columnOf(this.#text, value.start);
    return Object.keys(to).length === 0
      ? "{}"
      : pairsText(to, { indent: Math.max(column, indent), column, eol: this.#eol });
  }

  #mapping(
    value: SyntaxNode,
    edits: ReadonlyMap<string, Edit | undefined>,
    order: readonly string[],
    indent: number,
  ): string {
    return value.style === "block" ? this.#blockMapping(value, edits, order) : this.#flowMapping(value, edits, indent);
  }

  #blockMapping(value: SyntaxNode, edits: ReadonlyMap<string, Edit | undefined>, order: readonly string[]): string {
    const column = columnOf(this.#text, value.start);
    const newMembers = new Map([...edits].filter(([name, edit]) => edit !== undefined && !has(value, name)));
    const ends = value.pairs.map(({ end }) => Math.min(lineEnd(this.#text, end), value.end));
    const gap = `${this.#eol}${" ".repeat(column)}`;
    const lines: string[] = [];
    /** Comments above a removed pair stay, above the next one. */
    let above = "";
    for (const [index, pair] of value.pairs.entries()) {
      const edit = edits.get(pair.key);
      above += this.#slice(ends[index - 1] ?? value.start, pair.start);
      if (edits.has(pair.key) && edit === undefined) {
        if (pair.value !== undefined) this.#refuseLoss(pair.value);
        // Comments in it are removed with it.
        above = above.trimEnd();
      } else {
        const body = edit === undefined ? this.#slice(pair.colon, pair.end) : this.#afterColon(pair, edit, column);
        const lead = above.trim() === "" && lines.length > 0 && !above.includes("\n") ? gap : above;
        lines.push(lead, this.#slice(pair.start, pair.colon), body, this.#slice(pair.end, ends[index] ?? pair.end));
        above = "";
      }
      for (const name of membersAfter(pair.key, value, newMembers, order)) {
        lines.push(gap, this.#pairText(name, newMembers.get(name), column));
      }
    }
    const text = lines.join("");
    return text === "" ? `{}${above}` : text.trimStart() + above;
  }

  #flowMapping(value: SyntaxNode, edits: ReadonlyMap<string, Edit | undefined>, indent: number): string {
    const stay = value.pairs.filter(({ key }) => !edits.has(key) || edits.get(key) !== undefined);
    const kept = stay.map((pair) => {
      const edit = edits.get(pair.key);
      if (edit === undefined) return this.#slice(pair.start, pair.end);
      return this.#slice(pair.start, pair.colon) + this.#afterColon(pair, edit, indent, true);
    });
    const newMembers = [...edits].filter(([name, edit]) => edit !== undefined && !has(value, name));
    const more = newMembers.map(([name, edit]) => `${keyText(name)}: ${flowText(targetValue(edit))}`);
    for (const pair of value.pairs) if (!stay.includes(pair) && pair.value !== undefined) this.#refuseLoss(pair.value);
    if (stay.length < value.pairs.length) this.#refuseComments(value.start, value.end);
    return this.#bracketed(value, value.pairs, kept, more, "{}");
  }

  /** A flow collection: its remaining parts with the text between them, then the new ones. */
  #bracketed(
    value: SyntaxNode,
    parts: readonly { readonly start: number; readonly end: number }[],
    kept: readonly string[],
    more: readonly string[],
    empty: "{}" | "[]",
  ): string {
    const [first] = parts;
    const last = parts.at(-1);
    if (kept.length + more.length === 0) return empty;
    if (first === undefined || last === undefined)
      return empty === "[]" ? `[${more.join(", ")}]` : `{ ${more.join(", ")} }`;
    const between = parts.slice(1).map((part, at) => this.#slice(parts[at]?.end ?? 0, part.start));
    const all = kept.length === parts.length;
    const texts = kept.map((text, at) => (at === 0 ? text : (between[all ? at - 1 : 0] ?? ", ") + text));
    const gap = between.find((one) => !one.includes("#")) ?? ", ";
    const added = more.map((text, at) => (at === 0 && texts.length === 0 ? "" : gap) + text);
    return this.#slice(value.start, first.start) + [...texts, ...added].join("") + this.#slice(last.end, value.end);
  }

  /** Returns the text after the colon of a pair. */
  #afterColon(pair: SyntaxPair, edit: Edit, column: number, inBrackets = false): string {
    const { value, colon } = pair;
    const point = { indent: column, column: column + pair.key.length, eol: this.#eol, flow: inBrackets };
    if (value === undefined) {
      return "was" in edit && !equal(edit.was, edit.to) ? memberText(edit.to, point) : "";
    }
    const other = replacement(value, edit);
    if (other !== undefined) {
      this.#refuseShared(value);
      if (other.loses) {
        this.#refuseLoss(value);
        this.#refuseComments(value.start, value.end);
      } else this.#refuseLostItems(value, []);
      const text = memberText(other.to, point);
      // Comments above the value would become part of a block scalar.
      if (text.includes("\n")) this.#refuseComments(colon, value.start);
      return text + this.#slice(colon, value.start).trimEnd();
    }
    const isEmpty = value.style === "flow" && value.pairs.length + value.items.length === 0;
    if (isEmpty && !inBrackets && "items" in edit && edit.items.length > 0) {
      this.#refuseShared(value);
      const text = this.#newItems(newItemsOf(edit.items), column + 2, undefined);
      return `${this.#eol}${" ".repeat(column + 2)}${text}`;
    }
    return this.#slice(colon, value.start) + this.changed(value, edit, column);
  }

  #pairText(name: string, edit: Edit | undefined, column: number): string {
    return pairsText({ [name]: targetValue(edit) }, { indent: column, column, eol: this.#eol });
  }

  #list(value: SyntaxNode, edits: readonly ItemEdit[], indent: number): string {
    this.#refuseLostItems(value, edits);
    return value.style === "block" ? this.#blockList(value, edits) : this.#flowList(value, edits, indent);
  }

  /** Refuses to remove items with such anchors, and to change the order of items with anchors and aliases. */
  #refuseLostItems(value: SyntaxNode, edits: readonly ItemEdit[]): void {
    const kept = edits.flatMap((edit) => ("from" in edit ? [edit.from] : []));
    const stays = new Set(kept);
    for (const [index, item] of value.items.entries()) {
      if (!stays.has(index) && item.value !== undefined)
        for (const part of partsOf(item.value)) this.#refuseAliased(part);
    }
    const tied = (indexes: readonly number[]): readonly SyntaxNode[] =>
      indexes.flatMap((index) => {
        const item = value.items[index]?.value;
        return item === undefined ? [] : [...partsOf(item)].filter((part) => this.#isShared(part));
      });
    // An alias refers to the last anchor of its name above it, so these must keep their order.
    const before = tied([...kept].sort((left, right) => left - right));
    const passed = tied(kept).find((part, at) => part !== before[at]);
    if (passed !== undefined) throw new EditRefused("anchor", passed.start);
  }

  #blockList(value: SyntaxNode, edits: readonly ItemEdit[]): string {
    if (edits.length === 0) return "[]";
    const column = columnOf(this.#text, value.start);
    const ends = value.items.map(({ end }) => lineEnd(this.#text, end));
    const lead = (index: number): string => this.#slice(ends[index - 1] ?? 0, value.items[index]?.start ?? 0);
    const spaced = value.items.filter((_, index) => index > 0 && /\n[ \t]*\r?\n/.test(lead(index))).length;
    const isSpaced = 2 * spaced > value.items.length - 1;
    const gap = `${isSpaced ? this.#eol : ""}${this.#eol}${" ".repeat(column)}`;
    const styles = new Set(value.items.map((item) => item.value?.style));
    const [style] = styles.size === 1 ? styles : [];
    return edits
      .map((edit, place) => {
        if ("to" in edit) return (place === 0 ? "" : gap) + this.#newItems([edit.to], column, style);
        const { from } = edit;
        const item = value.items[from];
        if (item === undefined) throw new Error(`there is no item ${from}`);
        // Comments above the first item may be about all items, so they stay at the top.
        const above = from === 0 ? (place === 0 ? "" : gap) : place === 0 ? lead(from).trimStart() : lead(from);
        const end = ends[from] ?? item.end;
        if (item.value === undefined || edit.edit === undefined) return above + this.#slice(item.start, end);
        const inner = this.changed(item.value, edit.edit, column);
        return above + this.#slice(item.start, item.value.start) + inner + this.#slice(item.value.end, end);
      })
      .join("");
  }

  /** Returns new items in the style of the others, if these have one style. */
  #newItems(list: readonly Json[], column: number, style: SyntaxNode["style"] | undefined): string {
    const insertionPoint = { indent: column, column, eol: this.#eol };
    const inside = { ...insertionPoint, indent: column + 2, column: column + 2 };
    const texts = list.map((item) => {
      if (style === "flow" && !isLong(item)) return flowText(item);
      const isLines = style === "block" && isFields(item) && Object.keys(item).length > 0;
      return isLines ? pairsText(item, inside) : itemText(item, insertionPoint);
    });
    return texts.map((text) => `- ${text}`).join(`${this.#eol}${" ".repeat(column)}`);
  }

  #flowList(value: SyntaxNode, edits: readonly ItemEdit[], indent: number): string {
    const texts = edits.map((edit) => {
      if ("to" in edit) return flowText(edit.to);
      const item = value.items[edit.from];
      if (item?.value === undefined) return "null";
      const props = this.#slice(item.start, item.value.start);
      const inner =
        edit.edit === undefined
          ? this.#slice(item.value.start, item.value.end)
          : this.changed(item.value, edit.edit, indent);
      return props + inner;
    });
    const { length } = value.items;
    const isInPlace = edits.slice(0, length).every((edit, at) => "from" in edit && edit.from === at);
    if (!isInPlace || edits.length < length) this.#refuseComments(value.start, value.end);
    const count = isInPlace ? Math.min(length, edits.length) : edits.length;
    return this.#bracketed(value, value.items, texts.slice(0, count), texts.slice(count), "[]");
  }
}

/** The new value of a block collection that must be written on the line of its key: another type, or empty. */
function replacement(
  { type, style }: SyntaxNode,
  edit: Edit,
): { readonly to: Json; readonly loses: boolean } | undefined {
  if (style !== "block" || (type !== "map" && type !== "list")) return undefined;
  if ("items" in edit) return edit.items.length === 0 ? { to: [], loses: false } : undefined;
  if (!("was" in edit)) return undefined;
  const { to } = edit;
  const stays = type === "map" ? isFields(to) && Object.keys(to).length > 0 : isList(to) && to.length > 0;
  return stays ? undefined : { to, loses: !(type === "list" && isList(to)) };
}

/** Whether a value has a substitution. */
function isSubstitution({ node, type }: SyntaxNode): boolean {
  if (type !== "scalar" || node.type !== "scalar" || typeof node.value !== "string") return false;
  return hasSubstitution(node.value.replaceAll("$${", ""));
}

function has(value: SyntaxNode, name: string): boolean {
  return value.pairs.some(({ key }) => key === name);
}

function newItemsOf(items: readonly ItemEdit[]): readonly Json[] {
  return items.flatMap((item) => ("to" in item ? [item.to] : []));
}

function targetValue(edit: Edit | undefined): Json {
  if (edit === undefined) return null;
  if ("to" in edit) return edit.to;
  if ("items" in edit) return newItemsOf(edit.items);
  return Object.fromEntries(
    [...edit.members].flatMap(([name, one]) => (one === undefined ? [] : [[name, targetValue(one)]])),
  );
}

function isLong(item: Json): boolean {
  return flowText(item).length > 120 || /\n/.test(JSON.stringify(item));
}

/** The new members to write after a key: those whose nearest predecessor in `order` it is. The last key takes those without one. */
function membersAfter(
  key: string,
  value: SyntaxNode,
  newMembers: ReadonlyMap<string, Edit | undefined>,
  order: readonly string[],
): readonly string[] {
  const present = value.pairs.map((pair) => pair.key);
  const anchorOf = (name: string): string | undefined => {
    const place = order.indexOf(name);
    const before = order.slice(0, Math.max(0, place)).filter((one) => present.includes(one));
    return before.at(-1) ?? present.at(-1);
  };
  return [...newMembers.keys()]
    .filter((name) => anchorOf(name) === key)
    .sort((left, right) => order.indexOf(left) - order.indexOf(right));
}
