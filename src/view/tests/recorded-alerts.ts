/** Recorded alerts before and after: a report of its own, as text and as JSON. */

import type { RecordedAlert } from "../../config/resources/recorded-alerts.ts";
import { sanitised } from "../../core/sanitise.ts";
import { counted, cut, thousands, valueText } from "../../core/value-text.ts";
import type { Replay, ReplayedChange } from "../../preview/recorded-alerts/replay.ts";
import { columnLines } from "../format/columns.ts";
import { prettyJson } from "../format/json.ts";
import type { ReportStyle } from "../format/style.ts";
import { comparisonSentence, EFFECTS, recordedSentence, routeText } from "../plan/recorded-view.ts";

/** Changes to show, and ranges of lines of each, in a report that is not verbose. */
const MAX_CHANGES = 20;
const MAX_RANGES = 20;

/** The report as text, with a final line feed. */
export function replayText(replay: Replay, { paint, verbose }: ReportStyle): string {
  const { before, outcomes, changes, notes } = replay;
  const visible = verbose ? changes : changes.slice(0, MAX_CHANGES);
  const more = changes.length - visible.length;
  const cells = outcomes.map(({ outcome, before: was, after }) => [
    sanitised(outcome),
    ...(was === undefined ? [] : [thousands(was)]),
    thousands(after),
  ]);
  const [head = "", ...table] = columnLines([
    ["outcome", ...(before === undefined ? [] : ["before"]), "after"],
    ...cells,
  ]);
  return `${[
    comparisonSentence(replay),
    "",
    paint("heading", head),
    ...table,
    "",
    ...visible.flatMap((change) => [...changeLines(change, verbose, paint), ""]),
    ...(more === 0 ? [] : [`… and ${counted(more, "more change")} of rules; --verbose shows all`, ""]),
    ...notes.map((note) => paint("changed", `note: ${sanitised(note)}`)),
    recordedSentence(replay),
  ].join("\n")}\n`;
}

function changeLines(change: ReplayedChange, verbose: boolean, paint: ReportStyle["paint"]): readonly string[] {
  const { effect, before, after, alerts, lines, examples } = change;
  const ranges = rangesOf(lines);
  const visible = verbose ? ranges : ranges.slice(0, MAX_RANGES);
  const rest = ranges.length - visible.length;
  return [
    paint(effect === "changed" ? "changed" : "quiet", `${counted(alerts, "alert")}: ${EFFECTS[effect]}`),
    `    ${cut(routeText(before))}`,
    ` →  ${cut(routeText(after))}`,
    `    ${lines.length === 1 ? "line" : "lines"} ${visible.join(", ")}${rest === 0 ? "" : `, … (--verbose shows all)`}`,
    ...examples.map((alert) => paint("quiet", `      ${cut(alertText(alert))}`)),
  ];
}

function alertText({ line, source, fields }: RecordedAlert): string {
  return `line ${line}${source === undefined ? "" : ` ${sanitised(source)}`} ${valueText(fields)}`;
}

/** Lines with neighbours as one: `3`, `5-9`. */
function rangesOf(lines: readonly number[]): readonly string[] {
  const ranges: [number, number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`));
}

/** The report as a JSON document: `recorded_alerts` of a plan, with the lines of the alerts that change. */
export function replayJson(replay: Replay): string {
  return prettyJson({ format_version: 1, mode: "alerts", recorded_alerts: replay });
}
