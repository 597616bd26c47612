/** Blocks of text as YAML means them, for the quick reader: lines as they are, or folded into one. */

import { Elsewhere } from "./elsewhere.ts";

/** The blocks that are taken: their end is cut, or the break of their last line kept. */
const HEADER = /^-?(?: *| +#.*)\r?$/;

/** A block of text: what it means, and where its last line ends. */
interface TextBlock {
  readonly value: string;
  /** Behind the line break. */
  readonly end: number;
}

/** The block that is announced at `start`; its lines are indented by more than `parent`. */
export function textBlock(text: string, start: number, parent: number, isFolded: boolean): TextBlock {
  const header = lineEnd(text, start);
  if (!HEADER.test(text.slice(start + 1, header))) throw new Elsewhere();
  let value = "";
  let end = header + 1;
  let indent = -1;
  let empty = 0;
  let emptyIndent = 0;
  for (let line = end; line < text.length; ) {
    const from = behindBlanks(text, line);
    const next = lineEnd(text, from);
    const column = from - line;
    const to = text[next - 1] === "\r" ? next - 1 : next;
    if (from >= to) {
      empty += 1;
      emptyIndent = Math.max(emptyIndent, column);
    } else if (column <= parent) break;
    else {
      if (indent < 0) indent = column;
      const isOdd = text[from] === "\t" || (isFolded && (column > indent || text[to - 1] === " "));
      if (column < indent || emptyIndent > indent || isOdd) throw new Elsewhere();
      if (value !== "" && isFolded) value += empty === 0 ? " " : "\n".repeat(empty);
      else value += "\n".repeat(value === "" ? empty : empty + 1);
      value += text.slice(line + indent, to);
      empty = 0;
      end = next + 1;
    }
    line = next + 1;
  }
  if (indent < 0 || emptyIndent > indent) throw new Elsewhere();
  return { value: text[start + 1] === "-" ? value : `${value}\n`, end };
}

/** Where the line ends; the last line of a text without a break at its end is left to the other reader. */
function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  if (end < 0) throw new Elsewhere();
  return end;
}

function behindBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === " ") at += 1;
  return at;
}
