/** The fields of the four forms: which system fields each has, what was changed of them, and the custom fields attached. */

import type { Database } from "../../store/database.ts";
import { boolean, integer, key, optionalText, type Table, table, word } from "../../store/table.ts";
import { type CustomFieldRow, customFieldTable } from "../custom-fields/custom-field-tables.ts";
import { type ConditionRow, conditionsOf } from "./conditions.ts";

/** A form's slug. */
export type FormName = (typeof formNames)[number];

/** The forms, of which exactly four exist, in the order in which an incident meets them. */
const formNames = ["declare", "update", "resolve", "cancel"] as const;

/** The key of a field that a form itself has. */
export type SystemField =
  | "message"
  | "next_update"
  | "name"
  | "incident_type"
  | "status"
  | "severity"
  | "summary"
  | "visibility"
  | "lead";

/** What was changed of a system field, or a custom field that was attached. One of the two names is set. */
export interface FormFieldRow {
  readonly id: string;
  readonly form: FormName;
  readonly system_field: SystemField | null;
  readonly custom_field_id: string | null;
  readonly visible: boolean;
  readonly required: boolean;
  /** The order among the form's custom fields. */
  readonly position: number;
}

/** The overrides and attachments of all forms. */
export const formFieldTable: Table<FormFieldRow> = table(
  "form_fields",
  {
    id: key,
    form: word(),
    system_field: word(),
    custom_field_id: optionalText,
    visible: boolean,
    required: boolean,
    position: integer,
  },
  "UNIQUE (form, system_field)",
  "UNIQUE (form, custom_field_id)",
);

type State = "required" | "optional" | "off";

interface SystemFieldDefinition {
  readonly key: SystemField;
  readonly name: string;
  /** What the field is before anything is changed, on each form that has it. */
  readonly on: { readonly [Form in FormName]?: State };
}

/** In the order in which the forms show them. */
const systemFields: readonly SystemFieldDefinition[] = [
  { key: "message", name: "Message", on: { update: "required" } },
  { key: "next_update", name: "Next update", on: { update: "optional" } },
  { key: "name", name: "Name", on: { declare: "required", resolve: "optional" } },
  { key: "incident_type", name: "Incident type", on: { declare: "off", update: "off" } },
  { key: "status", name: "Status", on: { update: "required", resolve: "required", cancel: "required" } },
  { key: "severity", name: "Severity", on: { declare: "required", update: "required", resolve: "required" } },
  {
    key: "summary",
    name: "Summary",
    on: { declare: "optional", update: "off", resolve: "optional", cancel: "off" },
  },
  { key: "visibility", name: "Visibility", on: { declare: "off" } },
  { key: "lead", name: "Lead", on: { resolve: "optional" } },
];

/** One field of a form as it stands. */
export interface FormField {
  /** The row that holds what was changed; undefined for a system field that nothing was changed of. */
  readonly row: FormFieldRow | undefined;
  /** Undefined for a custom field. */
  readonly system: SystemField | undefined;
  /** Undefined for a system field. */
  readonly custom: CustomFieldRow | undefined;
  readonly slug: string;
  readonly name: string;
  readonly visible: boolean;
  readonly required: boolean;
  /** All have to hold for the field to be asked for; none means always. */
  readonly conditions: readonly ConditionRow[];
}

/** Every field of a form, hidden ones included: its system fields in their order, then the custom ones as attached. */
export function formFields(database: Database, form: FormName): readonly FormField[] {
  const rows = database.list(formFieldTable, { form }, { order: "position" });
  return [...systemFieldsOf(database, form, rows), ...customFieldsOf(database, rows)];
}

/** Whether the text is the slug of a form. */
export function isForm(text: string): text is FormName {
  return formNames.some((name) => name === text);
}

function systemFieldsOf(database: Database, form: FormName, rows: readonly FormFieldRow[]): readonly FormField[] {
  return systemFields.flatMap((definition): FormField[] => {
    const state = definition.on[form];
    if (state === undefined) return [];
    const row = rows.find(({ system_field }) => system_field === definition.key);
    return [
      {
        row,
        system: definition.key,
        custom: undefined,
        slug: definition.key,
        name: definition.name,
        visible: row?.visible ?? state !== "off",
        required: row?.required ?? state === "required",
        conditions: row === undefined ? [] : conditionsOf(database, row.id),
      },
    ];
  });
}

function customFieldsOf(database: Database, rows: readonly FormFieldRow[]): readonly FormField[] {
  return rows.flatMap((row): FormField[] => {
    const id = row.custom_field_id;
    const custom = id === null ? undefined : database.find(customFieldTable, { id });
    if (custom === undefined) return [];
    const { slug, name } = custom;
    const { visible, required } = row;
    return [
      { row, system: undefined, custom, slug, name, visible, required, conditions: conditionsOf(database, row.id) },
    ];
  });
}
