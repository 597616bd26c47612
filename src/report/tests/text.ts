/** Routing tests for people and for programs: one line each, why where something is wrong, the sum last. */

import { quoted, sanitised } from "../../core/sanitise.ts";
import type { ConditionStep, RuleStep } from "../../routing/evaluate.ts";
import { describeDestination, describeExpectation } from "../../routing/expectation.ts";
import { type TestResult, type TestRun, tally } from "../../routing-tests/result.ts";
import type { Tone } from "../format/ansi.ts";
import { counted, cut, shown } from "../format/value.ts";
import type { ReportStyle } from "../plan/change-lines.ts";
import { pretty } from "../plan/json.ts";

const MARKS: Readonly<Record<TestResult["status"], readonly [mark: string, tone: Tone]>> = {
  passed: ["✓", "added"],
  failed: ["✗", "removed"],
  untrusted: ["?", "changed"],
};

/** The run for people, ending with its summary and a line feed. */
export function testRunText(run: TestRun, style: ReportStyle): string {
  const { paint } = style;
  const lines = [
    ...run.results.flatMap((result) => resultLines(result, run, style)),
    "",
    ...trustLines(run),
    ...run.warnings.map((warning) => paint("changed", `warning: ${sanitised(warning)}`)),
    summary(run),
  ];
  return `${lines.join("\n")}\n`;
}

/** The run as a JSON document. */
export function testRunJson(run: TestRun): string {
  const { passed, failed, untrusted, moved } = tally(run);
  return pretty({
    format_version: 1,
    mode: run.mode,
    summary: { tests: run.results.length, passed, failed, untrusted, ...(run.mode === "compare" ? { moved } : {}) },
    ...(run.trust === undefined ? {} : { trust: run.trust }),
    warnings: run.warnings,
    tests: run.results.map(({ name, source = null, fields, at, wanted, status, destination, reasons, ...rest }) => ({
      name,
      status,
      source,
      fields,
      at: { file: at.file, line: at.line, column: at.column },
      ...(wanted.expect === undefined ? {} : { expect: wanted.expect }),
      ...(wanted.forbid.length === 0 ? {} : { forbid: wanted.forbid }),
      ...(rest.before === undefined ? {} : { before: destinationRecord(rest.before) }),
      ...(rest.moves === undefined ? {} : { moves: rest.moves }),
      actual: destination === undefined ? null : destinationRecord(destination),
      reasons,
      trace: rest.trace(),
    })),
  });
}

function destinationRecord({ rule }: NonNullable<TestResult["destination"]>): object {
  if (rule === undefined) return { matched: false };
  const { scope, place = null, label = null, outcome } = rule;
  return { matched: true, scope: scope === "" ? null : scope, place, rule: label, outcome };
}

function resultLines(result: TestResult, run: TestRun, { paint, verbose }: ReportStyle): readonly string[] {
  const [mark, tone] = MARKS[result.status];
  const where = result.source === undefined ? "" : paint("quiet", `  ${sanitised(result.source)}`);
  const head = `${paint(tone, `${mark} ${sanitised(result.name)}`)}${where}`;
  const detail = verbose || result.status !== "passed";
  return [
    head,
    ...(run.mode === "compare" ? comparison(result, paint) : []),
    ...(detail ? details(result).map((line) => `    ${cut(line)}`) : []),
    ...(detail
      ? result
          .trace()
          .flatMap(ruleLines)
          .map((line) => paint("quiet", `      ${cut(line)}`))
      : []),
  ];
}

function comparison({ before, moves, destination }: TestResult, paint: ReportStyle["paint"]): readonly string[] {
  if (moves === false) return [];
  const after = destination === undefined ? "cannot be told" : described(destination);
  if (before === undefined) return [`    ${paint("added", "new")}  ${cut(after)}`];
  return [`    ${paint("changed", "moves")}  ${cut(described(before))}`, `        →  ${cut(after)}`];
}

function details({ at, wanted, destination, reasons }: TestResult): readonly string[] {
  const { expect, forbid } = wanted;
  return [
    `at        ${sanitised(at.file)}:${at.line}:${at.column}`,
    ...(expect === undefined ? [] : [`expected  ${sanitised(describeExpectation(expect))}`]),
    ...forbid.map((forbidden) => `forbidden ${sanitised(describeExpectation(forbidden))}`),
    `actual    ${destination === undefined ? "cannot be told" : described(destination)}`,
    ...reasons.map((reason) => `because   ${sanitised(reason)}`),
  ];
}

function described(destination: NonNullable<TestResult["destination"]>): string {
  return sanitised(describeDestination(destination));
}

function ruleLines({ place, label, skipped, matched, conditions }: RuleStep): readonly string[] {
  const name = label === undefined ? "" : ` ${quoted(label)}`;
  const verdict = skipped
    ? "is disabled"
    : matched === undefined
      ? "may match"
      : matched
        ? "matches"
        : "does not match";
  return [`rule ${place}${name} ${verdict}`, ...conditions.map((condition) => `  ${conditionLine(condition)}`)];
}

function conditionLine({ field, operator, value, actual, derived, matched, why }: ConditionStep): string {
  const mark = matched === undefined ? "?" : matched ? "✓" : "✗";
  const wanted = value === null ? "" : ` ${shown(value)}`;
  const from = derived ? ", from the catalog" : "";
  const found = actual === null ? "not there" : `${quoted(actual)}${from}`;
  return `${mark} ${sanitised(field)} ${sanitised(operator)}${wanted} (${found})${why === undefined ? "" : `: ${sanitised(why)}`}`;
}

function trustLines({ trust }: TestRun): readonly string[] {
  if (trust === undefined) return [];
  if (!trust.calibrated) {
    return [
      `Uncalibrated: ${sanitised(trust.why)}, so the rules were evaluated by this program alone.`,
      "Give --url or --emulator to hold its evaluation against the service's.",
    ];
  }
  const names = (list: readonly string[]) => list.map(sanitised).join(", ");
  const trusted = trust.trusted.length === 0 ? "no operator" : names(trust.trusted);
  const doubted = trust.doubted.length === 0 ? "" : ` It does otherwise for: ${names(trust.doubted)}.`;
  return [`Calibrated: the service evaluates these samples as this program does, for ${trusted}.${doubted}`];
}

function summary(run: TestRun): string {
  const { passed, failed, untrusted, moved } = tally(run);
  const doubtful = untrusted === 0 ? "" : `, ${untrusted} untrusted`;
  const compared =
    run.mode === "compare"
      ? ` ${moved} of ${counted(run.results.length, "sample")} ${moved === 1 ? "changes" : "change"} destination.`
      : "";
  return `${counted(run.results.length, "routing test")}: ${passed} passed, ${failed} failed${doubtful}.${compared}`;
}
