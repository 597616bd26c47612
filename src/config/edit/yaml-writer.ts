/** Values as YAML text: what is written where nothing was written before, in the layout of the examples. */

import { type Fields, isFields, isList, type Json } from "../../core/json.ts";

/** How wide a line may become before a list or mapping is written over several. */
const WIDTH = 110;

/** Where a text is to stand. */
export interface Spot {
  /** Blanks before the line that the value belongs to: what is written below stands two further in. */
  readonly indent: number;
  /** Characters that stand before it in its line. */
  readonly column: number;
  /** Inside brackets, where a value has to stay on its line. */
  readonly flow?: boolean;
  /** Text of several lines in the style of the file's line ends. */
  readonly eol: string;
}

/** A value behind `key:` with the blank or line break before it, so that it reads back as it is. */
export function member(value: Json, spot: Spot): string {
  const inline = flow(value);
  const fits = spot.column + inline.length + 1 <= WIDTH && isPlainFlow(value);
  if (spot.flow === true || fits || isBlank(value)) return ` ${inline}`;
  if (typeof value === "string") return ` ${text(value, spot)}`;
  if (isList(value))
    return `${spot.eol}${" ".repeat(spot.indent + 2)}${items(value, { ...spot, indent: spot.indent + 2 })}`;
  if (isFields(value))
    return `${spot.eol}${" ".repeat(spot.indent + 2)}${pairs(value, { ...spot, indent: spot.indent + 2 })}`;
  return ` ${inline}`;
}

/** A whole file that declares something new, entries of several lines apart from each other. */
export function document(fields: Fields): string {
  return `${Object.entries(fields)
    .map(([name, value]) => section(name, value, 0))
    .join("\n\n")}\n`;
}

/** A list of entries under its name, or such lists under theirs. */
function section(name: string, value: Json, indent: number): string {
  const margin = " ".repeat(indent);
  const spot = { indent: indent + 2, column: indent + 2, eol: "\n" };
  if (isFields(value) && indent < 6) {
    const inner = Object.entries(value).map(([key, one]) => section(key, one, indent + 2));
    return `${margin}${keyText(name)}:\n${inner.join("\n\n")}`;
  }
  if (!isList(value) || value.length === 0) return `${margin}${pairs({ [name]: value }, { ...spot, indent })}`;
  const short = value.map((item) => entry(item, spot));
  const lines = short.filter((text) => text.includes("\n")).length;
  // A few long ones among short ones stand with them; where most are long, all are written alike.
  if (2 * lines < short.length)
    return `${margin}${keyText(name)}:\n${short.map((text) => `${margin}  - ${text}`).join("\n")}`;
  const inside = { ...spot, indent: indent + 4, column: indent + 4 };
  const long = value.map((item, at) => (isFields(item) ? pairs(item, inside) : (short[at] ?? "")));
  return `${margin}${keyText(name)}:\n${long.map((text) => `${margin}  - ${text}`).join("\n\n")}`;
}

/** The lines of a list, the first without its indentation; `indent` is where its hyphens stand. */
function items(list: readonly Json[], spot: Spot): string {
  return list.map((item) => `- ${entry(item, spot)}`).join(`${spot.eol}${" ".repeat(spot.indent)}`);
}

/** An item behind its hyphen, which stands at `indent`. */
export function entry(value: Json, spot: Spot): string {
  const inside = { ...spot, indent: spot.indent + 2, column: spot.indent + 2 };
  const inline = flow(value);
  if (isBlank(value) || (inside.column + inline.length <= WIDTH && isPlainFlow(value))) return inline;
  if (typeof value === "string") return text(value, { ...spot, column: inside.column });
  if (isFields(value)) return pairs(value, inside);
  return isList(value) ? items(value, inside) : inline;
}

/** The lines of a mapping, the first without its indentation. */
export function pairs(fields: Fields, spot: Spot): string {
  const lines = Object.entries(fields).map(([name, value]) => {
    const key = keyText(name);
    return `${key}:${member(value, { ...spot, column: spot.indent + key.length + 1 })}`;
  });
  return lines.join(`${spot.eol}${" ".repeat(spot.indent)}`);
}

