/** The reasons for which the service refuses a declaration, and whether they are certain (Incidents, "Creation rules"). */

import {
  type DeclarationRules,
  type DeclareFormField,
  type FormChoice,
  type FormCondition,
  findChoice,
  findCustomField,
} from "./form.ts";
import type { FieldAnswer, PastIncident } from "./past-incident.ts";

/**
 * `required`: a required field has no value. `field`: a field is not on the form. `option`, `option_renamed`: a choice does not exist, or
 * has another label. `field_type`: a field has another type. `severity`, `incident_type`: it is not enabled.
 */
export type ReasonCode =
  | "required"
  | "field"
  | "option"
  | "option_renamed"
  | "field_type"
  | "severity"
  | "incident_type";

/** A reason for which a declaration is refused. */
export interface RefusalReason {
  readonly code: ReasonCode;
  /** Slug of the field, severity or type. */
  readonly subject: string;
}

/** A refusal. It is only possible, not certain, if it depends on something unknown. */
export interface DeclarationRefusal extends RefusalReason {
  readonly isCertain: boolean;
}

/**
 * The refusals of a declaration like this incident under `rules`. Under the rules of `today` it tells which values the declaration had:
 * a value that today's form does not ask for was added later, so it may not have been sent.
 */
export function findRefusals(
  incident: PastIncident,
  rules: DeclarationRules,
  today: DeclarationRules,
): readonly DeclarationRefusal[] {
  return [
    ...checkEnabled("severity", incident.severity, rules.severities),
    ...checkEnabled("incident_type", incident.type, rules.types),
    ...[...incident.customAnswers].flatMap(([slug, answers]) =>
      findCustomField(today, slug) === undefined ? [] : checkCustomField(slug, answers, rules, today),
    ),
    ...rules.form.flatMap((field) => checkRequired(field, incident, rules, today)),
  ];
}

function checkEnabled(
  code: "severity" | "incident_type",
  slug: string | null | undefined,
  enabled: ReadonlySet<string>,
): readonly DeclarationRefusal[] {
  return slug === undefined || slug === null || enabled.has(slug) ? [] : [{ code, subject: slug, isCertain: true }];
}

/** The refusals because of the values of a custom field. */
function checkCustomField(
  slug: string,
  answers: readonly FieldAnswer[],
  rules: DeclarationRules,
  today: DeclarationRules,
): readonly DeclarationRefusal[] {
  const field = rules.fields.get(slug);
  // The service may refuse to delete a field that incidents use, so its deletion is not certain.
  if (findCustomField(rules, slug) === undefined)
    return [{ code: "field", subject: slug, isCertain: field !== undefined }];
  const former = today.fields.get(slug);
  if (field?.type !== former?.type) return [{ code: "field_type", subject: slug, isCertain: false }];
  const choices = field?.choices;
  if (choices === undefined) return [];
  const wrong = answers.flatMap((answer): readonly DeclarationRefusal[] => {
    const { now, before } = matchChoice(answer, choices, former?.choices ?? []);
    if (now !== undefined) {
      return now.isLeaving === true ? [{ code: "option", subject: slug, isCertain: false }] : [];
    }
    const code = before === undefined ? "option" : "option_renamed";
    return [{ code, subject: slug, isCertain: before === undefined }];
  });
  // Each reason counts once for a field, however many values it concerns.
  return (["option", "option_renamed"] as const).flatMap((code) => {
    const own = wrong.filter((refusal) => refusal.code === code);
    return own.find(({ isCertain }) => isCertain) ?? own[0] ?? [];
  });
}

/** The choice that the value means now, and the choice that it meant before, if that still exists. */
function matchChoice(
  answer: FieldAnswer,
  choices: readonly FormChoice[],
  former: readonly FormChoice[],
): { readonly now: FormChoice | undefined; readonly before: FormChoice | undefined } {
  const meant = findChoice(former, answer);
  return { now: findChoice(choices, answer), before: choices.find(({ key }) => key === meant?.key) };
}

function checkRequired(
  field: DeclareFormField,
  incident: PastIncident,
  rules: DeclarationRules,
  today: DeclarationRules,
): readonly DeclarationRefusal[] {
  if (!field.isRequired) return [];
  const hasAnswer = isAnswered(field, incident, today);
  const asked = isAsked(field, incident, rules, today);
  if (hasAnswer === true || asked === false) return [];
  const isCertain = hasAnswer === false && asked === true && isAnswerable(field, rules);
  return [{ code: "required", subject: field.slug, isCertain }];
}

function isAnswered(
  { isCustom, slug }: DeclareFormField,
  incident: PastIncident,
  today: DeclarationRules,
): boolean | undefined {
  if (!isCustom) return incident.systemAnswers[slug];
  if (!incident.customAnswers.has(slug)) return false;
  return findCustomField(today, slug) === undefined ? undefined : true;
}

/** Whether the field has choices; the service may not require one that has none. */
function isAnswerable({ isCustom, slug }: DeclareFormField, { fields, types }: DeclarationRules): boolean {
  return isCustom ? fields.get(slug)?.choices?.length !== 0 : slug !== "incident_type" || types.size > 0;
}

/**
 * Whether the form asks for a field in a declaration like this incident, because all its conditions hold; undefined if that depends on
 * something unknown.
 */
export function isAsked(
  { conditions }: DeclareFormField,
  incident: PastIncident,
  rules: DeclarationRules,
  today: DeclarationRules = rules,
): boolean | undefined {
  if (conditions === undefined) return undefined;
  const held = conditions.map((condition) => conditionHolds(condition, incident, rules, today));
  if (held.includes(false)) return false;
  return held.includes(undefined) ? undefined : true;
}

function conditionHolds(
  { reads, customField, operator, values }: FormCondition,
  incident: PastIncident,
  rules: DeclarationRules,
  today: DeclarationRules,
): boolean | undefined {
  if (operator !== "one_of" && operator !== "not_one_of") return undefined;
  const choices = rules.fields.get(customField ?? "")?.choices ?? [];
  const actual = valuesRead(reads, customField, incident, rules, today);
  if (actual === undefined) return undefined;
  // The interface does not specify whether an absent value is "not one of" some values.
  if (actual.length === 0) return operator === "one_of" ? false : undefined;
  const named = reads === "custom_field" ? values.map((value) => findChoice(choices, [value])?.key ?? value) : values;
  return actual.some((key) => named.includes(key)) === (operator === "one_of");
}

/** The values that a condition reads, as slugs or keys of choices; undefined if unknown. */
function valuesRead(
  reads: string,
  customField: string | undefined,
  incident: PastIncident,
  rules: DeclarationRules,
  today: DeclarationRules,
): readonly string[] | undefined {
  if (reads === "severity") return incident.severity === undefined ? undefined : [incident.severity];
  if (reads === "incident_type") {
    return incident.type === undefined ? undefined : incident.type === null ? [] : [incident.type];
  }
  if (reads !== "custom_field" || customField === undefined) return undefined;
  const answers = incident.customAnswers.get(customField);
  if (answers === undefined) return [];
  if (findCustomField(today, customField) === undefined) return undefined;
  const choices = rules.fields.get(customField)?.choices ?? [];
  const former = today.fields.get(customField)?.choices ?? [];
  const keys = answers.map((answer) => {
    const { now } = matchChoice(answer, choices, former);
    return now !== undefined && now.key === findChoice(former, answer)?.key ? now.key : undefined;
  });
  const known = keys.filter((key) => key !== undefined);
  return known.length === keys.length ? known : undefined;
}
