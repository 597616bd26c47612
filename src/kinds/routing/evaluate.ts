/** Evaluates routing rules offline: the first enabled rule whose conditions all match, with a trace. */

import type { Json } from "../../core/json.ts";
import { MASK } from "../../core/value-text.ts";
import { type ConditionResult, type ConditionTest, conditionTest, UNDECIDED_SECRET } from "./condition.ts";
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
  /** Why it is undecided. */
  readonly why?: string;
  /** The rules that may match, in their order, up to the first that matches for certain. Built on demand. */
  possible(): readonly RoutingRule[];
  /** One step for each rule up to the matching one. Built on demand, since few traces are read. */
  trace(): readonly RuleStep[];
}

/** A condition, and the index of its field among those of its list. */
interface CompiledCondition {
  readonly at: number;
  readonly test: ConditionTest;
}

/** A list of rules, ready for many alerts. */
interface CompiledRules {
  /** The fields that the conditions read. */
  readonly fields: readonly string[];
  readonly rules: readonly (readonly CompiledCondition[] | "disabled")[];
}

const compiledLists = new WeakMap<readonly RoutingRule[], CompiledRules>();

/** The compiled rules of a list. A list is compiled once. */
function compiledOf(rules: readonly RoutingRule[]): CompiledRules {
  const known = compiledLists.get(rules);
  if (known !== undefined) return known;
  const fields = [...new Set(rules.flatMap(({ conditions }) => conditions.map(({ field }) => field)))];
  const places = new Map(fields.map((field, at) => [field, at]));
  const compiled = {
    fields,
    rules: rules.map(({ enabled, conditions }) =>
      enabled
        ? conditions.map((condition) => ({ at: places.get(condition.field) ?? 0, test: conditionTest(condition) }))
        : ("disabled" as const),
    ),
  };
  compiledLists.set(rules, compiled);
  return compiled;
}

/** Evaluates the rules of one list; disabled ones are skipped. */
export function evaluate(rules: readonly RoutingRule[], context: AlertContext): RoutingEvaluation {
  const { fields, rules: compiled } = compiledOf(rules);
  const known = fields.map((field) => context.get(field));
  const at = firstPossible(compiled, known, 0);
  const first = rules[at];
  const why = first === undefined ? undefined : doubtOf(compiled[at], known);
  const possible = () => {
    const some: RoutingRule[] = [];
    for (let next = at; next < rules.length; next = firstPossible(compiled, known, next + 1)) {
      some.push(...rules.slice(next, next + 1));
      if (doubtOf(compiled[next], known) === undefined) break;
    }
    return some;
  };
  const trace = () =>
    rules
      .slice(0, first === undefined ? rules.length : at + 1)
      .map((rule, index) => traceRule(rule, index + 1, context));
  const isUndecided = why !== undefined;
  return { rule: isUndecided ? undefined : first, isUndecided, ...(isUndecided ? { why } : {}), possible, trace };
}

type KnownFields = readonly (FieldText | undefined)[];

/** The index of the first rule that matches or may match, from an index on; the number of rules if there is none. */
function firstPossible(rules: CompiledRules["rules"], known: KnownFields, from: number): number {
  for (let at = from; at < rules.length; at += 1) {
    const conditions = rules[at];
    if (conditions === undefined || conditions === "disabled") continue;
    if (mayMatch(conditions, known)) return at;
  }
  return rules.length;
}

/** Whether no condition fails. A loop, because it runs millions of times in a replay. */
function mayMatch(conditions: readonly CompiledCondition[], known: KnownFields): boolean {
  for (const condition of conditions) if (resultOf(condition, known).matched === false) return false;
  return true;
}

/** Why it is not certain that a rule matches of which no condition fails. */
function doubtOf(rule: CompiledRules["rules"][number] | undefined, known: KnownFields): string | undefined {
  if (rule === undefined || rule === "disabled") return undefined;
  for (const condition of rule) {
    const result = resultOf(condition, known);
    if (result.matched === undefined) return result.why;
  }
  return undefined;
}

/** The result of a condition for its field, either of which may come from the environment. */
function resultOf({ at, test }: CompiledCondition, known: KnownFields): ConditionResult {
  const field = known[at];
  if (field === undefined) return test(undefined);
  if (field.isSecret === true) return UNDECIDED_SECRET;
  return field.unknown === undefined ? test(field.text) : { matched: undefined, why: field.unknown };
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
      ...resultOf({ at: 0, test: conditionTest(condition) }, [known]),
    };
  });
  const failed = steps.some(({ matched }) => matched === false);
  const certain = steps.every(({ matched }) => matched === true);
  return { place, ...name, skipped: false, matched: failed ? false : certain ? true : undefined, conditions: steps };
}
