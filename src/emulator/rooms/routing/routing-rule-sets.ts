/** Routing rule sets: the tables of rules by scope, and which set is in force for a source. */

import { randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import type { Database } from "../../store/database.ts";
import { boolean, integer, json, key, type Table, table, text, uniqueText } from "../../store/table.ts";

/** The rule set of one scope. */
export interface RoutingRuleSetRow {
  readonly id: string;
  /** The id of the alert source, "" for the workspace. */
  readonly scope: string;
}

/** One rule. */
export interface RoutingRuleRow {
  readonly id: string;
  readonly rule_set_id: string;
  /** Unique within the set; given once, never changed. */
  readonly priority: number;
  readonly enabled: boolean;
  /** `{field, operator, value}` each; all have to hold. */
  readonly conditions: readonly Fields[];
  readonly outcome: Fields;
}

/** The rule sets, one per scope that has one. */
export const routingRuleSets: Table<RoutingRuleSetRow> = table("routing_rule_sets", { id: key, scope: uniqueText });

/** The rules of all sets. */
export const routingRuleTable: Table<RoutingRuleRow> = table(
  "routing_rules",
  { id: key, rule_set_id: text, priority: integer, enabled: boolean, conditions: json(), outcome: json() },
  "UNIQUE (rule_set_id, priority)",
);

/** The scope of the rules that every source without its own rule set falls back to. */
export const workspaceScope = "";

/** The rules of a scope's own set, by priority; undefined when it has no set. */
export function ownRules(database: Database, scope: string): readonly RoutingRuleRow[] | undefined {
  const set = database.find(routingRuleSets, { scope });
  return set && database.list(routingRuleTable, { rule_set_id: set.id }, { order: "priority" });
}

/**
 * The rules in force for an alert source (its id; the workspace's rules when undefined), by priority, disabled ones
 * included: its own set, even an empty one, or else the workspace's. Undefined when there is neither.
 */
export function effectiveRules(
  database: Database,
  sourceId: string | undefined,
): readonly RoutingRuleRow[] | undefined {
  const own = sourceId === undefined ? undefined : ownRules(database, sourceId);
  return own ?? ownRules(database, workspaceScope);
}

/** The id of the scope's rule set, which is made when there is none. */
export function ruleSetOf(database: Database, scope: string): string {
  const found = database.find(routingRuleSets, { scope });
  if (found !== undefined) return found.id;
  const id = randomUUID();
  database.insert(routingRuleSets, { id, scope });
  return id;
}

/** Removes the scope's rule set with all of its rules; a source falls back to the workspace rules again. */
export function removeRuleSet(database: Database, scope: string): void {
  const set = database.find(routingRuleSets, { scope });
  if (set === undefined) return;
  database.remove(routingRuleTable, { rule_set_id: set.id });
  database.remove(routingRuleSets, { id: set.id });
}
