/** `apply`: plans, asks, writes, and reads again to see that the workspace is as declared. */

import type { ApplyResult } from "../apply/execute/outcome.ts";
import { EXIT } from "../core/exit-codes.ts";
import type { RemovalLimit } from "../core/flag-values.ts";
import { misuse } from "../core/flag-values.ts";
import type { Io } from "../core/io.ts";
import { remainingOperations } from "../journal/journal-status.ts";
import { type Console, openConsole } from "../output/console.ts";
import { explainError } from "../output/error-report.ts";
import type { RunFormat } from "../output/formats.ts";
import type { PresentOptions } from "../output/present.ts";
import type { Plan } from "../plan/plan.ts";
import { hasPassed } from "../rehearse/rehearsal.ts";
import { dialectFlags, type RehearsalFlags, rehearsePlan } from "../rehearse/session.ts";
import { counted } from "../report/format/value.ts";
import { isEmpty } from "../report/plan/summary.ts";
import { planText } from "../report/plan/text.ts";
import { rehearsalJson, rehearsalText } from "../report/rehearsal/text.ts";
import { eventLog } from "../report/run/events.ts";
import { splitPaths } from "../routing-tests/paths.ts";
import { confirmPlan } from "../run/confirm.ts";
import { continueRun } from "../run/continue-run.ts";
import { executePlan } from "../run/execute.ts";
import { presentRun, reportRun } from "../run/present-run.ts";
import { errorAfterRecovery, type RecoverOptions, type ResolveChoice, recoverRuns } from "../run/recover-runs.ts";
import { openRuns, type RecordedRun, type RunOptions, type Runs } from "../run/runs.ts";
import { isSamePlan, readPlan, remakePlan, requireFingerprint, type SavedPlan } from "../run/saved-plan.ts";
import { openSink, type SinkOptions } from "../run/secret-values.ts";
import { snapshotBefore, workspaceIds } from "../run/snapshot-before.ts";
import { requireSameWorkspace } from "../run/workspace-check.ts";
import { openWriting, type ReadingSession, type SessionOptions } from "../session/session.ts";
import { planSourceOf } from "../undo/desired-state.ts";

/** The flags of `apply`. */
export interface ApplyFlags extends SessionOptions, PresentOptions<RunFormat>, SinkOptions, RehearsalFlags, RunOptions {
  /** A saved plan to apply. */
  readonly plan?: string;
  /** The fingerprint that the plan must have; another one is stale. */
  readonly expectPlan?: string;
  /** Answers the prompt; consents to nothing else. */
  readonly yes?: boolean;
  readonly allowDelete?: boolean;
  readonly maxRemovals?: RemovalLimit;
  readonly acceptRoutingWindow?: boolean;
  readonly keepGoing?: boolean;
  /** Something that had to stay although the files do not list it is exit code 4. */
  readonly strict?: boolean;
  /** Carries the plan out on a replica first, and stops on any finding. */
  readonly rehearse?: boolean;
  /** A person's knowledge of a creation whose response was lost. */
  readonly resolve?: ResolveChoice;
}

