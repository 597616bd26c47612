/** Gives a report out: on stdout in the format asked for, and into the files that `--report` names. */

import { alarming, type Drift } from "../plan/drift.ts";
import type { Plan } from "../plan/plan.ts";
import type { ReportStyle } from "../report/change-lines.ts";
import { driftJunit } from "../report/drift-junit.ts";
import { driftJson, planJson } from "../report/json.ts";
import { driftMarkdown, planMarkdown } from "../report/markdown.ts";
import { plain } from "../report/paint.ts";
import { driftPage, planPage } from "../report/plan-page.ts";
import { driftText, planText } from "../report/text.ts";
import { runPage } from "./ci.ts";
import type { Console } from "./console.ts";
import type { DriftFormat, PlanFormat, ReportTarget } from "./formats.ts";
import type { Io } from "./io.ts";
import { save } from "./save.ts";

/** The flags that say how something is given out. */
export interface PresentOptions<Name extends string = PlanFormat> {
  readonly format?: Name;
  readonly report?: readonly ReportTarget<Name>[];
}

/** A report in every format that there is of it; each is made when it is asked for. */
export type Texts<Name extends string> = Readonly<Record<Name, (style: ReportStyle) => string>>;

/** What a plan is given out as. */
export function planTexts(plan: Plan, io: Io): Texts<PlanFormat> {
  return {
    text: (style) => planText(plan, style),
    json: () => planJson(plan),
    markdown: ({ verbose }) => planMarkdown(plan, { verbose, ...runPage(io.env) }),
    html: () => planPage(plan),
  };
}

/** What a drift is given out as: what is known is only counted and named, but stands in JSON like the rest. */
export function driftTexts(plan: Plan, memory: Drift, io: Io): Texts<DriftFormat> {
  const loud = alarming(plan, memory);
  return {
    text: (style) => driftText(loud, style, memory),
    json: () => driftJson(plan, memory),
    markdown: ({ verbose }) => driftMarkdown(loud, { verbose, ...runPage(io.env) }, memory),
    html: () => driftPage(loud, memory),
    junit: () => driftJunit(loud, memory),
  };
}

/** Prints the report and writes the files. */
export async function present<Name extends string>(
  texts: Texts<Name> & Texts<"text">,
  { format, report = [] }: PresentOptions<Name>,
  io: Io,
  console: Console,
): Promise<void> {
  console.answer(texts[format ?? "text"](console.answerStyle));
  await writeReports(texts, report, io, console);
}

/** Writes the files alone. */
export async function writeReports<Name extends string>(
  texts: Texts<Name>,
  report: readonly ReportTarget<Name>[],
  io: Io,
  console: Console,
): Promise<void> {
  const style = { paint: plain, verbose: console.answerStyle.verbose };
  for (const { format, path } of report) await save(path, console.safe(texts[format](style)), io.cwd);
}
