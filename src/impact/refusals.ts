/** Why a declaration is refused at one moment, and how sure that is (Incidents, "Creation rules"). */

import { type Choice, type Condition, choiceOf, customFieldOn, type FormField, type Moment } from "./form.ts";
import type { Answer, PastIncident } from "./incident.ts";

/**
 * What is wrong: a required field has no answer, a field is not on the form, a choice is not offered or has another label,
 * a field takes another type of answer, a severity or a type is not enabled.
 */
export type ReasonCode =
  | "required"
  | "field"
  | "option"
  | "option_renamed"
  | "field_type"
  | "severity"
  | "incident_type";

/** Why a declaration is refused. */
export interface Reason {
  readonly code: ReasonCode;
  /** Slug of the field, severity or type. */
  readonly subject: string;
}

/** A reason, and whether it is certain; what cannot be known is only possible. */
export interface Refusal extends Reason {
  readonly certain: boolean;
}

/**
 * Every reason for which the incident would be refused if it were declared at `moment` as it was under `today`'s form: a value
 * that today's form does not ask for came later, so whether it would be sent is not known.
 */
export function refusals(incident: PastIncident, moment: Moment, today: Moment): readonly Refusal[] {
  return [
    ...disabled("severity", incident.severity, moment.severities),
    ...disabled("incident_type", incident.type, moment.types),
    ...[...incident.custom].flatMap(([slug, answers]) =>
      customFieldOn(today, slug) === undefined ? [] : unfit(slug, answers, moment, today),
    ),
    ...moment.form.flatMap((field) => missing(field, incident, moment, today)),
  ];
}

function disabled(
  code: "severity" | "incident_type",
  slug: string | null | undefined,
  enabled: ReadonlySet<string>,
): readonly Refusal[] {
  return slug === undefined || slug === null || enabled.has(slug) ? [] : [{ code, subject: slug, certain: true }];
}

/** What is wrong with the answers to one custom field. */
function unfit(slug: string, answers: readonly Answer[], moment: Moment, today: Moment): readonly Refusal[] {
  const field = moment.fields.get(slug);
  // A field that incidents hold cannot be deleted: whether it goes is the service's decision.
  if (customFieldOn(moment, slug) === undefined)
    return [{ code: "field", subject: slug, certain: field !== undefined }];
  const former = today.fields.get(slug);
  if (field?.type !== former?.type) return [{ code: "field_type", subject: slug, certain: false }];
  const choices = field?.choices;
  if (choices === undefined) return [];
  const wrong = answers.flatMap((answer): readonly Refusal[] => {
    const { found, still } = meaning(answer, choices, former?.choices ?? []);
    if (found !== undefined) {
      return found.leaving === true ? [{ code: "option", subject: slug, certain: false }] : [];
    }
    const code = still === undefined ? "option" : "option_renamed";
    return [{ code, subject: slug, certain: still === undefined }];
  });
  // One reason counts once for each field, however many answers it concerns.
  return (["option", "option_renamed"] as const).flatMap((code) => {
    const own = wrong.filter((refusal) => refusal.code === code);
    return own.find(({ certain }) => certain) ?? own[0] ?? [];
  });
}

/** The choice that the same words mean, and the one that they meant, as far as it is still there under another label. */
function meaning(
  answer: Answer,
  choices: readonly Choice[],
  former: readonly Choice[],
): { readonly found: Choice | undefined; readonly still: Choice | undefined } {
  const meant = choiceOf(former, answer);
  return { found: choiceOf(choices, answer), still: choices.find(({ key }) => key === meant?.key) };
}

function missing(field: FormField, incident: PastIncident, moment: Moment, today: Moment): readonly Refusal[] {
  if (!field.required) return [];
  const answered = isAnswered(field, incident, today);
  const asked = allHold(field.conditions, incident, moment, today);
  if (answered === true || asked === false) return [];
  const certain = answered === false && asked === true && isAnswerable(field, moment);
  return [{ code: "required", subject: field.slug, certain }];
}

function isAnswered({ custom, slug }: FormField, incident: PastIncident, today: Moment): boolean | undefined {
  if (!custom) return incident.system[slug];
  if (!incident.custom.has(slug)) return false;
  return customFieldOn(today, slug) === undefined ? undefined : true;
}

/** A field without anything to choose from may be left out when the form is asked. */
function isAnswerable({ custom, slug }: FormField, { fields, types }: Moment): boolean {
  return custom ? fields.get(slug)?.choices?.length !== 0 : slug !== "incident_type" || types.size > 0;
}

/** Whether the field is asked for; undefined when that cannot be known. */
function allHold(
  conditions: readonly Condition[] | undefined,
  incident: PastIncident,
  moment: Moment,
  today: Moment,
): boolean | undefined {
  if (conditions === undefined) return undefined;
  const held = conditions.map((condition) => holds(condition, incident, moment, today));
  if (held.includes(false)) return false;
  return held.includes(undefined) ? undefined : true;
}

function holds(
  { reads, customField, operator, values }: Condition,
  incident: PastIncident,
  moment: Moment,
  today: Moment,
): boolean | undefined {
  if (operator !== "one_of" && operator !== "not_one_of") return undefined;
  const choices = moment.fields.get(customField ?? "")?.choices ?? [];
  const given = givenTo(reads, customField, incident, moment, today);
  if (given === undefined) return undefined;
  // The interface does not say whether no answer is "not one of" something.
  if (given.length === 0) return operator === "one_of" ? false : undefined;
  const wanted = reads === "custom_field" ? values.map((value) => choiceOf(choices, [value])?.key ?? value) : values;
  return given.some((key) => wanted.includes(key)) === (operator === "one_of");
}

/** What the incident answers to what a condition reads, as slugs or keys of choices; undefined when that is not known. */
function givenTo(
  reads: string,
  customField: string | undefined,
  incident: PastIncident,
  moment: Moment,
  today: Moment,
): readonly string[] | undefined {
  if (reads === "severity") return incident.severity === undefined ? undefined : [incident.severity];
  if (reads === "incident_type") {
    return incident.type === undefined ? undefined : incident.type === null ? [] : [incident.type];
  }
  if (reads !== "custom_field" || customField === undefined) return undefined;
  const answers = incident.custom.get(customField);
  if (answers === undefined) return [];
  if (customFieldOn(today, customField) === undefined) return undefined;
  const choices = moment.fields.get(customField)?.choices ?? [];
  const former = today.fields.get(customField)?.choices ?? [];
  const keys = answers.map((answer) => {
    const { found } = meaning(answer, choices, former);
    return found !== undefined && found.key === choiceOf(former, answer)?.key ? found.key : undefined;
  });
  const known = keys.filter((key) => key !== undefined);
  return known.length === keys.length ? known : undefined;
}
