/** The text of a file, and the places of offsets in it. */

import type { Location } from "../../core/diagnostic.ts";

/** A file; offsets count UTF-16 code units after a byte order mark. */
export class Source {
  /** Path relative to the configuration root, with forward slashes. */
  readonly file: string;
  /** Absolute path. */
  readonly path: string;
  readonly text: string;
  /** The starts of lines, computed as far as needed. */
  readonly #starts: number[] = [0];

  constructor(file: string, path: string, text: string) {
    this.file = file;
    this.path = path;
    this.text = text;
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
    const lineEnd = (starts[low + 1] ?? this.text.length + 1) - 1;
    const length = Math.min(end, Math.max(lineEnd, start)) - start;
    const at = { file: this.file, line: low + 1, column: start - (starts[low] ?? 0) + 1 };
    return length > 0 ? { ...at, length } : at;
  }

  /** The lines without their ends. */
  lines(): readonly string[] {
    return linesIn(this.text);
  }

  /** The starts of lines up to the first behind an offset. */
  #startsBehind(offset: number): readonly number[] {
    const starts = this.#starts;
    for (let last = starts.at(-1) ?? 0; last <= offset; ) {
      const end = this.text.indexOf("\n", last);
      if (end < 0) break;
      last = end + 1;
      starts.push(last);
    }
    return starts;
  }
}

/** The lines of a text without their ends. */
export function linesIn(text: string): readonly string[] {
  return text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}
