/** Prints the outcome of a run in the format of `--format` and writes the files of `--report`. */

import { EXIT } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { counted } from "../../core/value-text.ts";
import type { Plan } from "../../plan/model/plan.ts";
import type { Diagrams } from "../../preview/diagrams.ts";
import { countOutcomes } from "../../run/journal/outcome.ts";
import type { RequestCount } from "../../service/requests/purpose.ts";
import { plain } from "../../view/format/ansi.ts";
import { prettyJson } from "../../view/format/json.ts";
import { outcomePage } from "../../view/page/page.ts";
import { driftView, type PlanView, planView } from "../../view/plan/plan-view.ts";
import { planText } from "../../view/plan/text.ts";
import { eventLog, summaryLine } from "../../view/run/events.ts";
import { outcomeMarkdown } from "../../view/run/markdown.ts";
import type { Applied } from "../../view/run/outcome-view.ts";
import { outcomeAnnotations } from "../../view/run/plan-annotations.ts";
import { outcomeRecord, outcomeText } from "../../view/run/text.ts";
import { reportToRunner, runPage } from "../console/ci.ts";
import type { Console, ConsoleOptions } from "../console/console.ts";
import { explainError } from "../console/error-report.ts";
import type { RunFormat } from "../console/formats.ts";
import { type PresentOptions, type ReportTexts, writeReports } from "../console/present.ts";
import type { ExecutedRun } from "./execute.ts";

/** The flags for the formats of a run's outcome. */
export interface PresentRunOptions extends PresentOptions<RunFormat> {
  readonly paths: readonly string[];
}

/**
 * Prints and reports the outcome of a run, on its page with the diagrams of its plan. If the run failed, an error in writing a report
 * does not replace its exit code.
 */
export async function presentRun(
  ended: ExecutedRun,
  options: PresentRunOptions,
  io: Io,
  console: Console,
  diagrams?: Diagrams,
): Promise<void> {
  const { applied, exit } = ended;
  if ((options.format ?? "text") === "text") console.print(textOf(applied, console.outputStyle));
  try {
    await reportRun({ ...ended, diagrams }, options, io, console);
  } catch (error) {
    if (exit === EXIT.success) throw error;
    for (const line of explainError(error)) console.alert(line);
  }
}

/** Prints the formats for programs and writes the reports. The text is not printed: it was, during the run. */
async function reportRun(
  { applied, events, diagrams }: Pick<ExecutedRun, "applied" | "events"> & { readonly diagrams?: Diagrams | undefined },
  { format = "text", report: targets = [], paths }: PresentRunOptions,
  io: Io,
  console: Console,
): Promise<void> {
  const texts: ReportTexts<RunFormat> = {
    text: (style) => planText(planView(applied.plan), style) + textOf(applied, style),
    json: () => prettyJson(outcomeRecord(applied)),
    jsonl: () => [...events, summaryLine(applied)].join(""),
    html: () => outcomePage(applied, diagrams),
    markdown: ({ verbose }) => outcomeMarkdown(applied, { verbose, ...runPage(io.env) }),
  };
  // All other lines of the stream were printed during the run.
  if (format === "jsonl") console.print(summaryLine(applied));
  else if (format !== "text") console.print(await texts[format](console.outputStyle));
  await writeReports(texts, targets, io, console);
  const summary = () => texts.markdown({ paint: plain, verbose: false });
  await reportToRunner(
    () => ({ annotations: outcomeAnnotations(applied), summary: summary() }),
    { paths },
    io,
    console,
  );
}

/** Reports a run that had nothing to do. */
export async function reportEmptyRun(
  plan: Plan,
  requests: readonly RequestCount[],
  options: PresentRunOptions,
  io: Io,
  console: Console,
): Promise<Applied> {
  const result = { outcomes: [], counts: countOutcomes([]) };
  const applied: Applied = { plan, result, verification: { status: "verified" }, requests, explain: explainError };
  const { lines } = eventLog(plan, explainError, (line) => {
    if (options.format === "jsonl") console.print(line);
  });
  await reportRun({ applied, events: lines }, options, io, console);
  return applied;
}

/** Prints a plan before it is applied. In other formats than text, stdout holds the result only, so the plan goes to stderr. */
export function showPlan(
  view: PlanView,
  { format, quiet }: PresentOptions<RunFormat> & ConsoleOptions,
  willAsk: boolean,
  console: Console,
): void {
  if (format !== undefined && format !== "text") console.note(planText(view, console.noteStyle).trimEnd());
  else if (quiet !== true) console.print(planText(view, console.outputStyle));
  // The user must see the plan before the prompt, also with --quiet.
  else if (willAsk) console.alert(planText(view, console.noteStyle).trimEnd());
}

/** Returns the exit code; with `--strict`, 4 if resources had to stay although they are not in the configuration. */
export function strictExit(
  exit: number,
  { plan, result }: Applied,
  { strict }: { readonly strict?: boolean },
  console: Console,
): number {
  const retained = plan.warnings.filter(({ code }) => code === "W_RETAINED").length + result.counts.retained;
  if (exit !== EXIT.success || strict !== true || retained === 0) return exit;
  console.alert(`${counted(retained, "removal")} unfinished (--strict): see above what stays, and why`);
  return EXIT.partial;
}

function textOf(applied: Applied, style: Console["outputStyle"]): string {
  const text = `\n${outcomeText(applied, style)}`;
  return applied.verification?.status === "differs"
    ? `${text}\n${planText(driftView(applied.verification.remaining), style)}`
    : text;
}
