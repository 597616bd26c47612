/** Writes values as YAML, in the layout of the examples. */

import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import { escapeSubstitutions } from "../values/substitution.ts";
import type { Style } from "./cst.ts";

/** The longest line of a list or mapping on one line. */
const WIDTH = 110;

/** The place for new text. */
export interface InsertionPoint {
  /** The indentation of the line of the value; lines below have two more. */
  readonly indent: number;
  /** Characters before it in its line. */
  readonly column: number;
  /** Whether it is inside brackets, where a value must be on one line. */
  readonly flow?: boolean;
  /** The line ends of the file. */
  readonly eol: string;
}

/** A value after `key:`, with the blank or line break before it. */
export function memberText(value: Json, point: InsertionPoint): string {
  const inline = typeof value === "string" && point.flow !== true ? single(value, BLOCK_PLAIN) : flowText(value);
  const fits = point.column + inline.length + 1 <= WIDTH && isPlainFlow(value);
  if (point.flow === true || fits || isBlank(value)) return ` ${inline}`;
  if (typeof value === "string") return ` ${text(value, point)}`;
  const below = { ...point, indent: point.indent + 2 };
  const start = `${point.eol}${" ".repeat(below.indent)}`;
  if (isList(value)) return start + items(value, below);
  return isFields(value) ? start + pairsText(value, below) : ` ${inline}`;
}

/** A new file, with blank lines between resources of several lines. */
export function documentText(fields: Fields): string {
  return `${Object.entries(fields)
    .map(([name, value]) => section(name, value, 0))
    .join("\n\n")}\n`;
}

/** A list under its key, or mappings of lists under theirs. */
function section(name: string, value: Json, indent: number): string {
  const margin = " ".repeat(indent);
  const point = { indent: indent + 2, column: indent + 2, eol: "\n" };
  if (isFields(value) && indent < 6) {
    const inner = Object.entries(value).map(([key, one]) => section(key, one, indent + 2));
    const isShort = inner.every((one) => !one.includes("\n"));
    return `${margin}${keyText(name)}:\n${inner.join(isShort ? "\n" : "\n\n")}`;
  }
  if (!isList(value) || value.length === 0) return `${margin}${pairsText({ [name]: value }, { ...point, indent })}`;
  const short = itemTexts(value, point);
  const lines = short.filter((text) => text.includes("\n")).length;
  // If most items have several lines, all are separated by blank lines.
  if (2 * lines < short.length)
    return `${margin}${keyText(name)}:\n${short.map((text) => `${margin}  - ${text}`).join("\n")}`;
  const inside = { ...point, indent: indent + 4, column: indent + 4 };
  const long = value.map((item, at) => (isFields(item) ? pairsText(item, inside) : (short[at] ?? "")));
  return `${margin}${keyText(name)}:\n${long.map((text) => `${margin}  - ${text}`).join("\n\n")}`;
}

/** The lines of a list, the first without its indentation; `indent` is that of its hyphens. */
function items(list: readonly Json[], point: InsertionPoint): string {
  return itemTexts(list, point)
    .map((text) => `- ${text}`)
    .join(`${point.eol}${" ".repeat(point.indent)}`);
}

/** The items of a list. Braces around a single member say nothing, unless other items of the list have them. */
function itemTexts(list: readonly Json[], point: InsertionPoint): readonly string[] {
  const inside = { ...point, indent: point.indent + 2, column: point.indent + 2 };
  const texts = list.map((item) => itemText(item, point));
  const isSingle = (item: Json): item is Fields => isFields(item) && Object.keys(item).length === 1;
  if (texts.some((text, at) => text.startsWith("{ ") && !isSingle(list[at] ?? null))) return texts;
  return list.map((item, at) => (isSingle(item) ? pairsText(item, inside) : (texts[at] ?? "")));
}

/** An item after its hyphen, which is at `indent`. */
export function itemText(value: Json, point: InsertionPoint): string {
  const inside = { ...point, indent: point.indent + 2, column: point.indent + 2 };
  const inline = flowText(value);
  if (isBlank(value) || (inside.column + inline.length <= WIDTH && isPlainFlow(value))) return inline;
  if (typeof value === "string") return text(value, { ...point, column: inside.column });
  if (isFields(value)) return pairsText(value, inside);
  return isList(value) ? items(value, inside) : inline;
}

