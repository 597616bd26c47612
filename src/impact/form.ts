/** The declare form at one moment: what it asks for, when, and which answers it takes. */

import { type Fields, isFields, isList, type Json } from "../core/json.ts";

/** A condition of a form field; those of one field are joined by "and". */
export interface Condition {
  /** What it reads: severity, incident_type or custom_field. */
  readonly reads: string;
  /** The field read, where `reads` is custom_field; undefined where the service does not tell it. */
  readonly customField: string | undefined;
  readonly operator: string;
  /** Slugs, or labels of a custom field's choices. */
  readonly values: readonly string[];
}

/** A field that the form asks for: hidden fields are left out. */
export interface FormField {
  readonly slug: string;
  readonly custom: boolean;
  readonly required: boolean;
  /** Undefined when the service does not tell them. */
  readonly conditions: readonly Condition[] | undefined;
}

/** A choice of a custom field: an option, or an entry of the catalog. */
export interface Choice {
  /** Stays the same when the label changes. */
  readonly key: string;
  readonly label: string;
  /** Of an entry of the catalog. */
  readonly slug?: string;
  /** The plan takes it away, which the service may refuse because incidents hold it. */
  readonly leaving?: true;
}

/** A custom field. */
export interface CustomField {
  readonly type: string;
  /** Undefined for a field that takes any text or number. */
  readonly choices: readonly Choice[] | undefined;
}

/** Everything that decides whether a declaration is taken. */
export interface Moment {
  readonly form: readonly FormField[];
  /** By slug, also those that the form does not ask for. */
  readonly fields: ReadonlyMap<string, CustomField>;
  /** Slugs of the enabled ones. */
  readonly severities: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
}

/** Conditions in the words of the configuration; undefined when they are not told. */
export function conditionsIn(value: Json | undefined): readonly Condition[] | undefined {
  if (!isList(value)) return undefined;
  return value.filter(isFields).map((row) => ({
    reads: textIn(row, "condition_field") ?? "",
    customField: textIn(row, "custom_field"),
    operator: textIn(row, "operator") ?? "",
    values: isList(row.values) ? row.values.map(String) : [],
  }));
}

/** The form's field of that name, undefined when the form does not ask for it. */
export function customFieldOn({ form }: Moment, slug: string): FormField | undefined {
  return form.find((field) => field.custom && field.slug === slug);
}

/** The choice that one of the words means: by its key, else its label, else its slug. */
export function choiceOf(choices: readonly Choice[], words: readonly string[]): Choice | undefined {
  const among = (word: string | undefined) => word !== undefined && words.includes(word);
  return (
    choices.find(({ key }) => among(key)) ??
    choices.find(({ label }) => among(label)) ??
    choices.find(({ slug }) => among(slug))
  );
}

function textIn(row: Fields, name: string): string | undefined {
  const value = row[name];
  return typeof value === "string" ? value : undefined;
}
