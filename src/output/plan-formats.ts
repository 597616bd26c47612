/** Plans and drift in each of their formats. The code of rarely used formats is loaded on demand. */

import type { Io } from "../core/io.ts";
import { type Drift, withoutAccepted } from "../drift/drift.ts";
import type { ReferenceEdge } from "../match/reference-graph.ts";
import type { Plan } from "../plan/plan.ts";
import { driftJson, planJson } from "../report/plan/json.ts";
import { driftText, planText } from "../report/plan/text.ts";
import { runPage } from "./ci.ts";
import type { DriftFormat, PlanFormat } from "./formats.ts";
import type { ReportTexts } from "./present.ts";

/** A plan in each of its formats. The references of its resources, if known, are drawn on its page. */
export function planTexts(plan: Plan, io: Io, references?: () => readonly ReferenceEdge[]): ReportTexts<PlanFormat> {
  return {
    text: (style) => planText(plan, style),
    json: () => planJson(plan),
    markdown: async ({ verbose }) => (await markdown()).planMarkdown(plan, { verbose, ...runPage(io.env) }),
    html: async () => (await page()).planPage(plan, references?.()),
  };
}

/** Drift in each of its formats. Accepted differences are only counted and named, except in JSON. */
export function driftTexts(
  plan: Plan,
  drift: Drift,
  io: Io,
  references?: () => readonly ReferenceEdge[],
): ReportTexts<DriftFormat> {
  const remaining = withoutAccepted(plan, drift);
  return {
    text: (style) => driftText(remaining, style, drift),
    json: () => driftJson(plan, drift),
    markdown: async ({ verbose }) =>
      (await markdown()).driftMarkdown(remaining, { verbose, ...runPage(io.env) }, drift),
    html: async () => (await page()).driftPage(remaining, drift, references?.()),
    junit: async () => (await import("../report/drift/junit.ts")).driftJunit(remaining, drift),
  };
}

/** The addresses of the resources that a plan changes. */
export function changedIn(plan: Plan): ReadonlySet<string> {
  return new Set(plan.changes.map(({ address }) => address));
}

const markdown = () => import("../report/plan/markdown.ts");
const page = () => import("../report/page/page.ts");
