/** Alert sources, and routing rules of a replica, with their live addresses and priorities. */

import { type Fields, fieldsIn, objectsIn } from "../../core/json.ts";
import { type AlertSourceRow, alertSourceTable } from "../modules/routing/alert-sources.ts";
import {
  type RoutingRuleRow,
  routingRuleSets,
  routingRuleTable,
  ruleSetOf,
  workspaceScope,
} from "../modules/routing/routing-rule-sets.ts";
import { flagOf, idOf, numberOf, type ReplicaLoad, rowsAt, textOf } from "../service/live-rows.ts";

const rules = "/routing_rules";

/** Loads sources, and the rules of every scope that was read. A scope without rules has no rule set. */
export function loadRouting(load: ReplicaLoad): void {
  const { database } = load.service;
  const sources = rowsAt(load, "/alert_sources");
  if (sources !== undefined) {
    database.remove(alertSourceTable, {});
    database.insert(alertSourceTable, ...sources.map((row) => sourceRow(load, row)));
  }
  database.remove(routingRuleTable, {});
  database.remove(routingRuleSets, {});
  loadRules(load, workspaceScope, rowsAt(load, rules));
  for (const { id, name } of database.list(alertSourceTable)) {
    loadRules(load, id, rowsAt(load, `${rules}?${new URLSearchParams({ source: name })}`));
  }
}

function sourceRow(load: ReplicaLoad, row: Fields): AlertSourceRow {
  return {
    id: idOf(load, row, "alert sources"),
    name: textOf(row, "name") ?? "",
    provider: (textOf(row, "provider") ?? "generic") as AlertSourceRow["provider"],
    enabled: flagOf(row, true, "enabled"),
    slug: textOf(row, "endpoint_path", "slug") ?? "",
  };
}

function loadRules(load: ReplicaLoad, scope: string, rows: readonly Fields[] = []): void {
  if (rows.length === 0) return;
  const { database } = load.service;
  const rule_set_id = ruleSetOf(database, scope);
  const rowsWithTypes = rows.map(
    (row, index): RoutingRuleRow => ({
      id: idOf(load, row, "routing rules"),
      rule_set_id,
      priority: numberOf(row, "priority", index + 1),
      enabled: flagOf(row, true, "enabled"),
      conditions: objectsIn(row.conditions) as unknown as RoutingRuleRow["conditions"],
      outcome: fieldsIn(row.outcome) as unknown as RoutingRuleRow["outcome"],
    }),
  );
  database.insert(routingRuleTable, ...rowsWithTypes);
}
