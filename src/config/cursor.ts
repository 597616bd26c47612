/** Where the quick reader is in its text: it goes from line to line, over blanks and comments. */

import { Elsewhere } from "./elsewhere.ts";

const TAB = 0x09;
/** The end of a line, and what is read behind the text. */
export const BREAK = 0x0a;
export const RETURN = 0x0d;
const BLANK = 0x20;
export const HASH = 0x23;

/** A place in a text, and the indentation of its line. */
export class Cursor {
  protected readonly text: string;
  readonly #length: number;
  /** What is read next. */
  protected at = 0;
  /** Where its line begins. */
  protected line = 0;
  /** How far the first of its line is indented; -1 behind the last line. */
  protected column = -1;
  /** Behind what was read last. */
  protected end = 0;

  constructor(text: string) {
    this.text = text;
    this.#length = text.length;
  }

  /** The character there, and a line break behind the text. */
  protected code(at: number): number {
    return at < this.#length ? this.text.charCodeAt(at) : BREAK;
  }

  /** Whether a blank or the end of a line stands there. */
  protected isSpace(at: number): boolean {
    const code = this.code(at);
    return code === BLANK || code === BREAK || code === RETURN;
  }

  protected behindBlanks(from: number): number {
    let at = from;
    while (this.code(at) === BLANK) at += 1;
    return at;
  }

  /** From the beginning of a line to the first character of the next line that holds more than a comment. */
  protected nextLine(): void {
    let line = this.at;
    while (line < this.#length) {
      const at = this.behindBlanks(line);
      const code = this.code(at);
      if (code === HASH) line = this.#behindLine(at);
      else if (code === BREAK) line = at + 1;
      else if (code === RETURN) line = at + 2;
      else {
        this.line = line;
        this.at = at;
        this.column = at - line;
        if (code === TAB || (at === line && this.#isBoundary(at))) throw new Elsewhere();
        return;
      }
    }
    this.at = this.#length;
    this.column = -1;
  }

  /** Over blanks and a comment to the next line. */
  protected endLine(): void {
    const at = this.behindBlanks(this.at);
    const code = this.code(at);
    if (code === HASH && at > this.at) this.at = this.#behindLine(at);
    else if (code === BREAK) this.at = at + 1;
    else if (code === RETURN) this.at = at + 2;
    else throw new Elsewhere();
    this.nextLine();
  }

  /** Where the line ends in which the last value ended; a block of text ends behind its last line already. */
  protected lastLine(): number {
    const end = this.text.indexOf("\n", this.end - 1);
    return end < 0 ? this.#length : end;
  }

  #behindLine(at: number): number {
    const end = this.text.indexOf("\n", at);
    return end < 0 ? this.#length : end + 1;
  }

  /** Whether a document begins or ends in this line; the first beginning is none. */
  #isBoundary(at: number): boolean {
    return this.text.startsWith("...", at) || (this.end > 0 && this.text.startsWith("---", at));
  }
}
