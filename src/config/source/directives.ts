/** Comments that address this program, such as waivers, and the lines that they are about. */

import type { Location } from "../../core/diagnostic.ts";
import type { Source } from "./source.ts";
import { detachString } from "./text.ts";
import type { Span } from "./tree.ts";

/** A comment that addresses this program: `# incidentctl: …`. */
export interface Directive {
  /** The text behind `incidentctl:`, trimmed. */
  readonly text: string;
  readonly at: Location;
  /** The line that it is about: its own if something else stands there, else the next that is no comment. */
  readonly line: number;
}

const ADDRESSED = /#+[^\S\r\n]*incidentctl[^\S\r\n]*:/y;

/** Whether the comment at an offset addresses this program. */
export function addressesProgram(text: string, offset: number): boolean {
  ADDRESSED.lastIndex = offset;
  return ADDRESSED.test(text);
}

/** The directives in comments of a file that address this program. */
export function directivesOf(source: Source, comments: readonly Span[]): readonly Directive[] {
  if (comments.length === 0) return [];
  const lines = source.lines();
  return comments.map(({ start, end }) => {
    const comment = source.text.slice(start, end).trimEnd();
    const at = source.location(start, start + comment.length);
    const isAlone = (lines[at.line - 1] ?? "").slice(0, at.column - 1).trim() === "";
    return {
      text: detachString(comment.slice(comment.indexOf(":") + 1).trim()),
      at,
      line: isAlone ? lineBelow(lines, at.line) : at.line,
    };
  });
}

/** The next line that is not a comment: directives and explanations may stand above each other. */
function lineBelow(lines: readonly string[], from: number): number {
  let line = from + 1;
  while (/^\s*#/.test(lines[line - 1] ?? "")) line += 1;
  return line;
}
