/** Plans in each of their formats. The code of rarely used formats is loaded on demand. */

import type { Io } from "../core/io.ts";
import type { Plan } from "../plan/plan.ts";
import type { GraphEdge } from "../report/page/svg.ts";
import { planJson } from "../report/plan/json.ts";
import { planText } from "../report/plan/text.ts";
import { runPage } from "./ci.ts";
import type { PlanFormat } from "./formats.ts";
import type { ReportTexts } from "./present.ts";

/** A plan in each of its formats. The references of its resources, if known, are drawn on its page. */
export function planTexts(plan: Plan, io: Io, references?: () => readonly GraphEdge[]): ReportTexts<PlanFormat> {
  return {
    text: (style) => planText(plan, style),
    json: () => planJson(plan),
    markdown: async ({ verbose }) => (await markdown()).planMarkdown(plan, { verbose, ...runPage(io.env) }),
    html: async () => (await page()).planPage(plan, references?.()),
  };
}

/** The addresses of the resources that a plan changes. */
export function changedIn(plan: Plan): ReadonlySet<string> {
  return new Set(plan.changes.map(({ address }) => address));
}

const markdown = () => import("../report/plan/markdown.ts");
const page = () => import("../report/page/page.ts");
