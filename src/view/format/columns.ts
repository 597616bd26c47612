/** The width of text on a terminal: wide characters take two columns, combining marks none. */

import { stripVTControlCharacters } from "node:util";

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const MARK = /^[\p{Mn}\p{Me}]+$/u;

/** The columns of a text without invisible characters. */
export function columns(text: string): number {
  // Most texts are ASCII, and every label is measured.
  if (/^[ -~]*$/.test(text)) return text.length;
  return [...text].reduce((sum, character) => sum + widthOf(character), 0);
}

/** The beginning of the text that fits into the columns. */
export function takeColumns(text: string, most: number): string {
  let remaining = most;
  const characters = [...text];
  const end = characters.findIndex((character) => {
    remaining -= widthOf(character);
    return remaining < 0;
  });
  return end < 0 ? text : characters.slice(0, end).join("");
}

/** The text, filled with spaces to a width. */
export function padColumns(text: string, width: number): string {
  return `${text}${" ".repeat(Math.max(0, width - columns(text)))}`;
}

/** The rows as lines, with their cells in columns two spaces apart. Cells may be colored. */
export function columnLines(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_cell, at) => Math.max(...rows.map((row) => shownColumns(row[at] ?? ""))));
  return rows.map((row) =>
    row
      .map((cell, at) => cell + " ".repeat((widths[at] ?? 0) - shownColumns(cell)))
      .join("  ")
      .trimEnd(),
  );
}

function shownColumns(text: string): number {
  return columns(stripVTControlCharacters(text));
}

function widthOf(character: string): number {
  if (MARK.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
