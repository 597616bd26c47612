/** Comments that speak to this program, and the lines that they speak about. */

import type { Remark } from "./configuration.ts";
import type { Source } from "./source.ts";

const ADDRESSED = /^#+\s*incidentctl\s*:(.*)$/;

/** The remarks of a file; its text is read for comments only when the program's name stands in it. */
export async function remarksOf(source: Source): Promise<readonly Remark[]> {
  if (!/#\s*incidentctl\s*:/.test(source.text)) return [];
  const { comments } = await import("./yaml.ts");
  const lines = source.lines();
  return comments(source.text).flatMap(({ start, end }) => {
    const text = ADDRESSED.exec(source.text.slice(start, end).trimEnd())?.[1];
    if (text === undefined) return [];
    const at = source.location(start, end);
    const alone = (lines[at.line - 1] ?? "").slice(0, at.column - 1).trim() === "";
    return [{ text: text.trim(), at, line: alone ? lineBelow(lines, at.line) : at.line }];
  });
}

/** The next line that is not a comment: remarks and explanations may stand above each other. */
function lineBelow(lines: readonly string[], from: number): number {
  let line = from + 1;
  while (/^\s*#/.test(lines[line - 1] ?? "")) line += 1;
  return line;
}
