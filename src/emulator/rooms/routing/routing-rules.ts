/** Alert routing rules: a rule set for the workspace and one for each source that has rules of its own (rule 6). */

import { randomUUID } from "node:crypto";
import { type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import type { BodyShape, Shape, ValueOf } from "../../http/body-schema.ts";
import { member } from "../../http/envelope.ts";
import { invalid, notFound } from "../../http/http-error.ts";
import type { Reference } from "../../store/references.ts";
import { type Call, created, noContent, ok, type Room, route } from "../room.ts";
import { alertSourceNamed } from "./alert-sources.ts";
import { routingConditionErrors } from "./routing-conditions.ts";
import { outcomeError } from "./routing-outcome.ts";
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

const query: { readonly [name: string]: Shape } = { source };

const scopeBody = { type: "object", properties: { source } } as const satisfies BodyShape;

const ruleBody = {
  type: "object",
  properties: {
    source,
    conditions: {
      type: ["array", "null"],
      items: { type: "object" },
      description: "All have to hold; [] holds for every alert. Replaced whole.",
    },
    outcome: { type: ["object", "null"], description: "What is done with the alert. Replaced whole." },
    enabled: { type: ["boolean", "null"], description: "false skips the rule." },
  },
} as const satisfies BodyShape;

type RuleBody = ValueOf<typeof ruleBody>;

/** The room of /api/v1/routing_rules. */
export const routingRules: Room = {
  tables: [routingRuleSets, routingRuleTable],
  references: references(),
  routes: [
    route({
      method: "GET",
      path: "/routing_rules",
      summary: "Lists a scope's own rules by priority; inherited ones are not shown.",
      needs: "policies.read",
      query,
      handle: (call) => {
        const rules = ownRules(call.database, scopeOf(call)) ?? [];
        return ok({ routing_rules: rules.map(shown) });
      },
    }),
    route({
      method: "POST",
      path: "/routing_rules",
      summary: "Appends a rule at the end; the first of a source gives it its own rule set.",
      needs: "policies.create",
      query,
      body: ruleBody,
      handle: (call) => created(member("routing_rule", shown(create(call)), call.dialects)),
    }),
    route({
      method: "PATCH",
      path: "/routing_rules/:priority",
      summary: "Changes the rule of this priority in its scope.",
      needs: "policies.update",
      query,
      body: ruleBody,
      handle: (call) => ok(member("routing_rule", shown(update(call)), call.dialects)),
    }),
    route({
      method: "DELETE",
      path: "/routing_rules/:priority",
      summary: "Deletes a rule; the others keep their priorities.",
      needs: "policies.delete",
      query,
      body: scopeBody,
      handle: (call) => {
        remove(call);
        return noContent;
      },
    }),
  ],
};

function references(): readonly Reference[] {
  const noun = "routing rule";
  return [
    {
      target: "severities",
      noun,
      always: false,
      count: (database, id) => {
        const sql = "SELECT COUNT(*) FROM routing_rules WHERE json_extract(outcome, '$.severity_id') = ?";
        return database.scalar(sql, [id]);
      },
    },
    {
      target: "catalog/entries",
      noun,
      always: false,
      count: (database, id) => {
        const sql = `SELECT COUNT(*) FROM routing_rules WHERE EXISTS
          (SELECT 1 FROM json_tree(outcome) AS node WHERE node.key = 'entry_id' AND node.atom = ?)`;
        return database.scalar(sql, [id]);
      },
    },
  ];
}

function shown({ id, priority, enabled, conditions, outcome }: RoutingRuleRow): Fields {
  return { id, priority, enabled, conditions, outcome };
}

/** The id of the source that query or body names, or the workspace's scope. An unknown name is 404. */
function scopeOf({
  database,
  query,
  body,
}: Pick<Call<ValueOf<typeof scopeBody>>, "database" | "query" | "body">): string {
  const name = query.get("source") || (body.source ?? "");
  return name.trim() === "" ? workspaceScope : alertSourceNamed(database, name).id;
}

function create(call: Call<RuleBody>): RoutingRuleRow {
  const { database, body } = call;
  const rule_set_id = ruleSetOf(database, scopeOf(call));
  const sql = "SELECT MAX(priority) FROM routing_rules WHERE rule_set_id = ?";
  const row: RoutingRuleRow = {
    id: randomUUID(),
    rule_set_id,
    priority: database.scalar(sql, [rule_set_id]) + 1,
    enabled: body.enabled ?? true,
    conditions: conditionsOf(body.conditions ?? []),
    outcome: outcomeOf(body.outcome ?? {}),
  };
  database.insert(routingRuleTable, row);
  return row;
}

function update(call: Call<RuleBody>): RoutingRuleRow {
  const { conditions, outcome, enabled } = call.body;
  const before = byPriority(call);
  const row: RoutingRuleRow = {
    ...before,
    ...(conditions == null ? {} : { conditions: conditionsOf(conditions) }),
    ...(outcome === undefined ? {} : { outcome: outcomeOf(outcome ?? {}) }),
    ...(enabled == null ? {} : { enabled }),
  };
  call.database.update(routingRuleTable, row.id, row);
  return row;
}

function remove(call: Call<ValueOf<typeof scopeBody>>): void {
  const { database, dialects } = call;
  const { id, rule_set_id } = byPriority(call);
  database.remove(routingRuleTable, { id });
  const scope = scopeOf(call);
  if (scope === workspaceScope || dialects.fallback === "sticky") return;
  if (database.count(routingRuleTable, { rule_set_id }) === 0) removeRuleSet(database, scope);
}

function byPriority(call: Call<ValueOf<typeof scopeBody>>): RoutingRuleRow {
  const rules = ownRules(call.database, scopeOf(call)) ?? [];
  const row = rules.find(({ priority }) => String(priority) === call.param("priority"));
  if (row === undefined) throw notFound();
  return row;
}

function conditionsOf(sent: readonly Fields[]): readonly Fields[] {
  const errors = routingConditionErrors(sent);
  if (errors.length > 0) throw invalid(...errors.map((message) => ({ field: "conditions", message })));
  return sent.map(rearranged);
}

function outcomeOf(sent: Fields): Fields {
  const message = outcomeError(sent);
  if (message !== undefined) throw invalid({ field: "outcome", message });
  return rearranged(sent);
}

/** The object as the service's database gives it back: shorter keys first, then by alphabet. */
function rearranged(fields: Fields): Fields {
  const names = Object.keys(fields).sort((left, right) => left.length - right.length || (left < right ? -1 : 1));
  return Object.fromEntries(names.map((name) => [name, rearrangedValue(fields[name] ?? null)]));
}

function rearrangedValue(value: Json): Json {
  if (isList(value)) return value.map(rearrangedValue);
  return isFields(value) ? rearranged(value) : value;
}
