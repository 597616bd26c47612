/** Gives a plan out: on stdout in the format asked for, and into the files that `--report` names. */

import type { Plan } from "../plan/plan.ts";
import type { ReportStyle } from "../report/change-lines.ts";
import { planJson } from "../report/json.ts";
import { plain } from "../report/paint.ts";
import type { Console } from "./console.ts";
import type { Format, ReportTarget } from "./flags.ts";
import { save } from "./save.ts";

/** The flags that say how a plan is given out. */
export interface PresentOptions {
  readonly format?: Format;
  readonly report?: readonly ReportTarget[];
}

/** Writes a report of a plan for people. */
export type Render = (plan: Plan, style: ReportStyle) => string;

/** Prints the plan and writes the reports. */
export async function present(
  plan: Plan,
  render: Render,
  options: PresentOptions,
  console: Console,
  cwd: string,
): Promise<void> {
  console.answer(options.format === "json" ? planJson(plan) : render(plan, console.answerStyle));
  for (const { format, path } of options.report ?? []) {
    const style = { paint: plain, verbose: console.answerStyle.verbose };
    await save(path, console.safe(format === "json" ? planJson(plan) : render(plan, style)), cwd);
  }
}
