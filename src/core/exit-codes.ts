/** Exit codes, and the error that ends a command with one of them. */

/** The exit codes of the command line's documentation. */
export const EXIT = {
  success: 0,
  error: 1,
  changes: 2,
  refused: 3,
  partial: 4,
  stale: 5,
  cannotSee: 6,
  findings: 7,
  usage: 64,
  interrupted: 130,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command: the message is for people, the exit code for programs. */
export class Stop extends Error {
  readonly exitCode: ExitCode;
  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.name = "Stop";
    this.exitCode = exitCode;
  }
}

/**
 * The exit code for an error that ended a command before anything was written to the service: the error's own `exitCode`, and 1
 * where it has none.
 */
export function exitCodeOf(error: unknown): number {
  const own = error instanceof Error && "exitCode" in error ? error.exitCode : undefined;
  return typeof own === "number" ? own : EXIT.error;
}
