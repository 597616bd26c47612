/** The formats of each sort of report, for `--format NAME` on stdout and `--report FORMAT=PATH` in files. */

import { misuse } from "../../core/flag-values.ts";
import { quoted } from "../../core/sanitise.ts";

/** The formats of one sort of report. */
export interface Formats<Name extends string = string> {
  /** The reports, as the subject of a sentence in the plural: `plans`. */
  readonly subject: string;
  readonly names: readonly Name[];
}

/** A report to write to a file. */
export interface ReportTarget<Name extends string> {
  readonly format: Name;
  readonly path: string;
}

/** The text in the path of a report that stands for the name of the environment. */
export const PLACEHOLDER = "{env}";

/** Results of commands without a report of their own. */
export const RESULTS = { subject: "results", names: ["text", "json"] } as const;
export const PLANS = { subject: "plans", names: ["text", "json", "markdown", "html"] } as const;
export const DRIFTS = { subject: "drifts", names: ["text", "json", "markdown", "html", "junit"] } as const;
export const RUNS = { subject: "runs", names: ["text", "json", "jsonl", "markdown", "html"] } as const;
export const FINDINGS = { subject: "findings", names: ["text", "json", "sarif", "junit"] } as const;
export const LIVE = { subject: "live resources", names: ["yaml", "json", "name"] } as const;
export const DOCUMENTS = { subject: "configurations", names: ["yaml", "json"] } as const;
export const TESTS = { subject: "routing tests", names: ["text", "json", "junit"] } as const;
export const REHEARSALS = { subject: "rehearsals", names: ["text", "json", "markdown", "html"] } as const;

export const CONFORMANCE = { subject: "conformance reports", names: ["text", "json", "junit", "html"] } as const;

export type ConformanceFormat = (typeof CONFORMANCE.names)[number];
export type ResultFormat = (typeof RESULTS.names)[number];
export type PlanFormat = (typeof PLANS.names)[number];
export type DriftFormat = (typeof DRIFTS.names)[number];
export type RunFormat = (typeof RUNS.names)[number];
export type FindingsFormat = (typeof FINDINGS.names)[number];
export type LiveFormat = (typeof LIVE.names)[number];
export type DocumentFormat = (typeof DOCUMENTS.names)[number];
export type TestFormat = (typeof TESTS.names)[number];
export type RehearsalFormat = (typeof REHEARSALS.names)[number];

/** Whether a report of any sort has a format of this name. */
export function isFormat(name: string): boolean {
  return [PLANS, DRIFTS, RUNS, FINDINGS, LIVE].some(({ names }) => (names as readonly string[]).includes(name));
}

/** The names in a sentence: `text, json or junit`. */
export function listNames({ names }: Formats): string {
  return names.join(", ").replace(/, (?=[^,]*$)/, " or ");
}

/** A parser for the value of `--format`. */
export function parseFormat<Name extends string>(formats: Formats<Name>): (value: string) => Name {
  return (value) => {
    const name = formats.names.find((known) => known === value);
    if (name === undefined)
      throw misuse(`${formats.subject} have no format ${quoted(value)}; use ${listNames(formats)}`);
    return name;
  };
}

/** A parser for a value of `--report FORMAT=PATH`. */
export function parseReportTarget<Name extends string>(formats: Formats<Name>): (value: string) => ReportTarget<Name> {
  return (value) => {
    const at = value.indexOf("=");
    if (at < 1 || at === value.length - 1) {
      throw misuse(`--report takes FORMAT=PATH, such as json=report.json, not ${quoted(value)}`);
    }
    return { format: parseFormat(formats)(value.slice(0, at)), path: value.slice(at + 1) };
  };
}
