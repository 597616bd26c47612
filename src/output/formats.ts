/** What is given out in which format: `--format NAME` on stdout, and `--report FORMAT=PATH` into files besides. */

import { misuse } from "../core/flag-values.ts";
import { quoted } from "../core/sanitise.ts";

/** The formats of one sort of report. */
export interface Formats<Name extends string = string> {
  /** What is written in them, in the plural. */
  readonly what: string;
  readonly names: readonly Name[];
}

/** A report to write to a file besides the answer. */
export interface ReportTarget<Name extends string> {
  readonly format: Name;
  readonly path: string;
}

export const ANSWERS = { what: "answers", names: ["text", "json"] } as const;
export const PLANS = { what: "plans", names: ["text", "json", "markdown", "html"] } as const;
export const DRIFTS = { what: "drifts", names: ["text", "json", "markdown", "html", "junit"] } as const;
export const RUNS = { what: "runs", names: ["text", "json", "jsonl", "markdown", "html"] } as const;
export const FINDINGS = { what: "findings", names: ["text", "json", "sarif", "junit"] } as const;
export const TESTS = { what: "routing tests", names: ["text", "json", "junit"] } as const;
export const REHEARSALS = { what: "rehearsals", names: ["text", "json", "html"] } as const;

export type AnswerFormat = (typeof ANSWERS.names)[number];
export type PlanFormat = (typeof PLANS.names)[number];
export type DriftFormat = (typeof DRIFTS.names)[number];
export type RunFormat = (typeof RUNS.names)[number];
export type FindingsFormat = (typeof FINDINGS.names)[number];
export type TestFormat = (typeof TESTS.names)[number];
export type RehearsalFormat = (typeof REHEARSALS.names)[number];

/** `text, json or junit`. */
export function listed({ names }: Formats): string {
  return names.join(", ").replace(/, (?=[^,]*$)/, " or ");
}

/** Reads `--format`. */
export function format<Name extends string>(formats: Formats<Name>): (value: string) => Name {
  return (value) => {
    const name = formats.names.find((known) => known === value);
    if (name === undefined) throw misuse(`${formats.what} are not written as ${quoted(value)}; use ${listed(formats)}`);
    return name;
  };
}

/** Reads one `--report FORMAT=PATH`. */
export function reportTarget<Name extends string>(formats: Formats<Name>): (value: string) => ReportTarget<Name> {
  return (value) => {
    const at = value.indexOf("=");
    if (at < 1 || at === value.length - 1) throw misuse(`--report takes FORMAT=PATH, not ${quoted(value)}`);
    return { format: format(formats)(value.slice(0, at)), path: value.slice(at + 1) };
  };
}
