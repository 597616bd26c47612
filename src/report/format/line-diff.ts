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

/** The lines of a patch between two texts, as `git apply` takes them: heads of hunks, and lines with their sign. */
export function patchLines(before: string, after: string): readonly string[] {
  const options = { context: CONTEXT, maxEditLength: MOST_EDITS };
  const patch = structuredPatch("", "", before, after, undefined, undefined, options);
  if (patch !== undefined) {
    return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      ...lines,
    ]);
  }
  const [removed, added] = [signed("-", before), signed("+", after)];
  const count = (lines: readonly string[]): string => {
    const own = lines.filter((line) => line !== UNENDED).length;
    return `${own === 0 ? 0 : 1},${own}`;
  };
  return [`@@ -${count(removed)} +${count(added)} @@`, ...removed, ...added];
}

const CONTEXT = 3;
const UNENDED = "\\ No newline at end of file";

function signed(sign: string, text: string): readonly string[] {
  const lines = text.split("\n");
  const ended = lines.at(-1) === "";
  return [...(ended ? lines.slice(0, -1) : lines).map((line) => sign + line), ...(ended ? [] : [UNENDED])];
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

function diffLine(line: string): DiffLine {
  const sign = line[0];
  return { sign: sign === "+" || sign === "-" ? sign : " ", text: line.slice(1) };
}
