/** Comments that speak to this program, and the lines that they speak about. */

import type { Remark } from "../load/configuration.ts";
import type { ParsedFile } from "../load/lists.ts";
import { cutOut } from "./text.ts";
import type { Node, Span } from "./tree.ts";

const ADDRESSED = /^#+\s*incidentctl\s*:(.*)$/;

/** The remarks of a file; it is looked through for comments only when the program's name stands in it. */
export async function remarksOf({ source, node }: ParsedFile): Promise<readonly Remark[]> {
  if (!/#\s*incidentctl\s*:/.test(source.text)) return [];
  const comments = commentsBeside(source.text, node) ?? (await import("./yaml.ts")).comments(source.text);
  const lines = source.lines();
  return comments.flatMap(({ start, end }) => {
    const text = ADDRESSED.exec(source.text.slice(start, end).trimEnd())?.[1];
    if (text === undefined) return [];
    const at = source.location(start, end);
    const alone = (lines[at.line - 1] ?? "").slice(0, at.column - 1).trim() === "";
    return [{ text: cutOut(text.trim()), at, line: alone ? lineBelow(lines, at.line) : at.line }];
  });
}

/** The next line that is not a comment: remarks and explanations may stand above each other. */
function lineBelow(lines: readonly string[], from: number): number {
  let line = from + 1;
  while (/^\s*#/.test(lines[line - 1] ?? "")) line += 1;
  return line;
}

/**
 * The comments of the lines that name this program, as far as the places of the values tell: what begins with `#` behind a
 * blank and lies in no value is one. Undefined where that is not enough, as in a block of text and the line that announces it.
 */
function commentsBeside(text: string, root: Node): readonly Span[] | undefined {
  if (/[\r\u2028\u2029]/.test(text)) return undefined;
  const values = spansOf(root).sort((one, other) => one.start - other.start);
  const found: Span[] = [];
  for (const { 0: line, index } of text.matchAll(/^[^\n]*#[^\n]*incidentctl[^\n]*$/gm)) {
    for (let at = line.indexOf("#"); at >= 0; at = line.indexOf("#", at + 1)) {
      const value = lastBefore(values, index + at);
      const within = value !== undefined && index + at < value.end;
      if (within && /[|>]/.test(text[value.start] ?? "")) return undefined;
      if (within) continue;
      if (at > 0 && !/[ \t]/.test(line[at - 1] ?? "")) return undefined;
      found.push({ start: index + at, end: index + line.length });
      break;
    }
  }
  return found;
}

/** Where the keys and single values stand. */
function spansOf(node: Node): Span[] {
  if (node.type === "scalar") return [node];
  if (node.type === "list") return node.items.flatMap(spansOf);
  return [...node.members.values()].flatMap((member) => [member, ...spansOf(member.value)]);
}

/** The last that begins at the offset or before it. */
function lastBefore(spans: readonly Span[], offset: number): Span | undefined {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.start ?? offset) <= offset) low = middle + 1;
    else high = middle;
  }
  return spans[low - 1];
}
