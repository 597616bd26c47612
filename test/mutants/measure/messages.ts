/** Messages between the measuring process and the processes that run the tests. */

/** The quick tests without a mutant. */
export interface DryRun {
  readonly tests: readonly {
    readonly id: string;
    readonly file: string;
    readonly passes: boolean;
    /** Processor time in milliseconds. */
    readonly time: number;
    /** Mutant → how often the test reaches it. */
    readonly reached: Readonly<Record<string, number>>;
  }[];
  /** Mutants that are reached while the program is loaded. */
  readonly loading: readonly string[];
}

/** A mutant to try. */
export interface Trial {
  readonly mutant: { readonly id: string; readonly file: string };
}

/** To a process that runs tests: a run without a mutant, the results of that run, or a mutant to try. */
export type RunnerRequest = "dry" | { readonly known: DryRun } | Trial;

/** `tainted`: the process was changed by an earlier mutant, so its verdict does not count. */
export type RunnerResponse =
  | { readonly verdict: "ready" | "alive" }
  | { readonly verdict: "dry"; readonly dry: DryRun }
  /** With `end`, the process must not be used again. */
  | { readonly verdict: "noticed" | "endless"; readonly by: string; readonly end: boolean }
  | { readonly verdict: "tainted"; readonly by: string };
