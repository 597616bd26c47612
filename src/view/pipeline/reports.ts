/** The reports of a unit, as the texts of a pipeline read them. */

/** A command that has ended, and its exit code; the code is `none` if it was left out. */
export interface CommandResult {
  readonly command: string;
  readonly code: number | "none";
}

/** The reports that the commands of a pipeline left behind for one unit. */
export interface UnitReports {
  readonly name: string;
  readonly results: readonly CommandResult[];
  /** The text of a report; empty if there is none. */
  read(file: string): string;
}

/** The run of a pipeline, as comments name it. */
export interface PipelineRun {
  readonly id: string;
  readonly attempt: string;
  /** The address of its page; empty if it has none. */
  readonly page: string;
  readonly commit: string;
}

/** The exit code of the last run of a command; undefined if it did not run. */
export function codeOf({ results }: UnitReports, command: string): CommandResult["code"] | undefined {
  return results.findLast((one) => one.command === command)?.code;
}
