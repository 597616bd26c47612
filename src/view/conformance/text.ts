/** The results of a conformance check as text, JSON and JUnit XML. */

import type { ConformanceReport } from "../../conformance/check.ts";
import type { DetectedDialect } from "../../conformance/dialects.ts";
import type { RuleOutcome, RuleResult } from "../../conformance/rule.ts";
import { sanitised } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";
import { prettyJson } from "../format/json.ts";
import { type JunitCase, junitDocument } from "../format/junit.ts";
import type { ReportStyle } from "../format/style.ts";
import { skippedLines } from "./forecast.ts";
import { leftoverLines } from "./leftovers.ts";

/** A report with the service that it is about. */
export interface ServiceReport extends ConformanceReport {
  /** Scheme, host and port, or the name of the embedded service. */
  readonly service: string;
  readonly checkedAt: Date;
}

const SYMBOLS: Readonly<Record<RuleOutcome["kind"], string>> = {
  passed: "✓",
  failed: "✗",
  differs: "≠",
  "not applicable": "–",
};

/** How many results have each kind of outcome. */
export function countOutcomes(results: readonly RuleResult[]): Readonly<Record<RuleOutcome["kind"], number>> {
  const count = (kind: RuleOutcome["kind"]) => results.filter((result) => result.outcome.kind === kind).length;
  return {
    passed: count("passed"),
    failed: count("failed"),
    differs: count("differs"),
    "not applicable": count("not applicable"),
  };
}

/** The counts in one sentence, as `530 rules passed, 2 failed, 5 are not applicable.` */
export function verdict(results: readonly RuleResult[]): string {
  const { passed, failed, differs, "not applicable": skipped } = countOutcomes(results);
  return [
    `${counted(passed, "rule")} passed`,
    `${failed} failed`,
    ...(differs === 0 ? [] : [`${counted(differs, "differs", "differ")} where the interface is silent`]),
    `${counted(skipped, "is", "are")} not applicable`,
  ].join(", ");
}

/** The report as text: each heading with its rules, those that passed only if verbose; then the dialects and the counts. */
export function conformanceText(report: ServiceReport, { paint, verbose }: ReportStyle): string {
  const { results, dialects, leftovers } = report;
  const lines = headingsOf(results).flatMap((heading) => {
    const own = results.filter(({ rule }) => rule.section === heading);
    const passed = own.filter(({ outcome }) => outcome.kind === "passed").length;
    const listed = own.filter((result) => verbose || isRemarkable(result));
    return [
      paint("heading", `${heading}: ${passed} of ${counted(own.length, "rule")} passed`),
      ...listed.flatMap((result) => resultLines(result)),
    ];
  });
  return [
    `Conformance of ${sanitised(report.service)}`,
    "",
    ...lines,
    ...withBlank(skippedLines(results)),
    ...(leftovers.length === 0
      ? []
      : ["", "Stays in the workspace:", ...leftoverLines(leftovers, verbose).map(indented)]),
    ...(dialects.length === 0 ? [] : ["", "Dialects:", ...dialects.map(dialectText).map(indented)]),
    "",
    `${verdict(results)}.`,
    "",
  ].join("\n");
}

/** The lines of one result: the rule with its symbol, then what was expected and seen, or why it was not checked. */
export function resultLines({ rule, outcome }: RuleResult): readonly string[] {
  const reason = outcome.kind === "not applicable" ? ` (${outcome.reason})` : "";
  return [
    `  ${SYMBOLS[outcome.kind]} ${rule.id}  ${rule.title}${reason}`,
    ...detailsOf(outcome).map(([name, value]) => `      ${name.padEnd(8)}  ${sanitised(value)}`),
  ];
}

function withBlank(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", ...lines];
}

function indented(line: string): string {
  return `  ${line}`;
}

/** The expectation, the response and the request of a rule that the service did not keep. */
export function detailsOf(outcome: RuleOutcome): readonly (readonly [name: string, value: string])[] {
  if (outcome.kind !== "failed" && outcome.kind !== "differs") return [];
  return [
    ["expected", outcome.expected],
    ["actual", outcome.actual],
    ["request", outcome.request],
  ];
}

/** A dialect in one line: `options=rename`, or why it is unknown. */
export function dialectText({ name, value, reason = "" }: DetectedDialect): string {
  return value === undefined ? `${name} is unknown: ${sanitised(reason)}` : `${name}=${value}`;
}

/** The headings of the interface document, in its order. */
export function headingsOf(results: readonly RuleResult[]): readonly string[] {
  return [...new Set(results.map(({ rule }) => rule.section))];
}

export function conformanceJson({ service, checkedAt, results, dialects, leftovers }: ServiceReport): string {
  return prettyJson({
    format_version: 1,
    service,
    checked_at: checkedAt.toISOString(),
    counts: countOutcomes(results),
    dialects,
    results: results.map(({ rule: { id, section, title, basis }, outcome, leftovers: own }) => {
      const { kind, ...details } = outcome;
      return { id, section, title, basis, outcome: kind, ...details, leftovers: own };
    }),
    leftovers,
  });
}

function isRemarkable({ outcome }: RuleResult): boolean {
  return outcome.kind === "failed" || outcome.kind === "differs";
}

/** The document, with one suite for each heading. A rule that is not applicable, or where the interface is silent, is skipped. */
export function conformanceJunit({ service, results }: ServiceReport): string {
  const suites = headingsOf(results).map((name) => {
    const own = results.filter(({ rule }) => rule.section === name);
    return { name, cases: own.map((result) => ({ ...nameOf(result), ...resultOf(result) })) };
  });
  return junitDocument(`conformance of ${service}`, suites);
}

function nameOf({ rule }: RuleResult): Pick<JunitCase, "name" | "classname"> {
  return { name: `${rule.id} ${rule.title}`, classname: rule.section };
}

function resultOf({ outcome }: RuleResult): Pick<JunitCase, "result"> {
  if (outcome.kind === "passed") return {};
  if (outcome.kind === "not applicable") return { result: { kind: "skipped", message: outcome.reason } };
  const message = `expected ${outcome.expected}, got ${outcome.actual}`;
  if (outcome.kind === "differs") {
    return { result: { kind: "skipped", message: `The interface is silent here: ${message}` } };
  }
  const text = detailsOf(outcome)
    .map(([name, value]) => `${name}: ${sanitised(value)}`)
    .join("\n");
  return { result: { kind: "failure", message, text } };
}
