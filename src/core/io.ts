/** The outside world of a command: streams, environment, clock, network, prompt. */

import type { Clock } from "./clock.ts";
import type { Fetch } from "./fetch.ts";
import type { Disk } from "./file-system.ts";

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether a variable holds a token: `INCIDENTCTL_TOKEN`, `INCIDENTCTL_ADMIN_TOKEN`, one of an environment, as `INCIDENTCTL_TOKEN_STAGING`, or
 * one of `conformance`, as `INCIDENTCTL_CONFORMANCE_TOKEN`.
 */
export function isTokenVariable(name: string): boolean {
  return /^INCIDENTCTL_(?:CONFORMANCE_)?(?:ADMIN_)?TOKEN(?:_|$)/i.test(name);
}

/** A stream for text. */
export interface OutputStream {
  write(text: string): void;
  /** The stream is a terminal. */
  readonly terminal: boolean;
  /** Width of the terminal, if known. */
  readonly columns?: number | undefined;
}

/** The outside world of a command; tests replace it. */
export interface Io {
  /** The result of the command, and nothing else. */
  readonly stdout: OutputStream;
  /** Progress, warnings, errors and prompts. */
  readonly stderr: OutputStream;
  /** Environment variables. Reading the tokens removes them, so that no child process inherits them. */
  readonly env: Record<string, string | undefined>;
  readonly cwd: string;
  now(): Date;
  /** Clock for waiting. Default: the machine's. */
  readonly clock?: Clock;
  /** Disk for journals. Default: the machine's. */
  readonly disk?: Disk;
  /** Network. Default: the machine's. */
  readonly fetch?: Fetch;
  /** Asks a question and returns the typed line; absent without a terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /**
   * Returns a signal that an interruption (Ctrl+C) aborts from now on, instead of ending the program. A second one still ends the program,
   * after a call of `beforeEnd`.
   */
  interruption(beforeEnd?: () => void): AbortSignal;
}
