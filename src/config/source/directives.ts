/** Directives: comments for this program, such as waivers, and the lines that they apply to. */

import type { Location } from "../../core/diagnostic.ts";
import type { Source } from "./source.ts";
import type { Span } from "./tree.ts";

/** A comment for this program: `# incidentctl: …`. */
export interface Directive {
  /** The text after `incidentctl:`, trimmed. */
  readonly text: string;
  readonly at: Location;
  /** The line that it applies to: its own, or the next line that is not a comment if it is alone. */
  readonly line: number;
}

const ADDRESSED = /#+[^\S\r\n]*incidentctl[^\S\r\n]*:/y;

/** Whether the comment at an offset is a directive. */
export function addressesProgram(text: string, offset: number): boolean {
  ADDRESSED.lastIndex = offset;
  return ADDRESSED.test(text);
}

/** Returns the directives in the comments of a file. */
export function directivesOf(source: Source, comments: readonly Span[]): readonly Directive[] {
  if (comments.length === 0) return [];
  const lines = source.lines();
  return comments.map(({ start, end }) => {
    const comment = source.text.slice(start, end).trimEnd();
    const at = source.location(start, start + comment.length);
    const isAlone = (lines[at.line - 1] ?? "").slice(0, at.column - 1).trim() === "";
    return {
      text: comment.slice(comment.indexOf(":") + 1).trim(),
      at,
      line: isAlone ? lineBelow(lines, at.line) : at.line,
    };
  });
}

/** The next line that is not a comment. */
function lineBelow(lines: readonly string[], from: number): number {
  let line = from + 1;
  while (/^\s*#/.test(lines[line - 1] ?? "")) line += 1;
  return line;
}
