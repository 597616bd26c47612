/** Recorded alerts before and after: the sentences that reports share, and a report of its own as text and JSON. */

import type { RecordedAlert } from "../../config/resources/recorded-alerts.ts";
import { isFields } from "../../core/json.ts";
import { sanitised } from "../../core/sanitise.ts";
import { joinWords } from "../../core/suggest.ts";
import { counted, cut, thousands, valueText } from "../../core/value-text.ts";
import { describeDestination } from "../../kinds/routing/expectation.ts";
import type { AlertRoute, RecordedAlerts } from "../../plan/model/recorded-alerts.ts";
import type { Replay, ReplayedChange } from "../../preview/recorded-alerts/replay.ts";
import { columnLines } from "../format/columns.ts";
import { prettyJson } from "../format/json.ts";
import type { ReportStyle } from "../format/style.ts";

/** Changes to show, and ranges of lines of each, in a report that is not verbose. */
const MAX_CHANGES = 20;
const MAX_RANGES = 20;

/** How many alerts change, as one sentence. */
function recordedSentence(recorded: RecordedAlerts): string {
  const { alerts, changed, rerouted, undecided, before } = recorded;
  const all = `${counted(alerts, "recorded alert")} of ${sanitised(recorded.file)}`;
  if (before === null) return `${all}: there is nothing to compare with.`;
  const parts = [
    ...(changed === 0 ? [] : [`${thousands(changed)} ${changed === 1 ? "gets" : "get"} another outcome`]),
    ...(rerouted === 0 ? [] : [`${thousands(rerouted)} the same outcome from another rule`]),
    ...(undecided === 0 ? [] : [`${thousands(undecided)} may change (undecided offline)`]),
  ];
  return `${all}: ${parts.length === 0 ? "none changes" : joinWords(parts)}.`;
}

/** The rules that the alerts were replayed through. */
function comparisonSentence({ before }: RecordedAlerts): string {
  if (before === null) {
    return "Only the rules of the files: no service and no base is given. To compare, use --url, --emulator or --base.";
  }
  const name = sanitised(before.name);
  return before.from === "workspace"
    ? `Before: the live rules of ${name}. After: the plan.`
    : `Before: the files of the base, ${name}. After: the files. No service was read.`;
}

/** Where alerts go, in a few words. */
function routeText({ result, scope, place, rule, outcome, why = "" }: AlertRoute): string {
  if (result === "no_rule") return "no rule matches";
  if (result === "lost") return "lost: no enabled alert source takes it";
  if (result === "undecided") return sanitised(`undecided: ${why}`);
  const shownOutcome = isFields(outcome) ? outcome : {};
  const known = { scope: scope ?? "", place, label: rule ?? undefined, outcome: shownOutcome, shownOutcome };
  return sanitised(describeDestination({ rule: known }));
}

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
  const [head = "", ...table] = columnLines([["outcome", ...(before === null ? [] : ["before"]), "after"], ...cells]);
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
  const title = { changed: "another outcome", rerouted: "the same outcome from another rule", undecided: "undecided" }[
    effect
  ];
  const ranges = rangesOf(lines);
  const visible = verbose ? ranges : ranges.slice(0, MAX_RANGES);
  const rest = ranges.length - visible.length;
  return [
    paint(effect === "changed" ? "changed" : "quiet", `${counted(alerts, "alert")}: ${title}`),
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
