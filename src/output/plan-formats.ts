/** Plans in each of their formats. The code of rarely used formats is loaded on demand. */

import type { Io } from "../core/io.ts";
import type { Diagrams } from "../diagrams/diagrams.ts";
import type { Plan } from "../plan/plan.ts";
import { planJson } from "../report/plan/json.ts";
import { planText } from "../report/plan/text.ts";
import { runPage } from "./ci.ts";
import type { PlanFormat } from "./formats.ts";
import type { ReportTexts } from "./present.ts";

/** A plan in each of its formats. Its page has the diagrams, if what the plan has read is known. */
export function planTexts(plan: Plan, io: Io, diagrams?: () => Promise<Diagrams>): ReportTexts<PlanFormat> {
  return {
    text: (style) => planText(plan, style),
    json: () => planJson(plan),
    markdown: async ({ verbose }) => (await markdown()).planMarkdown(plan, { verbose, ...runPage(io.env) }),
    html: async () => (await page()).planPage(plan, await diagrams?.()),
  };
}

const markdown = () => import("../report/plan/markdown.ts");
const page = () => import("../report/page/page.ts");
