/** Routing rules that take part in routing, and their names in messages. */

import { isEnabled, type PlannedResource } from "../planned-workspace.ts";

/** Whether the service evaluates the rule. */
export function isActiveRule(rule: PlannedResource): boolean {
  return isEnabled(rule) && rule.fields.enabled !== false;
}

/** The name of the rule in quotes, or else its address. */
export function ruleName({ address, fields }: PlannedResource): string {
  return typeof fields.name === "string" ? `"${fields.name}"` : address;
}
