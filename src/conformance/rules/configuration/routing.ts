/** Rule 6 of the configuration resources: routing rules, their scopes and priorities; and the dry run that evaluates them. */

import type { Fields, Json } from "../../../core/json.ts";
import { expectSame, memberOf } from "../../expectation.ts";
import { above, column, type Expected, likeKept, row, same } from "../../expected.ts";
import { findResource } from "../../fixtures/configuration-resources.ts";
import { made, posted } from "../../fixtures/given.ts";
import { createMember, rowsOf, write } from "../../fixtures/requests.ts";
import { forEach, type RowStep, rulesOf } from "../../row.ts";
import type { ConformanceRule } from "../../rule.ts";
import type { Given } from "../../scope.ts";
import { absent, integer, orNull, rising, rowsAt, textAt, unknownId, uuid } from "../../value-shape.ts";

const ofSource = "routing_rules?source={source.name}";

/** A condition on an invented alert field, so that no real alert can meet a workspace rule of the suite. */
function when(value: Json, operator = "is_one_of"): Fields {
  return { field: "conformance", operator, value };
}

/** A rule that drops alerts of the value. */
function drop(value: string): Fields {
  return { conditions: [when([value])], outcome: { action: "drop" } };
}

const twoConditions = { conditions: [when(["a"]), when(["b"])], outcome: { action: "drop" } };
const dropAll: Fields = { conditions: [], outcome: { action: "drop" } };
const rule = posted("routing_rules", drop("{new.value}"));
const source = { source: made("alert_sources") };
const another = posted(ofSource, drop("something else"));
/** A source with three rules. */
const three = {
  ...source,
  a: posted(ofSource, drop("a")),
  b: posted(ofSource, drop("b")),
  c: posted(ofSource, drop("c")),
};

/** The result of a dry run for an alert of the source with these fields. */
function evaluated(fields: Fields, shows: Expected): RowStep {
  return { request: "POST routing/evaluate", body: { fields, source: "{source.name}" }, status: "200", shows };
}

function priorities(...expected: readonly Expected[]): RowStep {
  return { request: `LIST ${ofSource}`, shows: column("priority", expected) };
}

const scopes: readonly ConformanceRule[] = rulesOf("Configuration resources", {
  "resources.6.workspace": {
    title: "6: omitting source addresses the workspace rules",
    given: { ...source, rule: posted("routing_rules", { ...drop("{new.value}"), enabled: false }) },
    steps: [
      { request: "LIST routing_rules", shows: row({ priority: "{rule.priority}" }) },
      { request: `LIST ${ofSource}`, shows: [] },
    ],
  },
  "resources.6.source": {
    title: "6: source, the alert source's name, selects that source's rules",
    given: source,
    steps: [
      { request: "LIST routing_rules", keep: "before" },
      { request: `POST ${ofSource}`, body: dropAll, keep: "rule" },
      priorities("{rule.priority}"),
      { request: "LIST routing_rules", shows: same("{before}") },
    ],
  },
  "resources.6.appended": {
    title: "6: new rules are appended at the end",
    given: three,
    steps: [
      priorities("{a.priority}", "{b.priority}", "{c.priority}"),
      { request: `LIST ${ofSource}`, shows: column("priority", rising) },
    ],
  },
  "resources.6.addressed": {
    title: "6: a rule is addressed by its priority within its scope",
    given: { ...source, a: posted(ofSource, drop("a")), b: posted(ofSource, drop("b")) },
    steps: [
      { request: "PATCH routing_rules/{b.priority}?source={source.name}", body: { conditions: [when(["changed"])] } },
      { request: `LIST ${ofSource}`, shows: column("conditions.0.value", [["a"], ["changed"]]) },
    ],
  },
  "resources.6.gap": {
    title: "6: deleting a rule leaves a gap in priorities and does not renumber the others",
    given: three,
    steps: [
      { request: "DELETE routing_rules/{b.priority}?source={source.name}" },
      priorities("{a.priority}", "{c.priority}"),
      { request: "DELETE routing_rules/{b.priority}?source={source.name}", refusal: "404 not_found" },
      { request: `POST ${ofSource}`, body: drop("d"), shows: { priority: above("{c.priority}") } },
    ],
  },
  "resources.6.fallback": {
    title: "6: a source without own rules falls back to the workspace rules",
    given: { ...source, rule },
    steps: [
      evaluated({ conformance: "{new.value}" }, { matched_rule_priority: "{rule.priority}" }),
      { request: `LIST ${ofSource}`, shows: [] },
    ],
  },
  "resources.6.own": {
    title: "6: the first rule written for a source gives that source its own rule set",
    given: { ...source, rule, another },
    steps: [evaluated({ conformance: "{new.value}" }, { matched: false })],
  },
  "resources.6.fallback.again": {
    title: "6: a source whose last rule was deleted is without own rules, and falls back again",
    given: { ...source, rule, another },
    steps: [
      { request: "DELETE routing_rules/{another.priority}?source={source.name}" },
      evaluated({ conformance: "{new.value}" }, { matched_rule_priority: "{rule.priority}" }),
    ],
  },
  "resources.6.unknown-source": {
    basis: "wire",
    title: "a source of no such name returns 404",
    steps: [
      { request: "GET routing_rules?source=No%20such%20source", refusal: "404 not_found" },
      { request: "POST routing_rules?source=No%20such%20source", body: dropAll, refusal: "404 not_found" },
      {
        request: "POST routing/evaluate",
        body: { fields: { title: "x" }, source: "No such source" },
        refusal: "404 not_found",
      },
    ],
  },
  "resources.6.status": {
    basis: "wire",
    title: "creating a rule returns 201, deleting it 204 with an empty body",
    given: source,
    steps: [
      { request: `POST ${ofSource}`, body: dropAll, status: "201", keep: "rule" },
      { request: "DELETE routing_rules/{rule.priority}?source={source.name}", status: "204", shows: absent },
    ],
  },
  "resources.6.numbers": {
    basis: "wire",
    title: "priorities begin at 1, and deleting the last rule frees its number",
    given: three,
    steps: [
      priorities(1, 2, 3),
      { request: "DELETE routing_rules/3?source={source.name}" },
      { request: `POST ${ofSource}`, body: drop("d"), shows: { priority: 3 } },
    ],
  },
});

