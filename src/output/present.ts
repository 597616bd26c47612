/** Gives a report out: on stdout in the format asked for, and into the files that `--report` names. */

import type { Io } from "../core/io.ts";
import { plain } from "../report/format/ansi.ts";
import type { ReportStyle } from "../report/plan/change-lines.ts";
import type { Console } from "./console.ts";
import type { PlanFormat, ReportTarget } from "./formats.ts";
import { save } from "./save-file.ts";

/** The flags that say how something is given out. */
export interface PresentOptions<Name extends string = PlanFormat> {
  readonly format?: Name;
  readonly report?: readonly ReportTarget<Name>[];
}

/** A report in every format that there is of it; each is made when it is asked for. */
export type Texts<Name extends string> = Readonly<Record<Name, (style: ReportStyle) => string | Promise<string>>>;

/** Prints the report and writes the files. */
export async function present<Name extends string>(
  texts: Texts<Name> & Texts<"text">,
  { format, report = [] }: PresentOptions<Name>,
  io: Io,
  console: Console,
): Promise<void> {
  console.answer(await texts[format ?? "text"](console.answerStyle));
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
  for (const { format, path } of report) await save(path, console.safe(await texts[format](style)), io.cwd);
}
