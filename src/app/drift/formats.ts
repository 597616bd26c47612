/** Drift in each of its formats. The code of rarely used formats is loaded on demand. */

import type { Io } from "../../core/io.ts";
import { type Drift, withoutAccepted } from "../../plan/drift/drift.ts";
import type { Plan } from "../../plan/model/plan.ts";
import type { Diagrams } from "../../preview/diagrams/diagrams.ts";
import { driftJson } from "../../view/plan/json.ts";
import { driftView } from "../../view/plan/plan-view.ts";
import { planText } from "../../view/plan/text.ts";
import { runPage } from "../console/ci.ts";
import type { DriftFormat } from "../console/formats.ts";
import type { ReportTexts } from "../console/present.ts";

/** Drift in each of its formats. Accepted differences are only counted and named. */
export function driftTexts(
  plan: Plan,
  drift: Drift,
  io: Io,
  diagrams?: () => Promise<Diagrams>,
): ReportTexts<DriftFormat> {
  const remaining = withoutAccepted(plan, drift);
  const view = driftView(remaining, drift);
  return {
    text: (style) => planText(view, style),
    json: () => driftJson(remaining, drift),
    markdown: async ({ verbose }) =>
      (await import("../../view/plan/markdown.ts")).planMarkdown(view, { verbose, ...runPage(io.env) }),
    html: async () => (await import("../../view/page/page.ts")).planPage(view, await diagrams?.()),
    junit: async () => (await import("../../view/plan/drift.ts")).driftJunit(view),
  };
}
