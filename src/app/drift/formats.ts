/** Drift in each of its formats. The code of rarely used formats is loaded on demand. */

import type { Io } from "../../core/io.ts";
import { type Drift, withoutAccepted } from "../../plan/drift/drift.ts";
import type { Plan } from "../../plan/model/plan.ts";
import type { Diagrams } from "../../preview/diagrams/diagrams.ts";
import { driftJson } from "../../view/plan/json.ts";
import { driftText } from "../../view/plan/text.ts";
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
  return {
    text: (style) => driftText(remaining, style, drift),
    json: () => driftJson(remaining, drift),
    markdown: async ({ verbose }) =>
      (await import("../../view/plan/markdown.ts")).driftMarkdown(remaining, { verbose, ...runPage(io.env) }, drift),
    html: async () => (await import("../../view/page/page.ts")).driftPage(remaining, drift, await diagrams?.()),
    junit: async () => (await import("../../view/drift/junit.ts")).driftJunit(remaining, drift),
  };
}
