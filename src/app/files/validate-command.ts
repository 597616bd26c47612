/** `validate`: parses, checks references and rules, and analyzes. It needs no network and no token. */

import type { Configuration } from "../../config/resources/configuration.ts";
import { linesOf } from "../../config/resources/configuration.ts";
import { InvalidConfiguration } from "../../core/diagnostic.ts";
import { EXIT } from "../../core/exit-codes.ts";
import type { FailOn } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { version } from "../../core/package.ts";
import { kinds } from "../../kinds/index.ts";
import { analyze } from "../../plan/analyze/analyze.ts";
import { type Finding, failsAt } from "../../plan/analyze/analyzer.ts";
import { analyzers, rules } from "../../plan/analyze/index.ts";
import { sarif } from "../../view/findings/sarif.ts";
import {
  diagnosticsJson,
  diagnosticsText,
  type FindLines,
  findingsJunit,
  sourceLines,
  validationSummary,
} from "../../view/findings/text.ts";
import { findingAnnotations } from "../../view/run/annotations.ts";
import { NOTHING_READ } from "../../workspace/match/observation.ts";
import { resolve } from "../../workspace/match/resolve.ts";
import { reportToRunner } from "../console/ci.ts";
import type { Console } from "../console/console.ts";
import type { FindingsFormat } from "../console/formats.ts";
import { type ReportTexts, type ShowReport, writeReports } from "../console/present.ts";
import { validTests } from "../session/analysis.ts";
import { runInEnvironments } from "../session/environments.ts";
import { loadConfiguration } from "../session/load-configuration.ts";
import { takeTokens } from "../session/tokens.ts";
import { checkOtherFiles } from "./other-files.ts";
import type { ValidateOptions } from "./validate-definition.ts";

/** A validation. */
interface Result {
  readonly findings: readonly Finding[];
  readonly fails: (finding: Finding) => boolean;
  readonly lines: FindLines;
  /** The result in one line. */
  readonly summary: string;
}

/** Loads and analyzes the configuration. Exits with 1 if it has errors, and with 7 if a finding fails, in one environment or in any. */
export function validate(options: ValidateOptions, io: Io, console: Console): Promise<number> {
  return runInEnvironments({ name: "validate", needsToken: false, run: validateEnvironment }, options, io, console);
}

async function validateEnvironment(
  options: ValidateOptions,
  io: Io,
  console: Console,
  show: ShowReport,
): Promise<number> {
  takeTokens(io.env);
  try {
    const configuration = await loadConfiguration(options, io, console);
    await checkOtherFiles(configuration, options, io);
    if (options.verbose === true) for (const line of sourceLines(configuration.sourced ?? [])) console.note(line);
    const result = analyzed(configuration, options.failOn ?? "error", io.now());
    const { findings, fails, lines } = result;
    const print = (some: readonly Finding[], out: (text: string) => void): void => {
      if (some.length > 0) out(diagnosticsText(some, console.noteStyle, lines).trimEnd());
    };
    // Loading has printed its own warnings.
    const own = findings.filter(({ code, waived }) => waived === undefined && isRule(code));
    print(
      own.filter((finding) => !fails(finding)),
      console.note,
    );
    print(own.filter(fails), console.alert);
    await present(result, options, io, console, show);
    return findings.some(fails) ? EXIT.findings : EXIT.success;
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    const annotations = () => ({ annotations: findingAnnotations(error.diagnostics, () => true) });
    await reportToRunner(annotations, options, io, console);
    throw error;
  }
}

function isRule(code: string): boolean {
  return rules.some(({ id }) => id === code);
}

function analyzed(configuration: Configuration, failOn: FailOn, now: Date): Result {
  const findings = [
    ...configuration.warnings,
    ...analyze(analyzers, resolve(configuration, kinds, NOTHING_READ), now, () => validTests(configuration)),
  ];
  const fails = failsAt(failOn);
  const lines: FindLines = (file) => linesOf(configuration, file);
  return { findings, fails, lines, summary: validationSummary(configuration, findings, fails) };
}

/** Shows the result and writes the reports. */
async function present(
  result: Result,
  { report = [], paths }: ValidateOptions,
  io: Io,
  console: Console,
  show: ShowReport,
): Promise<void> {
  const open = result.findings.filter(({ waived }) => waived === undefined);
  const tool = { name: "incidentctl", version };
  const texts: ReportTexts<FindingsFormat> = {
    text: (style) => diagnosticsText(open, { ...style, verbose: true }, result.lines),
    json: () => diagnosticsJson(result.findings),
    sarif: () => sarif(result.findings, rules, tool),
    junit: () => findingsJunit(result.findings, rules, result.fails),
  };
  // On standard output, text is the summary alone: the findings are on standard error.
  await show({ texts: { ...texts, text: () => `${result.summary}\n` }, verdict: result.summary });
  await writeReports(texts, report, io, console);
  await reportToRunner(
    () => ({ annotations: findingAnnotations(result.findings, result.fails) }),
    { paths },
    io,
    console,
  );
}
