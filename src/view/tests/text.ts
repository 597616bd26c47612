/** Results of routing tests as text, JSON and JUnit XML: a line for each test, details of those that did not pass, and a summary. */

import { sourcePlace } from "../../core/diagnostic.ts";
import { quoted, sanitised } from "../../core/sanitise.ts";
import { counted, cut, placeText, thousands, valueText } from "../../core/value-text.ts";
import type { ConditionStep, RuleStep } from "../../kinds/routing/evaluate.ts";
import { describeDestination, describeExpectation } from "../../kinds/routing/expectation.ts";
import { countResults, type TestResult, type TestRun } from "../../preview/routing-tests/result.ts";
import type { Tone } from "../format/ansi.ts";
import { prettyJson } from "../format/json.ts";
import { type JunitCase, junitDocument } from "../format/junit.ts";
import type { ReportStyle } from "../format/style.ts";

const MARKS: Readonly<Record<TestResult["status"], readonly [mark: string, tone: Tone]>> = {
  passed: ["✓", "added"],
  failed: ["✗", "removed"],
  untrusted: ["?", "changed"],
};

/** The run as text, with a final line feed. */
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
  const { passed, failed, untrusted, moved } = countResults(run);
  return prettyJson({
    format_version: 1,
    mode: run.mode,
    summary: {
      tests: run.results.length,
      passed,
      failed,
      untrusted,
      moved: run.mode === "compare" ? moved : undefined,
    },
    trust: run.trust,
    warnings: run.warnings,
    tests: run.results.map(({ name, source = null, fields, at, expected, status, destination, reasons, ...rest }) => ({
      name,
      status,
      source,
      fields,
      at: sourcePlace(at),
      expect: expected.expect,
      forbid: expected.forbid.length === 0 ? undefined : expected.forbid,
      before: rest.before && destinationRecord(rest.before),
      moves: rest.moves,
      actual: destination === undefined ? null : destinationRecord(destination),
      reasons,
      trace: rest.trace(),
    })),
  });
}

function destinationRecord({ rule }: NonNullable<TestResult["destination"]>): object {
  if (rule === undefined) return { matched: false };
  const { scope, place = null, label = null, shownOutcome } = rule;
  return { matched: true, scope: scope === "" ? null : scope, place, rule: label, outcome: shownOutcome };
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
  const after = destination === undefined ? "undecided" : described(destination);
  if (before === undefined) return [`    ${paint("added", "new")}  ${cut(after)}`];
  return [`    ${paint("changed", "moves")}  ${cut(described(before))}`, `        →  ${cut(after)}`];
}

function details({ at, expected, destination, reasons }: TestResult): readonly string[] {
  const { expect, forbid } = expected;
  return [
    `at        ${placeText(at)}`,
    ...(expect === undefined ? [] : [`expected  ${sanitised(describeExpectation(expect))}`]),
    ...forbid.map((forbidden) => `forbidden ${sanitised(describeExpectation(forbidden))}`),
    `actual    ${destination === undefined ? "undecided" : described(destination)}`,
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
  const operand = value === null ? "" : ` ${valueText(value)}`;
  const from = derived ? ", from the catalog" : "";
  const actualText = actual === null ? "missing" : `${quoted(actual)}${from}`;
  return `${mark} ${sanitised(field)} ${sanitised(operator)}${operand} (${actualText})${why === undefined ? "" : `: ${sanitised(why)}`}`;
}

function trustLines({ trust }: TestRun): readonly string[] {
  if (trust === undefined) return [];
  if (!trust.calibrated) {
    return [
      `Uncalibrated: ${sanitised(trust.why)}, so the rules were only evaluated offline.`,
      "To compare with the evaluation of a service, use --url or --emulator",
    ];
  }
  const names = (list: readonly string[]) => list.map(sanitised).join(", ");
  const trusted = trust.trusted.length === 0 ? "no operator" : names(trust.trusted);
  const doubted = trust.doubted.length === 0 ? "" : ` It differs for ${names(trust.doubted)}.`;
  return [`Calibrated: on these samples the service agrees with the offline evaluation for ${trusted}.${doubted}`];
}

function summary(run: TestRun): string {
  const { passed, failed, untrusted, moved } = countResults(run);
  const doubtful = untrusted === 0 ? "" : `, ${untrusted} untrusted`;
  const compared =
    run.mode === "compare"
      ? ` ${thousands(moved)} of ${counted(run.results.length, "sample")} ${moved === 1 ? "changes" : "change"} destination.`
      : "";
  return `${counted(run.results.length, "routing test")}: ${passed} passed, ${failed} failed${doubtful}.${compared}`;
}

/** The document. A failed test is a failure, an untrusted one an error. */
export function junitReport(run: TestRun): string {
  const files = [...new Set(run.results.map(({ at }) => at.file))];
  const suites = files.map((name) => ({ name, cases: run.results.filter(({ at }) => at.file === name).map(caseOf) }));
  return junitDocument(`routing tests (${run.mode})`, suites);
}

function caseOf({ name, at, source = "workspace", status, reasons, destination }: TestResult): JunitCase {
  const passed = { name, classname: source, at };
  if (status === "passed") return passed;
  const text = [...reasons, ...(destination === undefined ? [] : [describeDestination(destination)])];
  const kind = status === "failed" ? "failure" : "error";
  return { ...passed, result: { kind, message: reasons.join("; "), text: text.map(sanitised).join("\n") } };
}
