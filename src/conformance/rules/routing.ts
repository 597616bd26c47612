/** Rule 6 of the configuration resources: routing rules, their scopes and priorities; and the dry run that evaluates them. */

import type { Fields, Json } from "../../core/json.ts";
import { expectRefusal, expectSame, expectShape, expectStatus, expectSuccess, expectThat } from "../expectation.ts";
import { severityId } from "../fixtures/incidents.ts";
import { rowsOf } from "../fixtures/requests.ts";
import { addRule, evaluate, newSource, priorities, ruleFor, rulesIn, scopeQuery, when } from "../fixtures/routing.ts";
import { type ConformanceRule, type RuleDefinition, rulesOf } from "../rule.ts";
import type { RuleContext } from "../rule-context.ts";
import { array, at, integer, numberAt, textAt } from "../value-shape.ts";

const drop: Fields = { conditions: [], outcome: { action: "drop" } };

const scopes: readonly ConformanceRule[] = rulesOf("Configuration resources", [
  {
    id: "resources.6.workspace",
    title: "6: omitting source addresses the workspace rules",
    async check(context) {
      const source = await newSource(context);
      const rule = await addRule(context, undefined, { ...ruleFor(context.name("value")), enabled: false });
      expectThat(
        priorities(await rulesIn(context, undefined)).includes(numberAt(rule, "priority")),
        "the rule in the workspace's list",
        null,
      );
      expectSame("the source's rules", await rulesIn(context, source), []);
    },
  },
  {
    id: "resources.6.source",
    title: "6: source, the alert source's name, selects that source's rules",
    async check(context) {
      const source = await newSource(context);
      const before = await rulesIn(context, undefined);
      const rule = await addRule(context, source, drop);
      expectSame("the source's rules", priorities(await rulesIn(context, source)), [numberAt(rule, "priority")]);
      expectSame("the workspace's rules", await rulesIn(context, undefined), before);
    },
  },
  {
    id: "resources.6.appended",
    title: "6: new rules are appended at the end",
    async check(context) {
      const source = await newSource(context);
      const created: number[] = [];
      for (const value of ["a", "b", "c"])
        created.push(numberAt(await addRule(context, source, ruleFor(value)), "priority"));
      expectSame("the priorities of the list", priorities(await rulesIn(context, source)), created);
      expectThat(
        created.every((priority, index) => index === 0 || priority > (created[index - 1] ?? 0)),
        "rising priorities",
        created,
      );
    },
  },
  {
    id: "resources.6.addressed",
    title: "6: a rule is addressed by its priority within its scope",
    async check(context) {
      const source = await newSource(context);
      await addRule(context, source, ruleFor("a"));
      const second = await addRule(context, source, ruleFor("b"));
      const path = `routing_rules/${numberAt(second, "priority")}${scopeQuery(source)}`;
      const exchange = await context.client.patch(path, { conditions: [when(["changed"])] });
      expectStatus(exchange, 200);
      const values = (await rulesIn(context, source)).map((rule) => at(rule, "conditions", 0, "value") ?? null);
      expectSame("the rules' values", values, [["a"], ["changed"]], exchange);
    },
  },
  {
    id: "resources.6.gap",
    title: "6: deleting a rule leaves a gap in priorities and does not renumber the others",
    async check(context) {
      const source = await newSource(context);
      const created: number[] = [];
      for (const value of ["a", "b", "c"])
        created.push(numberAt(await addRule(context, source, ruleFor(value)), "priority"));
      const exchange = await context.client.delete(`routing_rules/${created[1] ?? 0}${scopeQuery(source)}`);
      expectThat(exchange.status < 300, "a deletion", exchange.status, exchange);
      const [first, , third] = created;
      expectSame("the priorities", priorities(await rulesIn(context, source)), [first ?? 0, third ?? 0]);
      const next = numberAt(await addRule(context, source, ruleFor("d")), "priority");
      expectThat(next > (third ?? 0), "a new rule after the last one", next);
    },
  },
  {
    id: "resources.6.fallback",
    title: "6: a source without own rules falls back to the workspace rules",
    async check(context) {
      const source = await newSource(context);
      const value = context.name("value");
      const rule = await addRule(context, undefined, ruleFor(value));
      const result = await evaluate(context, source, { conformance: value });
      expectSame("the matched priority", result.matched_rule_priority, rule.priority);
    },
  },
  {
    id: "resources.6.own",
    title: "6: the first rule written for a source gives that source its own rule set",
    async check(context) {
      const source = await newSource(context);
      const value = context.name("value");
      await addRule(context, undefined, ruleFor(value));
      await addRule(context, source, ruleFor("something else"));
      const result = await evaluate(context, source, { conformance: value });
      expectSame("a match in the source's own set", result.matched, false);
    },
  },
  {
    id: "resources.6.fallback.again",
    title: "6: a source whose last rule was deleted is without own rules, and falls back again",
    async check(context) {
      const source = await newSource(context);
      const value = context.name("value");
      const rule = await addRule(context, undefined, ruleFor(value));
      const own = await addRule(context, source, ruleFor("something else"));
      expectSuccess(await context.client.delete(`routing_rules/${numberAt(own, "priority")}${scopeQuery(source)}`));
      const result = await evaluate(context, source, { conformance: value });
      expectSame("the matched priority", result.matched_rule_priority, rule.priority);
    },
  },
  {
    id: "resources.6.unknown-source",
    basis: "wire",
    title: "a source of no such name returns 404",
    async check(context) {
      expectRefusal(await context.client.get(`routing_rules${scopeQuery("No such source")}`), 404, "not_found");
    },
  },
  {
    id: "resources.6.numbers",
    basis: "wire",
    title: "priorities begin at 1, and deleting the last rule frees its number",
    async check(context) {
      const source = await newSource(context);
      for (const value of ["a", "b", "c"]) await addRule(context, source, ruleFor(value));
      expectSame("the priorities", priorities(await rulesIn(context, source)), [1, 2, 3]);
      await context.client.delete(`routing_rules/3${scopeQuery(source)}`);
      expectSame("the next priority", (await addRule(context, source, ruleFor("d"))).priority, 3);
    },
  },
]);

