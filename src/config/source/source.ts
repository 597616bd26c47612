/** The text of one file, and where an offset in it lies. */

import type { Location } from "../../core/diagnostic.ts";

/** A file that was read; offsets count UTF-16 code units after a byte order mark. */
export class Source {
  /** Path relative to the configuration root, with forward slashes. */
  readonly file: string;
  /** Absolute path. */
  readonly path: string;
  readonly #bytes: Uint8Array | undefined;
  #text: string | undefined;
  /** Where lines start, as far as somebody has asked. */
  readonly #starts: number[] = [0];
  #hasAllStarts = false;
  readonly #length: number;

  /** With the bytes that the text was made of, it can be let go. */
  constructor(file: string, path: string, text: string, bytes?: Uint8Array) {
    this.file = file;
    this.path = path;
    this.#bytes = bytes;
    this.#text = text;
    this.#length = text.length;
  }

  get text(): string {
    this.#text ??= this.#decoded();
    return this.#text;
  }

  /** Keeps the bytes alone until somebody asks for the text: few files are looked at again once they are read. */
  letGo(): void {
    if (this.#bytes !== undefined) this.#text = undefined;
  }

  /** The place of an offset; the length reaches to `end` or to the end of the line, whichever comes first. */
  location(start: number, end: number = start): Location {
    const starts = this.#startsBehind(start);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= start) low = middle;
      else high = middle - 1;
    }
    const lineEnd = (starts[low + 1] ?? this.#length + 1) - 1;
    const length = Math.min(end, Math.max(lineEnd, start)) - start;
    const at = { file: this.file, line: low + 1, column: start - (starts[low] ?? 0) + 1 };
    return length > 0 ? { ...at, length } : at;
  }

  /** The lines without their ends. */
  lines(): readonly string[] {
    return this.text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  }

  /** The starts of lines up to the first behind an offset. */
  #startsBehind(offset: number): readonly number[] {
    const starts = this.#starts;
    let last = starts.at(-1) ?? 0;
    if (last > offset || this.#hasAllStarts) return starts;
    const lines = this.#text ?? (this.#isAscii() ? this.#bytes : undefined);
    const [some, until] = lines === undefined ? [this.#decoded(), this.#length] : [lines, offset];
    while (last <= until) {
      const end = typeof some === "string" ? some.indexOf("\n", last) : some.indexOf(LINE_FEED, last);
      if (end < 0) {
        this.#hasAllStarts = true;
        break;
      }
      last = end + 1;
      starts.push(last);
    }
    return starts;
  }

  /** Whether each byte is a character, so that there is no need to decode them. */
  #isAscii(): boolean {
    return this.#bytes?.length === this.#length;
  }

  #decoded(): string {
    return new TextDecoder().decode(this.#bytes);
  }
}

const LINE_FEED = 0x0a;
