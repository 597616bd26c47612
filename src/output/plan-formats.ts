/** The formats of plans and drifts; what is seldom asked for is loaded when it is. */

import type { Io } from "../core/io.ts";
import { alarming, type Drift } from "../drift/drift.ts";
import type { Mention } from "../match/references.ts";
import type { Plan } from "../plan/plan.ts";
import { driftJson, planJson } from "../report/plan/json.ts";
import { driftText, planText } from "../report/plan/text.ts";
import { runPage } from "./ci.ts";
import type { DriftFormat, PlanFormat } from "./formats.ts";
import type { Texts } from "./present.ts";

/** What a plan is given out as; what its entries mention, where that is known, is asked for only to be drawn. */
export function planTexts(plan: Plan, io: Io, mentions?: () => readonly Mention[]): Texts<PlanFormat> {
  return {
    text: (style) => planText(plan, style),
    json: () => planJson(plan),
    markdown: async ({ verbose }) => (await markdown()).planMarkdown(plan, { verbose, ...runPage(io.env) }),
    html: async () => (await page()).planPage(plan, mentions?.()),
  };
}

/** What a drift is given out as: what is known is only counted and named, but stands in JSON like the rest. */
export function driftTexts(plan: Plan, memory: Drift, io: Io, mentions?: () => readonly Mention[]): Texts<DriftFormat> {
  const loud = alarming(plan, memory);
  return {
    text: (style) => driftText(loud, style, memory),
    json: () => driftJson(plan, memory),
    markdown: async ({ verbose }) => (await markdown()).driftMarkdown(loud, { verbose, ...runPage(io.env) }, memory),
    html: async () => (await page()).driftPage(loud, memory, mentions?.()),
    junit: async () => (await import("../report/drift/junit.ts")).driftJunit(loud, memory),
  };
}

/** The addresses of what a plan changes. */
export function changedIn(plan: Plan): ReadonlySet<string> {
  return new Set(plan.changes.map(({ address }) => address));
}

const markdown = () => import("../report/plan/markdown.ts");
const page = () => import("../report/page/page.ts");
