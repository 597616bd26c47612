/** Alert routing rules: a rule set for the workspace, and one for each source with rules of its own (rule 6). */

import { randomUUID } from "node:crypto";
import { type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import { requireFound, validationError } from "../../http/http-error.ts";
import { listOf, objectSchema, present, uuid } from "../../http/response-schema.ts";
import type { BodySchema, SchemaValue, ValueSchema } from "../../http/value-schema.ts";
import { created, endpoint, noContent, ok, type RequestContext, type ServiceModule } from "../../service/module.ts";
import type { ReferenceCounter } from "../../store/references.ts";
import { findAlertSource } from "./alert-sources.ts";
import {
  isCondition,
  routingConditionErrors,
  routingConditionSchema,
  type StoredCondition,
} from "./routing-conditions.ts";
import { isOutcome, outcomeError, outcomeSchema, type RoutingOutcome } from "./routing-outcome.ts";
import {
  ownRules,
  type RoutingRuleRow,
  removeRuleSet,
  routingRuleSets,
  routingRuleTable,
  ruleSetOf,
  workspaceScope,
} from "./routing-rule-sets.ts";

const source = {
  type: ["string", "null"],
  description: "The name of an alert source, in the query or in the body; left out, the workspace's rules are meant.",
} as const;

const query: { readonly [name: string]: ValueSchema } = { source: { ...source, type: "string" } };

const scopeBody = { type: "object", properties: { source } } as const satisfies BodySchema;

const ruleBody = {
  type: "object",
  properties: {
    source,
    conditions: {
      type: ["array", "null"],
      items: { type: "object" },
      description: "All have to hold; [] holds for every alert. Replaced whole.",
      examples: [[{ field: "service", operator: "is_one_of", value: ["checkout"] }]],
    },
    outcome: {
      type: ["object", "null"],
      additionalProperties: {},
      description: "What is done with the alert. Replaced whole.",
      examples: [{ action: "notify_only", notify: { type: "owning_team", of: "service" } }],
    },
    enabled: { type: ["boolean", "null"], description: "false skips the rule." },
  },
} as const satisfies BodySchema;

type RuleBody = SchemaValue<typeof ruleBody>;

const rule = objectSchema("RoutingRule", {
  id: uuid,
  priority: { type: "integer", minimum: 1, description: "The place within its scope, which never changes." },
  enabled: { type: "boolean" },
  conditions: listOf(routingConditionSchema),
  outcome: outcomeSchema,
});

/** The module of /api/v1/routing_rules. */
export const routingRules: ServiceModule = {
  tables: [routingRuleSets, routingRuleTable],
  referenceCounters: references(),
  endpoints: [
    endpoint({
      method: "GET",
      path: "/routing_rules",
      operationId: "listRoutingRules",
      summary: "Lists a scope's own rules by priority; inherited ones are not shown.",
      requiredAbility: "policies.read",
      query,
      responses: { 200: objectSchema("RoutingRuleList", { routing_rules: listOf(rule) }) },
      errors: [404],
      handle: (request) => {
        const rules = ownRules(request.database, readScope(request)) ?? [];
        return ok({ routing_rules: rules.map((row) => present(rule, row)) });
      },
    }),
    endpoint({
      method: "POST",
      path: "/routing_rules",
      operationId: "createRoutingRule",
      summary: "Appends a rule at the end; the first of a source gives it its own rule set.",
      requiredAbility: "policies.create",
      query,
      body: ruleBody,
      member: "routing_rule",
      responses: { 201: rule },
      errors: [404],
      handle: (request) => created(present(rule, create(request))),
    }),
    endpoint({
      method: "PATCH",
      path: "/routing_rules/:priority",
      operationId: "updateRoutingRule",
      summary: "Changes the rule of this priority in its scope.",
      requiredAbility: "policies.update",
      query,
      body: ruleBody,
      member: "routing_rule",
      responses: { 200: rule },
      handle: (request) => ok(present(rule, update(request))),
    }),
    endpoint({
      method: "DELETE",
      path: "/routing_rules/:priority",
      operationId: "deleteRoutingRule",
      summary: "Deletes a rule; the others keep their priorities.",
      requiredAbility: "policies.delete",
      query,
      body: scopeBody,
      responses: { 204: null },
      handle: (request) => {
        remove(request);
        return noContent;
      },
    }),
  ],
};

function references(): readonly ReferenceCounter[] {
  const noun = "routing rule";
  return [
    {
      target: "severities",
      noun,
      isAlwaysCounted: false,
      count: (database, id) => {
        const sql = "SELECT COUNT(*) FROM routing_rules WHERE json_extract(outcome, '$.severity_id') = ?";
        return database.scalar(sql, [id]);
      },
    },
    {
      target: "catalog/entries",
      noun,
      isAlwaysCounted: false,
      count: (database, id) => {
        const sql = `SELECT COUNT(*) FROM routing_rules WHERE EXISTS
          (SELECT 1 FROM json_tree(outcome) AS node WHERE node.key = 'entry_id' AND node.atom = ?)`;
        return database.scalar(sql, [id]);
      },
    },
  ];
}

/** The scope that the query or the body names; the workspace's by default. Throws 404 for an unknown source. */
function readScope({
  database,
  query,
  body,
}: Pick<RequestContext<SchemaValue<typeof scopeBody>>, "database" | "query" | "body">): string {
  const name = query.get("source") || (body.source ?? "");
  return name.trim() === "" ? workspaceScope : findAlertSource(database, name).id;
}

function create(request: RequestContext<RuleBody>): RoutingRuleRow {
  const { database, body } = request;
  const rule_set_id = ruleSetOf(database, readScope(request));
  const sql = "SELECT MAX(priority) FROM routing_rules WHERE rule_set_id = ?";
  const row: RoutingRuleRow = {
    id: randomUUID(),
    rule_set_id,
    priority: database.scalar(sql, [rule_set_id]) + 1,
    enabled: body.enabled ?? true,
    conditions: readConditions(body.conditions ?? []),
    outcome: readOutcome(body.outcome ?? {}),
  };
  database.insert(routingRuleTable, row);
  return row;
}

function update(request: RequestContext<RuleBody>): RoutingRuleRow {
  const { conditions, outcome, enabled } = request.body;
  const before = findByPriority(request);
  const row: RoutingRuleRow = {
    ...before,
    ...(conditions == null ? {} : { conditions: readConditions(conditions) }),
    ...(outcome === undefined ? {} : { outcome: readOutcome(outcome ?? {}) }),
    ...(enabled == null ? {} : { enabled }),
  };
  request.database.update(routingRuleTable, row.id, row);
  return row;
}

function remove(request: RequestContext<SchemaValue<typeof scopeBody>>): void {
  const { database, dialects } = request;
  const { id, rule_set_id } = findByPriority(request);
  database.remove(routingRuleTable, { id });
  const scope = readScope(request);
  if (scope === workspaceScope || dialects.fallback === "sticky") return;
  if (database.count(routingRuleTable, { rule_set_id }) === 0) removeRuleSet(database, scope);
}

function findByPriority(request: RequestContext<SchemaValue<typeof scopeBody>>): RoutingRuleRow {
  const rules = ownRules(request.database, readScope(request)) ?? [];
  return requireFound(rules.find(({ priority }) => String(priority) === request.param("priority")));
}

function readConditions(input: readonly Fields[]): readonly StoredCondition[] {
  const errors = routingConditionErrors(input);
  if (errors.length > 0) throw validationError(...errors.map((message) => ({ field: "conditions", message })));
  return input.map(inDatabaseOrder).filter(isCondition);
}

function readOutcome(input: Fields): RoutingOutcome {
  const outcome = inDatabaseOrder(input);
  if (!isOutcome(outcome)) throw validationError({ field: "outcome", message: outcomeError(outcome) ?? "is invalid" });
  return outcome;
}

/** The object in the key order of the service's database: by length, then alphabetical. */
function inDatabaseOrder(fields: Fields): Fields {
  const names = Object.keys(fields).sort((left, right) => left.length - right.length || (left < right ? -1 : 1));
  return Object.fromEntries(names.map((name) => [name, valueInDatabaseOrder(fields[name] ?? null)]));
}

function valueInDatabaseOrder(value: Json): Json {
  if (isList(value)) return value.map(valueInDatabaseOrder);
  return isFields(value) ? inDatabaseOrder(value) : value;
}
