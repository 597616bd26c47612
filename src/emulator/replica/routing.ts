/** Alert sources, their routing rules, and webhooks of a replica, under their live addresses and priorities. */

import { randomBytes } from "node:crypto";
import type { Fields } from "../../core/json.ts";
import { type AlertSourceRow, alertSourceTable } from "../rooms/routing/alert-sources.ts";
import {
  type RoutingRuleRow,
  routingRuleSets,
  routingRuleTable,
  ruleSetOf,
  workspaceScope,
} from "../rooms/routing/routing-rule-sets.ts";
import { type WebhookRow, webhookTable } from "../rooms/webhooks/webhooks.ts";
import { flagOf, idOf, type Loading, numberOf, objectOf, objectsIn, rowsAt, textOf, textsIn } from "./lenient-rows.ts";

const rules = "/routing_rules";

/** Loads sources and the rules of every scope that was read; a scope without rules has no rule set. */
export function loadRouting(loading: Loading): void {
  const { database } = loading.service;
  const sources = rowsAt(loading, "/alert_sources");
  if (sources !== undefined) {
    database.remove(alertSourceTable, {});
    database.insert(alertSourceTable, ...sources.map((row) => sourceRow(loading, row)));
  }
  database.remove(routingRuleTable, {});
  database.remove(routingRuleSets, {});
  loadRules(loading, workspaceScope, rowsAt(loading, rules));
  for (const { id, name } of database.list(alertSourceTable)) {
    loadRules(loading, id, rowsAt(loading, `${rules}?${new URLSearchParams({ source: name })}`));
  }
}

/** Loads the webhooks, if they were read. They never fire: the replica reaches nobody. */
export function loadWebhooks(loading: Loading): void {
  const rows = rowsAt(loading, "/webhooks");
  if (rows === undefined) return;
  const { database } = loading.service;
  database.remove(webhookTable, {});
  database.insert(
    webhookTable,
    ...rows.map((row) => ({
      id: idOf(loading, row, "webhooks"),
      name: textOf(row, "name") ?? "",
      url: textOf(row, "url") ?? "",
      subscribed_events: textsIn(row.subscribed_events) as WebhookRow["subscribed_events"],
      enabled: flagOf(row, true, "enabled"),
      secret: randomBytes(32).toString("hex"),
    })),
  );
}

function sourceRow(loading: Loading, row: Fields): AlertSourceRow {
  return {
    id: idOf(loading, row, "alert sources"),
    name: textOf(row, "name") ?? "",
    provider: (textOf(row, "provider") ?? "generic") as AlertSourceRow["provider"],
    enabled: flagOf(row, true, "enabled"),
    slug: textOf(row, "endpoint_path", "slug") ?? "",
  };
}

function loadRules(loading: Loading, scope: string, rows: readonly Fields[] = []): void {
  if (rows.length === 0) return;
  const { database } = loading.service;
  const rule_set_id = ruleSetOf(database, scope);
  const made = rows.map(
    (row, index): RoutingRuleRow => ({
      id: idOf(loading, row, "routing rules"),
      rule_set_id,
      priority: numberOf(row, "priority", index + 1),
      enabled: flagOf(row, true, "enabled"),
      conditions: objectsIn(row.conditions),
      outcome: objectOf(row.outcome),
    }),
  );
  database.insert(routingRuleTable, ...made);
}
