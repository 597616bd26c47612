/** The words for what the parser refuses: what is wrong, where, and what most often helps. It never decides what a file means. */

import { defined } from "../../../core/json.ts";
import type { FileError } from "../file-errors.ts";
import type { Limits } from "../limits.ts";
import { codePoint } from "../text.ts";

type Explain = (text: string, at: number) => FileError;

/** The error for a reason of the parser, which stopped at an offset. */
export function syntaxError(reason: string, text: string, at: number): FileError {
  const [, explain] = EXPLANATIONS.find(([reasons]) => reasons.test(reason)) ?? [];
  return explain?.(text, at) ?? { code: "E_SYNTAX", message: `this is not YAML: ${reason}`, start: at };
}

/** The error for text at a place where the grammar does not allow it. */
export function misplaced({ text, at }: { readonly text: string; readonly at: number }): FileError {
  return unexpected(text, at);
}

/** The error for a text that begins with a blank of another kind than a space: it looks like indentation and is a part of the text. */
export function unusualBlank({ text, at }: { readonly text: string; readonly at: number }): FileError {
  const blank = codePoint(text[at] ?? "");
  return {
    code: "E_SYNTAX",
    message: `a blank that is not a space stands here, ${blank}`,
    help: "Use spaces.",
    start: at,
  };
}

/** The error for collections that are nested more deeply than allowed. */
export function depthError(start: number, { depth }: Pick<Limits, "depth">): FileError {
  const message = `lists and mappings are nested more than ${depth} levels deep`;
  return { code: "E_DEPTH", message, help: "Use fewer levels.", start };
}

/** The error for indentation by a tab, without its place. */
export const TAB_INDENTATION = { code: "E_SYNTAX", message: "a tab is used to indent", help: "Use spaces." } as const;

/** An error with a fixed message; `shift` is the distance from the offset where the parser stopped to the start of the error. */
function fixed(code: string, message: string, help?: string, shift = 0): Explain {
  return (_, at) => ({ code, message, ...defined({ help }), start: Math.max(0, at + shift) });
}

const INDENTATION =
  "Check its indentation: keys of one mapping begin in the same column, and their values are indented further.";

/** Explanations of the parser's reasons, in the order in which they are tried. A test compares them with every reason of the parser. */
const EXPLANATIONS: readonly (readonly [reasons: RegExp, explain: Explain])[] = [
  [
    /^(?:bad indentation of a (?:mapping|sequence) entry|end of the stream or a document|can not read a document)/,
    unexpected,
  ],
  [/^deficient indentation$/, outdented],
  [/within a (?:single|double) quoted scalar$/, unclosedQuote],
  [/within a flow collection$/, unclosedBracket],
  [/^missed comma/, missingComma],
  [/^expected the node content/, fixed("E_SYNTAX", "nothing stands before this comma", "Remove it.")],
  [/^(?:expected ':'|can not read a block mapping entry)/, missingColon],
  [/^a whitespace character/, fixed("E_SYNTAX", "a blank is missing after the colon", "Write key: value.")],
  [
    /^unknown escape/,
    fixed(
      "E_SYNTAX",
      "a backslash in double quotes begins no known escape",
      "Write \\\\ for a backslash, or use single quotes.",
      -1,
    ),
  ],
  [
    /^expected hexadecimal/,
    fixed(
      "E_SYNTAX",
      "an escape needs hexadecimal digits here",
      "Write two after \\x, four after \\u, eight after \\U.",
    ),
  ],
  [/^tab characters/, (_, start) => ({ ...TAB_INDENTATION, start })],
  [
    /^a line break is expected/,
    fixed(
      "E_SYNTAX",
      "a block of text begins on the line below its | or >",
      "Write the text on the lines below, indented, or quote it.",
    ),
  ],
  [
    /^(?:repeat of an? |bad explicit indentation)/,
    fixed("E_SYNTAX", "| and > take at most one digit from 1 to 9, and - or +", "Write |, |- or |+."),
  ],
  [/^name of an anchor/, fixed("E_ALIAS", "an anchor has no name", "Quote a text that begins with &.", -1)],
  [/^name of an alias/, fixed("E_ALIAS", "an alias has no name", "Quote a text that begins with *.", -1)],
  [
    /^alias node should/,
    fixed("E_ALIAS", "an alias can have neither an anchor nor a tag", "Remove the anchor or tag."),
  ],
  [/^duplication of an anchor/, fixed("E_ALIAS", "a value has two anchors", "Remove one of the two.")],
  [/^duplication of a tag/, fixed("E_TAG", "a value has two tags", "Remove one of the two.")],
  [/\btag\b/, invalidTag],
  [
    /directive|YAML version/i,
    fixed("E_DIRECTIVE", "a line --- is missing below the directive", "Remove the line that begins with %."),
  ],
  [
    /^(?:the stream contains|expected valid JSON|null byte)/,
    fixed("E_CONTROL", "YAML does not allow this character", "Remove it, or write it as an escape in double quotes."),
  ],
];