/** Operators with a value that matches "checkout-eu" and one that does not. */
const operators: readonly (readonly [operator: string, yes: Json, no: Json])[] = [
  ["is_one_of", ["search", "checkout-eu"], ["search", "checkout"]],
  ["contains", "out-e", "out-E"],
  ["starts_with", "check", "out"],
  ["matches_regex", "k.*eu$", "^eu"],
];

/** A rule that drops alerts that meet the conditions. */
function dropIf(...conditions: readonly Fields[]): Given {
  return posted(ofSource, { conditions, outcome: { action: "drop" } });
}

const createIncident = { action: "auto_create_incident", severity_id: "{severity.id}" };

const evaluation: readonly ConformanceRule[] = rulesOf("Reference data and configuration", {
  "evaluate.rule": {
    title: "routing evaluate returns the matched rule: the first whose conditions all hold",
    given: {
      ...source,
      first: dropIf(when(["a"]), { field: "title", operator: "is_one_of", value: ["no"] }),
      second: dropIf(when(["a"])),
      third: dropIf(),
    },
    steps: [evaluated({ conformance: "a", title: "x" }, { matched_rule_priority: "{second.priority}" })],
  },
  "evaluate.outcome": {
    title: "routing evaluate returns the outcome of the matched rule",
    given: { ...source, rule: posted(ofSource, { conditions: [], outcome: createIncident }) },
    steps: [evaluated({ title: "x" }, { outcome: { action: "auto_create_incident" } })],
  },
  "evaluate.trace": {
    title: "routing evaluate returns a trace of every condition it looked at",
    given: {
      ...source,
      first: dropIf(when(["a"]), { field: "title", operator: "contains", value: "no" }),
      second: dropIf(),
    },
    steps: [
      evaluated(
        { conformance: "a", title: "x" },
        { trace: [{ conditions: [{ matched: true }, { matched: false }] }, {}] },
      ),
    ],
  },
  "evaluate.warnings": {
    title: "routing evaluate warns when a routing role the rules depend on is set on no catalog attribute",
    async check(context) {
      const { client } = context;
      const name = textAt(await createMember(context, findResource("alert_sources")), "name");
      const outcome = { action: "notify_only", notify: { type: "team", entry_id: unknownId } };
      await write(context, "POST", `routing_rules?source=${encodeURIComponent(name)}`, { conditions: [], outcome });
      const attributes = rowsOf(await client.get("catalog/types")).flatMap((type) =>
        rowsAt(type.attribute_definitions),
      );
      const roles = attributes.map((attribute) => textAt(attribute, "role"));
      const missing =
        !roles.includes("notification_channel") || !(roles.includes("members") || roles.includes("manager"));
      const exchange = await client.post("routing/evaluate", { fields: { title: "x" }, source: name });
      const { role_warnings: warnings } = memberOf(exchange);
      expectSame("a warning", Array.isArray(warnings) && warnings.length > 0, missing, exchange);
    },
  },
  "evaluate.nothing": {
    title: "routing evaluate creates nothing",
    given: { ...source, rule: posted(ofSource, { conditions: [], outcome: createIncident }) },
    steps: [
      { request: "GET incidents?per_page=1", keep: "before" },
      { request: `LIST ${ofSource}`, keep: "rules" },
      evaluated({ title: "Would be an incident" }, { matched: true }),
      { request: "GET incidents?per_page=1", shows: { pagination: { total: "{before.pagination.total}" } } },
      { request: `LIST ${ofSource}`, shows: same("{rules}") },
    ],
  },
  "evaluate.workspace": {
    title: "routing evaluate without a source evaluates the workspace rules",
    given: { rule },
    steps: [
      {
        request: "POST routing/evaluate",
        body: { fields: { conformance: "{new.value}" } },
        status: "200",
        shows: { matched_rule_priority: "{rule.priority}" },
      },
    ],
  },
  "evaluate.unmatched": {
    basis: "wire",
    title: "when no rule matches, matched is false and outcome null",
    given: { ...source, rule: posted(ofSource, drop("a")) },
    steps: [evaluated({ conformance: "b" }, { matched: false, outcome: orNull(absent) })],
  },
  "routing.disabled.listed": {
    basis: "wire",
    title: "a disabled rule stays in the listing of its scope",
    given: { ...source, rule: posted(ofSource, { ...dropAll, enabled: false }) },
    steps: [{ request: `LIST ${ofSource}`, shows: [{ enabled: false }] }],
  },
  "routing.shown": {
    basis: "wire",
    title: "a change and the list show every field of a routing rule that its creation returned",
    given: source,
    steps: [
      {
        ...{ request: `POST ${ofSource}`, body: twoConditions },
        ...{ shows: { ...twoConditions, id: uuid, priority: integer, enabled: true }, keep: "rule" },
      },
      { request: `LIST ${ofSource}`, shows: [likeKept("rule")] },
      {
        request: "PATCH routing_rules/{rule.priority}?source={source.name}",
        ...{ body: twoConditions, shows: likeKept("rule", "updated_at") },
      },
    ],
  },
  "evaluate.skipped": {
    basis: "wire",
    title: "a disabled rule is skipped, and the trace says so",
    given: { ...source, first: posted(ofSource, { ...dropAll, enabled: false }), second: dropIf() },
    steps: [
      evaluated(
        { title: "x" },
        { matched_rule_priority: "{second.priority}", trace: [{ skipped: true, priority: integer }, {}] },
      ),
    ],
  },
  ...forEach(operators, ([operator, yes, no]) => ({
    [`evaluate.operator.${operator}`]: {
      basis: "wire",
      title: `operator ${operator} matches as the wire facts say`,
      given: { ...source, first: dropIf(when(no, operator)), second: dropIf(when(yes, operator)) },
      steps: [
        evaluated({ conformance: "checkout-eu" }, { matched_rule_priority: "{second.priority}" }),
        evaluated({ title: "x" }, { matched: false }),
      ],
    },
  })),
  "evaluate.operator.is_empty": {
    basis: "wire",
    title: "operator is_empty matches a missing and a blank field",
    given: { ...source, rule: dropIf({ field: "conformance", operator: "is_empty" }) },
    steps: [
      evaluated({ title: "x" }, { matched: true }),
      evaluated({ conformance: "" }, { matched: true }),
      evaluated({ conformance: "a" }, { matched: false }),
    ],
  },
});

/** The rules of alert routing. */
export const routingRules: readonly ConformanceRule[] = [...scopes, ...evaluation];
