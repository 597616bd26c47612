/** `drift`: shows how the workspace differs from the configuration. It cannot write to the service. */

import { unreadFiles } from "../../config/load/unread-files.ts";
import { EXIT } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { sealPlan, withFingerprint } from "../../plan/checks/seal.ts";
import { type Drift, withoutAccepted } from "../../plan/drift/drift.ts";
import { plain } from "../../view/format/ansi.ts";
import { driftJson } from "../../view/plan/json.ts";
import { driftView, type PlanView } from "../../view/plan/plan-view.ts";
import { planText } from "../../view/plan/text.ts";
import { isEmpty } from "../../view/plan/verdict.ts";
import { driftAnnotations } from "../../view/run/plan-annotations.ts";
import { reportToRunner, runPage } from "../console/ci.ts";
import type { Console } from "../console/console.ts";
import type { DriftFormat } from "../console/formats.ts";
import { type ReportTexts, type ShowReport, writeReports } from "../console/present.ts";
import { warnOfOtherRuns } from "../run/runs.ts";
import { runInEnvironments } from "../session/environments.ts";
import type { MadePlan } from "../session/make-plan.ts";
import { openReading } from "../session/session.ts";
import type { DriftOptions } from "./drift-definition.ts";
import { nextSteps } from "./next-steps.ts";

/** Compares and reports. Exits with 2 if there are new or expired differences, in one environment or in any. */
export function drift(options: DriftOptions, io: Io, console: Console): Promise<number> {
  return runInEnvironments({ name: "drift", needsToken: true, run: driftOfEnvironment }, options, io, console);
}

async function driftOfEnvironment(options: DriftOptions, io: Io, console: Console, show: ShowReport): Promise<number> {
  const session = await openReading(options, io, console);
  try {
    await warnOfOtherRuns(session, io, console);
    const made = await session.prepare({ identify: false });
    const { plan } = made;
    const judged = made.drift();
    const view = driftView(withoutAccepted(plan, judged), judged, {
      unread: unreadFiles(session.configuration),
      words: session.words,
      next: nextSteps(plan, judged, options, session.configuration.settings, io.now()),
    });
    const texts = driftTexts(view, made, judged, io);
    await show({ texts, verdict: view.verdict.summary });
    await writeReports(texts, options.report ?? [], io, console);
    const runnerTexts = () => ({
      annotations: driftAnnotations(view.plan),
      summary: texts.markdown({ paint: plain, verbose: false }),
    });
    await reportToRunner(runnerTexts, options, io, console);
    const hasDifferences = judged.new.length + judged.known.length + judged.expired.length > 0;
    return (hasDifferences ? judged.fingerprint === null : isEmpty(plan)) ? EXIT.success : EXIT.changes;
  } finally {
    session.close();
  }
}

/** Drift in each of its formats. Accepted differences are only counted and named. */
function driftTexts(view: PlanView, made: MadePlan, drift: Drift, io: Io): ReportTexts<DriftFormat> {
  const marked = () => ({ ...view, plan: withoutAccepted(withFingerprint(made.plan), drift) });
  return {
    text: (style) => planText(view, style),
    json: () => driftJson(withoutAccepted(sealPlan(made.plan, made, { saved: false }), drift), drift),
    markdown: async ({ verbose }) =>
      (await import("../../view/plan/markdown.ts")).planMarkdown(marked(), { verbose, ...runPage(io.env) }),
    html: async () => (await import("../../view/page/page.ts")).planPage(marked(), await made.diagrams()),
    junit: async () => (await import("../../view/plan/drift.ts")).driftJunit(view),
  };
}
