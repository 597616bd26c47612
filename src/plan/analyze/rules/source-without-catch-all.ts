/** A004: alerts of a source that no rule matches. */

import { objectsIn } from "../../../core/json.ts";
import type { Analyzer, Hit } from "../analyzer.ts";
import { isEnabled, type PlannedWorkspace } from "../planned-workspace.ts";
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

function* find(workspace: PlannedWorkspace): Iterable<Hit> {
  for (const { kind, scope, resources } of workspace.lists) {
    if (kind !== "routing_rules" || scope === "") continue;
    const source = workspace.resource("alert_sources", scope);
    if (source !== undefined && !isEnabled(source)) continue;
    if (resources.some((rule) => isActiveRule(rule) && objectsIn(rule.fields.conditions).length === 0)) continue;
    const place = { address: `routing_rules/${scope}`, at: workspace.listAt(kind, scope) };
    if (resources.length > 0) {
      yield { message: `alerts from "${scope}" that none of its rules matches are dropped`, ...place };
    } else if (!workspace.isRead(kind, scope)) {
      yield {
        message: `if "${scope}" has had its own rules before, all its alerts are dropped`,
        ...place,
        severity: "note",
      };
    } else if (workspace.hasLive(kind, scope)) {
      yield {
        message: `"${scope}" loses its rules; if the service does not fall back to the workspace rules, all its alerts are dropped`,
        ...place,
      };
    }
  }
}
