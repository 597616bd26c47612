/** A004: alerts of a source that no rule will ever see. */

import type { Analyzer, Hit } from "../analyzer.ts";
import { rowsOf } from "../reading.ts";
import { isEnabled, type View } from "../view.ts";
import { isDeciding } from "./deciding.ts";

export const sourceWithoutCatchAll: Analyzer = {
  id: "A004",
  name: "source-without-catch-all",
  severity: "warning",
  title: "An alert source has rules of its own, and none of them matches everything.",
  why: "A source with rules of its own never falls back to the workspace rules, so an alert that none of them matches is dropped without a word to anybody.",
  fix: "End the source's list with a rule without conditions, such as notify_only to the triage channel.",
  find,
};

function* find(view: View): Iterable<Hit> {
  for (const { kind, scope, subjects } of view.lists) {
    if (kind !== "routing_rules" || scope === "") continue;
    const source = view.subject("alert_sources", scope);
    if (source !== undefined && !isEnabled(source)) continue;
    if (subjects.some((rule) => isDeciding(rule) && rowsOf(rule.fields.conditions).length === 0)) continue;
    const place = { address: `routing_rules/${scope}`, at: view.listAt(kind, scope) };
    if (subjects.length > 0) {
      yield { message: `an alert from "${scope}" that none of its rules matches is dropped`, ...place };
    } else if (!view.sees(kind, scope)) {
      yield {
        message: `if ${scope} ever had rules of its own, all its alerts are dropped`,
        ...place,
        severity: "note",
      };
    } else if (view.hasLive(kind, scope)) {
      yield {
        message: `${scope} loses its rules: where the service does not fall back to the workspace rules, all its alerts are dropped`,
        ...place,
      };
    }
  }
}
