/** `validate`: parses, checks references and rules, and analyzes. It needs no network and no token. */

import { analyze } from "../analyze/analyze.ts";
import type { Finding } from "../analyze/analyzer.ts";
import { analyzers, rules } from "../analyze/index.ts";
import type { Configuration } from "../config/load/configuration.ts";
import { InvalidConfiguration } from "../core/diagnostic.ts";
import { EXIT } from "../core/exit-codes.ts";
import type { FailOn } from "../core/flag-values.ts";
import type { Io } from "../core/io.ts";
import { version } from "../core/version.ts";
import { kinds } from "../kinds/index.ts";
import { NOTHING_READ } from "../match/observation.ts";
import { resolve } from "../match/resolve.ts";
import { reportToRunner } from "../output/ci.ts";
import { type Console, openConsole } from "../output/console.ts";
import type { FindingsFormat } from "../output/formats.ts";
import { type PresentOptions, type ReportTexts, writeReports } from "../output/present.ts";
import { findingsJunit } from "../report/findings/junit.ts";
import { sarif } from "../report/findings/sarif.ts";
import { diagnosticsJson, diagnosticsText, type FindLines } from "../report/findings/text.ts";
import { counted } from "../report/format/value.ts";
import { findingAnnotations } from "../report/plan/annotations.ts";
import { type ConfigurationOptions, loadConfiguration } from "../session/load-configuration.ts";
import { takeTokens } from "../session/tokens.ts";

/** The flags of `validate`. */
export interface ValidateOptions extends ConfigurationOptions, PresentOptions<FindingsFormat> {
  /** The least severe finding that fails; an error when left out. */
  readonly failOn?: FailOn;
}

/** What came of a validation. */
interface Result {
  readonly findings: readonly Finding[];
  readonly fails: (finding: Finding) => boolean;
  readonly lines: FindLines;
  /** One line for people. */
  readonly summary: string;
}

/** Loads the configuration; its errors end with exit code 1, findings that fail with 7. */
export async function validate(
  options: ValidateOptions,
  io: Io,
  console: Console = openConsole(io, options),
): Promise<number> {
  takeTokens(io.env);
  try {
    const result = analyzed(await loadConfiguration(options, io, console), options.failOn ?? "error", io.now());
    const { findings, fails, lines } = result;
    const say = (some: readonly Finding[], out: (text: string) => void): void => {
      if (some.length > 0) out(diagnosticsText(some, console.noteStyle, lines).trimEnd());
    };
    // The warnings of the loader were told when it had finished.
    const own = findings.filter(({ code, waived }) => waived === undefined && isRule(code));
    say(
      own.filter((finding) => !fails(finding)),
      console.note,
    );
    say(own.filter(fails), console.alert);
    await give(result, options, io, console);
    return findings.some(fails) ? EXIT.findings : EXIT.success;
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    const { diagnostics: findings, lines } = error;
    const answered = options.format !== undefined && options.format !== "text";
    await give({ findings, fails: () => true, lines, summary: "" }, options, io, console, answered);
    if (!answered) throw error;
    return EXIT.error;
  }
}

function isRule(code: string): boolean {
  return rules.some(({ id }) => id === code);
}

function analyzed(configuration: Configuration, failOn: FailOn, now: Date): Result {
  const findings = [...configuration.warnings, ...analyze(analyzers, resolve(configuration, kinds, NOTHING_READ), now)];
  const failing = FAILING[failOn];
  const fails = ({ severity, waived }: Finding): boolean => waived === undefined && failing.includes(severity);
  const lines: FindLines = (file) => configuration.lines(file);
  return { findings, fails, lines, summary: summary(configuration, findings, findings.filter(fails).length) };
}

const FAILING: Readonly<Record<FailOn, readonly Finding["severity"][]>> = {
  error: ["error"],
  warning: ["error", "warning"],
  note: ["error", "warning", "note"],
  never: [],
};

function summary({ declared, managed }: Configuration, findings: readonly Finding[], failing: number): string {
  const kindsOf = new Set(managed.map(({ kind }) => kind)).size;
  const open = findings.filter(({ waived }) => waived === undefined);
  const counts = (["error", "warning", "note"] as const).flatMap((severity) => {
    const some = open.filter((finding) => finding.severity === severity).length;
    return some === 0 ? [] : [counted(some, severity)];
  });
  const waived = findings.length - open.length;
  const parts = [
    `${counted(declared.length, "entry", "entries")} in ${counted(kindsOf, "kind")}`,
    ...counts,
    ...(waived === 0 ? [] : [`${waived} waived`]),
  ];
  return failing === 0
    ? `The configuration is valid: ${parts.join(", ")}.`
    : `The configuration has findings that fail: ${parts.join(", ")}.`;
}

/** Answers, unless the errors are the answer, and writes the reports. */
async function give(
  result: Result,
  { format = "text", report = [], paths }: ValidateOptions,
  io: Io,
  console: Console,
  answered = true,
): Promise<void> {
  const open = result.findings.filter(({ waived }) => waived === undefined);
  const tool = { name: "incidentctl", version };
  const texts: ReportTexts<FindingsFormat> = {
    text: (style) => diagnosticsText(open, style, result.lines),
    json: () => diagnosticsJson(result.findings),
    sarif: () => sarif(result.findings, rules, tool),
    junit: () => findingsJunit(result.findings, rules, result.fails),
  };
  if (answered) console.answer(format === "text" ? `${result.summary}\n` : await texts[format](console.answerStyle));
  await writeReports(texts, report, io, console);
  await reportToRunner(
    () => ({ annotations: findingAnnotations(result.findings, result.fails) }),
    { paths },
    io,
    console,
  );
}
