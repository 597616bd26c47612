/** Custom field values of incidents: stored by field id, in responses by field slug, and counted as references. */

import type { Database } from "../../store/database.ts";
import type { ReferenceCounter } from "../../store/references.ts";
import { customFieldTable } from "../custom-fields/custom-field-tables.ts";
import { chosenIds, type FieldValue, serializeFieldValue } from "../custom-fields/custom-field-values.ts";

/** Values by custom field id: text, a number, the id of an option, or a list of such ids. */
export type CustomValues = { readonly [fieldId: string]: FieldValue };

/** The values for a response. */
export function serializeCustomValues(
  database: Database,
  values: CustomValues,
): { readonly [slug: string]: FieldValue } {
  const entries = Object.entries(values).flatMap(([id, value]): [string, FieldValue][] => {
    const field = database.rowsById(customFieldTable).get(id);
    return field === undefined ? [] : [[field.slug, serializeFieldValue(database, field, value)]];
  });
  return Object.fromEntries(entries);
}

/** The ids of the chosen options, by field id. Conditions compare with them. */
export function chosenIdsByField(values: CustomValues): ReadonlyMap<string, readonly string[]> {
  return new Map(Object.entries(values).map(([id, value]) => [id, chosenIds(value)]));
}

/** Counts the incidents with a value of a field, with an option, and with a catalog entry. */
export const valueReferences: readonly ReferenceCounter[] = [
  {
    target: "custom_fields",
    noun: "incident",
    isAlwaysCounted: true,
    count: (database, id) =>
      database.scalar("SELECT COUNT(*) FROM incidents, json_each(custom_values) AS held WHERE held.key = ?", [id]),
  },
  valueReferenceTo("custom_field_options", true),
  valueReferenceTo("catalog/entries", false),
];

function valueReferenceTo(target: string, isAlwaysCounted: boolean): ReferenceCounter {
  const sql = `SELECT COUNT(*) FROM incidents
    WHERE EXISTS (SELECT 1 FROM json_tree(incidents.custom_values) AS held WHERE held.atom = ?)`;
  return {
    target,
    noun: "incident",
    isAlwaysCounted,
    count: (database, id) => database.scalar(sql, [id]),
  };
}
