/** The declare form: its fields, their conditions, and the values that they accept. */

import { isFields, isList, type Json, listIn, textIn } from "../../core/json.ts";

/** A condition of a form field. The field is asked for if all its conditions hold. */
export interface FormCondition {
  /** The value that it reads: severity, incident_type or custom_field. */
  readonly reads: string;
  /** Slug of the custom field that it reads; undefined if the service does not return it. */
  readonly customField: string | undefined;
  readonly operator: string;
  /** Slugs, or labels of the choices of a custom field. */
  readonly values: readonly string[];
}

/** A visible field of the form. */
export interface DeclareFormField {
  readonly slug: string;
  readonly isCustom: boolean;
  readonly isRequired: boolean;
  /** Undefined if the service does not return them. */
  readonly conditions: readonly FormCondition[] | undefined;
}

/** A choice of a custom field: an option or a catalog entry. */
export interface FormChoice {
  /** Identity, which does not change with the label. */
  readonly key: string;
  readonly label: string;
  /** Slug of a catalog entry. */
  readonly slug?: string;
  /** The plan deletes it, which the service may refuse because incidents use it. */
  readonly isLeaving?: true | undefined;
}

export interface CustomField {
  readonly type: string;
  /** Undefined for a field without choices. */
  readonly choices: readonly FormChoice[] | undefined;
}

/** All that decides whether the service accepts a declaration. */
export interface DeclarationRules {
  readonly form: readonly DeclareFormField[];
  /** Custom fields by slug, on the form or not. */
  readonly fields: ReadonlyMap<string, CustomField>;
  /** Slugs of enabled severities. */
  readonly severities: ReadonlySet<string>;
  /** Slugs of enabled incident types. */
  readonly types: ReadonlySet<string>;
}

/** Conditions of a form field; undefined if the value is not a list. */
export function readConditions(value: Json | undefined): readonly FormCondition[] | undefined {
  if (!isList(value)) return undefined;
  return value.filter(isFields).map((row) => ({
    reads: textIn(row.condition_field) ?? "",
    customField: textIn(row.custom_field),
    operator: textIn(row.operator) ?? "",
    values: listIn(row.values).map(String),
  }));
}

/** The custom field on the form; undefined if it is not there or hidden. */
export function findCustomField({ form }: DeclarationRules, slug: string): DeclareFormField | undefined {
  return form.find((field) => field.isCustom && field.slug === slug);
}

/** The choice with one of these spellings: as its key, else its label, else its slug. */
export function findChoice(choices: readonly FormChoice[], spellings: readonly string[]): FormChoice | undefined {
  const isMeant = (text: string | undefined) => text !== undefined && spellings.includes(text);
  return (
    choices.find(({ key }) => isMeant(key)) ??
    choices.find(({ label }) => isMeant(label)) ??
    choices.find(({ slug }) => isMeant(slug))
  );
}
