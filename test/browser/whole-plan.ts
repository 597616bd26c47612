/** A plan with every sort of change, with references, and with a list in a new order. */

import type { Json } from "../../src/core/json.ts";
import type { RoutingRule } from "../../src/kinds/routing/rules.ts";
import type { Plan } from "../../src/plan/model/plan.ts";
import type { Diagrams, Rung } from "../../src/preview/diagrams.ts";
import type { DeclarationRules, DeclareFormField, FormCondition } from "../../src/preview/impact/form.ts";
import { countOutcomes, type Outcome } from "../../src/run/journal/outcome.ts";
import type { Applied } from "../../src/view/run/outcome-view.ts";
import { everything } from "../view/plans.ts";

const condition = (field: string, operator: string, value: Json): RoutingRule["conditions"][number] => ({
  ...{ field, operator, value },
});
const rule = (label: string, severity: string | undefined, ...conditions: RoutingRule["conditions"]): RoutingRule => ({
  label,
  enabled: true,
  conditions,
  outcome: severity === undefined ? { action: "drop" } : { action: "auto_create_incident", severity },
});
const noise = rule("drop noise", undefined, condition("title", "starts_with", "[test]"));
const payments = rule("payments", "critical", condition("service", "is_one_of", ["payments", "checkout"]));
const search = rule("search, new", "major", condition("title", "matches_regex", "(?i)^search (a+)+ is down"));
const others = rule("everything else", "minor");
const field = (slug: string, isRequired: boolean, ...conditions: FormCondition[]): DeclareFormField => ({
  ...{ slug, isCustom: slug === "region" || slug === "impact", isRequired, conditions },
});
const bySeverity = (...values: string[]): FormCondition => ({
  ...{ reads: "severity", customField: undefined, operator: "one_of", values },
});
const rules = (form: readonly DeclareFormField[]): DeclarationRules => ({
  form,
  fields: new Map([
    [
      "region",
      {
        type: "single_select",
        choices: [
          { key: "1", label: "EU" },
          { key: "2", label: "US" },
        ],
      },
    ],
  ]),
  severities: new Set(["critical", "major", "minor"]),
  types: new Set(["default", "security"]),
});

type Side = readonly [position: number, name: string, color?: string] | null;

function rung(address: string, before: Side, after: Side, isMoved = false): Rung {
  const sideOf = (side: Side) => (side === null ? null : { position: side[0], name: side[1], color: side[2] });
  return { address, before: sideOf(before), after: sideOf(after), isMoved };
}

export const diagrams: Diagrams = {
  references: ["runbooks/database_is_slow", "routing_rules/Datadog/2"].map((from) => ({
    from,
    to: "severities/critical",
  })),
  ladders: [
    {
      kind: "severities",
      rungs: [
        rung("severities/blocker", null, [1, "Blocker", "#DC143C"]),
        rung("severities/critical", [1, "Sev 1", "#E8590C"], [2, "Critical", "#E8590C"]),
        rung("severities/minor", [2, "Minor"], [4, "Minor"], true),
        rung("severities/trivial", null, [3, "Trivial", "#868E96"]),
        rung("severities/parked", [3, "Parked"], null),
      ],
    },
  ],
  ruleLists: [
    {
      address: "routing_rules/workspace",
      isOfSource: false,
      before: [payments, rule("old pager", "critical", condition("title", "contains", "pager")), noise, others],
      after: [noise, payments, search, others],
    },
  ],
  form: {
    before: rules([field("name", true), field("severity", true), field("summary", false)]),
    after: rules([
      field("name", true),
      field("severity", true),
      field("region", true, bySeverity("critical", "major")),
      field("impact", false, { reads: "custom_field", customField: "region", operator: "one_of", values: ["EU"] }),
    ]),
    formerNames: new Map([["severity/critical", "Sev 1"]]),
    names: new Map([
      ["severity/critical", "Critical"],
      ["severity/major", "Major"],
      ["custom_field/region", "Region"],
      ["custom_field/impact", "Customer impact"],
    ]),
  },
};

export const whole: Plan = {
  ...everything,
  operations: everything.operations.map((operation, at) =>
    at === 6
      ? { ...operation, depends_on: ["op-1"] }
      : at === 9
        ? { ...operation, depends_on: ["op-7", "op-8"] }
        : operation,
  ),
  transitions: [
    {
      ...{ address: "routing_rules/workspace", kind: "routing_rules", added: 1, edited: 1, moved: 1, removed: 1 },
      ...{ writes: 7, window: 2, exposed: ["routing_rules/workspace/1", "routing_rules/workspace/2"] },
      order: [
        { name: "drop noise", before: 3, after: 1 },
        { name: "payments", before: 1, after: 2 },
        { name: "search, new", before: null, after: 3 },
        { name: "everything else", before: 4, after: 4 },
        { name: "old pager", before: 2, after: null },
      ],
    },
  ],
};

const outcomes = everything.operations.map(
  (operation, at): Outcome =>
    at === 0 ? { status: "failed", operation, error: new Error("the name is taken") } : { status: "done", operation },
);

/** A run of such a plan, of which the first operation failed. */
export const partial: Applied = {
  plan: { ...everything, blocked: [] },
  result: { outcomes, counts: countOutcomes(outcomes) },
  verification: null,
  explain: ({ message }) => [message],
};

const done = everything.operations.map((operation): Outcome => ({ status: "done", operation }));

/** A run of such a plan that ended as planned. */
export const complete: Applied = { ...partial, result: { outcomes: done, counts: countOutcomes(done) } };
