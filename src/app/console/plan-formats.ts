/** Plans in each of their formats. The code of rarely used formats is loaded on demand. */

import type { Io } from "../../core/io.ts";
import type { SealedPlan } from "../../plan/model/plan.ts";
import type { Diagrams } from "../../preview/diagrams.ts";
import { planJson } from "../../view/plan/json.ts";
import type { PlanView } from "../../view/plan/plan-view.ts";
import { planText } from "../../view/plan/text.ts";
import { runPage } from "./ci.ts";
import type { PlanFormat } from "./formats.ts";
import type { ReportTexts } from "./present.ts";

/** A plan in each of its formats. Its page has the diagrams, if what the plan has read is known. */
export function planTexts(
  view: PlanView,
  sealed: () => SealedPlan,
  io: Io,
  diagrams?: () => Promise<Diagrams>,
): ReportTexts<PlanFormat> {
  return {
    text: (style) => planText(view, style),
    json: () => planJson(sealed()),
    markdown: async ({ verbose }) => (await markdown()).planMarkdown(view, { verbose, ...runPage(io.env) }),
    html: async () => (await page()).planPage(view, await diagrams?.()),
  };
}

const markdown = () => import("../../view/plan/markdown.ts");
const page = () => import("../../view/page/page.ts");
