/** Drift in each of its formats. The code of rarely used formats is loaded on demand. */

import type { Io } from "../core/io.ts";
import type { Diagrams } from "../diagrams/diagrams.ts";
import { runPage } from "../output/ci.ts";
import type { DriftFormat } from "../output/formats.ts";
import type { ReportTexts } from "../output/present.ts";
import type { Plan } from "../plan/plan.ts";
import { driftJson } from "../report/plan/json.ts";
import { driftText } from "../report/plan/text.ts";
import { type Drift, withoutAccepted } from "./drift.ts";

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
      (await import("../report/plan/markdown.ts")).driftMarkdown(remaining, { verbose, ...runPage(io.env) }, drift),
    html: async () => (await import("../report/page/page.ts")).driftPage(remaining, drift, await diagrams?.()),
    junit: async () => (await import("../report/drift/junit.ts")).driftJunit(remaining, drift),
  };
}
