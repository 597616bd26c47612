/** A003: a routing rule that never applies. */

import { covers, type ParsedCondition, parseConditions } from "../../../kinds/values/rule-conditions.ts";
import type { Analyzer, Hit } from "../analyzer.ts";
import { placeOf, relatedPlace } from "../field-values.ts";
import type { PlannedResource, PlannedWorkspace } from "../planned-workspace.ts";
import { isActiveRule, ruleName } from "./active-rule.ts";

export const shadowedRule: Analyzer = {
  id: "A003",
  name: "shadowed-rule",
  severity: "warning",
  title: "A routing rule never applies, because an earlier rule matches every alert that it matches.",
  why: "Only the first matching rule applies. The author of the later rule expects it to page somebody, and it does not.",
  fix: "Move the narrower rule above the broader one, or remove it.",
  find,
};

function* find(workspace: PlannedWorkspace): Iterable<Hit> {
  for (const { kind, resources } of workspace.lists) {
    if (kind !== "routing_rules") continue;
    const above: { readonly rule: PlannedResource; readonly conditions: readonly ParsedCondition[] }[] = [];
    for (const rule of resources.filter(isActiveRule)) {
      const conditions = parseConditions(rule.fields.conditions);
      const first = above.find((earlier) => covers(earlier.conditions, conditions));
      // A shadowed rule shadows nothing that the rule above it does not.
      if (first === undefined) above.push({ rule, conditions });
      else yield toHit(rule, first.rule, first.conditions.length === 0);
    }
  }
}

function toHit(rule: PlannedResource, first: PlannedResource, all: boolean): Hit {
  const alerts = all ? "every alert" : "every alert that this rule matches";
  return {
    message: `the rule ${ruleName(rule)} never applies: ${ruleName(first)} above it matches ${alerts}`,
    ...placeOf(rule),
    ...relatedPlace(first, "the rule that applies instead"),
  };
}
