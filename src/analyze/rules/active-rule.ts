/** Routing rules that take part in routing, and their names in messages. */

import { isEnabled, type Subject } from "../view.ts";

/** Whether the service evaluates the rule. */
export function isActiveRule(rule: Subject): boolean {
  return isEnabled(rule) && rule.fields.enabled !== false;
}

/** The name of the rule in quotes, or else its address. */
export function ruleName({ address, fields }: Subject): string {
  return typeof fields.name === "string" ? `"${fields.name}"` : address;
}
