/** The custom fields of incidents: kept under the field's id, shown under its slug, and counted as references. */

import type { Fields, Json } from "../../../core/json.ts";
import type { Database } from "../../store/database.ts";
import type { Reference } from "../../store/references.ts";
import { customFieldTable } from "../custom-fields/custom-field-tables.ts";
import { chosenIds, shownFieldValue } from "../custom-fields/custom-field-values.ts";

/** Values by the custom field's id: text, a number, the id of a choice, or a list of such ids. */
export type CustomValues = { readonly [fieldId: string]: Json };

/** The values as answers show them. */
export function shownValues(database: Database, values: CustomValues): Fields {
  const shown = Object.entries(values).flatMap(([id, value]): [string, Json][] => {
    const field = database.find(customFieldTable, { id });
    return field === undefined ? [] : [[field.slug, shownFieldValue(database, field, value)]];
  });
  return Object.fromEntries(shown);
}

/** The ids that the values choose, by the field's id: what conditions compare with. */
export function chosenByField(values: CustomValues): ReadonlyMap<string, readonly string[]> {
  return new Map(Object.entries(values).map(([id, value]) => [id, chosenIds(value)]));
}

/** Incidents point at a field they hold a value of, and at the options and entries that they hold. */
export const valueReferences: readonly Reference[] = [
  {
    target: "custom_fields",
    noun: "incident",
    always: true,
    count: (database, id) =>
      database.scalar("SELECT COUNT(*) FROM incidents, json_each(custom_values) AS held WHERE held.key = ?", [id]),
  },
  holding("custom_field_options", true),
  holding("catalog/entries", false),
];

function holding(target: string, always: boolean): Reference {
  const sql = `SELECT COUNT(*) FROM incidents
    WHERE EXISTS (SELECT 1 FROM json_tree(incidents.custom_values) AS held WHERE held.atom = ?)`;
  return { target, noun: "incident", always, count: (database, id) => database.scalar(sql, [id]) };
}
