/** Recorded alerts before and after a plan: the sentences that reports share, and the section of a plan. */

import { sanitised } from "../../core/sanitise.ts";
import { joinWords } from "../../core/suggest.ts";
import { counted, cut, thousands } from "../../core/value-text.ts";
import { describeDestination } from "../../kinds/routing/expectation.ts";
import type { Plan } from "../../plan/model/plan.ts";
import type { AlertChange, AlertRoute, RecordedAlerts } from "../../plan/model/recorded-alerts.ts";
import type { PlaceSection } from "./left-alone.ts";

/** How alerts change, in a few words. */
export const EFFECTS: Readonly<Record<AlertChange["effect"], string>> = {
  changed: "another outcome",
  rerouted: "the same outcome from another rule",
  undecided: "undecided",
};

/** The section of a plan: the number of alerts that change, and their rules. */
export function recordedSections({ recorded_alerts: recorded }: Plan): readonly PlaceSection[] {
  if (recorded === undefined) return [];
  const changes = recorded.changes.map(({ effect, before, after, alerts }) => ({
    where: [counted(alerts, "alert")],
    note: `${EFFECTS[effect]}: ${cut(routeText(before))} → ${cut(routeText(after))}`,
  }));
  const notes = recorded.notes.map((note) => ({ where: ["note"], note: sanitised(note) }));
  const all = { where: [counted(recorded.alerts, "alert")], note: resultOf(recorded) };
  return [{ title: `Recorded alerts of ${sanitised(recorded.file)}`, items: [all, ...changes, ...notes] }];
}

/** How many alerts change, as one sentence. */
export function recordedSentence(recorded: RecordedAlerts): string {
  return `${counted(recorded.alerts, "recorded alert")} of ${sanitised(recorded.file)}: ${resultOf(recorded)}.`;
}

function resultOf({ changed, rerouted, undecided, before }: RecordedAlerts): string {
  if (before === undefined) return "there is nothing to compare with";
  const parts = [
    ...(changed === 0 ? [] : [`${thousands(changed)} ${changed === 1 ? "gets" : "get"} ${EFFECTS.changed}`]),
    ...(rerouted === 0 ? [] : [`${thousands(rerouted)} ${rerouted === 1 ? "gets" : "get"} ${EFFECTS.rerouted}`]),
    ...(undecided === 0 ? [] : [`${thousands(undecided)} may change (undecided offline)`]),
  ];
  return parts.length === 0 ? "none changes" : joinWords(parts);
}

/** The rules that the alerts were replayed through. */
export function comparisonSentence({ before }: RecordedAlerts): string {
  if (before === undefined) {
    return "Only the rules of the files: no service and no base is given. To compare, use --url, --emulator or --base.";
  }
  const name = sanitised(before.name);
  return before.from === "workspace"
    ? `Before: the live rules of ${name}. After: the plan.`
    : `Before: the files of the base, ${name}. After: the files. No service was read.`;
}

/** Where alerts go, in a few words. */
export function routeText({ result, scope, place, rule, outcome = {}, why = "" }: AlertRoute): string {
  if (result === "no_rule") return "no rule matches";
  if (result === "lost") return "lost: no enabled alert source takes it";
  if (result === "undecided") return sanitised(`undecided: ${why}`);
  const known = { scope: scope ?? "", place, label: rule ?? undefined, outcome, shownOutcome: outcome };
  return sanitised(describeDestination({ rule: known }));
}
