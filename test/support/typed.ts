/** Types a command line, in this process. */

import { runCommandLine } from "../../src/app/cli/command-line.ts";
import type { Io } from "../../src/core/io.ts";

/** The end of a command. */
export interface Ended {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The end of a command line, where nobody is at the terminal, no variable is set and no network answers, but for what is given. */
export async function typed(args: readonly string[], given: Partial<Io> = {}): Promise<Ended> {
  let [stdout, stderr] = ["", ""];
  const exit = await runCommandLine(args, {
    stdout: {
      terminal: false,
      write: (text) => {
        stdout += text;
      },
    },
    stderr: {
      terminal: false,
      write: (text) => {
        stderr += text;
      },
    },
    env: {},
    cwd: "/",
    now: () => new Date("2026-11-21T08:00:00Z"),
    fetch: () => Promise.reject(new Error("nothing is asked")),
    interruption: () => new AbortController().signal,
    ...given,
  });
  return { exit, stdout, stderr };
}
