/** The evaluation of an alert by the service, read leniently from its response. */

import { type Fields, fieldsIn, isFields, type Json, listIn, objectsIn } from "../../core/json.ts";
import { comparableText, type RuleCondition, toConditions } from "../../kinds/routing/condition.ts";

export interface ServiceCondition extends RuleCondition {
  /** Undefined for a field that the alert does not have. */
  readonly actual: string | undefined;
  readonly matched: boolean | undefined;
}

export interface ServiceRule {
  readonly priority: number | undefined;
  readonly skipped: boolean;
  readonly matched: boolean;
  readonly conditions: readonly ServiceCondition[];
}

export interface ServiceEvaluation {
  readonly matched: boolean;
  /** Priority of the matching rule. */
  readonly priority: number | undefined;
  readonly outcome: Fields | undefined;
  /** Fields that the conditions read; undefined if the response does not have them. */
  readonly context: ReadonlyMap<string, string> | undefined;
  readonly trace: readonly ServiceRule[];
  /** Warnings about roles that the rules depend on. */
  readonly warnings: readonly string[];
}

/** The evaluation when no rules apply. */
export const NO_RULES: ServiceEvaluation = {
  matched: false,
  priority: undefined,
  outcome: undefined,
  context: undefined,
  trace: [],
  warnings: [],
};

/** The evaluation in a response of the dry run; undefined if it does not say whether a rule matched. */
export function readServiceEvaluation(body: Json): ServiceEvaluation | undefined {
  if (!isFields(body) || typeof body.matched !== "boolean") return undefined;
  const rows = objectsIn(body.trace);
  const decisive = rows.find(({ matched }) => matched === true);
  return {
    matched: body.matched,
    priority: numberIn(body.matched_rule_priority) ?? numberIn(decisive?.priority),
    outcome: isFields(body.outcome) ? body.outcome : undefined,
    context: isFields(body.context) ? contextIn(body.context) : undefined,
    trace: rows.map(ruleIn),
    warnings: listIn(body.role_warnings).map(comparableText),
  };
}

function ruleIn(row: Fields): ServiceRule {
  const rows = listIn(row.conditions);
  return {
    priority: numberIn(row.priority),
    skipped: row.skipped === true,
    matched: row.matched === true,
    conditions: toConditions(rows).map((condition, index): ServiceCondition => {
      const { actual = null, matched } = fieldsIn(rows[index]);
      return {
        ...condition,
        actual: actual === null ? undefined : comparableText(actual),
        matched: typeof matched === "boolean" ? matched : undefined,
      };
    }),
  };
}

function contextIn(context: Fields): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(context).flatMap(([name, value]) => (value === null ? [] : [[name, comparableText(value)]])),
  );
}

function numberIn(value: Json | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}
