/** `resume`: finds out how an interrupted run ended, and finishes what was approved with it. */

import { EXIT, Stop } from "../core/exit-codes.ts";
import type { Io } from "../core/io.ts";
import { sanitised } from "../core/sanitise.ts";
import { isUnfinished, lastSettlements, remainingOperations } from "../journal/journal-status.ts";
import { type Console, openConsole } from "../output/console.ts";
import type { RunFormat } from "../output/formats.ts";
import type { PresentOptions } from "../output/present.ts";
import { planHash } from "../plan/checks/seal.ts";
import { counted } from "../report/format/value.ts";
import { agree } from "../run/confirm.ts";
import { type CarriedOut, type CarryOutOptions, carryOut } from "../run/execute.ts";
import { afterWriting } from "../run/late-errors.ts";
import { presentRun } from "../run/present-run.ts";
import { inDoubt, type RecoverOptions, recover, resolveRun, type Verdict } from "../run/recover-runs.ts";
import { openRuns, type RecordedRun, type RunOptions, type Runs } from "../run/runs.ts";
import { type SinkOptions, sinkOf } from "../run/secret-values.ts";
import { validPlan } from "../run/valid-plan.ts";
import { openWriting, type SessionOptions, type WritingSession } from "../session/session.ts";
import { sourceOf } from "../undo/desired-state.ts";

/** The flags of `resume`. */
export interface ResumeOptions extends SessionOptions, PresentOptions<RunFormat>, SinkOptions, RunOptions {
  readonly keepGoing?: boolean;
  /** What a person knows of a creation whose answer was lost. */
  readonly resolve?: Verdict;
}

/** Nothing new is consented to: what is finished was approved with its plan. */
const NO_CONSENT = { allowDelete: false, acceptRoutingWindow: false };

/** Finishes the last run; exit code 0 when nothing was left, or all of it is done and verified. */
export async function resume(
  options: ResumeOptions,
  io: Io,
  console: Console = openConsole(io, options),
): Promise<number> {
  const sink = sinkOf(options, io, console);
  const session = await openWriting(options, NO_CONSENT, io, console);
  const runs = openRuns(session, options, io, console);
  const resolving: RecoverOptions = { verdict: options.resolve, sink };
  try {
    await runs.waitUntilFree();
    const open = await runs.unfinished();
    const last = await runs.latest();
    await recover(
      open.filter(({ run }) => run !== last?.run),
      runs,
      session,
      resolving,
      io,
      console,
    );
    if (last === undefined || (!isUnfinished(last.contents) && remainingOperations(last.contents).length === 0)) {
      console.note("Nothing to resume: no run has left anything open.");
      return EXIT.success;
    }
    const how = { ...resolving, keepGoing: options.keepGoing === true, stream: options.format === "jsonl" };
    const ended = await goOn(last, runs, session, how, io, console);
    await presentRun(ended, options, io, console);
    return ended.exit;
  } catch (error) {
    throw afterWriting(error, session);
  } finally {
    await runs.releaseLock();
    session.close();
  }
}

/** Resolves a run and carries out what is left of its plan, as long as that is what the files still ask for. */
export async function goOn(
  left: RecordedRun,
  runs: Runs,
  session: WritingSession,
  how: RecoverOptions & Pick<CarryOutOptions, "keepGoing" | "stream">,
  io: Io,
  console: Console,
): Promise<CarriedOut> {
  await runs.acquireLock();
  const { recorder, doubts } = await resolveRun(left, runs, session, how, io, console);
  const { contents } = await runs.read(left);
  const { plan } = contents.begin;
  const rest = remainingOperations(contents);
  const stop = async (exit: typeof EXIT.partial | typeof EXIT.stale, message: string): Promise<never> => {
    await recorder.end("stopped");
    if (doubts.length === 0) await runs.archive(recorder.path);
    throw new Stop(exit, message);
  };
  if (doubts.length > 0) return stop(EXIT.partial, inDoubt(runs.displayPath(left.path), doubts));
  const open = `${counted(rest.length, "operation")} of ${plan.operations.length} left of run ${sanitised(left.run)}`;
  const { configuration } = await sourceOf(plan, runs, session);
  if (plan.seal.configuration !== configuration.digest) {
    return stop(
      EXIT.stale,
      `${open}, but the files are not those it was planned from; nothing more was written; plan again`,
    );
  }
  // Where a secret had to be taken out of the plan's text, the text is no longer the plan.
  if ((await validPlan(JSON.parse(JSON.stringify(plan)))) === undefined || planHash(plan) !== plan.seal.hash) {
    return stop(
      EXIT.stale,
      `${open}, but its journal does not hold the plan as it was; nothing more was written; plan again`,
    );
  }
  console.note(`Going on: ${open}.`);
  await agree({ ...plan, operations: rest, blocked: [] }, { sink: how.sink, yes: true }, io);
  return carryOut(
    plan,
    session,
    { ...how, recorder, runs, configuration, earlier: lastSettlements(contents) },
    io,
    console,
  );
}
