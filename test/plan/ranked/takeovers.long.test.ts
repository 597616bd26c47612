/** Which rules a changed rule takes alerts from, beside the routing of every alert before and after the plan. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { evaluate } from "../../../src/kinds/routing/evaluate.ts";
import { toRoutingRule } from "../../../src/kinds/routing/rules.ts";
import type { Change, Plan } from "../../../src/plan/model/plan.ts";
import { planned } from "../../support/plans/make-plan.ts";

const to = (channel_id: string): Fields => ({ action: "notify_only", notify: { type: "channel", channel_id } });
const is = (field: string, ...value: readonly string[]): Fields => ({ field, operator: "is_one_of", value });
const rule = (name: string, ...conditions: readonly Fields[]): Fields => ({
  name,
  conditions,
  outcome: to(name),
  enabled: true,
});
/** The service knows no names. */
const unnamed = ({ name: _name, ...fields }: Fields): Fields => fields;

function planOf(live: readonly Fields[], declared: readonly Fields[]): Plan {
  return planned({ routing_rules: { workspace: declared } }, { live: { routing_rules: live.map(unnamed) } });
}

/** What each changed rule takes over, by its name. */
function takeovers(live: readonly Fields[], declared: readonly Fields[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    planOf(live, declared).changes.flatMap(({ label, takes_over }) =>
      label === undefined || takes_over === undefined ? [] : [[label, takes_over]],
    ),
  );
}

const web = rule("web", is("service", "web"));
const red = rule("red", is("team", "red"));
const rest = rule("rest");

describe("a changed rule takes alerts from", () => {
  test.each<[string, readonly Fields[], readonly Fields[], Readonly<Record<string, unknown>>]>([
    [
      "the rules below it, up to one that matches all its alerts",
      [web, red, rest, red],
      [rule("new", is("team", "red")), web, red, rest, red],
      { new: { rules: ["web", "red"] } },
    ],
    [
      "no rule whose values differ",
      [web, rest],
      [rule("new", is("service", "db")), web, rest],
      { new: { rules: ["rest"] } },
    ],
    [
      "no rule that stays above it",
      [web, rest],
      [web, rule("new", is("service", "web", "db")), rest],
      { new: { rules: ["rest"] } },
    ],
    [
      "nowhere if a rule above it matches all its alerts",
      [web, rest],
      [web, rule("new", is("service", "web")), rest],
      {},
    ],
    [
      "no rule if none matched them",
      [web],
      [rule("new", is("service", "db")), web],
      { new: { rules: [], unmatched: true } },
    ],
    ["the rules that it moves over", [web, red, rest], [red, web, rest], { red: { rules: ["web"] } }],
    [
      "nowhere if it matches fewer alerts than before",
      [rule("web", is("service", "web", "db")), rest],
      [web, rest],
      {},
    ],
    ["a rule that is deleted", [web, rest], [rule("new", is("team", "red")), rest], { new: { rules: ["rest"] } }],
    ["nowhere if it is off", [web, rest], [{ ...rule("new"), enabled: false }, web, rest], {}],
  ])("%s", (_, live, declared, expected) => {
    expect(takeovers(live, declared)).toEqual(expected);
  });

  test("at most three rules by name", () => {
    const many = ["a", "b", "c", "d", "e"].map((name) => rule(name, is("service", name)));
    expect(takeovers(many, [rule("new", is("team", "red")), ...many])).toEqual({
      new: { rules: ["a", "b", "c"], more: 2, unmatched: true },
    });
  });
});

const VALUES = ["", "a", "ab", "b"];
const condition = fc.record({
  field: fc.constantFrom("service", "team"),
  operator: fc.constantFrom("is_one_of", "contains", "starts_with", "is_empty", "matches_regex"),
  value: fc.subarray(VALUES, { minLength: 1 }),
});
const anyRule = fc
  .record({
    conditions: fc.array(condition, { maxLength: 2 }),
    enabled: fc.boolean(),
    channel: fc.constantFrom("1", "2"),
  })
  .map(
    ({ conditions, enabled, channel }): Fields => ({
      conditions: conditions.map(({ field, operator, value }): Fields => {
        if (operator === "is_one_of") return { field, operator, value };
        return operator === "is_empty" ? { field, operator } : { field, operator, value: value[0] ?? "" };
      }),
      enabled,
      outcome: to(channel),
    }),
  );
const rules = fc.array(anyRule, { minLength: 1, maxLength: 6 });
const ALERTS = [undefined, ...VALUES].flatMap((service) => [undefined, ...VALUES].map((team) => ({ service, team })));

/** The place of the rule that an alert matches, counted from 1; 0 if it matches none. */
function placeOf(list: readonly Fields[], alert: Readonly<Record<string, string | undefined>>): number {
  const parsed = list.map((fields) => toRoutingRule(fields));
  const context = new Map(
    Object.entries(alert).flatMap(([field, text]) =>
      text === undefined ? [] : [[field, { text, from: "alert" as const }]],
    ),
  );
  const { rule: matched } = evaluate(parsed, context);
  return matched === undefined ? 0 : parsed.indexOf(matched) + 1;
}

test("no alert goes from one rule to a changed one without being told", () => {
  fc.assert(
    fc.property(rules, rules, (live, other) => {
      // Declared rules are partly those of the service, so that rules pair.
      const declared = other.map((fields, index) => ({
        ...(index % 2 === 0 ? (live[index] ?? fields) : fields),
        name: `rule ${index + 1}`,
      }));
      const plan = planOf(live, declared);
      const order = plan.transitions?.[0]?.order ?? [];
      const changes = new Map<string, Change>(plan.changes.map((change) => [change.label ?? change.address, change]));
      for (const alert of ALERTS) {
        const [before, after] = [placeOf(live, alert), placeOf(declared, alert)];
        const change = changes.get(`rule ${after}`);
        const former = order.find((one) => one.before === before);
        if (change === undefined || former?.after === after) continue;
        const { rules: named = [], more = 0, unmatched = false } = change.takes_over ?? {};
        const isTold = before === 0 ? unmatched : more > 0 || named.includes(former?.name ?? "");
        expect({ alert, before, after, isTold }).toEqual({ alert, before, after, isTold: true });
      }
    }),
    { numRuns: 200 },
  );
});
