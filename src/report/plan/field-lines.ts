/** What differs in one entry as text: short values on a line of their own, long texts and lists as a diff. */

import type { FieldChange } from "../../plan/plan.ts";
import type { Paint, Tone } from "../format/ansi.ts";
import { columns, padded } from "../format/columns.ts";
import type { DiffLine } from "../format/line-diff.ts";
import { cut, cutBoth, shown, thousands } from "../format/value.ts";
import { diffOf, type FieldRow, fieldRows, type Sides } from "./field-rows.ts";

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
  const rows = fieldRows(fields).map((row) => rowOf(row, style));
  const besides = rows.filter((row) => typeof row.text === "string");
  const width = Math.min(WIDEST_LABEL, Math.max(0, ...besides.map((row) => columns(row.label))));
  return rows.flatMap(({ label, text }) =>
    typeof text === "string" ? [`${padded(label, width)}  ${text}`] : [label, ...text.map((line) => `  ${line}`)],
  );
}

function rowOf(row: FieldRow, style: FieldStyle): Row {
  const { label } = row;
  if ("sides" in row) return { label, text: diffLines(row.sides, style) };
  const [was, is] = [row.before ?? shown(null), row.after ?? shown(null)];
  return { label, text: style.fresh ? style.paint("added", short(is, style)) : arrow(was, is, style) };
}

/** The diff behind a bar, so that no line of the text starts a line of the report. */
function diffLines(sides: Sides, style: FieldStyle): readonly string[] {
  const all = diffOf(sides, style.fresh);
  const fitting = style.verbose ? all : pairsCut(all).slice(0, MOST_LINES);
  const written = fitting.map(({ sign, text }) => {
    const body = sign === "@" ? text : `${sign} ${text}`;
    return text === "" && sign === " " ? "|" : `| ${style.paint(TONES[sign], body)}`;
  });
  const left = all.slice(fitting.length);
  if (left.length === 0) return written;
  const [removed, added] = ["-", "+"].map((sign) => thousands(left.filter((line) => line.sign === sign).length));
  return [...written, `… ${removed} more removed and ${added} more added; --verbose shows all`];
}

/** Long lines cut; a removed one and the added one that takes its place are cut where they differ. */
export function pairsCut(lines: readonly DiffLine[]): readonly DiffLine[] {
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
