/** Routing rule sets: one for each scope, and the choice of the one in force for a source. */

import { randomUUID } from "node:crypto";
import type { Database } from "../../store/database.ts";
import { boolean, integer, json, key, type Table, table, text, uniqueText } from "../../store/table.ts";
import type { StoredCondition } from "./routing-conditions.ts";
import type { RoutingOutcome } from "./routing-outcome.ts";

/** The rule set of one scope. */
export interface RoutingRuleSetRow {
  readonly id: string;
  /** The id of the alert source; "" for the workspace. */
  readonly scope: string;
}

/** One rule. */
export interface RoutingRuleRow {
  readonly id: string;
  readonly rule_set_id: string;
  /** Unique within the set, and never changed. */
  readonly priority: number;
  readonly enabled: boolean;
  /** All must match. */
  readonly conditions: readonly StoredCondition[];
  readonly outcome: RoutingOutcome;
}

/** The rule sets, at most one for each scope. */
export const routingRuleSets: Table<RoutingRuleSetRow> = table("routing_rule_sets", { id: key, scope: uniqueText });

/** The rules of all sets. */
export const routingRuleTable: Table<RoutingRuleRow> = table(
  "routing_rules",
  { id: key, rule_set_id: text, priority: integer, enabled: boolean, conditions: json(), outcome: json() },
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
