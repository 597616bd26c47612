/** The forms of a replica. */

import { randomUUID } from "node:crypto";
import { flagOf, type ReplicaLoad, rowsAt, textOf } from "../../service/live-rows.ts";
import { customFieldTable } from "../custom-fields/custom-field-tables.ts";
import { conditionTable } from "./conditions.ts";
import { type FormFieldRow, type FormName, formFields, formFieldTable } from "./form-fields.ts";
import { loadConditions } from "./live-conditions.ts";

/** Loads a form of a replica, if it was read: changed system fields and attached custom fields. */
export function loadForm(load: ReplicaLoad, form: FormName): void {
  const rows = rowsAt(load, `/forms/${form}`);
  if (rows === undefined) return;
  const { service, notes } = load;
  const { database } = service;
  for (const { id } of database.list(formFieldTable, { form })) database.remove(conditionTable, { owner_id: id });
  database.remove(formFieldTable, { form });
  const own = new Set(formFields(database, form).map(({ slug }) => slug));
  for (const [index, row] of rows.entries()) {
    const slug = textOf(row, "custom_field", "system_field", "slug") ?? "";
    const isCustom = row.custom_field !== undefined || row.source === "custom";
    const custom = isCustom ? database.find(customFieldTable, { slug }) : undefined;
    if (isCustom ? custom === undefined : !own.has(slug)) {
      notes.add(`the field "${slug}" of the ${form} form is omitted: the replica has no such field`);
      continue;
    }
    own.delete(slug);
    const id = randomUUID();
    database.insert(formFieldTable, {
      id,
      form,
      system_field: isCustom ? null : (slug as FormFieldRow["system_field"]),
      custom_field_id: custom?.id ?? null,
      visible: flagOf(row, true, "visible"),
      required: flagOf(row, false, "required"),
      position: index + 1,
    });
    loadConditions(
      load,
      { kind: "form_field", id, description: `the field "${slug}" of the ${form} form` },
      row.conditions,
    );
  }
  for (const slug of own)
    notes.add(`the ${form} form of the replica has the field "${slug}", which the live form lacks`);
}
