/** Writes a plan that was agreed to, reads the workspace again, and says how it ended. */

import { classifyFailure } from "../api/http/retry.ts";
import { apply } from "../apply/execute/apply.ts";
import { NotApplied, Unchecked } from "../apply/execute/failure.ts";
import type { Settlement } from "../apply/execute/journal.ts";
import { type ApplyEvent, type ApplyResult, countOutcomes, type Outcome } from "../apply/execute/outcome.ts";
import type { TokenSink } from "../apply/tokens/sink.ts";
import type { Configuration } from "../config/load/configuration.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { EXIT, exitCodeOf, Stop } from "../core/exit-codes.ts";
import type { Io } from "../core/io.ts";
import type { RunEnding } from "../journal/record.ts";
import type { Recorder } from "../journal/recorder.ts";
import type { Console } from "../output/console.ts";
import { errorExplainer, explainError } from "../output/error-report.ts";
import type { Operation, Plan } from "../plan/plan.ts";
import { eventLog } from "../report/run/events.ts";
import { progress } from "../report/run/progress.ts";
import type { Applied, Verification } from "../report/run/text.ts";
import { writeLock } from "../session/lock-file.ts";
import type { WritingSession } from "../session/session.ts";
import type { Verdict } from "./recover-runs.ts";
import type { Runs } from "./runs.ts";
import { narrowingOf } from "./saved-plan.ts";
import { declaredValues } from "./secret-values.ts";

/** How the plan is carried out. */
export interface CarryOutOptions {
  readonly sink: TokenSink | undefined;
  readonly keepGoing: boolean;
  /** What a person knows of a creation whose answer was lost. */
  readonly verdict: Verdict | undefined;
  /** The journal of this run, and where it lies. */
  readonly recorder: Recorder;
  readonly runs: Runs;
  /** What an earlier part of this run has settled. */
  readonly earlier?: readonly Settlement[];
  /** Each event is an answer, as a line of JSON. */
  readonly stream: boolean;
  /** What the workspace is to be like afterwards; the files' when left out. */
  readonly configuration?: Configuration;
}

/** How long an interrupted run waits for the answer to what it has sent, in milliseconds. */
const LAST_WAIT = 5_000;

const INTERRUPTED = "interrupted: what was sent is settled, nothing more is started; once more to end at once";

/** What happened, and the exit code for it. */
export interface CarriedOut {
  readonly applied: Applied;
  /** The run as lines of JSON, without the summary. */
  readonly events: readonly string[];
  readonly exit: number;
}

/** Carries the plan out, telling progress. After an interruption what was sent is settled and nothing more is sent. */
export async function carryOut(
  plan: Plan,
  session: WritingSession,
  options: CarryOutOptions,
  io: Io,
  console: Console,
): Promise<CarriedOut> {
  const { sink, keepGoing, verdict, recorder, runs, earlier = [], configuration = session.configuration } = options;
  const explained = errorExplainer(configuration);
  const log = eventLog(plan, explained, (line) => {
    if (options.stream) console.answer(line);
  });
  const interrupted = io.interruption();
  const clock = io.clock ?? systemClock;
  interrupted.addEventListener("abort", () => console.alert(INTERRUPTED), { once: true });
  const display = progress({
    write: (text) => console.progress(text),
    terminal: io.stderr.terminal,
    paint: console.noteStyle.paint,
    width: console.noteStyle.width,
    now: () => clock.now(),
    total: plan.operations.length,
  });
  const tell = (event: ApplyEvent): void => {
    display(event);
    log.tell(event);
  };
  const events = apply(plan, session.writer, {
    keepGoing,
    secret: declaredValues(configuration),
    interrupted,
    journal: recorder,
    now: () => io.now(),
    clock,
    resend: verdict === "resend",
    earlier,
    parallelism: session.parallelism,
    ...(sink === undefined ? {} : { sink }),
  });
  let how: RunEnding = "aborted";
  let journal = recorder.path;
  try {
    const result = await follow(events, tell, plan, { interrupted, clock }, () => runs.displayPath(recorder.path));
    log.end(result.outcomes);
    const verification =
      isWhole(result) && !interrupted.aborted ? await verify(plan, result, session, configuration) : null;
    const exit = interrupted.aborted ? EXIT.interrupted : exitOf(result, verification);
    how = interrupted.aborted ? "interrupted" : isWhole(result) ? "finished" : "stopped";
    journal = await close(recorder, how, result.counts.unknown > 0, runs, console);
    const shown = runs.displayPath(journal);
    const applied = { plan, result, verification, journal: shown, requests: session.spent(), explain: explained };
    return { applied, events: log.lines, exit };
  } finally {
    if (how === "aborted") await close(recorder, how, true, runs, console);
  }
}