/** Applies; exit code 0 means that the workspace was read again and is as declared. */
export async function apply(options: ApplyFlags, io: Io, console: Console = openConsole(io, options)): Promise<number> {
  if (options.plan !== undefined && (options.kinds ?? options.target ?? options.exclude) !== undefined) {
    throw misuse("a saved plan has its own narrowing: --kinds, --target and --exclude do not go with --plan");
  }
  if (options.plan !== undefined && options.expectPlan !== undefined) {
    throw misuse("a saved plan is compared whole: --expect-plan does not go with --plan");
  }
  if (options.expectPlan !== undefined && !/^[0-9a-f]{32}$/.test(options.expectPlan)) {
    throw misuse("--expect-plan takes the 32 hex digits below a Markdown or HTML plan, which plan --verbose shows too");
  }
  if (options.rehearse !== true && (options.faults ?? options.dialect) !== undefined) {
    throw misuse("--faults and --dialect are about the replica: they need --rehearse");
  }
  const dialects = dialectFlags(options.dialect);
  const sink = openSink(options, io, console);
  const saved = options.plan === undefined ? undefined : await readPlan(options.plan, io.cwd, EXIT.stale);
  const consent = {
    allowDelete: options.allowDelete === true,
    acceptRoutingWindow: options.acceptRoutingWindow === true,
    ...(options.maxRemovals === undefined ? {} : { maxRemovals: options.maxRemovals }),
  };
  const session = await openWriting(options, consent, io, console);
  const runs = openRuns(session, options, io, console);
  const resolving: RecoverOptions = { choice: options.resolve, sink };
  try {
    await runs.waitUntilFree();
    await recoverRuns(await runs.unfinished(), runs, session, resolving, io, console);
    const configurationOf = async (plan: Plan) => (await planSourceOf(plan, runs, session)).configuration;
    const how = { ...resolving, keepGoing: options.keepGoing === true, stream: options.format === "jsonl" };
    const begun = saved === undefined ? undefined : await begunWith(saved, runs, console);
    if (begun !== undefined) {
      const ended = await continueRun(begun, runs, session, { ...how, configurationOf }, io, console);
      await presentRun(ended, options, io, console);
      return ended.exit;
    }
    const source = saved === undefined ? session : await planSourceOf(saved.plan, runs, session);
    const { plan, state } =
      saved === undefined
        ? await session.prepare({ identify: false, analyzedAt: io.now() })
        : await remakePlan(saved, source, (text) => console.safe(text));
    if (options.expectPlan !== undefined) requireFingerprint(plan, options.expectPlan);
    showPlan(plan, options, options.yes !== true && io.ask !== undefined && !isEmpty(plan), console);
    if (isEmpty(plan) && plan.blocked.length === 0) {
      const verification = { status: "verified" } as const;
      const applied = { plan, result: NOTHING, verification, requests: session.requestCounts(), explain: explainError };
      const { lines } = eventLog(plan, explainError, (line) => {
        if (how.stream) console.answer(line);
      });
      await reportRun({ applied, events: lines }, options, io, console);
      return strictly(EXIT.success, plan, NOTHING, options, console);
    }
    if (options.rehearse === true && !(await rehearsed(plan, session, dialects, options, io, console))) {
      return EXIT.findings;
    }
    await requireSameWorkspace(runs, session.reader.host, state);
    await confirmPlan(plan, { sink, yes: options.yes === true }, io);
    await runs.acquireLock();
    const recorder = await runs.startJournal(
      plan,
      snapshotBefore(plan, source.configuration, state, session.lock),
      workspaceIds(state),
    );
    const ended = await executePlan(
      plan,
      session,
      { ...how, recorder, runs, configuration: source.configuration },
      io,
      console,
    );
    await presentRun(ended, options, io, console);
    return strictly(ended.exit, plan, ended.applied.result, options, console);
  } catch (error) {
    throw errorAfterRecovery(error, session);
  } finally {
    await runs.releaseLock();
    session.close();
  }
}

/** The last run, when it began with this very plan and has not carried out all of it. */
async function begunWith(saved: SavedPlan, runs: Runs, console: Console): Promise<RecordedRun | undefined> {
  const last = await runs.latest();
  if (last === undefined || remainingOperations(last.contents).length === 0) return undefined;
  return isSamePlan(saved, last.contents.begin.plan, (text) => console.safe(text)) ? last : undefined;
}

/** Rehearses and tells how it went; false when something did not hold, and nothing may be written. */
async function rehearsed(
  plan: Plan,
  session: ReadingSession,
  dialects: ReturnType<typeof dialectFlags>,
  options: ApplyFlags,
  io: Io,
  console: Console,
): Promise<boolean> {
  const rehearsal = await rehearsePlan(
    {
      plan,
      session,
      dialects,
      withFaults: options.faults === true,
      windowsAccepted: options.acceptRoutingWindow === true,
      parallelism: options.parallelism,
      paths: splitPaths(options.paths, io.cwd, () => false).tests,
    },
    io,
    console,
  );
  const held = hasPassed(rehearsal);
  if (held) console.note(rehearsalText(rehearsal, console.noteStyle).trimEnd());
  else if (options.format === "json") console.answer(rehearsalJson(rehearsal));
  else console.answer(rehearsalText(rehearsal, console.answerStyle));
  if (!held) console.alert("not applied, nothing was written: the rehearsal has findings");
  return held;
}

/** With `--strict`, what had to stay although the files do not list it is an unfinished removal. */
function strictly(
  exit: number,
  { warnings }: Plan,
  { counts }: ApplyResult,
  { strict }: ApplyFlags,
  console: Console,
): number {
  const kept = warnings.filter(({ code }) => code === "W_RETAINED").length + counts.retained;
  if (exit !== EXIT.success || strict !== true || kept === 0) return exit;
  console.alert(`${counted(kept, "removal")} unfinished (--strict): see above what stays, and why`);
  return EXIT.partial;
}

const NOTHING: ApplyResult = {
  outcomes: [],
  counts: { done: 0, fell_back: 0, retained: 0, failed: 0, unknown: 0, pending: 0, skipped: 0 },
};

function showPlan(plan: Plan, { format, quiet }: ApplyFlags, asks: boolean, console: Console): void {
  // Besides text the one document on stdout is the outcome; whoever is asked still sees what about.
  if (format !== undefined && format !== "text") console.note(planText(plan, console.noteStyle).trimEnd());
  else if (quiet !== true) console.answer(planText(plan, console.answerStyle));
  // Nobody is asked about what was not shown.
  else if (asks) console.alert(planText(plan, console.noteStyle).trimEnd());
}
