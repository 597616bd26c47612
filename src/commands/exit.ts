/** Exit codes, and the one table that says which error ends a command with which of them. */

import { CannotRead } from "../api/cannot-read.ts";
import { ServiceError } from "../api/service-error.ts";
import { UnusableSink } from "../apply/token-sink.ts";

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

/** Ends a command: the message is for people, the exit code for programs. */
export class Stop extends Error {
  readonly exit: number;
  constructor(exit: (typeof EXIT)[keyof typeof EXIT], message: string) {
    super(message);
    this.name = "Stop";
    this.exit = exit;
  }
}

/** The first row that knows the error counts; what no row knows is an ordinary error. */
const TABLE: readonly ((error: unknown) => number | undefined)[] = [
  (error) => (error instanceof Stop ? error.exit : undefined),
  (error) => (error instanceof UnusableSink ? EXIT.refused : undefined),
  (error) => (error instanceof CannotRead ? EXIT.cannotSee : undefined),
  (error) => (error instanceof ServiceError && [401, 403].includes(error.status) ? EXIT.cannotSee : undefined),
];

/** The exit code for an error that ended a command before anything was written to the service. */
export function exitCodeOf(error: unknown): number {
  for (const row of TABLE) {
    const code = row(error);
    if (code !== undefined) return code;
  }
  return EXIT.error;
}
