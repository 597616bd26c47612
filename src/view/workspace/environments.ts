/** The results of one command in several environments, as one report. */

import type { Json } from "../../core/json.ts";
import { sanitised } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";
import { columnLines } from "../format/columns.ts";
import { prettyJson } from "../format/json.ts";
import { code, prose } from "../format/markdown.ts";
import type { ReportStyle } from "../format/style.ts";
import { MAX_COMMENT } from "../plan/markdown.ts";

/** The result of a command in one environment. */
export interface EnvironmentResult {
  /** Null if the settings name no environment. */
  readonly environment: string | null;
  readonly exitCode: number;
  /** The result in one sentence: the summary of a report, or an error. */
  readonly verdict: string;
  /** The command ended with an error. */
  readonly hasFailed: boolean;
  /** The report of the command, or the error, in a format. */
  readonly report: string;
}

/** All results of a command. */
export interface EnvironmentResults {
  /** The command: `plan`. */
  readonly command: string;
  readonly results: readonly EnvironmentResult[];
  /** The worst of their exit codes. */
  readonly exitCode: number;
}

/** The results in one line each, below a heading. The names come in one column. */
export function environmentsText({ command, results }: EnvironmentResults, { paint }: ReportStyle): string {
  const rows = results.map((result) => {
    const verdict = sanitised(result.verdict);
    return [`  ${nameOf(result)}`, result.hasFailed ? paint("alarm", `error: ${verdict}`) : verdict];
  });
  return [paint("heading", headingOf(command, results)), ...columnLines(rows), ""].join("\n");
}

/** The line above the report of one environment. */
export function environmentHeading(environment: string | null, { paint }: ReportStyle): string {
  return `${paint("heading", `Environment: ${nameOf({ environment })}`)}\n`;
}

/** The results as JSON. The report of an environment is that of the command alone, or its error. */
export function environmentsJson({ command, results, exitCode }: EnvironmentResults): string {
  return prettyJson({
    format_version: 1,
    command,
    exit_code: exitCode,
    environments: results.map(({ environment, exitCode: exit_code, verdict, report }) => ({
      environment,
      exit_code,
      verdict: sanitised(verdict),
      report: JSON.parse(report) as Json,
    })),
  });
}

/**
 * The results as Markdown: a table, and each report that still fits into a comment. A report that does not fit is named, and its verdict
 * is in the table.
 */
export function environmentsMarkdown({ command, results }: EnvironmentResults, verbose: boolean): string {
  const head = [
    `<!-- incidentctl ${command} all environments -->`,
    `### ${headingOf(`incidentctl ${command}`, results)}`,
    "",
    "| Environment | Result |",
    "|---|---|",
    ...results.map(
      (result) => `| ${code(nameOf(result))} | ${result.hasFailed ? "❌ " : ""}${cell(prose(result.verdict))} |`,
    ),
    "",
  ].join("\n");
  let text = head;
  const missing: string[] = [];
  for (const result of results) {
    const part = `\n---\n\n${result.report}`;
    if (verbose || text.length + part.length <= MAX_COMMENT - ROOM) text += part;
    else missing.push(code(nameOf(result)));
  }
  if (missing.length === 0) return text;
  return `${text}\nThe reports of ${missing.join(", ")} are too long to be shown here.\n`;
}

/** Characters for the sentence about reports that do not fit. */
const ROOM = 1_000;

function headingOf(command: string, results: readonly EnvironmentResult[]): string {
  const failed = results.filter(({ hasFailed }) => hasFailed).length;
  return `${command}: ${counted(results.length, "environment")}${failed === 0 ? "" : `, ${failed} with an error`}`;
}

function nameOf({ environment }: Pick<EnvironmentResult, "environment">): string {
  return environment === null ? "(none)" : sanitised(environment);
}

/** Escapes the bars, which would end a cell of a table. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
