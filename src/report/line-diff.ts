/** Two lists of lines as a unified diff. */

import { structuredPatch } from "diff";

/** One line of a diff: removed, added, kept as context, or `@` for the head of a hunk. */
export interface DiffLine {
  readonly sign: "-" | "+" | " " | "@";
  readonly text: string;
}

/** Beyond this many edits the search stops: it is quadratic, and nobody reads such a diff line by line. */
const MOST_EDITS = 400;

/** The hunks, with `context` unchanged lines around each; texts that have little in common are replaced whole. */
export function lineDiff(before: readonly string[], after: readonly string[], context: number): readonly DiffLine[] {
  const patch = structuredPatch("", "", joined(before), joined(after), undefined, undefined, {
    context,
    maxEditLength: MOST_EDITS,
  });
  if (patch === undefined) {
    return [
      ...before.map((text): DiffLine => ({ sign: "-", text })),
      ...after.map((text): DiffLine => ({ sign: "+", text })),
    ];
  }
  return patch.hunks.flatMap((hunk) => [
    { sign: "@", text: `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@` },
    ...hunk.lines.map(diffLine),
  ]);
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

function diffLine(line: string): DiffLine {
  const sign = line[0];
  return { sign: sign === "+" || sign === "-" ? sign : " ", text: line.slice(1) };
}
