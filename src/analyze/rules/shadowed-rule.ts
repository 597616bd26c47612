/** A003: a routing rule that can never decide. */

import type { Analyzer, Hit } from "../analyzer.ts";
import { about, beside, rowsOf } from "../reading.ts";
import type { View } from "../view.ts";
import { isDeciding, ruleName } from "./deciding.ts";
import { covers } from "./implication.ts";

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
    const rules = subjects.filter(isDeciding);
    for (const [index, rule] of rules.entries()) {
      const first = rules.slice(0, index).find((earlier) => covers(earlier.fields.conditions, rule.fields.conditions));
      if (first === undefined) continue;
      const how =
        rowsOf(first.fields.conditions).length === 0 ? "matches every alert" : "matches every alert that this one does";
      yield {
        message: `the rule ${ruleName(rule)} never decides: ${ruleName(first)} stands above it and ${how}`,
        ...about(rule),
        ...beside(first, "the rule that decides instead"),
      };
    }
  }
}
