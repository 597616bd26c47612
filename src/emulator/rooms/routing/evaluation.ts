/** Evaluating routing rules: the first enabled rule all of whose conditions match, with a trace of every step. */

import { type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import type { Database } from "../../store/database.ts";
import { type AttributeRole, catalogAttributes } from "../catalog/catalog-tables.ts";
import { matchesCondition, routingCondition } from "./routing-conditions.ts";
import { contextOf, type RoutingContext } from "./routing-context.ts";
import { effectiveRules, type RoutingRuleRow } from "./routing-rule-sets.ts";

/** What came of an evaluation. */
export interface Evaluation {
  /** Undefined when no rule matched. */
  readonly rule: RoutingRuleRow | undefined;
  readonly context: RoutingContext;
  /** One object per rule looked at, up to the one that matched. */
  readonly trace: readonly Fields[];
  readonly warnings: readonly string[];
}

/** Evaluates the rules in force for a source (the workspace's without one); undefined when there is no rule set at all. */
export function evaluate(database: Database, fields: Fields, sourceId: string | undefined): Evaluation | undefined {
  const rules = effectiveRules(database, sourceId);
  if (rules === undefined) return undefined;
  const context = contextOf(database, fields);
  const trace: Fields[] = [];
  for (const rule of rules) {
    const step = traced(rule, context);
    trace.push(step);
    if (step.matched === true) return { rule, context, trace, warnings: roleWarnings(database, rules) };
  }
  return { rule: undefined, context, trace, warnings: roleWarnings(database, rules) };
}

/** Every condition is traced, also those after the first that does not match; a disabled rule is skipped. */
function traced({ id, priority, enabled, conditions }: RoutingRuleRow, context: RoutingContext): Fields {
  if (!enabled) return { rule_id: id, priority, matched: false, skipped: true, conditions: [] };
  const steps = conditions.map((stored) => {
    const condition = routingCondition(stored);
    const actual = Object.hasOwn(context, condition.field) ? context[condition.field] : undefined;
    return { ...condition, actual: actual ?? null, matched: matchesCondition(condition, actual) };
  });
  const matched = steps.every((step) => step.matched);
  return { rule_id: id, priority, matched, skipped: false, conditions: steps };
}

/** Rules that target teams depend on catalog attributes that bear a role: one for its channel, one for its people. */
function roleWarnings(database: Database, rules: readonly RoutingRuleRow[]): readonly string[] {
  if (!rules.some(({ outcome }) => targetsTeams(outcome))) return [];
  const isSet = (role: AttributeRole): boolean => database.count(catalogAttributes, { role }) > 0;
  const channel = isSet("notification_channel")
    ? []
    : ["Rules target teams, but no catalog attribute has the role notification_channel"];
  const people =
    isSet("members") || isSet("manager")
      ? []
      : ["Rules target teams, but no catalog attribute has the role members or manager"];
  return [...channel, ...people];
}

function targetsTeams({ notify, invite }: Fields): boolean {
  return [...(isList(invite) ? invite : []), notify ?? null].some(isTeam);
}

function isTeam(target: Json): boolean {
  return isFields(target) && (target.type === "team" || target.type === "owning_team");
}
