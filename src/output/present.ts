/** Prints a report in the format of `--format` and writes the files of `--report`. */

import type { Io } from "../core/io.ts";
import { plain } from "../report/format/ansi.ts";
import type { ReportStyle } from "../report/plan/change-lines.ts";
import type { Console } from "./console.ts";
import type { PlanFormat, ReportTarget } from "./formats.ts";
import { saveFile } from "./save-file.ts";

/** The flags for the formats of a report. */
export interface PresentOptions<Name extends string = PlanFormat> {
  readonly format?: Name;
  readonly report?: readonly ReportTarget<Name>[];
}

/** A report in each of its formats, built on demand. */
export type ReportTexts<Name extends string> = Readonly<Record<Name, (style: ReportStyle) => string | Promise<string>>>;

/** Prints the report on stdout and writes the files. */
export async function present<Name extends string>(
  texts: ReportTexts<Name> & ReportTexts<"text">,
  { format, report = [] }: PresentOptions<Name>,
  io: Io,
  console: Console,
): Promise<void> {
  console.print(await texts[format ?? "text"](console.outputStyle));
  await writeReports(texts, report, io, console);
}

/** Writes the files of `--report`. */
export async function writeReports<Name extends string>(
  texts: ReportTexts<Name>,
  report: readonly ReportTarget<Name>[],
  io: Io,
  console: Console,
): Promise<void> {
  const style = { paint: plain, verbose: console.outputStyle.verbose };
  for (const { format, path } of report) await saveFile(path, console.safe(await texts[format](style)), io.cwd);
}
