/**
 * The tokens of a YAML document, from its text and the events of the parser, side by side: between two tokens only what the grammar
 * asks for there is accepted. So no token can begin or end where the parser is more lenient than YAML, every comment is known to be one,
 * and what this program does not support is refused at its place.
 */

import type { FileErrors } from "../file-errors.ts";
import type { Span } from "../tree.ts";
import { LONG_KEY, LONGEST_KEY } from "./core-schema.ts";
import { CODE, type Cursor, isBlankOrEnd, isFlowIndicator } from "./cursor.ts";
import {
  type AliasEvent,
  type CollectionEvent,
  EVENT,
  isFlow,
  SCALAR,
  type ScalarEvent,
  type YamlEvent,
} from "./events.ts";
import { misplaced, TAB_INDENTATION, unusualBlank } from "./syntax-error.ts";
import type { TokenPlaces } from "./tokens.ts";

/** A collection that is being read. */
interface OpenCollection {
  /** Its closing bracket; undefined for one without brackets. */
  readonly closing: number | undefined;
  /** The column of the block collection around it. */
  readonly outerColumn: number;
}

export class CheckedTokens implements TokenPlaces {
  readonly #cursor: Cursor;
  readonly #errors: FileErrors;
  readonly #open: OpenCollection[] = [];
  /** Collections in brackets around this place, and the column of the block collection around these. */
  #brackets = 0;
  #column = -1;

  /** The cursor stands before the first value, behind the marker of the document. */
  constructor(cursor: Cursor, errors: FileErrors) {
    this.#cursor = cursor;
    this.#errors = errors;
  }

  /** Moves behind the only document, which ends with the text. */
  endDocument(): void {
    const cursor = this.#cursor;
    cursor.skip();
    if (cursor.isMarker("...")) {
      cursor.at += 3;
      cursor.skip();
    }
    this.#expect(cursor.isAtEnd);
  }

  properties(event: ScalarEvent | CollectionEvent): void {
    const { anchorStart, anchorEnd, tagStart, tagEnd } = event;
    const cursor = this.#cursor;
    const isEmpty = event.type === EVENT.SCALAR && event.valueStart < 0;
    const spans = [
      ...(anchorStart < 0 ? [] : [{ start: anchorStart - 1, end: anchorEnd }]),
      ...(tagStart < 0 ? [] : [{ start: tagStart, end: tagEnd }]),
    ].sort((one, other) => one.start - other.start);
    for (const { start, end } of spans) {
      this.#moveTo(start);
      cursor.at = end;
      this.#expect(isBlankOrEnd(cursor.code) || (isEmpty && isFlowIndicator(cursor.code)));
    }
    if (anchorStart >= 0) this.#refuseColon(anchorStart, anchorEnd);
  }

  alias({ anchorStart, anchorEnd: end }: AliasEvent): Span {
    const start = anchorStart - 1;
    this.#moveTo(start);
    this.#cursor.at = end;
    this.#refuseColon(anchorStart, end);
    return { start, end };
  }

  /** A scalar with its quotes, or with the line above a block of text. */
  scalar(event: ScalarEvent): Span {
    const cursor = this.#cursor;
    const { valueStart, valueEnd, style } = event;
    if (valueStart < 0) return { start: cursor.at, end: cursor.at };
    cursor.skip();
    const start = cursor.at;
    if (style === SCALAR.PLAIN) {
      this.#expect(start === valueStart);
      if (/\p{Zs}/u.test(cursor.text[start] ?? "")) this.#errors.refuse(unusualBlank(cursor));
      cursor.at = valueEnd;
    } else if (style === SCALAR.SINGLE_QUOTED || style === SCALAR.DOUBLE_QUOTED) {
      this.#expect(start === valueStart - 1);
      cursor.at = valueEnd + 1;
      if (!event.fast) this.#checkFold(valueStart, valueEnd);
    } else this.#skipBlock(event);
    return { start, end: cursor.at };
  }

  open(event: CollectionEvent, first: YamlEvent | undefined, colon: number | undefined): number {
    const cursor = this.#cursor;
    cursor.skip();
    const start = cursor.at;
    const outerColumn = this.#column;
    let closing: number | undefined;
    if (!isFlow(event)) {
      this.#expect(start === event.start && (colon === undefined || cursor.hasLineEndSince(colon)));
      this.#column = cursor.column;
    } else if (event.type === EVENT.SEQUENCE) {
      this.#expect(start === event.start);
      closing = CODE.closeBracket;
    } else if (start === event.start && cursor.code === CODE.openBrace) {
      // A single pair in a list in brackets has no brackets of its own; its key may have some.
      const isKey = first?.type === EVENT.MAPPING && first.start === start;
      closing = isKey ? undefined : CODE.closeBrace;
    }
    if (closing !== undefined) {
      this.#brackets += 1;
      cursor.at += 1;
    }
    this.#open.push({ closing, outerColumn });
    return start;
  }

