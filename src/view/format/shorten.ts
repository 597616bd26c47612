/** Lists that are too long for a report. */

import type { Repeated } from "../../core/findings.ts";
import { sanitised } from "../../core/sanitise.ts";
import { joinWords } from "../../core/suggest.ts";
import { thousands } from "../../core/value-text.ts";

/** The names of one statement: that of its first item, and so many others. */
const OTHERS = 2;

/** The first lines, and a last one that counts the others if there are more. */
export function shorten(lines: readonly string[], most: number, count: (more: number) => string): readonly string[] {
  const more = lines.length - most;
  return more > 0 ? [...lines.slice(0, most), count(more)] : lines;
}

/** The line of each item; of those that say the same one line, and one that names the others unless `verbose`. */
export function repeatLines<Item>(
  repeats: readonly Repeated<Item>[],
  lineOf: (item: Item) => string,
  verbose: boolean,
  indent = "      ",
): readonly string[] {
  return repeats.flatMap(({ first, others, names }) => {
    if (verbose || names.length === 0) return [first, ...others].map(lineOf);
    const hint = names.length > OTHERS ? "; --verbose shows each" : "";
    return [lineOf(first), `${indent}also: ${othersText(names.map(sanitised), hint)}`];
  });
}

/** The first of the other names of a statement, and the number of all: `b, c and 5 more (8 in all)`. */
export function othersText(names: readonly string[], hint = ""): string {
  const all = joinWords(shorten(names, OTHERS, (more) => `${thousands(more)} more`));
  return names.length > OTHERS ? `${all} (${thousands(names.length + 1)} in all${hint})` : all;
}
