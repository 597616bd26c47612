/** Corrects a line that is not YAML. A correction is a guess, and is made only if the parser then reads on beyond the line. */

import { InvalidYaml, readEvents } from "./events.ts";

/** Most characters of a line, and of a text that is parsed again for each guess. */
const MAX_LINE = 160;
const MAX_TEXT = 200_000;

/** The line at an offset as it should be; `stop` is where the parser stopped. Undefined if no guess makes the text readable. */
export function correctedLine(text: string, at: number, stop: number, depth: number): string | undefined {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  const end = text.indexOf("\n", at) < 0 ? text.length : text.indexOf("\n", at);
  const line = text.slice(start, end).replace(/\r$/, "");
  if (line.length > MAX_LINE || text.length > MAX_TEXT) return undefined;
  const head = text.slice(0, start);
  const tail = text.slice(start + line.length);
  return guesses(line, at - start, text, head).find((guess) => {
    const next = stopOf(head + guess + tail, depth);
    return next === undefined || next > Math.max(start + guess.length, stop + guess.length - line.length);
  });
}

/** The offset where the parser stops; undefined if it reads the whole text. */
function stopOf(text: string, depth: number): number | undefined {
  try {
    readEvents(text, depth);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidYaml) return error.offset;
    throw error;
  }
}

/** The lines that may be meant, the likeliest first. */
function guesses(line: string, column: number, text: string, head: string): readonly string[] {
  const values = valuesIn(line).sort((left, right) => distance(left, column) - distance(right, column));
  return [
    line.replace(/^[ \t]+/, (indentation) => indentation.replaceAll("\t", "  ")),
    ...belowKeyAbove(line, head),
    line.replace(/^(\s*- )([^{]*\})\s*$/, "$1{ $2"),
    ...withComma(line, text),
    ...values.flatMap((value) => withQuotes(line, value)),
    line.replace(/(?<=[\s,[{])\$\{[^}\s]*\}(?=\s*[,\]}])/g, '"$&"'),
    ...withBracket(line),
  ].filter((guess) => guess !== line);
}

/** An unquoted or badly quoted value in a line, as offsets. */
interface Value {
  readonly start: number;
  readonly end: number;
}

function distance({ start, end }: Value, column: number): number {
  return column < start ? start - column : Math.max(0, column - end);
}

/** The values of the keys in a line: up to the next key, the closing bracket, or the end. */
function valuesIn(line: string): Value[] {
  const isFlow = /^\s*(?:- +)?(?:[\w.-]+: +)?[{[]/.test(line);
  const keys = [...line.matchAll(isFlow ? /[{,]\s*[\w.-]+:\s+/g : /^\s*(?:- +)?[\w.-]+:\s+/g)];
  return keys.map(({ 0: key, index }, at) => {
    const start = index + key.length;
    const rest = line.slice(start, keys[at + 1]?.index);
    const own = isFlow ? withoutClosing(rest) : rest;
    return { start, end: start + own.trimEnd().length };
  });
}

/** The text without brackets and commas at its end that close what was opened before it. */
function withoutClosing(text: string): string {
  let own = text.trimEnd();
  while (/[}\],]$/.test(own) && (own.endsWith(",") || countOf(/[}\]]/g, own) > countOf(/[{[]/g, own))) {
    own = own.slice(0, -1).trimEnd();
  }
  return own;
}

function countOf(pattern: RegExp, text: string): number {
  return [...text.matchAll(pattern)].length;
}

/** The line with the indentation of the key in the line above it. */
function belowKeyAbove(line: string, head: string): readonly string[] {
  const above = head.trimEnd().split("\n").at(-1) ?? "";
  const indentation = /^ *(?:- +)?(?=[\w.-]+:)/.exec(above)?.[0].length;
  return indentation === undefined || !/^[ \t]*[\w.-]+:/.test(line) ? [] : [" ".repeat(indentation) + line.trim()];
}

/** The line with a value in quotes. */
function withQuotes(line: string, { start, end }: Value): readonly string[] {
  const value = line.slice(start, end);
  if (value === "" || /^[{[]/.test(value)) return [];
  const bare = value.replace(/^(["'])(?!.*\1(?:\s|$))/, "");
  const quoted = bare.includes('"') ? `'${bare.replaceAll("'", "''")}'` : `"${bare.replaceAll("\\", "\\\\")}"`;
  return [line.slice(0, start) + quoted + line.slice(end)];
}

/** The line with commas before words that are keys elsewhere in the text, or that name resources. */
function withComma(line: string, text: string): readonly string[] {
  if (!/[{[]/.test(line)) return [];
  const isKey = (word: string): boolean =>
    word === "slug" || word === "name" || text.split(new RegExp(`(?<=^|[\\s{,])${word}:\\s`, "m")).length > 2;
  return [
    line.replace(/(?<=[^\s{,:])\s+([a-z][\w-]*)(?=:\s)/g, (all, word: string) => (isKey(word) ? `, ${word}` : all)),
  ];
}

/** The line with its open brackets closed. */
function withBracket(line: string): readonly string[] {
  const open = [...line.matchAll(/[{}[\]]/g)].reduce((stack, [bracket]) => {
    if (bracket === "{") return ` }${stack}`;
    if (bracket === "[") return `]${stack}`;
    return stack.replace(/^ ?./, "");
  }, "");
  return open === "" ? [] : [line.trimEnd().replace(/,$/, "") + open];
}
