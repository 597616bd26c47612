/** What a runner of GitHub Actions shows beside the lines of a pull request: workflow commands, escaped as it demands. */

import type { Finding } from "../../analyze/analyzer.ts";
import { sanitised } from "../../core/sanitise.ts";
import type { Change, Plan } from "../../plan/plan.ts";
import { place } from "../format/value.ts";
import { OUTCOMES } from "../run/progress.ts";
import type { Applied } from "../run/text.ts";
import { DRIFT, PLAN, type Wording } from "./wording.ts";

/** One remark, at a place in a file where there is one. */
export interface Annotation {
  readonly level: "error" | "warning" | "notice";
  readonly title: string;
  readonly message: string;
  readonly at?: { readonly file: string; readonly line: number; readonly column: number; readonly length?: number };
}

/** What the runner shows of one level in one step; the rest would be dropped in silence. */
const MOST = 10;

const LEVELS = { error: "error", warning: "warning", note: "notice" } as const;

/** Findings; one that fails is an error. */
export function findingAnnotations(
  findings: readonly Finding[],
  fails: (finding: Finding) => boolean,
): readonly Annotation[] {
  return findings
    .filter(({ waived }) => waived === undefined)
    .map((finding) => ({
      level: fails(finding) ? "error" : LEVELS[finding.severity],
      title: finding.code,
      message: [finding.message, ...(finding.help === undefined ? [] : [finding.help])].map(sanitised).join("\n"),
      ...(finding.at === undefined ? {} : { at: finding.at }),
    }));
}

/** What a plan warns of, what it would destroy, and why it would be refused. */
export function planAnnotations(plan: Plan): readonly Annotation[] {
  return [
    ...plan.blocked.map(({ message, flag }) => ({
      ...{ level: "warning" as const, title: "blocked" },
      message: sanitised(flag === undefined ? message : `${message}; to allow it: ${flag}`),
    })),
    ...plan.changes.filter(({ risk }) => risk === "destructive").map((change) => changeAnnotation(change, PLAN)),
    ...plan.warnings.map(({ code, message, address, source }) => ({
      ...{ level: "warning" as const, title: code },
      message: sanitised(address === undefined || message.startsWith(address) ? message : `${address}: ${message}`),
      ...(source === undefined ? {} : { at: source }),
    })),
  ];
}

/** Every difference, where it is declared. */
export function driftAnnotations(plan: Plan): readonly Annotation[] {
  return plan.changes.map((change) => changeAnnotation(change, DRIFT));
}

/** What was not carried out, or nobody knows of. */
export function outcomeAnnotations({ plan, result, explain }: Applied): readonly Annotation[] {
  const sources = new Map(plan.changes.map(({ address, source }) => [address, source]));
  return result.outcomes.flatMap((outcome) => {
    if (outcome.status !== "failed" && outcome.status !== "unknown") return [];
    const { address } = outcome.operation;
    const source = sources.get(address);
    return [
      {
        level: "error" as const,
        title: OUTCOMES[outcome.status][0],
        message: [sanitised(address), ...explain(outcome.error, address)].join("\n"),
        ...(source === undefined ? {} : { at: source }),
      },
    ];
  });
}

function changeAnnotation(change: Change, wording: Wording): Annotation {
  const { note, symbol } = wording.actions[change.action];
  const what = note ?? (symbol === "+" ? "create" : "differs");
  const fields = change.action === "update" ? change.fields.map(({ path }) => place(path)).join(", ") : "";
  const parts = [sanitised(change.address), what, fields, wording.asks ? sanitised(change.reason) : ""];
  return {
    level: "warning",
    title: wording.title.toLowerCase(),
    message: parts.filter((part) => part !== "").join(": "),
    ...(change.source === undefined ? {} : { at: change.source }),
  };
}

/** The commands, each a line; `locate` gives a file as the runner knows it, or nothing for one that it cannot. */
export function annotationLines(
  annotations: readonly Annotation[],
  locate: (file: string) => string | undefined,
): readonly string[] {
  const levels = ["error", "warning", "notice"] as const;
  return levels.flatMap((level) => {
    const own = annotations.filter((annotation) => annotation.level === level);
    const last = own.length > MOST ? [`::${level}::${own.length - MOST + 1} more are in the log`] : [];
    const kept = own.slice(0, last.length === 0 ? MOST : MOST - 1);
    return [...kept.map((annotation) => commandOf(annotation, locate)), ...last];
  });
}

function commandOf({ level, title, message, at }: Annotation, locate: (file: string) => string | undefined): string {
  // A name with characters that nobody sees could not be told as it is.
  const file = at === undefined || sanitised(at.file) !== at.file ? undefined : locate(at.file);
  const properties = {
    ...(at === undefined || file === undefined
      ? {}
      : {
          ...{ file, line: at.line, col: at.column },
          ...(at.length === undefined ? {} : { endColumn: at.column + at.length }),
        }),
    title: sanitised(title),
  };
  const stated = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`);
  return `::${level} ${stated.join(",")}::${data(message)}`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