/** A quoted text or a collection in brackets goes on in a line that is not indented enough, or in none. */
function outdented(text: string, at: number): FileError {
  const error = openQuote(text, at) === undefined ? unclosedBracket(text, at) : unclosedQuote(text, at);
  const isLast = text.slice(at).trim() === "" || !error.message.endsWith("not closed");
  return isLast ? error : { ...error, message: `${error.message}, or its next line is not indented` };
}

function unclosedQuote(text: string, at: number): FileError {
  return {
    code: "E_SYNTAX",
    message: "a quoted text is not closed",
    help: "Close it with the quote that opened it, and indent the lines between.",
    start: openQuote(text, at) ?? at,
  };
}

function unclosedBracket(text: string, at: number): FileError {
  const open = openBracket(text, at);
  if (open === undefined) {
    const help = "Close every [ with ] and every { with }.";
    return { code: "E_SYNTAX", message: "a bracket is not closed", help, start: at };
  }
  const closing = CLOSING[text[open] ?? ""] ?? "";
  const comment = commentIn(text, open);
  if (comment !== undefined && text.slice(comment, lineEnd(text, comment)).includes(closing)) {
    const message = `the ${closing} is part of the comment that this # begins`;
    return { code: "E_SYNTAX", message, help: "Quote the text if the # belongs to it.", start: comment };
  }
  return {
    code: "E_SYNTAX",
    message: `the ${text[open]} is not closed`,
    help: `Close it with ${closing}, and indent the lines between.`,
    start: open,
  };
}

function invalidTag(text: string, at: number): FileError {
  const help = "Remove the word that begins with !, or quote the text.";
  return { code: "E_TAG", message: "this tag is not valid", help, start: Math.max(0, text.lastIndexOf("!", at)) };
}

const CLOSING: Readonly<Record<string, string>> = { "[": "]", "{": "}" };

