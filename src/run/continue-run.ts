/** Continues an interrupted run. */

import type { Configuration } from "../config/load/configuration.ts";
import { EXIT, Stop } from "../core/exit-codes.ts";
import type { Io } from "../core/io.ts";
import { sanitised } from "../core/sanitise.ts";
import { lastSettlements, remainingOperations } from "../journal/journal-status.ts";
import type { Console } from "../output/console.ts";
import { tokensWithoutSink } from "../plan/checks/policy-checks.ts";
import { planHash } from "../plan/checks/seal.ts";
import type { Plan } from "../plan/plan.ts";
import { counted } from "../report/format/value.ts";
import type { WritingSession } from "../session/session.ts";
import { confirmPlan } from "./confirm.ts";
import { type ExecutedRun, type ExecutePlanOptions, executePlan } from "./execute.ts";
import { type RecoverOptions, resolveRun, unresolvedMessage } from "./recover-runs.ts";
import type { RecordedRun, Runs } from "./runs.ts";
import { isSamePlan, type SavedPlan } from "./saved-plan.ts";
import { validPlan } from "./valid-plan.ts";

/** Options of a continued run. */
export interface ContinueOptions extends RecoverOptions, Pick<ExecutePlanOptions, "keepGoing" | "stream"> {
  /** The configuration that the plan was made from: the files, or the inverse of an earlier run. */
  readonly configurationOf: (plan: Plan) => Promise<Configuration>;
}

/** The last run, if it has the plan and did not finish it. */
export async function interruptedRun(saved: SavedPlan, runs: Runs, console: Console): Promise<RecordedRun | undefined> {
  const last = await runs.latest();
  if (last === undefined || remainingOperations(last.contents).length === 0) return undefined;
  return isSamePlan(saved, last.contents.begin.plan, (text) => console.safe(text)) ? last : undefined;
}

/** Resolves a run and carries out the rest of its plan. Stops if the configuration has changed since. */
export async function continueRun(
  run: RecordedRun,
  runs: Runs,
  session: WritingSession,
  options: ContinueOptions,
  io: Io,
  console: Console,
): Promise<ExecutedRun> {
  await runs.acquireLock();
  const { recorder, doubts } = await resolveRun(run, runs, session, options, io, console);
  const { contents } = await runs.read(run);
  const { plan } = contents.begin;
  const rest = remainingOperations(contents);
  const stop = async (exit: typeof EXIT.partial | typeof EXIT.stale, message: string): Promise<never> => {
    await recorder.end("stopped");
    if (doubts.length === 0) await runs.archive(recorder.path);
    throw new Stop(exit, message);
  };
  if (doubts.length > 0) return stop(EXIT.partial, unresolvedMessage(runs.displayPath(run.path), doubts));
  const open = `${rest.length} of ${counted(plan.operations.length, "operation")} of run ${sanitised(run.run)} remain`;
  const configuration = await options.configurationOf(plan);
  if (plan.seal.configuration !== configuration.digest) {
    return stop(EXIT.stale, `${open}, but the configuration has changed since; nothing more was written; plan again`);
  }
  // A plan with a masked secret cannot be restored from its text.
  if ((await validPlan(JSON.parse(JSON.stringify(plan)))) === undefined || planHash(plan) !== plan.seal.hash) {
    return stop(
      EXIT.stale,
      `${open}, but the journal does not have the whole plan; nothing more was written; plan again`,
    );
  }
  console.note(`Continuing: ${open}.`);
  // The rest was approved with the plan, but for the sink, which is not recorded.
  const blocked = tokensWithoutSink(rest, { tokenSink: options.sink !== undefined });
  await confirmPlan({ ...plan, operations: rest, blocked }, { sink: options.sink, yes: true }, io);
  return executePlan(
    plan,
    session,
    { ...options, recorder, runs, configuration, earlier: lastSettlements(contents) },
    io,
    console,
  );
}
