/** Ends a command with an error: on standard error, in the format of `--format`, and in the files of `--report`. */

import { InvalidConfiguration } from "../../core/diagnostic.ts";
import { exitCodeOf } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { version } from "../../core/package.ts";
import { rules } from "../../plan/analyze/index.ts";
import { ServiceError } from "../../service/requests/service-error.ts";
import { type Failure, failureTexts } from "../../view/findings/failure.ts";
import { plain } from "../../view/format/ansi.ts";
import type { Console } from "./console.ts";
import { explainError, problemOf } from "./error-report.ts";
import { type OutputPaths, pathConflict } from "./path-conflicts.ts";
import type { ReportByFormat } from "./present.ts";
import { saveFile } from "./save-file.ts";

/** The reports that a command line asks for, and the paths that decide which files may be written. */
export interface RequestedReports extends OutputPaths {
  readonly command: string;
  readonly format?: string;
  readonly report?: readonly { readonly format: string; readonly path: string }[];
}

/** The error of a command by format. Formats for resources, such as YAML, have none. */
export function textsOfError(error: unknown, command: string): ReportByFormat {
  return failureTexts(failureOf(error, command), { rules, tool: { name: "incidentctl", version } });
}

/**
 * Writes the error that ended a command in the formats that its command line asks for. A result that was printed and reports that were
 * written before the error stay. Nothing is written to a file that the command would not write to.
 */
export async function reportFailure(
  error: unknown,
  requested: RequestedReports,
  { cwd }: Io,
  console: Console,
): Promise<void> {
  const { format = "text", report = [] } = requested;
  const texts = textsOfError(error, requested.command);
  // Each line of a stream of events is complete by itself.
  if (format !== "text" && (format === "jsonl" || !console.hasPrinted())) {
    const text = await texts[format]?.(console.outputStyle);
    if (text !== undefined) console.print(text);
  }
  const targets = report.filter(({ path }) => !console.reported.has(path));
  if (targets.length === 0 || pathConflict(requested, cwd) !== undefined) return;
  for (const target of targets) {
    const text = await texts[target.format]?.({ paint: plain, verbose: console.outputStyle.verbose });
    if (text === undefined) continue;
    try {
      await saveFile(target.path, console.safe(text), cwd);
    } catch (unwritable) {
      // The first error decides the exit code.
      for (const line of explainError(unwritable)) console.alert(`error: ${line}`);
    }
  }
}

function failureOf(error: unknown, command: string): Failure {
  const [message = "", ...details] = explainError(error);
  const common = { command, exitCode: exitCodeOf(error), lines: () => undefined, findings: [] };
  if (error instanceof InvalidConfiguration) {
    const { diagnostics: findings, lines } = error;
    return { ...common, message: problemOf(error), details: [], findings, lines };
  }
  if (!(error instanceof ServiceError)) return { ...common, message, details };
  const { request, status, type, requestId } = error;
  return { ...common, message, details, response: { ...request, status, type, requestId } };
}