function missingComma(text: string, at: number): FileError {
  const here = text[at] ?? "";
  const open = openBracket(text, at);
  if (/^\$\{(?!\{)/.test(text.slice(at - 1, at + 2))) {
    return {
      code: "E_SYNTAX",
      message: "a substitution within brackets must be quoted",
      help: "Put the whole value in double quotes.",
      start: at - 1,
    };
  }
  if ((here === "]" || here === "}") && open !== undefined) {
    return {
      code: "E_SYNTAX",
      message: `the ${text[open]} is not closed before this ${here}`,
      help: `Close it with ${CLOSING[text[open] ?? ""]}.`,
      start: at,
      related: { message: "opened here", start: open },
    };
  }
  const last = text.slice(0, at).trimEnd().at(-1) ?? "";
  if ("[{,:".includes(last) && RESERVED.includes(here)) return reserved(here, at);
  if (last === '"' || last === "'") return quoteEnds(at);
  const start = lineStart(text, at);
  const [indentation] = /^[ \t]*(?=[^,:{}[\]]+$)/.exec(text.slice(start, at)) ?? [];
  if (here === ":" && indentation === undefined) {
    const help = "Quote the value if it holds a colon; if a new key begins here, write a comma before it.";
    return { code: "E_SYNTAX", message: "a colon is not expected here", help, start: at };
  }
  // A key that begins its line was read as more of the text above it.
  return {
    code: "E_SYNTAX",
    message: "a comma is missing before this",
    help: "Separate the items with commas, or quote the text if it is one.",
    start: here === ":" ? start + (indentation ?? "").length : at,
  };
}

/** A line without a colon among the keys of a mapping; the parser stops where its text ends. */
function missingColon(text: string, at: number): FileError {
  let start = lineStart(text, at);
  if (text.slice(start, at).trim() === "" || text[at] === ":") start = lineStart(text, start - 1);
  for (let above = start; above > 0; above = lineStart(text, above - 1)) {
    const line = text.slice(lineStart(text, above - 1), above).trim();
    if (line === "" || line.startsWith("#") || /:(?:\s|$)|^-\s/.test(line)) break;
    start = lineStart(text, above - 1);
  }
  return {
    code: "E_SYNTAX",
    message: "a key must be on one line, followed by a colon",
    help: "Write key: value. To continue a text, indent the line further than its key.",
    start: start + (/^[ \t]*/.exec(text.slice(start, at))?.[0].length ?? 0),
  };
}

function unexpected(text: string, at: number): FileError {
  const here = text[at] ?? "";
  const start = lineStart(text, at);
  const before = text.slice(start, at);
  const error = (message: string, help: string, from = at): FileError => ({
    code: "E_SYNTAX",
    message,
    help,
    start: from,
  });
  if (RESERVED.includes(here)) return reserved(here, at);
  if (here === "]" || here === "}") return error(`this ${here} closes nothing`, "Remove it, or quote the text.");
  if (here === ":") {
    const inner = /^.*[:?-][ \t]+(?=\S)/.exec(before);
    if (inner !== null) {
      const from = start + inner[0].length;
      return error("a mapping cannot begin in the middle of a line", "Quote the value if it holds a colon.", from);
    }
    const from = start + before.length - before.trimStart().length;
    return error("this key belongs to nothing above it", INDENTATION, from);
  }
  if (before.trim() === "") {
    return isIndicator(text, at)
      ? error("a list item is not expected here", "Items of one list begin in the same column, and not among keys.")
      : error("this line belongs to nothing above it", INDENTATION);
  }
  if (isIndicator(text, at)) return error("a list cannot begin in the middle of a line", "Begin it on the next line.");
  const last = before.trimEnd().at(-1) ?? "";
  if (last === '"' || last === "'") return quoteEnds(at);
  if (last === "]" || last === "}")
    return error(`nothing can follow the ${last} in its line`, "Begin a new line, or quote the value.");
  return error("this is not expected here", "Quote the value, or begin a new line.");
}

/** Characters that an unquoted text cannot begin with. */
const RESERVED: readonly string[] = ["@", "`", "%", ","];

function reserved(character: string, start: number): FileError {
  const message = `a text cannot begin with ${character} unless it is quoted`;
  return { code: "E_SYNTAX", message, help: "Quote it.", start };
}

function quoteEnds(start: number): FileError {
  const help = `Quote the whole value. Within single quotes, write a quote twice; within double quotes, write \\".`;
  return { code: "E_SYNTAX", message: "the quoted text ends before this", help, start };
}

/** Whether there is a hyphen or a question mark at the offset that begins an item or a key. */
function isIndicator(text: string, at: number): boolean {
  return /^[-?](?:\s|$)/.test(text.slice(at, at + 2));
}

function lineStart(text: string, at: number): number {
  return at <= 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** The offset of the comment in the rest of a line. */
function commentIn(text: string, at: number): number | undefined {
  const found = /[ \t]#/.exec(
    text.slice(at, lineEnd(text, at)).replace(/"[^"]*"|'[^']*'/g, (quoted) => "x".repeat(quoted.length)),
  );
  return found === null ? undefined : at + found.index + 1;
}

/** The quote before an offset that opens a text and is not followed by another one. */
function openQuote(text: string, at: number): number | undefined {
  const quotes = ['"', "'"].flatMap((quote) => {
    let open = text.lastIndexOf(quote, at - 1);
    // Within double quotes a backslash escapes one, and within single quotes two mean one.
    while (open > 0 && text[open - 1] === (quote === '"' ? "\\" : quote)) {
      open = text.lastIndexOf(quote, open - (quote === '"' ? 1 : 2));
    }
    const line = text.slice(lineStart(text, open), open);
    const isOpening = /(?:^|[\s[{,(-])$/.test(line) && line.split(quote).length % 2 === 1;
    return open >= 0 && isOpening ? [open] : [];
  });
  return quotes.length === 0 ? undefined : Math.max(...quotes);
}

/** Most characters to search backwards for a bracket. */
const NEAR = 10_000;

/** The innermost bracket before an offset that is not closed before it, as far as quotes on its line tell. */
function openBracket(all: string, offset: number): number | undefined {
  const from = Math.max(0, offset - NEAR);
  const text = all.slice(from, offset).replace(/(?<=[ \t])#.*$/gm, (comment) => " ".repeat(comment.length));
  let closed = 0;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const here = text[at] ?? "";
    if (here === '"' || here === "'") {
      const opening = text.lastIndexOf(here, at - 1);
      if (at > 0 && opening >= lineStart(text, at)) at = opening;
    } else if (here === "]" || here === "}") {
      closed += 1;
    } else if (here === "[" || here === "{") {
      if (closed === 0) return from + at;
      closed -= 1;
    }
  }
  return undefined;
}
