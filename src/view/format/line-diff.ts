/** Unified diffs of lines. */

import { structuredPatch } from "diff";

/** One line of a diff: removed, added, context, or `@` for the head of a hunk. */
export interface DiffLine {
  readonly sign: "-" | "+" | " " | "@";
  readonly text: string;
}

/** Edits after which the search ends, since it is quadratic. The texts are then replaced as a whole. */
const MAX_EDITS = 400;

/** The diff of two lists of lines, with `context` unchanged lines around each hunk. */
export function lineDiff(before: readonly string[], after: readonly string[], context: number): readonly DiffLine[] {
  const patch = structuredPatch("", "", joinLines(before), joinLines(after), undefined, undefined, {
    context,
    maxEditLength: MAX_EDITS,
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

/** The lines of a patch between two texts in the format of `git apply`, without the file names. */
export function patchLines(before: string, after: string): readonly string[] {
  const options = { context: CONTEXT, maxEditLength: MAX_EDITS };
  const patch = structuredPatch("", "", before, after, undefined, undefined, options);
  if (patch !== undefined) {
    return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      ...lines,
    ]);
  }
  const [removed, added] = [withSign("-", before), withSign("+", after)];
  const count = (lines: readonly string[]): string => {
    const own = lines.filter((line) => line !== UNENDED).length;
    return `${own === 0 ? 0 : 1},${own}`;
  };
  return [`@@ -${count(removed)} +${count(added)} @@`, ...removed, ...added];
}

const CONTEXT = 3;
const UNENDED = "\\ No newline at end of file";

function withSign(sign: string, text: string): readonly string[] {
  const lines = text.split("\n");
  const ended = lines.at(-1) === "";
  return [...(ended ? lines.slice(0, -1) : lines).map((line) => sign + line), ...(ended ? [] : [UNENDED])];
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

function diffLine(line: string): DiffLine {
  const sign = line[0];
  return { sign: sign === "+" || sign === "-" ? sign : " ", text: line.slice(1) };
}
