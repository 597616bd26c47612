/** Routing rule sets: one for each scope, and the choice of the one in force for a source. */

import { randomUUID } from "node:crypto";
import type { RowOf } from "../../resource/field.ts";
import { tableOf } from "../../resource/schemas.ts";
import type { Database } from "../../store/database.ts";
import type { Table } from "../../store/table.ts";
import { routingConditionSchema, routingConditionsSchema } from "./routing-conditions.ts";
import { outcomeSchema } from "./routing-outcome.ts";

/** The scope of a request. */
export const scopeSource = {
  type: ["string", "null"],
  description: "The name of an alert source, in the query or in the body; left out, the workspace's rules are meant.",
} as const;

export const routingRuleFields = {
  id: { value: { type: "string", format: "uuid" } },
  rule_set_id: { value: { type: "string" }, hidden: true },
  // Unique within the set.
  priority: {
    value: { type: "integer", minimum: 1, description: "The place within its scope, which never changes." },
  },
  source: { input: scopeSource as typeof scopeSource, sentIn: "all" },
  enabled: { value: { type: "boolean" }, input: "false skips the rule.", initial: true },
  conditions: {
    value: { type: "array", items: routingConditionSchema as typeof routingConditionSchema },
    input: routingConditionsSchema as typeof routingConditionsSchema,
  },
  outcome: {
    value: outcomeSchema as typeof outcomeSchema,
    input: outcomeSchema as typeof outcomeSchema,
    required: true,
    reading: "none",
  },
} as const;

export type RoutingRuleRow = RowOf<typeof routingRuleFields>;

const ruleSetFields = {
  id: { value: { type: "string" } },
  // The id of the alert source; "" for the workspace.
  scope: { value: { type: "string" }, unique: true },
} as const;

/** The rule sets, at most one for each scope. */
export const routingRuleSets: Table<RowOf<typeof ruleSetFields>> = tableOf("routing_rule_sets", ruleSetFields);

/** The rules of all sets. */
export const routingRuleTable: Table<RoutingRuleRow> = tableOf(
  "routing_rules",
  routingRuleFields,
  "UNIQUE (rule_set_id, priority)",
);

/** The scope of the workspace's rules, which apply to every source without its own rule set. */
export const workspaceScope = "";

/** The rules of a scope's own set, by priority; undefined if it has none. */
export function ownRules(database: Database, scope: string): readonly RoutingRuleRow[] | undefined {
  const set = database.find(routingRuleSets, { scope });
  return set && database.list(routingRuleTable, { rule_set_id: set.id }, { order: "priority" });
}

/**
 * The rules in force for an alert source, by priority, with disabled ones: the source's own set, even if empty, or else
 * the workspace's. Undefined if there is neither.
 */
export function effectiveRules(
  database: Database,
  sourceId: string | undefined,
): readonly RoutingRuleRow[] | undefined {
  const own = sourceId === undefined ? undefined : ownRules(database, sourceId);
  return own ?? ownRules(database, workspaceScope);
}

/** The id of the scope's rule set, which is created if absent. */
export function ruleSetOf(database: Database, scope: string): string {
  const existing = database.find(routingRuleSets, { scope });
  if (existing !== undefined) return existing.id;
  const id = randomUUID();
  database.insert(routingRuleSets, { id, scope });
  return id;
}

/** Removes the scope's rule set and its rules, so that a source uses the workspace's rules again. */
export function removeRuleSet(database: Database, scope: string): void {
  const set = database.find(routingRuleSets, { scope });
  if (set === undefined) return;
  database.remove(routingRuleTable, { rule_set_id: set.id });
  database.remove(routingRuleSets, { id: set.id });
}
