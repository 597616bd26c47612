/** Evaluates routing rules offline: the first enabled rule all of whose conditions hold, with a trace of why. */

import type { Json } from "../core/json.ts";
import { verdict } from "./condition.ts";
import type { Context } from "./context.ts";
import type { Rule } from "./rules.ts";

/** A condition that was looked at. */
export interface ConditionStep {
  readonly field: string;
  readonly operator: string;
  readonly value: Json;
  /** Null for a field that the alert lacks. */
  readonly actual: string | null;
  /** The field's text came from the catalog and not from the alert. */
  readonly derived: boolean;
  /** Undefined when it cannot be told here; `why` says the reason. */
  readonly matched: boolean | undefined;
  readonly why?: string;
}

/** A rule that was looked at. */
export interface RuleStep {
  /** In its list, counted from 1. */
  readonly place: number;
  readonly label?: string;
  readonly skipped: boolean;
  readonly matched: boolean | undefined;
  readonly conditions: readonly ConditionStep[];
}

/** What came of an evaluation. */
export interface Evaluation {
  /** The rule that decides; undefined when none matches, or when that cannot be told. */
  readonly rule: Rule | undefined;
  /** A rule that may or may not match comes first, so nothing behind it is certain. */
  readonly undecided: boolean;
  /** One step for each rule up to the one that decides. It is made when it is asked for: few are read, and there are many. */
  trace(): readonly RuleStep[];
}

/** Evaluates the rules of one list; disabled ones are skipped. */
export function evaluate(rules: readonly Rule[], context: Context): Evaluation {
  const at = rules.findIndex((rule) => matches(rule, context) !== false);
  const found = rules[at];
  const undecided = found !== undefined && matches(found, context) === undefined;
  const trace = () =>
    rules.slice(0, found === undefined ? rules.length : at + 1).map((rule, index) => look(rule, index + 1, context));
  return { rule: undecided ? undefined : found, undecided, trace };
}

/** Whether a rule matches; undefined when it cannot be told. */
function matches({ enabled, conditions }: Rule, context: Context): boolean | undefined {
  if (!enabled) return false;
  let certain = true;
  for (const condition of conditions) {
    const { matched } = verdict(condition, context.get(condition.field)?.text);
    if (matched === false) return false;
    if (matched === undefined) certain = false;
  }
  return certain ? true : undefined;
}

/** Every condition is looked at, also those behind one that does not hold: one that fails for certain decides alone. */
function look({ label, enabled, conditions }: Rule, place: number, context: Context): RuleStep {
  const name = label === undefined ? {} : { label };
  if (!enabled) return { place, ...name, skipped: true, matched: false, conditions: [] };
  const steps = conditions.map(({ field, operator, value }): ConditionStep => {
    const known = context.get(field);
    const derived = known?.from === "catalog";
    return {
      field,
      operator,
      value,
      actual: known?.text ?? null,
      derived,
      ...verdict({ operator, value }, known?.text),
    };
  });
  const failed = steps.some(({ matched }) => matched === false);
  const certain = steps.every(({ matched }) => matched === true);
  return { place, ...name, skipped: false, matched: failed ? false : certain ? true : undefined, conditions: steps };
}
