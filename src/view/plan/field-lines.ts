/** The fields of a change as text: short values on one line, long texts and lists as a diff. */

import { cut, cutBoth, LONG, thousands, valueText } from "../../core/value-text.ts";
import type { FieldChange } from "../../plan/model/plan.ts";
import type { Paint, Tone } from "../format/ansi.ts";
import { columns, padColumns } from "../format/columns.ts";
import type { DiffLine } from "../format/line-diff.ts";
import { type DiffSides, diffOf, type FieldRow, fieldRows } from "./field-rows.ts";
import type { Wording } from "./wording.ts";

export interface FieldStyle {
  readonly paint: Paint;
  /** Shows every list as a diff. */
  readonly verbose: boolean;
  /** Cuts long values. */
  readonly cuts: boolean;
  /** The resource is new, so fields have no old value. */
  readonly isNew: boolean;
  /** The resource goes, so fields have no new value. */
  readonly isGone?: boolean;
  /** Words in place of signs, arrows and bars. */
  readonly words?: boolean;
  /** The names of the two sides of a value that differs. Default: the first one becomes the second. */
  readonly places?: Wording["sides"] | undefined;
}

interface LabeledText {
  readonly label: string;
  /** One line, beside the label, or several lines below it. */
  readonly text: string | readonly string[];
}

/** Lines of one diff with cut values. */
const MAX_LINES = 40;
const WIDEST_LABEL = 32;
const TONES: Readonly<Record<DiffLine["sign"], Tone>> = { "+": "added", "-": "removed", " ": "quiet", "@": "quiet" };

/** The text of a single field that fits on one line: `name "Sev 1" → "Critical"`. */
export function singleField(fields: readonly FieldChange[], style: FieldStyle): string | undefined {
  const [row, ...others] = fieldRows(fields).map((each) => rowOf(each, style));
  return row === undefined || others.length > 0 || typeof row.text !== "string"
    ? undefined
    : `${row.label} ${row.text}`;
}

/** The lines of the fields, without indentation. Short values are aligned in a column. */
export function fieldLines(fields: readonly FieldChange[], style: FieldStyle): readonly string[] {
  const rows = fieldRows(fields).map((row) => rowOf(row, style));
  const short = rows.filter((row) => typeof row.text === "string");
  const width = Math.min(WIDEST_LABEL, Math.max(0, ...short.map((row) => columns(row.label))));
  return rows.flatMap(({ label, text }) =>
    typeof text === "string" ? [`${padColumns(label, width)}  ${text}`] : [label, ...text.map((line) => `  ${line}`)],
  );
}

function rowOf(row: FieldRow, style: FieldStyle): LabeledText {
  const { label } = row;
  if ("sides" in row) return { label, text: shortDifference(row.sides, style) ?? diffLines(row.sides, style) };
  const [was, is] = [row.before ?? valueText(null), row.after ?? valueText(null)];
  if (style.isNew) return { label, text: style.paint("added", style.cuts ? cut(is) : is) };
  if (style.isGone === true && row.after === null) return { label, text: style.paint("removed", was) };
  return { label, text: arrow(was, is, style) };
}

/** The items that a list of short values gains and loses, if they fit on one line and every other item keeps its place. */
function shortDifference(sides: DiffSides, style: FieldStyle): string | undefined {
  if (sides.numbered || style.verbose) return undefined;
  const lines = diffOf(sides, style.isNew).filter(({ sign }) => sign === "+" || sign === "-");
  const texts = lines.map(({ text }) => text);
  const isShort = columns(texts.join("  ")) <= LONG;
  const moves = new Set(texts).size < texts.length;
  // Of objects, such as the steps of a runbook, the place matters; a renamed item has a note.
  const isPlain = texts.every((text) => !text.startsWith("{") && !text.includes("  "));
  if (!isShort || moves || !isPlain) return undefined;
  const { places } = style;
  if (places === undefined)
    return lines.map(({ sign, text }) => style.paint(TONES[sign], `${signOf(sign, style)} ${text}`)).join("  ");
  const onlyIn = (place: string, sign: DiffLine["sign"]): readonly string[] => {
    const own = lines.filter((line) => line.sign === sign).map(({ text }) => style.paint(TONES[sign], text));
    return own.length === 0 ? [] : [`only ${place}: ${own.join(", ")}`];
  };
  return [...onlyIn(places[1], "+"), ...onlyIn(places[0], "-")].join("; ");
}

/** The diff, each line behind a bar, so that no text of a resource begins a line of the report. */
function diffLines(sides: DiffSides, style: FieldStyle): readonly string[] {
  const all = diffOf(sides, style.isNew);
  const fitting = style.cuts ? cutLines(all).slice(0, MAX_LINES) : all;
  const written = fitting.map(({ sign, text }) => {
    if (style.words === true) return `${sideOf(sign, style)}: ${text}`.trimEnd();
    const body = sign === "@" ? text : `${sign} ${text}`;
    return text === "" && sign === " " ? "|" : `| ${style.paint(TONES[sign], body)}`;
  });
  const hidden = all.slice(fitting.length);
  if (hidden.length === 0) return written;
  const [removed, added] = ["-", "+"].map((sign) => thousands(hidden.filter((line) => line.sign === sign).length));
  return [...written, `… ${removed} more removed, ${added} more added; --verbose shows all`];
}

/** The diff with long lines cut. A removed line and the added one after it are cut where they differ. */
export function cutLines(lines: readonly DiffLine[]): readonly DiffLine[] {
  return lines.map((line, at) => {
    const [before, after] = [lines[at - 1], lines[at + 1]];
    if (line.sign === "-" && after?.sign === "+") return { ...line, text: cutBoth(line.text, after.text)[0] };
    if (line.sign === "+" && before?.sign === "-") return { ...line, text: cutBoth(before.text, line.text)[1] };
    return { ...line, text: cut(line.text) };
  });
}

function arrow(before: string, after: string, style: FieldStyle): string {
  const [was, is] = [style.paint("removed", before), style.paint("added", after)];
  if (style.places !== undefined) return `${style.places[1]}: ${is}; ${style.places[0]}: ${was}`;
  return `${was} ${style.words === true ? "to" : "→"} ${is}`;
}

/** The sign of a line of a diff, or its word. */
function signOf(sign: DiffLine["sign"], { words = false }: FieldStyle): string {
  return words ? SIGN_WORDS[sign] : sign;
}

/** The side of a line of a diff in words. */
function sideOf(sign: DiffLine["sign"], { places }: FieldStyle): string {
  const [was, is] = places ?? [SIGN_WORDS["-"], SIGN_WORDS["+"]];
  return sign === "-" ? was : sign === "+" ? is : SIGN_WORDS[sign];
}

const SIGN_WORDS: Readonly<Record<DiffLine["sign"], string>> = {
  "+": "added",
  "-": "removed",
  " ": "same",
  "@": "lines",
};
