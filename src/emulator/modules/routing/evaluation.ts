/** Evaluation of routing rules: the first enabled rule whose conditions all match, with a trace of every step. */

import { type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import { type ObjectSchema, objectSchema } from "../../http/response-schema.ts";
import type { SchemaValue } from "../../http/value-schema.ts";
import type { Database } from "../../store/database.ts";
import { type AttributeRole, catalogAttributes } from "../catalog/catalog-tables.ts";
import { matchesCondition, parseStoredCondition, routingOperators } from "./routing-conditions.ts";
import { createRoutingContext, type RoutingContext } from "./routing-context.ts";
import type { RoutingOutcome } from "./routing-outcome.ts";
import { effectiveRules, type RoutingRuleRow } from "./routing-rule-sets.ts";

const stepProperties = {
  field: { type: "string", examples: ["service"] },
  operator: { type: "string", enum: routingOperators as typeof routingOperators },
  value: { description: "Null if the operator takes none.", examples: [["checkout"]] },
  actual: { type: ["string", "null"], description: "The alert's value.", examples: ["checkout"] },
  matched: { type: "boolean" },
} as const;

const stepSchema: ObjectSchema<typeof stepProperties> = objectSchema("RoutingTraceCondition", stepProperties);

const traceProperties = {
  rule_id: { type: "string", format: "uuid" },
  priority: { type: "integer", minimum: 1 },
  matched: { type: "boolean" },
  skipped: { type: "boolean", description: "true for a disabled rule.", examples: [false] },
  conditions: { type: "array", items: stepSchema as typeof stepSchema },
} as const;

/** The schema of the trace of one rule. */
export const traceSchema: ObjectSchema<typeof traceProperties> = objectSchema("RoutingTrace", traceProperties);

/** The result of an evaluation. */
export interface AlertEvaluation {
  /** The matching rule; undefined if none matches. */
  readonly rule: RoutingRuleRow | undefined;
  readonly context: RoutingContext;
  /** One object for each evaluated rule, up to the matching one. */
  readonly trace: readonly SchemaValue<typeof traceSchema>[];
  readonly warnings: readonly string[];
}

/** Evaluates the rules in force for a source (the workspace's if undefined). Undefined if there is no rule set. */
export function evaluate(
  database: Database,
  fields: Fields,
  sourceId: string | undefined,
): AlertEvaluation | undefined {
  const rules = effectiveRules(database, sourceId);
  if (rules === undefined) return undefined;
  const context = createRoutingContext(database, fields);
  const trace: SchemaValue<typeof traceSchema>[] = [];
  for (const rule of rules) {
    const step = traceRule(rule, context);
    trace.push(step);
    if (step.matched) return { rule, context, trace, warnings: roleWarnings(database, rules) };
  }
  return { rule: undefined, context, trace, warnings: roleWarnings(database, rules) };
}

/** The trace of one rule, with all of its conditions. A disabled rule is skipped. */
function traceRule(
  { id, priority, enabled, conditions }: RoutingRuleRow,
  context: RoutingContext,
): SchemaValue<typeof traceSchema> {
  if (!enabled) return { rule_id: id, priority, matched: false, skipped: true, conditions: [] };
  const steps = conditions.map((row) => {
    const condition = parseStoredCondition(row);
    const actual = Object.hasOwn(context, condition.field) ? context[condition.field] : undefined;
    return { ...condition, actual: actual ?? null, matched: matchesCondition(condition, actual) };
  });
  const matched = steps.every((step) => step.matched);
  return { rule_id: id, priority, matched, skipped: false, conditions: steps };
}

/** Warnings about missing catalog attributes. Rules that target teams need one for the channel and one for the people. */
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

function targetsTeams({ notify, invite }: RoutingOutcome): boolean {
  return [...(isList(invite) ? invite : []), notify ?? null].some(isTeam);
}

function isTeam(target: Json): boolean {
  return isFields(target) && (target.type === "team" || target.type === "owning_team");
}
