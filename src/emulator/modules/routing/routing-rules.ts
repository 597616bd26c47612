/** Alert routing rules: a rule set for the workspace, and one for each source with rules of its own (rule 6). */

import { type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import { requireFound } from "../../http/http-error.ts";
import type { ResourceRequest } from "../../resource/definition.ts";
import { liveRow } from "../../resource/live-row.ts";
import { resourceModule } from "../../resource/resource.ts";
import { numberOf, type ReplicaLoad, rowsAt } from "../../service/live-rows.ts";
import type { ServiceModule } from "../../service/module.ts";
import { rowCounter } from "../../store/references.ts";
import { alertSourceTable, findAlertSource } from "./alert-sources.ts";
import type { StoredCondition } from "./routing-conditions.ts";
import type { RoutingOutcome } from "./routing-outcome.ts";
import {
  ownRules,
  removeRuleSet,
  routingRuleFields,
  routingRuleSets,
  routingRuleTable,
  ruleSetOf,
  scopeSource,
  workspaceScope,
} from "./routing-rule-sets.ts";

const rulesOfSeverity = "routing_rules WHERE json_extract(outcome, '$.severity_id') = ?";
const rulesOfEntry = `routing_rules
  WHERE EXISTS (SELECT 1 FROM json_tree(outcome) AS node WHERE node.key = 'entry_id' AND node.atom = ?)`;

type RuleRequest = ResourceRequest<typeof routingRuleFields>;

/** The module of /api/v1/routing_rules. */
export const routingRules: ServiceModule = {
  ...resourceModule({
    title: "RoutingRule",
    path: "routing_rules",
    ability: "policies",
    fields: routingRuleFields,
    table: routingRuleTable,
    address: "priority",
    order: "rule_set_id, priority",
    scopeQuery: { source: { ...scopeSource, type: "string" } },
    summaries: {
      list: "Lists a scope's own rules by priority; inherited ones are not shown.",
      create: "Appends a rule at the end; the first of a source gives it its own rule set.",
      update: "Changes the rule of this priority in its scope.",
      delete: "Deletes a rule; the others keep their priorities.",
    },
    errors: { list: [404], create: [404] },
    rows: (request) => ownRules(request.database, readScope(request)) ?? [],
    find(request) {
      const rules = ownRules(request.database, readScope(request)) ?? [];
      return requireFound(rules.find(({ priority }) => String(priority) === request.param("priority")));
    },
    read: { conditions: (conditions) => conditions.map(inDatabaseOrder) },
    complete(request) {
      const { database } = request;
      const rule_set_id = ruleSetOf(database, readScope(request));
      const sql = "SELECT MAX(priority) FROM routing_rules WHERE rule_set_id = ?";
      return { rule_set_id, priority: database.scalar(sql, [rule_set_id]) + 1 };
    },
    check({ body: { outcome } }, row) {
      return outcome === undefined ? row : { ...row, outcome: inDatabaseOrder(outcome) };
    },
    afterRemove({ database, dialects }, { rule_set_id }) {
      const scope = database.find(routingRuleSets, { id: rule_set_id })?.scope ?? workspaceScope;
      if (scope === workspaceScope || dialects.fallback === "sticky") return;
      if (database.count(routingRuleTable, { rule_set_id }) === 0) removeRuleSet(database, scope);
    },
  }),
  tables: [routingRuleSets, routingRuleTable],
  referenceCounters: [
    rowCounter("severities", "routing rule", rulesOfSeverity, false),
    rowCounter("catalog/entries", "routing rule", rulesOfEntry, false),
  ],
  loadReplica,
};

/** A request that can name a scope. */
type ScopeRequest = Pick<RuleRequest, "database" | "query" | "body">;

/** The scope that the query or the body names; the workspace's by default. Throws 404 for an unknown source. */
function readScope({ database, query, body }: ScopeRequest): string {
  const name = query.get("source") || (body.source ?? "");
  return name.trim() === "" ? workspaceScope : findAlertSource(database, name).id;
}

/** The value in the key order of the service's database. */
function inDatabaseOrder<Value extends StoredCondition | RoutingOutcome>(value: Value): Value {
  // Only the order changes.
  return sortedFields(value as Fields) as Value;
}

/** The object with its keys by length, then in alphabetical order. */
function sortedFields(fields: Fields): Fields {
  const names = Object.keys(fields).sort((left, right) => left.length - right.length || (left < right ? -1 : 1));
  return Object.fromEntries(names.map((name) => [name, sortedValue(fields[name] ?? null)]));
}

function sortedValue(value: Json): Json {
  if (isList(value)) return value.map(sortedValue);
  return isFields(value) ? sortedFields(value) : value;
}

/** Loads the rules of every scope that was read. A scope without rules has no rule set. */
function loadReplica(load: ReplicaLoad): void {
  const { database } = load.service;
  database.remove(routingRuleTable, {});
  database.remove(routingRuleSets, {});
  loadRules(load, workspaceScope, "/routing_rules");
  for (const { id, name } of database.list(alertSourceTable)) {
    loadRules(load, id, `/routing_rules?${new URLSearchParams({ source: name })}`);
  }
}

function loadRules(load: ReplicaLoad, scope: string, path: string): void {
  const rows = rowsAt(load, path) ?? [];
  if (rows.length === 0) return;
  const { database } = load.service;
  const rule_set_id = ruleSetOf(database, scope);
  const rules = rows.map((live, index) => {
    const priority = numberOf(live, "priority", index + 1);
    return liveRow(load, routingRuleFields, live, "routing rules", { rule_set_id, priority });
  });
  database.insert(routingRuleTable, ...rules);
}
