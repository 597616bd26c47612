/** What routing analyzers have in common: which rules take part, and what people call a rule. */

import { isEnabled, type Subject } from "../view.ts";

/** Whether the service looks at the rule at all. */
export function isDeciding(rule: Subject): boolean {
  return isEnabled(rule) && rule.fields.enabled !== false;
}

/** The rule's label in quotes, or else its address. */
export function ruleName({ address, fields }: Subject): string {
  return typeof fields.name === "string" ? `"${fields.name}"` : address;
}