/** A value on one line, whatever it is. */
export function flow(value: Json): string {
  if (isList(value)) return `[${value.map(flow).join(", ")}]`;
  if (isFields(value)) {
    const members = Object.entries(value).map(([name, one]) => `${keyText(name)}: ${flow(one)}`);
    return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
  }
  return typeof value === "string" ? single(value) : String(value);
}

/** A key as it is written. */
export function keyText(name: string): string {
  return isPlain(name) && !name.includes(":") ? name : doubled(name);
}

/** A text: lines of a block where it has several, else on one line. */
function text(value: string, { indent, eol }: Spot): string {
  return isBlock(value) ? block(value, " ".repeat(indent + 2), eol) : single(literal(value), true);
}

/** A text on one line, quoted only where it would otherwise mean something else. `literal` says that it holds no `${` of ours. */
function single(value: string, isLiteral = false): string {
  const meant = isLiteral ? value : literal(value);
  return isPlain(meant) ? meant : doubled(meant);
}

/** The same text, changed in the place of another: its quotes stay where they can. */
export function like(style: "plain" | "single" | "double" | "block" | "flow", value: string, spot: Spot): string {
  const meant = literal(value);
  const oneLine = !SPECIAL.test(meant);
  if (style === "single" && oneLine) return `'${meant.replaceAll("'", "''")}'`;
  if (style === "double") return doubled(meant);
  if (spot.flow !== true && (style === "block" || meant.includes("\n"))) return text(value, spot);
  return single(value);
}

/** Nothing is put in for the text: what looks like a substitution is written so that it stands for itself. */
function literal(value: string): string {
  return value.replaceAll("${", () => "$${");
}

/** What cannot stand in a line as it is. */
const SPECIAL = /[^\P{C}]|[\u2028\u2029]|\p{Default_Ignorable_Code_Point}/u;

/** Texts that need no quotes, by a rule that is stricter than the language's. */
const PLAIN = /^[\p{L}/](?:[\p{L}\p{M}\p{N} _./@+()%&=$!?*;"'’–-]|:(?=[\p{L}\p{N}/]))*$/u;
/** Words that some reader of YAML takes for something else than a text. */
const WORDS = /^(?:null|true|false|yes|no|on|off|y|n|inf|nan)$/i;

function isPlain(value: string): boolean {
  return PLAIN.test(value) && !WORDS.test(value) && !value.endsWith(" ") && !SPECIAL.test(value);
}

/** In double quotes; what nobody would see is written out. */
function doubled(value: string): string {
  const escaped = JSON.stringify(value).replace(HIDDEN, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );
  return escaped;
}

const HIDDEN = /[^\P{C}]|[\u2028\u2029]|\p{Default_Ignorable_Code_Point}/gu;

/** Whether a text reads well as a block of lines, and comes back from one as it is. */
function isBlock(value: string): boolean {
  const lines = value.split("\n");
  return (
    lines.length > 1 &&
    /^\S/.test(value) &&
    !/\n\n$/.test(value) &&
    lines.every((line) => !SPECIAL.test(line) && !/[ \t]$/.test(line))
  );
}

/** The text in a block without its last line break, which belongs to whatever follows. */
function block(value: string, indentation: string, eol: string): string {
  const ends = value.endsWith("\n");
  const body = literal(ends ? value.slice(0, -1) : value);
  const lines = body.split("\n").map((line) => (line === "" ? "" : indentation + line));
  return `${ends ? "|" : "|-"}${eol}${lines.join(eol)}`;
}

/** Values that are read well on one line: without texts of several lines, and not too deep. */
function isPlainFlow(value: Json, depth = 0): boolean {
  if (typeof value === "string") return !value.includes("\n") || !isBlock(value);
  if (isList(value)) return depth < 3 && value.every((one) => isPlainFlow(one, depth + 1));
  if (isFields(value)) return depth < 3 && Object.values(value).every((one) => isPlainFlow(one, depth + 1));
  return true;
}

function isBlank(value: Json): boolean {
  return (isList(value) && value.length === 0) || (isFields(value) && Object.keys(value).length === 0);
}
