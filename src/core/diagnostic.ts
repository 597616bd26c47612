/** Diagnostics: errors and findings about the user's files, each with its place. */

import { EXIT, type ExitCode } from "./exit-codes.ts";

/** A place in a file; line and column are counted from 1, the length is in characters of that line. */
export interface Location {
  /** Path relative to the configuration root. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly length?: number;
  /** The field of a resource that has no text of its own, because no file declares it: `pointer` is a JSON Pointer into its fields. */
  readonly field?: { readonly address: string; readonly pointer: string };
}

/** The place of a declaration, as plans and reports hold it. */
export type SourcePlace = Pick<Location, "file" | "line" | "column">;

/** The place without its length. */
export function sourcePlace({ file, line, column }: Location): SourcePlace {
  return { file, line, column };
}

/** One finding. An `error` of the loader stops the command before anything is sent; a `warning` and a `note` do not. */
export interface Diagnostic {
  readonly severity: "error" | "warning" | "note";
  /** Stable: `E_UNKNOWN_KEY`, in upper snake case, or an analyzer's id: `A004`. */
  readonly code: string;
  /** One sentence that says what is wrong. The user's own words are quoted. */
  readonly message: string;
  readonly at?: Location;
  /** The template of `entries_from` that made what it is about out of another file: many findings of one template become one. */
  readonly madeAt?: Location;
  /** Address of the resource that it is about. */
  readonly address?: string;
  /** Related places, such as the first of two duplicates. */
  readonly related?: readonly { readonly message: string; readonly at: Location }[];
  /** Further places of the same, which only JSON and `--verbose` list. */
  readonly repeats?: Diagnostic["related"];
  /** One sentence that says what to do. */
  readonly help?: string;
  /** The line of the place as it should be; a guess that is valid. Only for people. */
  readonly correction?: string;
}

/** The code of an environment that the settings do not have. */
export const UNKNOWN_ENVIRONMENT = "E_ENVIRONMENT";

/** Error for invalid input, with all its diagnostics; the command shows them and ends with `exitCode`. */
export class InvalidConfiguration extends Error {
  readonly diagnostics: readonly Diagnostic[];
  /** Returns the lines of a loaded file, for code frames. */
  readonly lines: (file: string) => readonly string[] | undefined;
  /** 64 for an environment that does not exist, since the command line names it; else 1. */
  readonly exitCode: ExitCode;
  constructor(
    diagnostics: readonly Diagnostic[],
    lines: (file: string) => readonly string[] | undefined = () => undefined,
  ) {
    super(diagnostics.map((diagnostic) => diagnostic.message).join("\n"));
    this.name = "InvalidConfiguration";
    this.diagnostics = diagnostics;
    this.lines = lines;
    this.exitCode = diagnostics.some(({ code }) => code === UNKNOWN_ENVIRONMENT) ? EXIT.usage : EXIT.error;
  }
}
