/** A place in a YAML text that moves from token to token, over blanks, line ends and comments. */

import { addressesProgram } from "../directives.ts";
import type { Span } from "../tree.ts";

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const HASH = 0x23;

/** The characters with a meaning of their own, as `charCodeAt` returns them. */
export const CODE = {
  percent: 0x25,
  comma: 0x2c,
  hyphen: 0x2d,
  colon: 0x3a,
  question: 0x3f,
  openBracket: 0x5b,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const;

export class Cursor {
  readonly text: string;
  at: number;
  /** The comments so far that address this program. */
  readonly comments: Span[] = [];

  constructor(text: string, at = 0) {
    this.text = text;
    this.at = at;
  }

  /** The character here; NaN at the end. */
  get code(): number {
    return this.text.charCodeAt(this.at);
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Whether this character is here, followed by a blank or a line end. */
  isIndicator(code: number): boolean {
    return this.code === code && isBlankOrEnd(this.text.charCodeAt(this.at + 1));
  }

  /** Whether `---` or `...` is here, alone at the beginning of a line. */
  isMarker(marker: string): boolean {
    const isAlone = isBlankOrEnd(this.text.charCodeAt(this.at + marker.length));
    return this.column === 0 && isAlone && this.text.startsWith(marker, this.at);
  }

  /** The characters before this place in its line. */
  get column(): number {
    return this.at === 0 ? 0 : this.at - this.text.lastIndexOf("\n", this.at - 1) - 1;
  }

  /** Whether exactly this many spaces, and nothing else, precede this place in its line. */
  isIndentedBy(column: number): boolean {
    const start = this.at - column;
    if (start < 0 || (start > 0 && this.text.charCodeAt(start - 1) !== LF)) return false;
    for (let at = start; at < this.at; at += 1) if (this.text.charCodeAt(at) !== SPACE) return false;
    return true;
  }

  /** Whether only spaces, at most this many, precede this place in its line. */
  isFirstWithin(column: number): boolean {
    let at = this.at;
    while (at > 0 && this.at - at <= column && this.text.charCodeAt(at - 1) === SPACE) at -= 1;
    return this.at - at <= column && (at === 0 || this.text.charCodeAt(at - 1) === LF);
  }

  /** Whether a line ends between an offset and this place. */
  hasLineEndSince(offset: number): boolean {
    for (let at = offset; at < this.at; at += 1) if (this.text.charCodeAt(at) === LF) return true;
    return false;
  }

  /** Moves over blanks within the line. */
  skipBlanks(): void {
    while (this.code === SPACE || this.code === TAB) this.at += 1;
  }

  /** Moves to the next token. */
  skip(): void {
    const { text } = this;
    for (;;) {
      const code = text.charCodeAt(this.at);
      if (code === SPACE || code === LF || code === CR || code === TAB) this.at += 1;
      else if (code === HASH && (this.at === 0 || isBlankOrEnd(text.charCodeAt(this.at - 1)))) this.skipLine();
      else return;
    }
  }

  /** Moves to the end of the line; what it passes is a comment, if anything. */
  skipLine(): void {
    const end = this.text.indexOf("\n", this.at);
    const span = { start: this.at, end: end < 0 ? this.text.length : end };
    if (addressesProgram(this.text, span.start)) this.comments.push(span);
    this.at = span.end;
  }
}

/** Whether a character is a blank, a line end or the end of the text. */
export function isBlankOrEnd(code: number): boolean {
  return code === SPACE || code === LF || code === CR || code === TAB || Number.isNaN(code);
}

/** Whether a character ends a text within brackets. */
export function isFlowIndicator(code: number): boolean {
  return (
    code === CODE.comma ||
    code === CODE.openBracket ||
    code === CODE.closeBracket ||
    code === CODE.openBrace ||
    code === CODE.closeBrace
  );
}
