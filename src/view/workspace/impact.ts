/** The impact report, as text and as JSON. It holds counts and no text of an incident. */

import { programLine, type RunWords, sanitised } from "../../core/sanitise.ts";
import { counted, cut } from "../../core/value-text.ts";
import type { RankChange } from "../../preview/impact/declare-form.ts";
import type { ReasonCode } from "../../preview/impact/refusals.ts";
import type { Impact, ReasonCount, SourceImpact } from "../../preview/impact/replay.ts";
import { columnLines } from "../format/columns.ts";
import { prettyJson } from "../format/json.ts";
import type { ReportStyle } from "../format/style.ts";

/** The result of `impact`. */
export interface ImpactReport {
  /** Number of incidents that `--last` asks for. */
  readonly last: number;
  readonly impact: Impact;
  /** Ranks of every severity, changed or not. */
  readonly ranks: readonly RankChange[];
  /** The plan changes routing rules. */
  readonly routing: boolean;
}

const WORDS: Readonly<Record<ReasonCode, (subject: string) => string>> = {
  required: (field) => `field ${field} is now required`,
  field: (field) => `field ${field} is no longer on the declare form`,
  option: (field) => `field ${field} no longer has the option`,
  option_renamed: (field) => `an option of field ${field} has another label`,
  field_type: (field) => `field ${field} has another type`,
  severity: (severity) => `severity ${severity} is no longer enabled`,
  incident_type: (type) => `incident type ${type} is no longer enabled`,
};

/** The report as text, with a final line feed. */
export function impactText({ impact, ranks, routing }: ImpactReport, { paint }: ReportStyle, words: RunWords): string {
  const { incidents, refused, possibly, already } = impact;
  const lines = impact.sources.flatMap((source) => [
    ...sentence(source, "refused").map((line) => paint("removed", line)),
    ...sentence(source, "possibly").map((line) => paint("changed", line)),
  ]);
  const changed = ranks.some(({ before, after }) => before !== after) ? rankLines(ranks) : [];
  const opening = `Replayed the last ${counted(incidents, "incident")}`;
  const result =
    refused + possibly === 0
      ? "none would be refused because of the plan."
      : `${refused} would be refused because of the plan, and ${possibly} more might be.`;
  const sum = incidents === 0 ? "There are no incidents to replay." : `${opening}: ${result}`;
  return `${[
    ...withGap(lines),
    ...withGap(changed.map((line, at) => (at === 0 ? paint("heading", line) : line))),
    ...(routing
      ? [
          `The plan changes routing rules. To see which alerts change: ${programLine("test --compare", words)} with routing tests, or ${programLine("test --alerts FILE", words)} with recorded alerts`,
          "",
        ]
      : []),
    ...(already > 0 ? [paint("quiet", `Without the plan ${already} would be refused as well.`)] : []),
    sum,
  ].join("\n")}\n`;
}

/** The report as a JSON document. */
export function impactJson({ last, impact, ranks, routing }: ImpactReport): string {
  const { sources, ...totals } = impact;
  return prettyJson({
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

/** The lines, followed by an empty one if there are any. */
function withGap(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [...lines, ""];
}

/** One line if there is one reason, otherwise a line for the sum and one for each reason. */
function sentence(source: SourceImpact, certainty: "refused" | "possibly"): readonly string[] {
  const reasons = source.reasons.filter((reason) => reason[certainty] > 0);
  const count = source[certainty];
  const [only] = reasons;
  if (only === undefined || count === 0) return [];
  const from = source.source === "" ? "without a source" : `from ${cut(sanitised(source.source))}`;
  const verb = certainty === "refused" ? "would be refused" : "might be refused";
  const share =
    source.incidents === 1
      ? "the only recent incident"
      : `${count} of the last ${counted(source.incidents, "incident")}`;
  const head = `${share} ${from} ${verb}`;
  if (reasons.length === 1) return [`${head}: ${wordsOf(only)}`];
  return [`${head}:`, ...reasons.map((reason) => `  ${reason[certainty]}: ${wordsOf(reason)}`)];
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
  return columnLines([["severity", "rank before", "rank after", "recent incidents"], ...cells]);
}
