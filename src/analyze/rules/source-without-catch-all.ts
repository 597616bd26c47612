/** A004: alerts of a source that no rule matches. */

import type { Analyzer, Hit } from "../analyzer.ts";
import { objectsIn } from "../field-values.ts";
import { isEnabled, type View } from "../view.ts";
import { isActiveRule } from "./active-rule.ts";

export const sourceWithoutCatchAll: Analyzer = {
  id: "A004",
  name: "source-without-catch-all",
  severity: "warning",
  title: "An alert source has its own rules, and none of them matches every alert.",
  why: "A source with its own rules never falls back to the workspace rules, so an alert that none of them matches is dropped silently.",
  fix: "Add a rule without conditions at the end of the list, such as notify_only to the triage channel.",
  find,
};

function* find(view: View): Iterable<Hit> {
  for (const { kind, scope, subjects } of view.lists) {
    if (kind !== "routing_rules" || scope === "") continue;
    const source = view.subject("alert_sources", scope);
    if (source !== undefined && !isEnabled(source)) continue;
    if (subjects.some((rule) => isActiveRule(rule) && objectsIn(rule.fields.conditions).length === 0)) continue;
    const place = { address: `routing_rules/${scope}`, at: view.listAt(kind, scope) };
    if (subjects.length > 0) {
      yield { message: `alerts from "${scope}" that none of its rules matches are dropped`, ...place };
    } else if (!view.sees(kind, scope)) {
      yield {
        message: `if "${scope}" has had its own rules before, all its alerts are dropped`,
        ...place,
        severity: "note",
      };
    } else if (view.hasLive(kind, scope)) {
      yield {
        message: `"${scope}" loses its rules; if the service does not fall back to the workspace rules, all its alerts are dropped`,
        ...place,
      };
    }
  }
}
