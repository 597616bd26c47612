/** How a run that wrote is given out: on stdout in the format asked for, and into the files that `--report` names. */

import { EXIT } from "../core/exit-codes.ts";
import type { Io } from "../core/io.ts";
import { plain } from "../report/format/ansi.ts";
import { outcomePage } from "../report/page/page.ts";
import { outcomeAnnotations } from "../report/plan/annotations.ts";
import { pretty } from "../report/plan/json.ts";
import { driftText, planText } from "../report/plan/text.ts";
import { summaryLine } from "../report/run/events.ts";
import { outcomeMarkdown } from "../report/run/markdown.ts";
import { type Applied, outcomeRecord, outcomeText } from "../report/run/text.ts";
import type { CarriedOut } from "../run/execute.ts";
import { runPage, tellRunner } from "./ci.ts";
import type { Console } from "./console.ts";
import { explain } from "./error-report.ts";
import type { RunFormat } from "./formats.ts";
import { type PresentOptions, type Texts, writeReports } from "./present.ts";

/** The flags that say how a run is given out. */
export interface ConcludeOptions extends PresentOptions<RunFormat> {
  readonly paths: readonly string[];
}

/** Tells how it ended. A report that cannot be written must not hide how the writes ended. */
export async function conclude(ended: CarriedOut, options: ConcludeOptions, io: Io, console: Console): Promise<void> {
  const { applied, exit } = ended;
  if ((options.format ?? "text") === "text") console.answer(textOf(applied, console.answerStyle));
  try {
    await report(ended, options, io, console);
  } catch (error) {
    if (exit === EXIT.success) throw error;
    for (const line of explain(error)) console.alert(line);
  }
}

/** The answer for programs, and the reports; the answer for people was given while the run went on. */
export async function report(
  { applied, events }: Pick<CarriedOut, "applied" | "events">,
  { format = "text", report: targets = [], paths }: ConcludeOptions,
  io: Io,
  console: Console,
): Promise<void> {
  const texts: Texts<RunFormat> = {
    text: (style) => planText(applied.plan, style) + textOf(applied, style),
    json: () => pretty(outcomeRecord(applied)),
    jsonl: () => [...events, summaryLine(applied)].join(""),
    html: () => outcomePage(applied),
    markdown: ({ verbose }) => outcomeMarkdown(applied, { verbose, ...runPage(io.env) }),
  };
  // Of a stream all but the last line is told already.
  if (format === "jsonl") console.answer(summaryLine(applied));
  else if (format !== "text") console.answer(await texts[format](console.answerStyle));
  await writeReports(texts, targets, io, console);
  const summary = () => texts.markdown({ paint: plain, verbose: false });
  await tellRunner(() => ({ annotations: outcomeAnnotations(applied), summary: summary() }), { paths }, io, console);
}

function textOf(applied: Applied, style: Console["answerStyle"]): string {
  const text = `\n${outcomeText(applied, style.paint)}`;
  return applied.verification?.status === "differs"
    ? `${text}\n${driftText(applied.verification.remaining, style)}`
    : text;
}
