/** `resume`: finds out how an interrupted run ended, and carries out the rest of its plan. */

import { EXIT } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { isUnfinished, remainingOperations } from "../../run/journal/journal-status.ts";
import type { Console } from "../console/console.ts";
import { readApprovals } from "../run/approvals.ts";
import { type ContinueOptions, continueRun } from "../run/continue-run.ts";
import { presentRun } from "../run/present-run.ts";
import { errorAfterRecovery, type RecoverOptions, recoverRuns } from "../run/recover-runs.ts";
import { openRuns } from "../run/runs.ts";
import { recordingSink } from "../saved-plan/secret-values.ts";
import { openWriting } from "../session/session.ts";
import { planSourceOf } from "../undo/desired-state.ts";
import type { ResumeOptions } from "./resume-definition.ts";

/** Finishes the last run. Exits with 0 if nothing remained, or everything is done and verified. */
export async function resume(options: ResumeOptions, io: Io, console: Console): Promise<number> {
  const { approvals, sink: chosenSink } = readApprovals(options, io, console);
  const session = await openWriting(options, approvals, io, console);
  const sink = recordingSink(chosenSink, session.configuration, console);
  const runs = openRuns(session, options, io, console);
  const resolving: RecoverOptions = { choice: options.resolve, sink, allowDelete: approvals.allowDelete };
  try {
    await runs.waitUntilFree();
    const open = await runs.unfinished();
    const last = await runs.latest();
    await recoverRuns(
      open.filter(({ run }) => run !== last?.run),
      runs,
      session,
      resolving,
      io,
      console,
    );
    if (last === undefined || (!isUnfinished(last.contents) && remainingOperations(last.contents).length === 0)) {
      console.note("Nothing to resume.");
      return EXIT.success;
    }
    const continueOptions: ContinueOptions = {
      ...resolving,
      keepGoing: options.keepGoing === true,
      stream: options.format === "jsonl",
      sourceOf: (plan) => planSourceOf(plan, runs, session),
      isSaved: false,
    };
    const run = await continueRun(last, runs, session, continueOptions, io, console);
    await presentRun(run, options, io, console);
    return run.exit;
  } catch (error) {
    throw errorAfterRecovery(error, session);
  } finally {
    await runs.releaseLock();
    session.close();
  }
}
