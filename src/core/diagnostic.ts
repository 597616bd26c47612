/** What is wrong and where: the values that carry every user error from the place it is found to the place it is shown. */

/** A place in a file; line and column are counted from 1, the length is in characters of that line. */
export interface Location {
  /** Path relative to the configuration root. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly length?: number;
}

/** One finding. An `error` of the loader stops the command before anything is sent; a `warning` and a `note` do not. */
export interface Diagnostic {
  readonly severity: "error" | "warning" | "note";
  /** Stable: `E_UNKNOWN_KEY`, in upper snake case, or an analyzer's id: `A004`. */
  readonly code: string;
  /** One sentence: what is wrong. Words the user wrote are quoted. */
  readonly message: string;
  readonly at?: Location;
  /** Other places that belong to it, such as the first of two duplicates. */
  readonly related?: readonly { readonly message: string; readonly at: Location }[];
  /** What to do about it, one sentence. */
  readonly help?: string;
}

/** Errors in the user's input, collected; the command ends with exit code 1 and shows them all. */
export class InvalidConfiguration extends Error {
  readonly diagnostics: readonly Diagnostic[];
  /** The lines of a file that was read, for code frames. */
  readonly lines: (file: string) => readonly string[] | undefined;
  constructor(
    diagnostics: readonly Diagnostic[],
    lines: (file: string) => readonly string[] | undefined = () => undefined,
  ) {
    super(diagnostics.map((diagnostic) => diagnostic.message).join("\n"));
    this.name = "InvalidConfiguration";
    this.diagnostics = diagnostics;
    this.lines = lines;
  }
}