  /** The next key or hyphen of a block collection begins its line in the column of the first. */
  beforeItem(event: CollectionEvent, isFirst: boolean): void {
    const cursor = this.#cursor;
    if (isFlow(event)) {
      this.#expect(isFirst || this.#open.at(-1)?.closing !== undefined);
      return;
    }
    if (!isFirst) {
      cursor.skip();
      this.#expect(cursor.isIndentedBy(this.#column));
    }
    if (event.type === EVENT.MAPPING) return;
    this.#expect(cursor.isIndicator(CODE.hyphen));
    cursor.at += 1;
  }

  behindItem(event: CollectionEvent): void {
    if (!isFlow(event)) return;
    const closing = this.#open.at(-1)?.closing;
    if (closing === undefined) return;
    const cursor = this.#cursor;
    cursor.skip();
    if (cursor.code === CODE.comma) cursor.at += 1;
    else this.#expect(cursor.code === closing);
  }

  beforeKey(): boolean {
    const cursor = this.#cursor;
    cursor.skip();
    const hasQuestionMark = cursor.isIndicator(CODE.question);
    if (hasQuestionMark) cursor.at += 1;
    return hasQuestionMark;
  }

  keyStart(): number {
    this.#cursor.skip();
    return this.#cursor.at;
  }

  behindKey(event: CollectionEvent, key: YamlEvent, start: number, hasQuestionMark: boolean): number | undefined {
    const cursor = this.#cursor;
    if (isFlow(event)) {
      cursor.skip();
      if (cursor.code !== CODE.colon) return undefined;
      const following = cursor.text.charCodeAt(cursor.at + 1);
      this.#expect(isJsonLike(key) || isBlankOrEnd(following) || isFlowIndicator(following));
    } else if (hasQuestionMark) {
      cursor.skip();
      if (cursor.isIndicator(CODE.colon) && cursor.isIndentedBy(this.#column)) cursor.at += 1;
      return undefined;
    } else {
      cursor.skipBlanks();
      this.#expect(cursor.isIndicator(CODE.colon));
    }
    if (cursor.at - start > LONGEST_KEY) this.#errors.refuse({ ...LONG_KEY, start, end: cursor.at });
    cursor.at += 1;
    return isFlow(event) ? undefined : cursor.at;
  }

  /** Only the outermost closing bracket may stand in the column of what holds it. */
  close(): number {
    const cursor = this.#cursor;
    const { closing, outerColumn } = this.#open.pop() ?? {};
    if (closing !== undefined) {
      cursor.skip();
      this.#expect(cursor.code === closing);
      this.#brackets -= 1;
      this.#expect(this.#brackets === 0 || !cursor.isFirstWithin(this.#column));
      cursor.at += 1;
    }
    this.#column = outerColumn ?? -1;
    return cursor.at;
  }

  /** Refuses what stands here unless the condition is met. */
  #expect(condition: boolean): void {
    if (!condition) this.#errors.refuse(misplaced(this.#cursor));
  }

  /** Moves to the next token, which begins at an offset. */
  #moveTo(offset: number): void {
    this.#cursor.skip();
    this.#expect(this.#cursor.at === offset);
  }

  /** Parsers do not agree whether a colon at its end belongs to the name of an anchor. */
  #refuseColon(start: number, end: number): void {
    if (this.#cursor.text.charCodeAt(end - 1) !== CODE.colon) return;
    const message = "the name of an anchor or alias ends with a colon";
    const help = "Put a blank before the colon, or quote a text that begins with * or &.";
    this.#errors.refuse({ code: "E_ALIAS", message, help, start: start - 1, end });
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
  #skipBlock(event: ScalarEvent): void {
    const { valueStart, valueEnd } = event;
    const cursor = this.#cursor;
    const header = /[|>](?:[1-9][-+]?|[-+][1-9]?)?(?=[ \t\r\n]|$)/y;
    header.lastIndex = cursor.at;
    const [written = ""] = header.exec(cursor.text) ?? [];
    // Parsers do not agree what a text that is indented by a number is indented from where nothing is around it.
    this.#expect(written !== "" && (this.#open.length > 0 || !/\d/.test(written)));
    cursor.at += written.length;
    cursor.skipBlanks();
    cursor.skipLine();
    this.#expect(Math.min(cursor.at + 1, cursor.text.length) === valueStart);
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

/** Whether a key is quoted or in brackets, so that its colon needs no blank behind it. */
function isJsonLike(key: YamlEvent): boolean {
  return key.type === EVENT.SCALAR ? key.style !== SCALAR.PLAIN : key.type !== EVENT.ALIAS;
}
