/** Analyzers of routing rules. */

import { objectsIn } from "../../../core/json.ts";
import { covers, type ParsedCondition, parseConditions } from "../../../kinds/values/rule-conditions.ts";
import { type Analyzer, type Hit, placeOf, relatedPlace } from "../analyzer.ts";
import { isEnabled, type PlannedResource } from "../planned-workspace.ts";

/** A routing rule that never applies. */
export const shadowedRule: Analyzer = {
  id: "A003",
  name: "shadowed-rule",
  severity: "warning",
  title: "A routing rule never applies, because an earlier rule matches every alert that it matches.",
  why: "Only the first matching rule applies. The author of the later rule expects it to page somebody, and it does not.",
  fix: "Move the narrower rule above the broader one, or remove it.",
  *find(workspace) {
    for (const { kind, resources } of workspace.lists) {
      if (kind !== "routing_rules") continue;
      const above: { readonly rule: PlannedResource; readonly conditions: readonly ParsedCondition[] }[] = [];
      for (const rule of resources.filter(isActiveRule)) {
        // Without what is not known the rule matches more, so what covers that covers the rule; itself it may match less than it seems to.
        const known = objectsIn(rule.fields.conditions).filter((_, index) => !rule.hasUnknown(`/conditions/${index}`));
        const conditions = parseConditions(known);
        const first = above.find((earlier) => covers(earlier.conditions, conditions));
        // A shadowed rule shadows nothing that the rule above it does not.
        if (first !== undefined) yield toHit(rule, first.rule, first.conditions.length === 0);
        else if (!rule.hasUnknown("/conditions")) above.push({ rule, conditions });
      }
    }
  },
};

function toHit(rule: PlannedResource, first: PlannedResource, all: boolean): Hit {
  const alerts = all ? "every alert" : "every alert that this rule matches";
  return {
    message: `the rule ${ruleName(rule)} never applies: ${ruleName(first)} above it matches ${alerts}`,
    ...placeOf(rule),
    ...relatedPlace(first, "the rule that applies instead"),
  };
}

/** Alerts of a source that no rule matches. */
export const sourceWithoutCatchAll: Analyzer = {
  id: "A004",
  name: "source-without-catch-all",
  severity: "warning",
  title: "An alert source has its own rules, and none of them matches every alert.",
  why: "A source with its own rules never falls back to the workspace rules, so an alert that none of them matches is dropped silently.",
  fix: "Add a rule without conditions at the end of the list, such as notify_only to the triage channel.",
  *find(workspace) {
    for (const { kind, scope, resources } of workspace.lists) {
      if (kind !== "routing_rules" || scope === "") continue;
      const source = workspace.resource("alert_sources", scope);
      if (source !== undefined && !isEnabled(source)) continue;
      if (resources.some((rule) => isActiveRule(rule) && objectsIn(rule.fields.conditions).length === 0)) continue;
      const address = `routing_rules/${scope}`;
      const place = { address, at: workspace.listAt(kind, scope) };
      if (resources.length > 0) {
        yield { message: `${address}: alerts of the source that none of its rules matches are dropped`, ...place };
      } else if (!workspace.isRead(kind, scope)) {
        yield {
          message: `${address}: if the source has had its own rules before, all its alerts are dropped`,
          ...place,
          severity: "note",
        };
      } else if (workspace.live(kind, scope)?.length !== 0) {
        yield {
          message: `${address}: the source loses its rules; if the service does not fall back to the workspace rules, all its alerts are dropped`,
          ...place,
        };
      }
    }
  },
};

/** Whether the service evaluates the rule. */
function isActiveRule(rule: PlannedResource): boolean {
  return isEnabled(rule) && rule.fields.enabled !== false;
}

/** The name of the rule in quotes, or else its address. */
function ruleName({ address, fields }: PlannedResource): string {
  return typeof fields.name === "string" ? `"${fields.name}"` : address;
}
