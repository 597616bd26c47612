/** Evaluates routing rules offline: the first enabled rule whose conditions all match, with a trace. */

import type { Json } from "../../core/json.ts";
import { MASK } from "../../core/value-text.ts";
import { type ConditionResult, evaluateCondition, type RuleCondition } from "./condition.ts";
import type { AlertContext, FieldText } from "./context.ts";
import type { RoutingRule } from "./rules.ts";

/** An evaluated condition. Values that come from the environment are masked. */
export interface ConditionStep {
  readonly field: string;
  readonly operator: string;
  readonly value: Json;
  /** Null for a field that the alert does not have. */
  readonly actual: string | null;
  /** The text comes from the catalog and not from the alert. */
  readonly derived: boolean;
  /** Undefined if it cannot be decided offline, for the reason in `why`. */
  readonly matched: boolean | undefined;
  readonly why?: string;
}

/** An evaluated rule. */
export interface RuleStep {
  /** Position in its list, counted from 1. */
  readonly place: number;
  readonly label?: string;
  readonly skipped: boolean;
  readonly matched: boolean | undefined;
  readonly conditions: readonly ConditionStep[];
}

/** The result of an evaluation. */
export interface RoutingEvaluation {
  /** The rule that matches; undefined if none does or if it is undecided. */
  readonly rule: RoutingRule | undefined;
  /** A rule that may match comes before the first certain match. */
  readonly isUndecided: boolean;
  /** One step for each rule up to the matching one. Built on demand, since few traces are read. */
  trace(): readonly RuleStep[];
}

/** Evaluates the rules of one list; disabled ones are skipped. */
export function evaluate(rules: readonly RoutingRule[], context: AlertContext): RoutingEvaluation {
  const at = rules.findIndex((rule) => matches(rule, context) !== false);
  const first = rules[at];
  const isUndecided = first !== undefined && matches(first, context) === undefined;
  const trace = () =>
    rules
      .slice(0, first === undefined ? rules.length : at + 1)
      .map((rule, index) => traceRule(rule, index + 1, context));
  return { rule: isUndecided ? undefined : first, isUndecided, trace };
}

/** Whether a rule matches; undefined if undecided. */
function matches({ enabled, conditions }: RoutingRule, context: AlertContext): boolean | undefined {
  if (!enabled) return false;
  let isCertain = true;
  for (const condition of conditions) {
    const { matched } = evaluateField(condition, context.get(condition.field));
    if (matched === false) return false;
    if (matched === undefined) isCertain = false;
  }
  return isCertain ? true : undefined;
}

/** The trace of a rule. All conditions are evaluated, since a later one may fail for certain. */
function traceRule({ label, enabled, conditions }: RoutingRule, place: number, context: AlertContext): RuleStep {
  const name = label === undefined ? {} : { label };
  if (!enabled) return { place, ...name, skipped: true, matched: false, conditions: [] };
  const steps = conditions.map((condition): ConditionStep => {
    const { operator, isSecret, isFieldSecret } = condition;
    const known = context.get(condition.field);
    return {
      field: isFieldSecret === true ? MASK : condition.field,
      operator,
      value: isSecret === true ? MASK : condition.value,
      actual: known === undefined ? null : known.isSecret === true || isFieldSecret === true ? MASK : known.text,
      derived: known?.from === "catalog",
      ...evaluateField(condition, known),
    };
  });
  const failed = steps.some(({ matched }) => matched === false);
  const certain = steps.every(({ matched }) => matched === true);
  return { place, ...name, skipped: false, matched: failed ? false : certain ? true : undefined, conditions: steps };
}

/** The result of a condition for a field, either of which may come from the environment. */
function evaluateField(condition: RuleCondition, field: FieldText | undefined): ConditionResult {
  return evaluateCondition(field?.isSecret === true ? { ...condition, isSecret: true } : condition, field?.text);
}
