/** What differs in one entry, field by field: short values on a line of their own, long texts and lists as a diff. */

import { equal, isFields, isList, type Json } from "../json.ts";
import type { FieldChange } from "../plan/plan.ts";
import { type DiffLine, lineDiff } from "./line-diff.ts";
import { MASK } from "./mask.ts";
import type { Paint, Tone } from "./paint.ts";
import { sanitised } from "./sanitise.ts";
import { cut, cutBoth, LONG, place, shown, thousands } from "./value.ts";

/** How fields are shown. */
export interface FieldStyle {
  readonly paint: Paint;
  /** Nothing is cut. */
  readonly verbose: boolean;
  /** The entry is new: there is no value before. */
  readonly fresh: boolean;
}

interface Row {
  readonly label: string;
  /** Beside the label, or below it when there are several lines. */
  readonly text: string | readonly string[];
}

/** Lines of one diff that are shown when a report is not verbose. */
const MOST_LINES = 40;
const WIDEST_LABEL = 32;
const TONES: Readonly<Record<DiffLine["sign"], Tone>> = { "+": "added", "-": "removed", " ": "quiet", "@": "quiet" };

/** The lines of an entry's fields, without indentation; labels are padded so that the values stand in a column. */
export function fieldLines(fields: readonly FieldChange[], style: FieldStyle): readonly string[] {
  const rows = fields.flatMap((field) => rowsOf(field, style));
  const besides = rows.filter((row) => typeof row.text === "string");
  const width = Math.min(WIDEST_LABEL, Math.max(0, ...besides.map((row) => row.label.length)));
  return rows.flatMap(({ label, text }) =>
    typeof text === "string" ? [`${label.padEnd(width)}  ${text}`] : [label, ...text.map((line) => `  ${line}`)],
  );
}

function rowsOf(field: FieldChange, style: FieldStyle): readonly Row[] {
  if (field.secret !== true) return rows(field.path, field.before, field.after, style);
  const [was, is] = [hidden(field.before), hidden(field.after)];
  return [{ label: place(field.path), text: style.fresh ? style.paint("added", is) : arrow(was, is, style) }];
}

function hidden(value: Json): string {
  return value === null ? shown(null) : MASK;
}

function rows(path: string, before: Json, after: Json, style: FieldStyle): readonly Row[] {
  const inner = members(before, after);
  if (inner !== undefined) return inner.flatMap(([name, was, is]) => rows(`${path}/${name}`, was, is, style));
  const label = place(path);
  const sides = asLists(before, after) ?? asTexts(before, after);
  if (sides !== undefined) return [{ label, text: diffLines(sides, style) }];
  if (style.fresh) return [{ label, text: style.paint("added", short(shown(after), style)) }];
  return [{ label, text: arrow(shown(before), shown(after), style) }];
}

/** The members that differ, when both values are objects or one of them is not there. */
function members(before: Json, after: Json): readonly (readonly [string, Json, Json])[] | undefined {
  const was = before ?? {};
  const is = after ?? {};
  if (!isFields(was) || !isFields(is)) return undefined;
  const names = new Set([...Object.keys(is), ...Object.keys(was)]);
  const pairs = [...names].map((name) => [name, was[name] ?? null, is[name] ?? null] as const);
  const differing = pairs.filter(([, left, right]) => !equal(left, right));
  return differing.length === 0 ? undefined : differing;
}

/** The lines of both sides, and how many unchanged ones to show around a difference. */
interface Sides {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly context: number;
  /** Whether line numbers mean anything to a reader. */
  readonly numbered: boolean;
}

/** Lists item by item, with the neighbours of what changed; a new list that fits a line is no diff. */
function asLists(before: Json, after: Json): Sides | undefined {
  if (!(before === null || isList(before)) || !(after === null || isList(after))) return undefined;
  if ((before ?? []).length === 0 && shown(after).length <= LONG) return undefined;
  if ((after ?? []).length === 0 && shown(before).length <= LONG) return undefined;
  return { before: (before ?? []).map(shown), after: (after ?? []).map(shown), context: 1, numbered: false };
}

/** Texts of several lines, or too long for one. */
function asTexts(before: Json, after: Json): Sides | undefined {
  if (!(before === null || typeof before === "string") || !(after === null || typeof after === "string")) {
    return undefined;
  }
  if (![before, after].some((text) => text !== null && (text.length > LONG || text.includes("\n")))) return undefined;
  return { before: textLines(before), after: textLines(after), context: 3, numbered: true };
}

function textLines(text: string | null): readonly string[] {
  return text === null ? [] : text.split("\n").map((line) => sanitised(line).replace(/ +$/, dots));
}

/** Blanks at the end of a line would be invisible in a diff that is about nothing else. */
function dots(blanks: string): string {
  return "·".repeat(blanks.length);
}

/** The diff behind a bar, so that no line of the text starts a line of the report. */
function diffLines(sides: Sides, style: FieldStyle): readonly string[] {
  const all = lineDiff(sides.before, sides.after, sides.context);
  const heads = sides.numbered && !style.fresh;
  // The first hunk of a list needs no mark; a later one says that items are left out.
  const kept = all.filter((line, at) => line.sign !== "@" || heads || at > 0);
  const fitting = style.verbose ? kept : pairsCut(kept).slice(0, MOST_LINES);
  const written = fitting.map(({ sign, text }) => {
    const body = sign === "@" ? (heads ? text : "…") : `${sign} ${text}`;
    return text === "" && sign === " " ? "|" : `| ${style.paint(TONES[sign], body)}`;
  });
  const left = kept.slice(fitting.length);
  if (left.length === 0) return written;
  const [removed, added] = ["-", "+"].map((sign) => thousands(left.filter((line) => line.sign === sign).length));
  return [...written, `… ${removed} more removed and ${added} more added; --verbose shows all`];
}

/** Long lines cut; a removed one and the added one that takes its place are cut where they differ. */
function pairsCut(lines: readonly DiffLine[]): readonly DiffLine[] {
  return lines.map((line, at) => {
    const [before, after] = [lines[at - 1], lines[at + 1]];
    if (line.sign === "-" && after?.sign === "+") return { ...line, text: cutBoth(line.text, after.text)[0] };
    if (line.sign === "+" && before?.sign === "-") return { ...line, text: cutBoth(before.text, line.text)[1] };
    return { ...line, text: cut(line.text) };
  });
}

function arrow(before: string, after: string, style: FieldStyle): string {
  const [was, is] = style.verbose ? [before, after] : cutBoth(before, after);
  return `${style.paint("removed", was)} → ${style.paint("added", is)}`;
}

function short(text: string, style: FieldStyle): string {
  return style.verbose ? text : cut(text);
}