/** The lines of a mapping, the first without its indentation. */
export function pairsText(fields: Fields, point: InsertionPoint): string {
  const lines = Object.entries(fields).map(([name, value]) => {
    const key = keyText(name);
    return `${key}:${memberText(value, { ...point, column: point.indent + key.length + 1 })}`;
  });
  return lines.join(`${point.eol}${" ".repeat(point.indent)}`);
}

/** A value on one line. */
export function flowText(value: Json): string {
  if (isList(value)) return `[${value.map(flowText).join(", ")}]`;
  if (isFields(value)) {
    const members = Object.entries(value).map(([name, one]) => `${keyText(name)}: ${flowText(one)}`);
    return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
  }
  return typeof value === "string" ? single(value) : String(value);
}

/** The text of a key. */
export function keyText(name: string): string {
  return isPlain(name) && !name.includes(":") ? name : doubled(name);
}

/** A text: a block scalar if it has several lines, else on one line. */
function text(value: string, { indent, eol }: InsertionPoint): string {
  return isBlock(value) ? block(value, " ".repeat(indent + 2), eol) : single(value, BLOCK_PLAIN);
}

/** A text on one line, quoted if necessary. */
function single(value: string, plain: RegExp = PLAIN): string {
  const meant = escapeSubstitutions(value);
  return isPlain(meant, plain) ? meant : doubled(meant);
}

/** A text in the style of another, if possible. */
export function textInStyle(style: Style, value: string, point: InsertionPoint): string {
  const meant = escapeSubstitutions(value);
  const oneLine = !SPECIAL.test(meant);
  if (style === "single" && oneLine) return `'${meant.replaceAll("'", "''")}'`;
  if (style === "double") return doubled(meant);
  if (point.flow !== true && (style === "block" || meant.includes("\n"))) return text(value, point);
  return single(value);
}

/** Characters that must be escaped. */
const SPECIAL = /[^\P{C}]|[\u2028\u2029]|\p{Default_Ignorable_Code_Point}/u;

const EACH_SPECIAL = new RegExp(SPECIAL.source, "gu");

/** Texts without quotes, by a stricter rule than that of YAML. */
const PLAIN = /^[\p{L}/](?:[\p{L}\p{M}\p{N} _./@+()%&=$!?*;"'’–-]|:(?=[\p{L}\p{N}/]))*$/u;
/** The same outside brackets, where a comma is a character like others. */
const BLOCK_PLAIN = new RegExp(PLAIN.source.replace(" _./", " ,_./"), "u");

/** Words that are not a text in some version of YAML. */
const WORDS = /^(?:null|true|false|yes|no|on|off|y|n|inf|nan)$/i;

function isPlain(value: string, plain: RegExp = PLAIN): boolean {
  return plain.test(value) && !WORDS.test(value) && !value.endsWith(" ") && !SPECIAL.test(value);
}

/** A text in double quotes, with invisible characters escaped. */
function doubled(value: string): string {
  // A character outside the basic plane has two code units.
  const escaped = (character: string): string =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join("");
  return JSON.stringify(value).replace(EACH_SPECIAL, escaped);
}

/** Whether a text can be a block scalar. */
function isBlock(value: string): boolean {
  const lines = value.split("\n");
  return (
    lines.length > 1 &&
    /^\S/.test(value) &&
    !/\n\n$/.test(value) &&
    lines.every((line) => !SPECIAL.test(line) && !/[ \t]$/.test(line))
  );
}

/** A block scalar without its last line break. */
function block(value: string, indentation: string, eol: string): string {
  const ends = value.endsWith("\n");
  const body = escapeSubstitutions(ends ? value.slice(0, -1) : value);
  const lines = body.split("\n").map((line) => (line === "" ? "" : indentation + line));
  return `${ends ? "|" : "|-"}${eol}${lines.join(eol)}`;
}

/** Whether a value is readable on one line: without texts of several lines, and not too deep. */
function isPlainFlow(value: Json, depth = 0): boolean {
  if (typeof value === "string") return !value.includes("\n") || !isBlock(value);
  if (isList(value)) return depth < 3 && value.every((one) => isPlainFlow(one, depth + 1));
  if (isFields(value)) return depth < 3 && Object.values(value).every((one) => isPlainFlow(one, depth + 1));
  return true;
}

function isBlank(value: Json): boolean {
  return (isList(value) && value.length === 0) || (isFields(value) && Object.keys(value).length === 0);
}
