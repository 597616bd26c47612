/** The errors of one file that cannot be read. */

import type { Location } from "../../core/diagnostic.ts";
import type { Findings } from "../../core/findings.ts";
import { counted } from "../../core/value-text.ts";
import type { Source } from "./source.ts";

/** A file with more errors is broken as a whole, or made to fill the memory. */
const REPORTED = 1_000;

/** An error about the text from an offset to another. */
export interface FileError {
  readonly code: string;
  readonly message: string;
  readonly help?: string;
  readonly start: number;
  readonly end?: number;
  /** The line of `start` as it should be. */
  readonly correction?: string | undefined;
  /** Another place that belongs to it. */
  readonly related?: undefined | { readonly message: string; readonly start: number; readonly end?: number };
}

/** Ends the reading of a file, after its error was recorded. */
export class Refused extends Error {}

export class FileErrors {
  readonly #source: Source;
  readonly #findings: Findings;
  readonly #help: string | undefined;
  #count = 0;
  #firstOmitted: Location | undefined;

  /** `help` replaces that of every error. */
  constructor(source: Source, findings: Findings, help?: string) {
    this.#source = source;
    this.#findings = findings;
    this.#help = help;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether further errors are only counted. */
  get isFull(): boolean {
    return this.#count >= REPORTED;
  }

  add({ code, message, help, start, end, related, correction }: FileError): void {
    this.#count += 1;
    const source = this.#source;
    if (this.#count > REPORTED) this.#firstOmitted ??= source.location(start, end);
    else {
      this.#findings.error(code, message, source.location(start, end), {
        help: this.#help ?? help,
        correction,
        ...(related === undefined
          ? {}
          : { related: [{ message: related.message, at: source.location(related.start, related.end) }] }),
      });
    }
  }

  /** Adds an error behind which nothing more can be read. */
  refuse(error: FileError): never {
    this.add(error);
    throw new Refused();
  }

  /** Reports how many errors were left out, at the place of the first of them. */
  finish(): void {
    const omitted = this.#count - REPORTED;
    if (omitted <= 0) return;
    const message = `the file has ${counted(omitted, "more error")}`;
    this.#findings.error("E_MORE_ERRORS", message, this.#firstOmitted, { help: "Correct those above first." });
  }
}
