/** How a run that wrote is given out: on stdout in the format asked for, and into the files that `--report` names. */

import { pretty } from "../report/json.ts";
import { type Applied, outcomeRecord, outcomeText } from "../report/outcome.ts";
import { plain } from "../report/paint.ts";
import { driftText, planText } from "../report/text.ts";
import type { CarriedOut } from "./carry-out.ts";
import type { Console } from "./console.ts";
import { EXIT } from "./exit.ts";
import { explain } from "./failure.ts";
import type { Format } from "./flags.ts";
import type { Io } from "./io.ts";
import type { PresentOptions } from "./present.ts";
import { save } from "./save.ts";

/** Tells how it ended. A report that cannot be written must not hide how the writes ended. */
export async function conclude(
  { applied, exit }: CarriedOut,
  options: PresentOptions,
  io: Io,
  console: Console,
): Promise<void> {
  if (options.format !== "json") console.answer(textOf(applied, console.answerStyle));
  try {
    await report(applied, options, io, console);
  } catch (error) {
    if (exit === EXIT.success) throw error;
    for (const line of explain(error)) console.alert(line);
  }
}

/** The answer for programs, and the reports; the answer for people was given while the run went on. */
export async function report(applied: Applied, options: PresentOptions, io: Io, console: Console): Promise<void> {
  const json = pretty(outcomeRecord(applied));
  if (options.format === "json") console.answer(json);
  const style = { paint: plain, verbose: console.answerStyle.verbose };
  const texts: Readonly<Record<Format, string>> = {
    json,
    text: planText(applied.plan, style) + textOf(applied, style),
  };
  for (const { format, path } of options.report ?? []) await save(path, console.safe(texts[format]), io.cwd);
}

function textOf(applied: Applied, style: Console["answerStyle"]): string {
  const text = `\n${outcomeText(applied, style.paint)}`;
  return applied.verification?.status === "differs"
    ? `${text}\n${driftText(applied.verification.remaining, style)}`
    : text;
}
