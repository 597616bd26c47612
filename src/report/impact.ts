/** What a plan would do to recent incidents, for people and for programs: counts, and nothing that an incident says. */

import { sanitised } from "../core/sanitise.ts";
import type { RankChange } from "../impact/ranks.ts";
import type { ReasonCode } from "../impact/refusals.ts";
import type { Impact, ReasonCount, SourceImpact } from "../impact/replay.ts";
import { counted, cut } from "./format/value.ts";
import type { ReportStyle } from "./plan/change-lines.ts";
import { pretty } from "./plan/json.ts";

/** Everything that `impact` tells. */
export interface ImpactReport {
  /** How many incidents were asked for. */
  readonly last: number;
  readonly impact: Impact;
  /** Of every severity, changed or not. */
  readonly ranks: readonly RankChange[];
  /** The plan changes routing rules. */
  readonly routing: boolean;
}

const WORDS: Readonly<Record<ReasonCode, (subject: string) => string>> = {
  required: (field) => `field ${field} is now required`,
  field: (field) => `field ${field} is no longer on the declare form`,
  option: (field) => `field ${field} no longer offers the option`,
  option_renamed: (field) => `an option of field ${field} has another label`,
  field_type: (field) => `field ${field} takes another type of answer`,
  severity: (severity) => `severity ${severity} is no longer enabled`,
  incident_type: (type) => `incident type ${type} is no longer enabled`,
};

/** The report for people, ending with a line feed. */
export function impactText({ impact, ranks, routing }: ImpactReport, { paint }: ReportStyle): string {
  const { incidents, refused, possibly, already } = impact;
  const lines = impact.sources.flatMap((source) => [
    ...sentence(source, "refused").map((line) => paint("removed", line)),
    ...sentence(source, "possibly").map((line) => paint("changed", line)),
  ]);
  const moved = ranks.some(({ before, after }) => before !== after) ? rankLines(ranks) : [];
  const seen = `Replayed the last ${counted(incidents, "incident")}`;
  const felt =
    refused + possibly === 0
      ? "the plan refuses none."
      : `because of the plan ${refused} would be refused, and ${possibly} more might be.`;
  const sum = incidents === 0 ? "There is no incident to replay." : `${seen}: ${felt}`;
  return `${[
    ...apart(lines),
    ...apart(moved.map((line, at) => (at === 0 ? paint("heading", line) : line))),
    ...(routing ? ["Routing rules change: incidentctl test --compare tells which alerts go elsewhere.", ""] : []),
    ...(already > 0
      ? [paint("quiet", `${already} would be refused today as well, and are no effect of the plan.`)]
      : []),
    sum,
  ].join("\n")}\n`;
}

/** The report as a JSON document. */
export function impactJson({ last, impact, ranks, routing }: ImpactReport): string {
  const { sources, ...totals } = impact;
  return pretty({
    format_version: 1,
    last,
    summary: totals,
    sources: sources.map(({ source, reasons, ...counts }) => ({
      source,
      ...counts,
      reasons: reasons.map(({ code, subject, ...own }) => ({ code, subject, message: WORDS[code](subject), ...own })),
    })),
    ranks,
    routing_changes: routing,
  });
}

/** Lines with an empty one below them, if there are any. */
function apart(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [...lines, ""];
}

/** One line where there is one reason, otherwise a line for each below the sum. */
function sentence(source: SourceImpact, how: "refused" | "possibly"): readonly string[] {
  const reasons = source.reasons.filter((reason) => reason[how] > 0);
  const count = source[how];
  const [only] = reasons;
  if (only === undefined || count === 0) return [];
  const from = source.source === "" ? "without a source" : `from ${cut(sanitised(source.source))}`;
  const verb = how === "refused" ? "would be refused" : "might be refused";
  const share =
    source.incidents === 1
      ? "the only recent incident"
      : `${count} of the last ${counted(source.incidents, "incident")}`;
  const head = `${share} ${from} ${verb}`;
  if (reasons.length === 1) return [`${head}: ${wordsOf(only)}`];
  return [`${head}:`, ...reasons.map((reason) => `  ${reason[how]}: ${wordsOf(reason)}`)];
}

function wordsOf({ code, subject }: ReasonCount): string {
  return sanitised(WORDS[code](subject));
}

function rankLines(ranks: readonly RankChange[]): readonly string[] {
  const cells = ranks.map(({ severity, before, after, incidents }) => [
    sanitised(severity),
    String(before ?? "-"),
    String(after ?? "-"),
    String(incidents),
  ]);
  const table = [["severity", "rank before", "rank after", "recent incidents"], ...cells];
  const width = (column: number) => Math.max(...table.map((row) => (row[column] ?? "").length));
  const widths = [0, 1, 2, 3].map(width);
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
