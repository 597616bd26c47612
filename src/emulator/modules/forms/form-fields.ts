/** The fields of the four forms: system fields with their changes, and attached custom fields. */

import type { Database } from "../../store/database.ts";
import { type RowOfColumns, rowTable, type Table } from "../../store/table.ts";
import { type CustomFieldRow, customFieldTable } from "../custom-fields/custom-field-tables.ts";
import { type ConditionRow, conditionsOf } from "./conditions.ts";

/** A form's slug. */
export type FormName = (typeof formNames)[number];

/** The four forms, in the order of an incident's life. */
export const formNames = ["declare", "update", "resolve", "cancel"] as const;

export type SystemField = (typeof systemFieldKeys)[number];

export const systemFieldKeys = [
  "message",
  "next_update",
  "name",
  "incident_type",
  "status",
  "severity",
  "summary",
  "visibility",
  "lead",
] as const;

// One of the two names is set.
const formFieldColumns = {
  id: { type: "string" },
  form: { type: "string", enum: formNames as typeof formNames },
  system_field: { anyOf: [{ type: "string", enum: systemFieldKeys as typeof systemFieldKeys }, { type: "null" }] },
  custom_field_id: { type: ["string", "null"] },
  visible: { type: "boolean" },
  required: { type: "boolean" },
  // The order among the custom fields of the form.
  position: { type: "integer" },
} as const;

/** A changed system field, or an attached custom field. */
export type FormFieldRow = RowOfColumns<typeof formFieldColumns>;

/** The changed and attached fields of all forms. */
export const formFieldTable: Table<FormFieldRow> = rowTable(
  "form_fields",
  formFieldColumns,
  "UNIQUE (form, system_field)",
  "UNIQUE (form, custom_field_id)",
);

type InitialState = "required" | "optional" | "off";

interface SystemFieldDefinition {
  readonly key: SystemField;
  readonly name: string;
  /** The initial state on each form that has the field. */
  readonly on: { readonly [Form in FormName]?: InitialState };
}

/** In the order of the forms. */
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

/** The current state of a form's field. */
export interface FormFieldState {
  /** The stored row; undefined for an unchanged system field. */
  readonly row: FormFieldRow | undefined;
  /** Undefined for a custom field. */
  readonly system: SystemField | undefined;
  /** Undefined for a system field. */
  readonly custom: CustomFieldRow | undefined;
  readonly slug: string;
  readonly name: string;
  readonly visible: boolean;
  readonly required: boolean;
  /** The form shows the field only if all of them hold. */
  readonly conditions: readonly ConditionRow[];
}

/** Every field of a form, with hidden ones: system fields first, then custom fields in the order of their attachment. */
export function formFields(database: Database, form: FormName): readonly FormFieldState[] {
  const rows = database.list(formFieldTable, { form }, { order: "position" });
  return [...systemFieldsOf(database, form, rows), ...customFieldsOf(database, rows)];
}

/** Whether the text is the slug of a form. */
export function isForm(text: string): text is FormName {
  return formNames.some((name) => name === text);
}

function systemFieldsOf(database: Database, form: FormName, rows: readonly FormFieldRow[]): readonly FormFieldState[] {
  return systemFields.flatMap((definition): FormFieldState[] => {
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

function customFieldsOf(database: Database, rows: readonly FormFieldRow[]): readonly FormFieldState[] {
  return rows.flatMap((row): FormFieldState[] => {
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