/** Ends the journal and lays it aside, unless something is in doubt. That it cannot be ended must not hide how the run ended. */
async function close(
  recorder: Recorder,
  how: RunEnding,
  doubtful: boolean,
  runs: Runs,
  console: Console,
): Promise<string> {
  try {
    await recorder.end(how);
    return doubtful ? recorder.path : await runs.archive(recorder.path);
  } catch (error) {
    for (const line of explainError(error)) console.alert(line);
    return recorder.path;
  }
}

/** Tells the events and gives the result. An error of this program after a write must not look as if nothing had happened. */
async function follow(
  events: AsyncGenerator<ApplyEvent, ApplyResult>,
  tell: (event: ApplyEvent) => void,
  plan: Plan,
  waiting: { readonly interrupted: AbortSignal; readonly clock: Clock },
  journal: () => string,
): Promise<ApplyResult> {
  const sent = new Set<Operation>();
  const outcomes = new Map<Operation, Outcome>();
  const impatience = lastWait(waiting);
  try {
    for (;;) {
      const step = await Promise.race([events.next(), impatience]);
      if (step === undefined) return abandoned(plan.operations, sent, outcomes);
      if (step.done === true) return step.value;
      if (step.value.status === "started") sent.add(step.value.operation);
      else outcomes.set(step.value.operation, step.value);
      tell(step.value);
    }
  } catch (error) {
    if (sent.size === 0) throw error;
    const reason = explainError(error).join(" ");
    throw new Stop(
      EXIT.partial,
      `stopped at operation ${sent.size} of ${plan.operations.length} by an error of this program: ${reason}\nits journal: ${journal()}\nNext: to finish the run, run incidentctl resume`,
    );
  }
}

/** Resolves some time after an interruption, and never without one. */
function lastWait({ interrupted, clock }: { interrupted: AbortSignal; clock: Clock }): Promise<undefined> {
  return new Promise((resolve) => {
    const wait = (): void => void clock.sleep(LAST_WAIT).then(() => resolve(undefined));
    if (interrupted.aborted) wait();
    else interrupted.addEventListener("abort", wait, { once: true });
  });
}

/** What is known when an interrupted run waits no longer: what was sent and has not ended is in doubt, the rest was not started. */
function abandoned(
  operations: readonly Operation[],
  sent: ReadonlySet<Operation>,
  ended: ReadonlyMap<Operation, Outcome>,
): ApplyResult {
  const outcomes = operations.map((operation): Outcome => {
    const outcome = ended.get(operation);
    if (outcome !== undefined) return outcome;
    if (!sent.has(operation)) return { status: "skipped", operation, because: "interrupted" };
    return { status: "unknown", operation, error: new Error("the run was interrupted before it was answered") };
  });
  return { outcomes, counts: countOutcomes(outcomes) };
}

/** Reads again: nothing may be left to do but what the service keeps because it is in use. */
async function verify(
  plan: Plan,
  { outcomes }: ApplyResult,
  session: WritingSession,
  configuration: Configuration,
): Promise<Verification> {
  try {
    const narrowing = narrowingOf(plan);
    const remaining = await session.plan({ filter: narrowing, identify: false, verifying: true, configuration });
    const kept = outcomes.filter(({ status }) => status === "retained").map(({ operation }) => operation.address);
    const open = remaining.operations.filter(
      ({ retains, address }) => retains === undefined || !kept.includes(address),
    );
    if (open.length > 0) return { status: "differs", remaining };
    // The files, and not what an undo has put back, are what the lock remembers.
    if (configuration === session.configuration)
      await writeLock(configuration, plan.operations, remaining, session.lock);
    return { status: "verified" };
  } catch (error) {
    return { status: "unread", reason: explainError(error).join(" ") };
  }
}

/** Whether every operation ended as the plan foresees. */
function isWhole({ counts }: ApplyResult): boolean {
  return counts.failed + counts.unknown + counts.pending + counts.skipped === 0;
}

function exitOf(result: ApplyResult, verification: Verification): number {
  if (isWhole(result)) return verification?.status === "verified" ? EXIT.success : EXIT.partial;
  const { done, fell_back, unknown, pending } = result.counts;
  const failed = result.outcomes.find((outcome) => outcome.status === "failed");
  if (failed === undefined || done + fell_back + unknown + pending > 0) return EXIT.partial;
  // Sent, and certainly not carried out: the service is not there, as for a read.
  if (failed.error instanceof NotApplied) return EXIT.error;
  // As long as nothing is written, a token without the permission, or a service that is not there, is what it is for a read.
  const error = failed.error instanceof Unchecked ? failed.error.cause : failed.error;
  const code = exitCodeOf(error);
  const sign = classifyFailure(error);
  return code !== EXIT.error || sign === "unreachable" || sign === "throttled" ? code : EXIT.partial;
}