/** Operators with a value that matches "checkout-eu" and one that does not. */
const operators: readonly (readonly [string, Json, Json])[] = [
  ["is_one_of", ["search", "checkout-eu"], ["search", "checkout"]],
  ["contains", "out-e", "out-E"],
  ["starts_with", "check", "out"],
  ["matches_regex", "k.*eu$", "^eu"],
];

const operatorRows: readonly RuleDefinition[] = operators.map(([operator, yes, no]) => ({
  id: `evaluate.operator.${operator}`,
  basis: "wire",
  title: `operator ${operator} matches as the wire facts say`,
  async check(context: RuleContext) {
    const source = await newSource(context);
    await addRule(context, source, { conditions: [when(no, operator)], outcome: { action: "drop" } });
    const second = await addRule(context, source, { conditions: [when(yes, operator)], outcome: { action: "drop" } });
    const result = await evaluate(context, source, { conformance: "checkout-eu" });
    expectSame("the matched priority", result.matched_rule_priority, second.priority);
    expectSame("a match without the field", (await evaluate(context, source, { title: "x" })).matched, false);
  },
}));

const evaluation: readonly ConformanceRule[] = rulesOf("Reference data and configuration", [
  {
    id: "evaluate.rule",
    title: "routing evaluate returns the matched rule: the first whose conditions all hold",
    async check(context) {
      const source = await newSource(context);
      await addRule(context, source, {
        ...ruleFor("a"),
        conditions: [when(["a"]), { field: "title", operator: "is_one_of", value: ["no"] }],
      });
      const second = await addRule(context, source, ruleFor("a"));
      await addRule(context, source, drop);
      const result = await evaluate(context, source, { conformance: "a", title: "x" });
      expectSame("matched_rule_priority", result.matched_rule_priority, second.priority);
    },
  },
  {
    id: "evaluate.outcome",
    title: "routing evaluate returns the outcome of the matched rule",
    async check(context) {
      const source = await newSource(context);
      const outcome = { action: "auto_create_incident", severity_id: await severityId(context) };
      await addRule(context, source, { conditions: [], outcome });
      const result = await evaluate(context, source, { title: "x" });
      expectSame("the action", at(result, "outcome", "action"), "auto_create_incident");
    },
  },
  {
    id: "evaluate.trace",
    title: "routing evaluate returns a trace of every condition it looked at",
    async check(context) {
      const source = await newSource(context);
      const conditions = [when(["a"]), { field: "title", operator: "contains", value: "no" }];
      await addRule(context, source, { conditions, outcome: { action: "drop" } });
      await addRule(context, source, drop);
      const result = await evaluate(context, source, { conformance: "a", title: "x" });
      expectShape("trace", result.trace, array);
      expectSame(
        "conditions of the first rule",
        [0, 1].map((index) => at(result, "trace", 0, "conditions", index, "matched") ?? null),
        [true, false],
      );
    },
  },
  {
    id: "evaluate.warnings",
    title: "routing evaluate warns when a routing role the rules depend on is set on no catalog attribute",
    async check(context) {
      const source = await newSource(context);
      const entry = "00000000-0000-4000-8000-000000000000";
      const outcome = { action: "notify_only", notify: { type: "team", entry_id: entry } };
      await addRule(context, source, { conditions: [], outcome });
      const types = rowsOf(await context.client.get("catalog/types"));
      const roles = types.flatMap((type) => {
        const held = type.attribute_definitions;
        return Array.isArray(held) ? held.map((definition) => textAt(definition as Json, "role")) : [];
      });
      const result = await evaluate(context, source, { title: "x" });
      const missing =
        !roles.includes("notification_channel") || !(roles.includes("members") || roles.includes("manager"));
      const warned = Array.isArray(result.role_warnings) && result.role_warnings.length > 0;
      expectSame("a warning", warned, missing);
    },
  },
  {
    id: "evaluate.nothing",
    title: "routing evaluate creates nothing",
    async check(context) {
      const source = await newSource(context);
      const outcome = { action: "auto_create_incident", severity_id: await severityId(context) };
      await addRule(context, source, { conditions: [], outcome });
      const count = async () =>
        numberAt((await context.client.get("incidents?per_page=1")).body, "pagination", "total");
      const before = await count();
      const rules = await rulesIn(context, source);
      await evaluate(context, source, { title: "Would be an incident" });
      expectSame("the number of incidents", await count(), before);
      expectSame("the rules", await rulesIn(context, source), rules);
    },
  },
  {
    id: "evaluate.workspace",
    title: "routing evaluate without a source evaluates the workspace rules",
    async check(context) {
      const value = context.name("value");
      const rule = await addRule(context, undefined, ruleFor(value));
      const result = await evaluate(context, undefined, { conformance: value });
      expectSame("matched_rule_priority", result.matched_rule_priority, rule.priority);
    },
  },
  {
    id: "evaluate.unmatched",
    basis: "wire",
    title: "when no rule matches, matched is false and outcome null",
    async check(context) {
      const source = await newSource(context);
      await addRule(context, source, ruleFor("a"));
      const result = await evaluate(context, source, { conformance: "b" });
      expectSame("matched and outcome", [result.matched ?? null, result.outcome ?? null], [false, null]);
    },
  },
  {
    id: "routing.disabled.listed",
    basis: "wire",
    title: "a disabled rule stays in the listing of its scope",
    async check(context) {
      const source = await newSource(context);
      await addRule(context, source, { ...drop, enabled: false });
      const [rule] = await rulesIn(context, source);
      expectSame("enabled in the listing", rule?.enabled, false);
    },
  },
  {
    id: "evaluate.skipped",
    basis: "wire",
    title: "a disabled rule is skipped, and the trace says so",
    async check(context) {
      const source = await newSource(context);
      await addRule(context, source, { ...drop, enabled: false });
      const second = await addRule(context, source, drop);
      const result = await evaluate(context, source, { title: "x" });
      expectSame("matched_rule_priority", result.matched_rule_priority, second.priority);
      expectSame("skipped", at(result, "trace", 0, "skipped"), true);
      expectShape("trace[0].priority", at(result, "trace", 0, "priority"), integer);
    },
  },
  ...operatorRows,
  {
    id: "evaluate.operator.is_empty",
    basis: "wire",
    title: "operator is_empty matches a missing and a blank field",
    async check(context) {
      const source = await newSource(context);
      const condition = { field: "conformance", operator: "is_empty" };
      await addRule(context, source, { conditions: [condition], outcome: { action: "drop" } });
      for (const [fields, matched] of [
        [{ title: "x" }, true],
        [{ conformance: "" }, true],
        [{ conformance: "a" }, false],
      ] as const) {
        expectSame(`a match of ${JSON.stringify(fields)}`, (await evaluate(context, source, fields)).matched, matched);
      }
    },
  },
]);

/** The rules of alert routing. */
export const routingRules: readonly ConformanceRule[] = [...scopes, ...evaluation];
