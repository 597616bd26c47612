/** The error that ended a command, in the formats of its report. */

import type { AnalyzerRule, Finding } from "../../plan/analyze/analyzer.ts";
import { plain } from "../format/ansi.ts";
import { html, simplePage } from "../format/html.ts";
import { jsonText, prettyJson } from "../format/json.ts";
import { type JunitCase, junitDocument } from "../format/junit.ts";
import { fence, takeFitting } from "../format/markdown.ts";
import type { ReportStyle } from "../format/style.ts";
import { MAX_COMMENT } from "../plan/markdown.ts";
import { type SarifNotification, type SarifTool, sarif } from "./sarif.ts";
import { diagnosticsText, type FindLines, findingCase, findingRecord } from "./text.ts";

/** The error that ended a command. Its texts are sanitised, except those of findings. */
export interface Failure {
  /** The command as it is typed: `drift accept`; empty if the command line names none. */
  readonly command: string;
  readonly exitCode: number;
  /** The error in one sentence. */
  readonly message: string;
  /** More about it, a line each. */
  readonly details: readonly string[];
  /** The response of the service that is the cause. */
  readonly response?: {
    readonly method: string;
    readonly path: string;
    readonly status: number;
    readonly type?: string | undefined;
    readonly requestId?: string | undefined;
  };
  /** All findings about the files that are the cause; none for another error. */
  readonly findings: readonly Finding[];
  /** The lines of the files. */
  readonly lines: FindLines;
}

/** Characters that a comment has for other than the text of the error. */
const ROOM = 1_000;

/** The rules of the analyzers and the program, which SARIF names. */
export interface FailureContext {
  readonly rules: readonly AnalyzerRule[];
  readonly tool: SarifTool;
}

/** The error by format. Formats for resources, such as YAML, have none. */
export function failureTexts(
  failure: Failure,
  { rules, tool }: FailureContext,
): Readonly<Partial<Record<string, (style: ReportStyle) => string>>> {
  return {
    text: (style) => `${linesOf(failure, style).join("\n")}\n`,
    json: () => prettyJson({ format_version: 1, ...record(failure) }),
    jsonl: () => `${jsonText({ event: "error", ...record(failure) })}\n`,
    sarif: () => sarif(failure.findings, rules, tool, notificationOf(failure)),
    junit: () => junit(failure, rules),
    markdown: ({ verbose }) => markdown(failure, verbose),
    html: () => page(failure),
  };
}

function titleOf({ command }: Failure): string {
  return `${nameOf(command)} failed`;
}

function nameOf(command: string): string {
  return command === "" ? "incidentctl" : `incidentctl ${command}`;
}

/** The lines as the terminal has them. */
function linesOf({ findings, lines, message, details }: Failure, style: ReportStyle): readonly string[] {
  if (findings.length > 0) return diagnosticsText(findings, style, lines).trimEnd().split("\n");
  return [`error: ${message}`, ...details.map((line) => `  ${line}`)];
}

function notificationOf({ findings, exitCode, message, details }: Failure): SarifNotification | undefined {
  return findings.length > 0 ? undefined : { exitCode, text: [message, ...details].join("\n") };
}

function record({ command, exitCode, message, details, response, findings }: Failure): object {
  const { requestId: request_id, ...answer } = response ?? {};
  return {
    command,
    exit_code: exitCode,
    error: {
      message,
      ...(details.length === 0 ? {} : { details }),
      ...(response === undefined ? {} : { response: { ...answer, request_id } }),
    },
    diagnostics: findings.map(findingRecord),
  };
}

/** A test case for each finding, or one for the error. Nothing else was tested. */
function junit({ command, message, details, findings }: Failure, rules: readonly AnalyzerRule[]): string {
  const name = nameOf(command);
  const whole: JunitCase = {
    name: message,
    classname: name,
    result: { kind: "error", message, text: details.join("\n") },
  };
  const cases = findings.length === 0 ? [whole] : findings.map((finding) => findingCase(finding, rules));
  return junitDocument("error", [{ name, cases }]);
}

function markdown(failure: Failure, verbose: boolean): string {
  const { command, message } = failure;
  const lines = linesOf(failure, { paint: plain, verbose });
  const fitting = verbose ? lines : takeFitting(lines, MAX_COMMENT - ROOM);
  const rest = fitting.length < lines.length ? [`… and ${lines.length - fitting.length} more lines`] : [];
  return [
    `<!-- ${nameOf(command)} failed -->`,
    `### ❌ ${titleOf(failure)}`,
    "",
    ...(failure.findings.length === 0 ? [] : [`${sentence(message)}`, ""]),
    ...fence("text", [...fitting, ...rest]),
    "",
  ].join("\n");
}

function page(failure: Failure): string {
  const lines = linesOf(failure, { paint: plain, verbose: true });
  return simplePage(titleOf(failure), [
    `<h1>${html(titleOf(failure))}</h1>`,
    `<p class="bad"><strong>${html(sentence(failure.message))}</strong></p>`,
    `<pre>${lines.map(html).join("\n")}</pre>`,
  ]);
}

function sentence(message: string): string {
  const text = `${message.slice(0, 1).toUpperCase()}${message.slice(1)}`;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
