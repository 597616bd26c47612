/** The scalars of a YAML document: where each begins and ends in the text, and its value. */

import type { Limits } from "../limits.ts";
import { hasSubstitution, isOdd, textFlaw } from "../text.ts";
import { plainValue, type ScalarValue, taggedValue } from "./core-schema.ts";
import type { Cursor } from "./cursor.ts";
import { SCALAR, type ScalarEvent, scalarText } from "./events.ts";
import type { FileErrors } from "./file-errors.ts";
import type { Offsets } from "./lazy-nodes.ts";
import { misplaced, TAB_INDENTATION, unusualBlank } from "./syntax-error.ts";

/** A text with the offset where it begins: with its quote, or with the line above a block of text. */
export interface ScalarText {
  readonly start: number;
  readonly text: string;
}

export class ScalarReader {
  readonly #cursor: Cursor;
  readonly #offsets: Offsets;
  readonly #limits: Limits;
  readonly #errors: FileErrors;
  #values = 0;

  constructor(cursor: Cursor, offsets: Offsets, limits: Limits, errors: FileErrors) {
    this.#cursor = cursor;
    this.#offsets = offsets;
    this.#limits = limits;
    this.#errors = errors;
  }

  /** The value of a scalar; moves behind it. `name` is the key that holds it, or the list that it is in. */
  value(event: ScalarEvent, tag: string | undefined, name: string, depth: number): ScalarValue {
    const { start, text } = this.text(event, depth);
    const end = this.#cursor.at;
    const offsets = this.#offsets;
    const index = offsets.begin(start);
    offsets.end(index, end);
    this.#values += 1;
    if (this.#values > this.#limits.values) {
      const message = `the file has more than ${this.#limits.values} values`;
      this.#errors.refuse({ code: "E_TOO_LARGE", message, help: "Split it.", start });
    }
    const value = this.#resolve(event, tag, text);
    if (typeof value === "string") {
      const flaw = textFlaw(value, name);
      if (flaw !== undefined) this.#errors.add({ code: flaw[0], message: flaw[1], start, end });
      if (hasSubstitution(value)) offsets.markSpecial(index);
      return value;
    }
    if (typeof value === "number") {
      this.#checkNumber(value, start, end);
      if (isOdd(value, text)) offsets.markSpecial(index);
    }
    return value;
  }

  /** The text of a scalar in so many collections; moves behind it. */
  text(event: ScalarEvent, depth: number): ScalarText {
    const cursor = this.#cursor;
    const { valueStart, valueEnd, style } = event;
    if (valueStart < 0) return { start: cursor.at, text: "" };
    cursor.skip();
    const start = cursor.at;
    if (style === SCALAR.PLAIN) {
      if (start !== valueStart) this.#errors.refuse(misplaced(cursor));
      if (/\p{Zs}/u.test(cursor.text[start] ?? "")) this.#errors.refuse(unusualBlank(cursor));
      cursor.at = valueEnd;
    } else if (style === SCALAR.SINGLE_QUOTED || style === SCALAR.DOUBLE_QUOTED) {
      if (start !== valueStart - 1) this.#errors.refuse(misplaced(cursor));
      cursor.at = valueEnd + 1;
      if (!event.fast) this.#checkFold(valueStart, valueEnd);
    } else this.#skipBlock(event, depth);
    return { start, text: scalarText(cursor.text, event) };
  }

  refuseTag(start: number, end: number): void {
    const message = `the tag ${this.#cursor.text.slice(start, end)} is not supported here`;
    const help = "Remove the word that begins with !, or quote the text.";
    this.#errors.add({ code: "E_TAG", message, help, start, end });
  }

  #resolve(event: ScalarEvent, tag: string | undefined, text: string): ScalarValue {
    if (tag === undefined) return event.style === SCALAR.PLAIN ? plainValue(text) : text;
    const isMissing = tag === "" && event.valueStart < 0;
    const value = isMissing ? undefined : taggedValue(tag, text);
    if (value === undefined) this.refuseTag(event.tagStart, event.tagEnd);
    return value ?? null;
  }

  #checkNumber(value: number, start: number, end: number): void {
    if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return;
    const written = this.#cursor.text.slice(start, end);
    const help = "If it is a text, quote it.";
    this.#errors.add(
      Number.isFinite(value)
        ? { code: "E_NUMBER_PRECISION", message: `${written} is too large for an exact number`, help, start, end }
        : { code: "E_NUMBER", message: `${written} is not a number in JSON`, help, start, end },
    );
  }

  /** Parsers do not agree what a backslash at the end of a line means when the next line is empty. */
  #checkFold(start: number, end: number): void {
    const blankLine = /(?<!\\)(?:\\\\)*\\\r?\n[ \t]*\r?\n/.exec(this.#cursor.text.slice(start, end));
    if (blankLine === null) return;
    const message = "an empty line follows a backslash at the end of a line";
    const help = "Write \\n where a line break is meant, and remove the empty line.";
    this.#errors.add({
      code: "E_SYNTAX",
      message,
      help,
      start: start + blankLine.index + blankLine[0].lastIndexOf("\\"),
    });
  }

  /** Moves over a block of text: its header, a comment behind that, and its lines. */
  #skipBlock(event: ScalarEvent, depth: number): void {
    const { valueStart, valueEnd } = event;
    const cursor = this.#cursor;
    const header = /[|>](?:[1-9][-+]?|[-+][1-9]?)?(?=[ \t\r\n]|$)/y;
    header.lastIndex = cursor.at;
    const [written = ""] = header.exec(cursor.text) ?? [];
    // Parsers do not agree what a text that is indented by a number is indented from where nothing is around it.
    if (written === "" || (depth === 0 && /\d/.test(written))) this.#errors.refuse(misplaced(cursor));
    cursor.at += written.length;
    cursor.skipBlanks();
    cursor.skipLine();
    if (Math.min(cursor.at + 1, cursor.text.length) !== valueStart) this.#errors.refuse(misplaced(cursor));
    cursor.at = valueEnd;
    if (/[\d+]/.test(written)) this.#checkBlankLines(event, written);
    const tab = /[ \r\n]*\t/y;
    tab.lastIndex = valueEnd;
    if (tab.test(cursor.text)) this.#errors.refuse({ ...TAB_INDENTATION, start: tab.lastIndex - 1 });
  }

  /** Parsers do not agree which lines of blanks are a part of a block that states its indentation, or keeps its last line ends. */
  #checkBlankLines({ valueStart, valueEnd, indent }: ScalarEvent, header: string): void {
    const block = this.#cursor.text.slice(valueStart, valueEnd);
    const lines = /\d/.test(header)
      ? [...block.matchAll(/^ +(?=\r?$)/gm)].filter(([line]) => line.length > indent)
      : [];
    const starts = lines.map(({ index }) => valueStart + index);
    if (header.includes("+") && /^[ \r\n]*\n +$/.test(block)) starts.push(valueEnd - 1);
    const message = "a line of blanks stands in a block of text that counts blanks or lines";
    const help = "Remove the blanks, or the digit or + behind | or >.";
    for (const start of starts) this.#errors.add({ code: "E_SYNTAX", message, help, start });
  }
}
