/** A003: a routing rule that can never decide. */

import type { Analyzer, Hit } from "../analyzer.ts";
import { about, beside } from "../reading.ts";
import type { Subject, View } from "../view.ts";
import { isDeciding, ruleName } from "./deciding.ts";
import { type Condition, conditionsOf, covers } from "./implication.ts";

export const shadowedRule: Analyzer = {
  id: "A003",
  name: "shadowed-rule",
  severity: "warning",
  title: "A routing rule never decides, because an earlier one matches everything that it matches.",
  why: "The first rule that matches decides. Whoever wrote the later rule believes that it pages somebody, and at night it does not.",
  fix: "Move the narrower rule above the broader one, or remove it.",
  find,
};

function* find(view: View): Iterable<Hit> {
  for (const { kind, subjects } of view.lists) {
    if (kind !== "routing_rules") continue;
    const above: { readonly rule: Subject; readonly conditions: readonly Condition[] }[] = [];
    for (const rule of subjects.filter(isDeciding)) {
      const conditions = conditionsOf(rule.fields.conditions);
      const first = above.find((earlier) => covers(earlier.conditions, conditions));
      // What a rule without effect would match, the one that takes its place matches.
      if (first === undefined) above.push({ rule, conditions });
      else yield hit(rule, first.rule, first.conditions.length === 0);
    }
  }
}

function hit(rule: Subject, first: Subject, all: boolean): Hit {
  const how = all ? "matches every alert" : "matches every alert that this one does";
  return {
    message: `the rule ${ruleName(rule)} never decides: ${ruleName(first)} stands above it and ${how}`,
    ...about(rule),
    ...beside(first, "the rule that decides instead"),
  };
}
