/** Prints a report in the format of `--format` and writes the files of `--report`. */

import type { Io } from "../../core/io.ts";
import { plain } from "../../view/format/ansi.ts";
import type { ReportStyle } from "../../view/format/style.ts";
import type { Console } from "./console.ts";
import type { PlanFormat, ReportTarget } from "./formats.ts";
import { saveFile } from "./save-file.ts";

/** The flags for the formats of a report. */
export interface PresentOptions<Name extends string = PlanFormat> {
  readonly format?: Name;
  readonly report?: readonly ReportTarget<Name>[];
}

/** Whether the report is printed or written in the format. */
export function hasFormat<Name extends string>({ format, report = [] }: PresentOptions<Name>, name: Name): boolean {
  return format === name || report.some((target) => target.format === name);
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
  texts: Readonly<Partial<ReportTexts<Name>>>,
  report: readonly ReportTarget<Name>[],
  io: Io,
  console: Console,
): Promise<void> {
  const style = { paint: plain, verbose: console.outputStyle.verbose };
  for (const { format, path } of report) {
    const text = await textOf(texts, format, style);
    console.reported.add(path);
    await saveFile(path, console.safe(text), io.cwd);
  }
}

/** A report in some formats. */
export type ReportByFormat = Readonly<Partial<Record<string, (style: ReportStyle) => string | Promise<string>>>>;

/** The report of a command in one environment, with its result in one sentence. */
export interface ShownReport {
  readonly texts: ReportByFormat;
  readonly verdict: string;
}

/** Shows a report: one environment's is printed, several are collected. */
export type ShowReport = (report: ShownReport) => Promise<void>;

/** The report in a format; empty if it has none. */
export async function textOf(texts: ReportByFormat, format: string, style: ReportStyle): Promise<string> {
  return (await texts[format]?.(style)) ?? "";
}
