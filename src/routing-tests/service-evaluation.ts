/** The service's own evaluation of an alert, read leniently from its answer. */

import { type Fields, isFields, isList, type Json } from "../core/json.ts";
import { type Condition, conditionsIn, textOf } from "../routing/condition.ts";

/** A condition that the service looked at. */
export interface ServedCondition extends Condition {
  /** Undefined for a field that the alert lacks. */
  readonly actual: string | undefined;
  readonly matched: boolean | undefined;
}

/** A rule that the service looked at. */
export interface ServedRule {
  readonly priority: number | undefined;
  readonly skipped: boolean;
  readonly matched: boolean;
  readonly conditions: readonly ServedCondition[];
}

/** What the service says would happen. */
export interface Served {
  readonly matched: boolean;
  /** Of the rule that matched. */
  readonly priority: number | undefined;
  /** Id of the rule that matched, where the trace tells it. */
  readonly ruleId: string | undefined;
  readonly outcome: Fields | undefined;
  /** The fields as conditions saw them; undefined when the answer does not tell. */
  readonly context: ReadonlyMap<string, string> | undefined;
  readonly trace: readonly ServedRule[];
  /** About roles that the rules depend on. */
  readonly warnings: readonly string[];
}

/** Nothing matched, because no rules are in force at all. */
export const NO_RULES: Served = {
  matched: false,
  priority: undefined,
  ruleId: undefined,
  outcome: undefined,
  context: undefined,
  trace: [],
  warnings: [],
};

/** Reads an answer of the dry run; undefined when it does not say whether a rule matched. */
export function servedEvaluation(body: Json): Served | undefined {
  if (!isFields(body) || typeof body.matched !== "boolean") return undefined;
  const rows = isList(body.trace) ? body.trace.filter(isFields) : [];
  const decisive = rows.find(({ matched }) => matched === true);
  return {
    matched: body.matched,
    priority: numberIn(body.matched_rule_priority) ?? numberIn(decisive?.priority),
    ruleId: typeof decisive?.rule_id === "string" ? decisive.rule_id : undefined,
    outcome: isFields(body.outcome) ? body.outcome : undefined,
    context: isFields(body.context) ? contextIn(body.context) : undefined,
    trace: rows.map(ruleIn),
    warnings: isList(body.role_warnings) ? body.role_warnings.map(textOf) : [],
  };
}

function ruleIn(row: Fields): ServedRule {
  const rows = isList(row.conditions) ? row.conditions : [];
  return {
    priority: numberIn(row.priority),
    skipped: row.skipped === true,
    matched: row.matched === true,
    conditions: conditionsIn(rows).map((condition, index): ServedCondition => {
      const { actual = null, matched } = fieldsOf(rows[index]);
      const told = typeof matched === "boolean" ? matched : undefined;
      return { ...condition, actual: actual === null ? undefined : textOf(actual), matched: told };
    }),
  };
}

function contextIn(context: Fields): ReadonlyMap<string, string> {
  return new Map(Object.entries(context).flatMap(([name, value]) => (value === null ? [] : [[name, textOf(value)]])));
}

function fieldsOf(value: Json | undefined): Fields {
  return isFields(value) ? value : {};
}

function numberIn(value: Json | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}
