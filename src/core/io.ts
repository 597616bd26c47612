/** What a command is given of the world outside: streams, environment, clock, network, and somebody to ask. */

import type { Clock } from "./clock.ts";
import type { Disk } from "./disk.ts";
import type { Fetch } from "./fetch.ts";

/** A stream that takes text. */
export interface Output {
  write(text: string): void;
  /** A person is looking. */
  readonly terminal: boolean;
  /** How many columns the person sees, where that is known. */
  readonly columns?: number | undefined;
}

/** The world of a command; tests bring their own. */
export interface Io {
  /** Only what was asked for. */
  readonly stdout: Output;
  /** Progress, warnings, errors and prompts. */
  readonly stderr: Output;
  /** Tokens are taken out of it when they are read, so that no child process inherits them. */
  readonly env: Record<string, string | undefined>;
  readonly cwd: string;
  now(): Date;
  /** What waiting is measured by; the machine's clock where it is absent. */
  readonly clock?: Clock;
  /** Where journals are kept; the machine's disk where it is absent. */
  readonly disk?: Disk;
  /** The network; the machine's own where it is absent. */
  readonly fetch?: Fetch;
  /** Asks a question and gives the line that was typed; absent where nobody can answer. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** From this call on an interruption aborts the signal instead of ending the program. */
  interruption(): AbortSignal;
}
