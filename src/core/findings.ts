/** Collects what is wrong, so that all errors of a configuration are shown together. */

import type { Diagnostic, Location } from "./diagnostic.ts";
import { didYouMean } from "./suggest.ts";

/** Optional parts of a finding beside its message. */
export interface Details {
  readonly related?: Diagnostic["related"];
  readonly help?: string | undefined;
}

/** Guessing what was meant costs time, and past this many findings nobody reads the guesses. */
const GUESSES = 100;

/** Errors and warnings, each said once; read in the order of files, lines and columns. */
export class Findings {
  readonly #found = new Map<string, Diagnostic>();
  #errors = 0;

  /** How many different errors were found so far. */
  get errorCount(): number {
    return this.#errors;
  }

  /** A guess at what was meant, as a sentence of help; none once so much is wrong that nobody reads it. */
  guess(word: string, candidates: Iterable<string>): string | undefined {
    return this.#found.size < GUESSES ? didYouMean(word, candidates) : undefined;
  }

  error(code: string, message: string, at: Location | undefined, details: Details = {}): void {
    if (this.#add("error", code, message, at, details)) this.#errors += 1;
  }

  warning(code: string, message: string, at: Location | undefined, details: Details = {}): void {
    this.#add("warning", code, message, at, details);
  }

  list(severity: Diagnostic["severity"]): readonly Diagnostic[] {
    return [...this.#found.values()].filter((finding) => finding.severity === severity).sort(byPlace);
  }

  #add(
    severity: Diagnostic["severity"],
    code: string,
    message: string,
    at: Location | undefined,
    details: Details,
  ): boolean {
    const name = `${code} ${at?.file}:${at?.line}:${at?.column} ${message}`;
    if (this.#found.has(name)) return false;
    this.#found.set(name, {
      severity,
      code,
      message,
      ...(at === undefined ? {} : { at }),
      ...(details.related === undefined ? {} : { related: details.related }),
      ...(details.help === undefined ? {} : { help: details.help }),
    });
    return true;
  }
}

function byPlace(left: Diagnostic, right: Diagnostic): number {
  if (left.at === undefined || right.at === undefined)
    return Number(left.at !== undefined) - Number(right.at !== undefined);
  if (left.at.file !== right.at.file) return left.at.file < right.at.file ? -1 : 1;
  return left.at.line - right.at.line || left.at.column - right.at.column;
}
