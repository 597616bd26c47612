/** A command that writes: its session, the runs of its service, and the flags that say how it recovers and writes. */

import { EXIT, exitCodeOf, Stop } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { programLine } from "../../core/sanitise.ts";
import type { TokenSink } from "../../run/tokens/sink.ts";
import type { WriteOptions } from "../command/shared-flags.ts";
import type { Console } from "../console/console.ts";
import { explainError } from "../console/error-report.ts";
import { recordingSink } from "../saved-plan/secret-values.ts";
import { type Loader, openWriting, type ReadingOptions, type WritingSession } from "../session/session.ts";
import type { ApprovedFlags } from "./approvals.ts";
import { openRuns, type Runs } from "./runs.ts";

/** The surroundings of a command that writes. */
export interface WriteRun {
  readonly session: WritingSession;
  readonly runs: Runs;
  /**
   * The user's decision about a create whose response was lost: `resend` repeats it if it has no visible effect, even if that may make
   * a duplicate; `keep` accepts the one resource that may be its result, whoever has its token.
   */
  readonly choice: WriteOptions["resolve"];
  /** Storage for one-time tokens; without it, a resource whose token was lost is removed. */
  readonly sink: TokenSink | undefined;
  /** Approves the end of a lost token, and the removal of a resource for that. A journal approves nothing: anybody could have written it. */
  readonly allowDelete: boolean;
  readonly keepGoing: boolean;
  /** Print each event as a line of JSON. */
  readonly stream: boolean;
  readonly io: Io;
  readonly console: Console;
}

/** Opens a session that can write, and runs the command when no other run is in progress. The command gets the run lock when it asks for it. */
export async function writeRun(
  options: ReadingOptions & WriteOptions & { readonly format?: string },
  { approvals, sink }: ApprovedFlags,
  io: Io,
  console: Console,
  command: (run: WriteRun) => Promise<number>,
  load?: Loader,
): Promise<number> {
  const session = await openWriting(options, approvals, io, console, load);
  const runs = openRuns(session, options, io, console);
  try {
    await runs.waitUntilFree();
    return await command({
      ...{ session, runs, io, console },
      choice: options.resolve,
      sink: recordingSink(sink, session.configuration, console),
      allowDelete: approvals.allowDelete,
      keepGoing: options.keepGoing === true,
      stream: options.format === "jsonl",
    });
  } catch (error) {
    throw errorAfterRecovery(error, session);
  } finally {
    await runs.releaseLock();
    session.close();
  }
}

/**
 * Returns the error to end a command with: exit code 4 if the recovery of an interrupted run revoked or replaced a token before the
 * plan failed, because other exit codes say that nothing was written.
 */
function errorAfterRecovery(error: unknown, session: WritingSession): unknown {
  const exit = exitCodeOf(error);
  if (exit === EXIT.partial || exit === EXIT.interrupted) return error;
  const purposes = session.requestCounts().map(({ purpose }) => purpose);
  if (!purposes.includes("custody") || purposes.includes("write")) return error;
  const lines = ["the interrupted run was recovered, and nothing else was written", ...explainError(error)];
  return new Stop(EXIT.partial, [...lines, `Next: to continue, run ${programLine("apply", session.words)}`].join("\n"));
}
