/** `plan`: shows what `apply` would do. Its connection cannot write to the service. */

import { unreadFiles } from "../../config/load/unread-files.ts";
import { EXIT } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { sealOnDemand } from "../../plan/checks/seal.ts";
import type { Plan } from "../../plan/model/plan.ts";
import { plain } from "../../view/format/ansi.ts";
import { planView } from "../../view/plan/plan-view.ts";
import { isEmpty } from "../../view/plan/verdict.ts";
import { planAnnotations } from "../../view/run/plan-annotations.ts";
import { reportToRunner } from "../console/ci.ts";
import type { Console } from "../console/console.ts";
import { planTexts } from "../console/plan-formats.ts";
import { type ShowReport, writeReports } from "../console/present.ts";
import { approvalsFor, readApprovals } from "../run/approvals.ts";
import { openRuns, warnOfOtherRuns } from "../run/runs.ts";
import { blockOtherWorkspace } from "../run/workspace-check.ts";
import { savePlan } from "../saved-plan/saved-plan.ts";
import { analyzeAt } from "../session/analysis.ts";
import { applyWords, savedNote } from "../session/command-line.ts";
import { runInEnvironments } from "../session/environments.ts";
import type { MadePlan } from "../session/make-plan.ts";
import { openReading, type ReadingSession } from "../session/session.ts";
import type { PlanFlags } from "./plan-definition.ts";

/** Makes and shows the plan, or the plans of all environments. */
export function plan(options: PlanFlags, io: Io, console: Console): Promise<number> {
  return runInEnvironments({ name: "plan", needsToken: true, run: planEnvironment }, options, io, console);
}

async function planEnvironment(options: PlanFlags, io: Io, console: Console, show: ShowReport): Promise<number> {
  const { approvals } = readApprovals(options, io, console);
  const session = await openReading(options, io, console, { approvals });
  try {
    await warnOfOtherRuns(session, io, console);
    const saved = options.out !== undefined;
    const analyze = analyzeAt(io.now());
    const made = await session.prepare({ identify: saved, singleReading: true, analyze, attributed: true });
    const checked = await blockOtherWorkspace(made.plan, openRuns(session, {}, io, console), made.state);
    const plan = await withRecordedAlerts(checked, made, session, options, io);
    const sealed = sealOnDemand(plan, made, { saved });
    const flags = approvalsFor(plan, options);
    const view = planView(plan, {
      approvals: flags,
      unread: unreadFiles(session.configuration),
      words: session.words,
      applyWords: applyWords(options, session.configuration.settings, options.out),
    });
    const texts = planTexts(view, sealed, io, made.diagrams);
    await show({ texts, verdict: `${view.verdict.summary} ${view.verdict.advice}`.trim() });
    await writeReports(texts, options.report ?? [], io, console);
    const summary = () => texts.markdown({ paint: plain, verbose: false });
    await reportToRunner(() => ({ annotations: planAnnotations(plan), summary: summary() }), options, io, console);
    if (options.out !== undefined) {
      await savePlan(sealed(), options.out, io, console);
      console.note(savedNote(plan, options, options.out, session.configuration.settings, flags));
    }
    if (options.failOn === "blocked" && plan.blocked.length > 0) return EXIT.refused;
    return options.detailedExitcode === true && !isEmpty(plan) ? EXIT.changes : EXIT.success;
  } finally {
    session.close();
  }
}

/** The plan, with the recorded alerts of `--alerts` before and after it. */
async function withRecordedAlerts(
  plan: Plan,
  made: MadePlan,
  session: ReadingSession,
  { alerts }: PlanFlags,
  { cwd }: Io,
): Promise<Plan> {
  if (alerts === undefined) return plan;
  const { replayThroughPlan, summaryOf } = await import("./recorded-alerts.ts");
  return { ...plan, recorded_alerts: summaryOf(await replayThroughPlan(alerts, made, session, cwd)) };
}
