/** `apply`: plans, asks for confirmation, writes, and verifies that the workspace is as declared. */

import { unreadFiles } from "../../config/load/unread-files.ts";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { NO_WORDS, programLine, type RunWords, shellWord } from "../../core/sanitise.ts";
import { sealPlan } from "../../plan/checks/seal.ts";
import type { Plan } from "../../plan/model/plan.ts";
import { planView } from "../../view/plan/plan-view.ts";
import { isEmpty } from "../../view/plan/verdict.ts";
import { hasPassed, rehearsalJson, rehearsalText } from "../../view/rehearsal/rehearsal.ts";
import type { Console } from "../console/console.ts";
import { hasFormat } from "../console/present.ts";
import { rehearsePlan } from "../rehearse/session.ts";
import { approvalsFor, confirmPlan, isWhole, readApprovals, type SameCommand } from "../run/approvals.ts";
import { continueRun, interruptedRun } from "../run/continue-run.ts";
import { executePlan } from "../run/execute.ts";
import { presentRun, reportEmptyRun, showPlan, strictExit } from "../run/present-run.ts";
import { recoverRuns } from "../run/recover-runs.ts";
import { snapshotBefore, workspaceIds } from "../run/snapshot-before.ts";
import { blockOtherWorkspace } from "../run/workspace-check.ts";
import { writeRun } from "../run/write-run.ts";
import { readPlan, remakePlan, requireFingerprint, requireVariables } from "../saved-plan/saved-plan.ts";
import { dialectFlags } from "../serve/serving.ts";
import { analyzeAt } from "../session/analysis.ts";
import { applyWords, newPlanLine, sessionWords } from "../session/command-line.ts";
import type { ReadingSession } from "../session/session.ts";
import { writeLock } from "../session/write-lock.ts";
import { planSourceOf } from "../undo/desired-state.ts";
import type { ApplyFlags } from "./apply-definition.ts";

