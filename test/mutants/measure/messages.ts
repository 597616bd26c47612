/** What the measuring process and the processes that run the tests say to each other. */

/** The quick tests without a mutant. */
export interface Dry {
  readonly tests: readonly {
    readonly id: string;
    readonly file: string;
    readonly sound: boolean;
    /** Processor time in milliseconds. */
    readonly time: number;
    /** How often it comes by each mutant. */
    readonly reached: Readonly<Record<string, number>>;
  }[];
  /** Mutants that are come by while the program is loaded. */
  readonly loading: readonly string[];
}

/** A mutant to be tried. */
export interface Asked {
  readonly mutant: { readonly id: string; readonly file: string };
}

/** `tainted`: the process is no longer as it was, so what it says of the mutant counts for nothing. */
export type Said =
  | { readonly verdict: "ready" | "alive" }
  | { readonly verdict: "dry"; readonly dry: Dry }
  /** With `end`, the process is not to be used again. */
  | { readonly verdict: "noticed" | "endless"; readonly by: string; readonly end: boolean }
  | { readonly verdict: "tainted"; readonly by: string };
