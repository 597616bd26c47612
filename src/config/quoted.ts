/** Texts in quotes as YAML means them, for the quick reader: escapes, and lines that are folded into one. */

import { Elsewhere } from "./elsewhere.ts";

const TAB_OR_BREAK = /[\t\n]/;

/** Where the quote stands that closes the one at `start`. */
export function closingQuote(text: string, start: number): number {
  const quote = text[start] === "'" ? "'" : '"';
  for (let at = text.indexOf(quote, start + 1); at >= 0; at = text.indexOf(quote, at + 1)) {
    if (quote === "'") {
      if (text[at + 1] !== quote) return at;
      at += 1;
    } else if (slashesBefore(text, at, start) % 2 === 0) return at;
  }
  throw new Elsewhere();
}

function slashesBefore(text: string, at: number, start: number): number {
  let from = at;
  while (from > start && text[from - 1] === "\\") from -= 1;
  return at - from;
}

/** What stands between two quotes; its further lines are indented by more than `parent`. */
export function unquoted(text: string, start: number, end: number, parent: number): string {
  const inner = text.slice(start + 1, end);
  const isDouble = text[start] === '"';
  const folded = TAB_OR_BREAK.test(inner) ? foldedLines(inner, parent, isDouble) : inner;
  if (isDouble) return folded.includes("\\") ? folded.replace(ESCAPE, meaningOf) : folded;
  return folded.includes("'") ? folded.replaceAll("''", "'") : folded;
}

/** The lines as one: a break is a blank, or as many breaks as lines between were empty; an escaped one is nothing. */
function foldedLines(inner: string, parent: number, isDouble: boolean): string {
  if (inner.includes("\t")) throw new Elsewhere();
  const lines = inner.split("\n");
  const last = lines.length - 1;
  let whole = "";
  let empty = 0;
  let isJoined = true;
  for (const [at, line] of lines.entries()) {
    const from = at === 0 ? 0 : indentation(line);
    const to = at === last ? line.length : lengthWithoutBlanks(line, from);
    if (from === to && at > 0 && at < last) {
      // What an escaped break before an empty line means is left to the other reader.
      if (isJoined) throw new Elsewhere();
      empty += 1;
      continue;
    }
    if (at > 0 && from <= parent) throw new Elsewhere();
    if (!isJoined) whole += empty === 0 ? " " : "\n".repeat(empty);
    empty = 0;
    isJoined = isDouble && at < last && slashesBefore(line, to, 0) % 2 === 1;
    if (isJoined && to < line.length && line[to] !== "\r") throw new Elsewhere();
    whole += line.slice(from, isJoined ? to - 1 : to);
  }
  return whole;
}

function indentation(line: string): number {
  let at = 0;
  while (line[at] === " ") at += 1;
  return at;
}

/** The length of a line without the blanks at its end, nor its carriage return. */
function lengthWithoutBlanks(line: string, from: number): number {
  let to = line.endsWith("\r") ? line.length - 1 : line.length;
  while (to > from && line[to - 1] === " ") to -= 1;
  return to;
}

const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|(.))/gs;

const MEANINGS: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  [" ", " "],
]);

function meaningOf(_: string, two?: string, four?: string, eight?: string, one = ""): string {
  const digits = two ?? four ?? eight;
  const meant = digits === undefined ? MEANINGS.get(one) : characterOf(Number.parseInt(digits, 16));
  if (meant === undefined) throw new Elsewhere();
  return meant;
}

function characterOf(point: number): string | undefined {
  return point > 0x10ffff ? undefined : String.fromCodePoint(point);
}