/** Applies. Exit code 0 means that the result was verified. */
export async function apply(options: ApplyFlags, io: Io, console: Console): Promise<number> {
  checkFlags(options);
  const dialects = dialectFlags(options.dialect);
  const approved = readApprovals(options, io, console);
  const saved = options.plan === undefined ? undefined : await readPlan(options.plan, io, EXIT.stale);
  if (saved !== undefined && options.expectPlan !== undefined)
    requireFingerprint(
      saved.plan,
      options.expectPlan,
      [],
      programLine(`show ${shellWord(options.plan ?? "")}`, NO_WORDS),
    );
  const newPlan = (made: Plan, words: RunWords): string => newPlanLine(made, options.plan ?? "", words);
  if (saved !== undefined)
    requireVariables(saved, io.env, newPlan(saved.plan, sessionWords(options, saved.plan.target)));
  return writeRun(options, approved, io, console, async (run) => {
    const { session, runs, sink } = run;
    const unfinished = await runs.unfinished();
    await recoverRuns(unfinished, run);
    const words = applyWords(options, session.configuration.settings, options.plan);
    const same: SameCommand = {
      typed: options,
      lineWith: (approvals) => programLine(["apply", ...approvals, ...words].join(" "), NO_WORDS),
    };
    const sourceOf = (plan: Plan) => planSourceOf(plan, runs, session);
    const interrupted = saved === undefined ? undefined : await interruptedRun(saved, unfinished, run);
    if (interrupted !== undefined) {
      const continued = await continueRun(interrupted, run, { sourceOf, isSaved: true, ...same });
      await presentRun(continued, options, io, console);
      return continued.exit;
    }
    const source = saved === undefined ? session : await sourceOf(saved.plan);
    const remade =
      saved === undefined
        ? undefined
        : await remakePlan(saved, source, (text) => console.safe(text), newPlan(saved.plan, session.words));
    const request = { identify: false, analyze: analyzeAt(io.now()), attributed: true };
    const made = remade ?? (await session.prepare(request));
    if (options.expectPlan !== undefined) {
      const planned = applyWords(options, session.configuration.settings, undefined);
      requireFingerprint(
        made.plan,
        options.expectPlan,
        await runs.all(),
        programLine(["plan", ...planned].join(" "), NO_WORDS),
      );
    }
    const plan = await blockOtherWorkspace(made.plan, runs, made.state);
    const view = planView(plan, {
      approvals: approvalsFor(plan, options),
      unread: unreadFiles(session.configuration),
      words: session.words,
      applyWords: words,
    });
    showPlan(view, options, options.yes !== true && io.ask !== undefined && !isEmpty(plan), console);
    if (isEmpty(plan) && plan.blocked.length === 0) {
      if (source.configuration === session.configuration) {
        const { state } = made;
        await writeLock(session.configuration, plan, { plan: made.verifying(), state }, session.lock);
      }
      const applied = await reportEmptyRun(plan, session.requestCounts(), options, io, console);
      return strictExit(EXIT.success, applied, options, console);
    }
    if (options.rehearse === true) await requireRehearsal(plan, session, dialects, options, io, console);
    // The page of the run draws the workspace as it was before.
    const diagrams = hasFormat(options, "html") ? await made.diagrams() : undefined;
    await confirmPlan(plan, { ...same, sink, yes: options.yes === true, isWhole: isWhole(options) }, io);
    await runs.acquireLock();
    const sealed = remade?.plan ?? sealPlan(plan, made, { saved: false });
    const { configuration } = source;
    const before = snapshotBefore(plan, configuration, made.state, session.lock);
    const recorder = await runs.startJournal(sealed, before, workspaceIds(made.state));
    const kindOf = new Map(sealed.changes.map(({ address, kind }) => [address, kind]));
    const executed = await executePlan(sealed, run, {
      ...{ recorder, configuration },
      rowsBefore: (address) => {
        const kind = kindOf.get(address);
        return kind === undefined ? undefined : made.state.answeredRows(kind);
      },
    });
    await presentRun(executed, options, io, console, diagrams);
    return strictExit(executed.exit, executed.applied, options, console);
  });
}

function checkFlags(options: ApplyFlags): void {
  if (
    options.plan !== undefined &&
    [options.kinds, options.target, options.exclude, options.withoutAdmin, options.base, options.onlyChanged].some(
      (flag) => flag !== undefined,
    )
  ) {
    throw misuse(
      "a saved plan has its own filter and base: --kinds, --target, --exclude, --without-admin, --base and --only-changed cannot be used with --plan",
    );
  }
  if (options.expectPlan !== undefined && !/^[0-9a-f]{32}$/.test(options.expectPlan)) {
    throw misuse("--expect-plan takes the 32 hex digits below a Markdown or HTML plan, which plan --verbose shows too");
  }
  if (options.rehearse !== true && (options.faults ?? options.dialect) !== undefined) {
    throw misuse("--faults and --dialect apply to the replica, so they need --rehearse");
  }
}

/** Rehearses the plan and prints the result. Ends the command if a check failed: then nothing may be written. */
async function requireRehearsal(
  plan: Plan,
  session: ReadingSession,
  dialects: ReturnType<typeof dialectFlags>,
  options: ApplyFlags,
  io: Io,
  console: Console,
): Promise<void> {
  const rehearsal = await rehearsePlan({ plan, session, options, dialects }, io, console);
  if (hasPassed(rehearsal)) {
    console.note(rehearsalText(rehearsal, console.noteStyle).trimEnd());
    return;
  }
  const { format = "text" } = options;
  if (format === "json") console.print(rehearsalJson(rehearsal));
  else if (format === "text") console.print(rehearsalText(rehearsal, console.outputStyle));
  else console.alert(rehearsalText(rehearsal, console.noteStyle).trimEnd());
  throw new Stop(EXIT.findings, "not applied, nothing was written: the rehearsal has findings");
}
