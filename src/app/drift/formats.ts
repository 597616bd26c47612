/** Drift in each of its formats. The code of rarely used formats is loaded on demand. */

import type { Io } from "../../core/io.ts";
import { sealPlan, withFingerprint } from "../../plan/checks/seal.ts";
import { type Drift, withoutAccepted } from "../../plan/drift/drift.ts";
import { driftJson } from "../../view/plan/json.ts";
import { driftView } from "../../view/plan/plan-view.ts";
import { planText } from "../../view/plan/text.ts";
import { runPage } from "../console/ci.ts";
import type { DriftFormat } from "../console/formats.ts";
import type { ReportTexts } from "../console/present.ts";
import type { MadePlan } from "../session/make-plan.ts";

/** Drift in each of its formats. Accepted differences are only counted and named. */
export function driftTexts(made: MadePlan, drift: Drift, io: Io): ReportTexts<DriftFormat> {
  const view = driftView(withoutAccepted(made.plan, drift), drift);
  const marked = () => driftView(withoutAccepted(withFingerprint(made.plan), drift), drift);
  return {
    text: (style) => planText(view, style),
    json: () => driftJson(withoutAccepted(sealPlan(made.plan, made, { saved: false }), drift), drift),
    markdown: async ({ verbose }) =>
      (await import("../../view/plan/markdown.ts")).planMarkdown(marked(), { verbose, ...runPage(io.env) }),
    html: async () => (await import("../../view/page/page.ts")).planPage(marked(), await made.diagrams()),
    junit: async () => (await import("../../view/plan/drift.ts")).driftJunit(view),
  };
}
