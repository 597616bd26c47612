/** Routing rules by scope, and those that apply to an alert source. */

import { type Fields, fieldsIn } from "../../core/json.ts";
import { type RuleCondition, toConditions } from "./condition.ts";

/** A routing rule, as a configuration declares it. */
export interface RoutingRule {
  /** Name in the configuration; absent for undeclared rules. */
  readonly label?: string;
  /** Priority in the service; absent for declared rules. */
  readonly priority?: number;
  readonly enabled: boolean;
  readonly conditions: readonly RuleCondition[];
  readonly outcome: Fields;
}

/** Routing rules by scope; `workspace` is undefined if the rules of the workspace are unknown. */
export interface RoutingRuleSets {
  readonly workspace: readonly RoutingRule[] | undefined;
  /** Own rules of alert sources, by name. */
  readonly sources: ReadonlyMap<string, readonly RoutingRule[]>;
}

/** The rules that apply to an alert. */
export interface EffectiveRules {
  readonly rules: readonly RoutingRule[] | undefined;
  /** The source that the rules belong to; empty for the workspace. */
  readonly scope: string;
}

/** A rule from the fields of a resource; `secrets` are JSON Pointers to those from the environment. */
export function toRoutingRule(
  fields: Fields,
  known: Pick<RoutingRule, "label" | "priority"> = {},
  secrets: readonly string[] = [],
): RoutingRule {
  return {
    ...known,
    enabled: fields.enabled !== false,
    conditions: toConditions(fields.conditions, below("/conditions", secrets)),
    outcome: fieldsIn(fields.outcome),
  };
}

/** The pointers below another one, relative to it. */
function below(base: string, pointers: readonly string[]): readonly string[] {
  return pointers.flatMap((pointer) => (pointer.startsWith(`${base}/`) ? [pointer.slice(base.length)] : []));
}

/** The own rules of a source, or else those of the workspace (Configuration resources, rule 6). */
export function effectiveRules(sets: RoutingRuleSets, source: string | undefined): EffectiveRules {
  const own = source === undefined ? undefined : sets.sources.get(source);
  if (source !== undefined && own !== undefined && own.length > 0) return { rules: own, scope: source };
  return { rules: sets.workspace, scope: "" };
}
