/** The severity, status and type in a request: they must exist and be enabled. */

import type { InvalidField } from "../../http/http-error.ts";
import type { Database } from "../../store/database.ts";
import type { Table } from "../../store/table.ts";
import type { OptionRow } from "../option-lists/option-list.ts";
import { incidentTypeTable, severityTable, statusTable } from "../option-lists/option-lists.ts";

/** An incident's field that names an entry of an option list. */
export type ChoiceField = "severity_id" | "status_id" | "incident_type_id";

const tables: { readonly [Field in ChoiceField]: Table<OptionRow> } = {
  severity_id: severityTable,
  status_id: statusTable,
  incident_type_id: incidentTypeTable,
};

/** The entry with this id. Adds an error if it does not exist, or if it is disabled and not the current one (`current`). */
export function findChoice(
  database: Database,
  field: ChoiceField,
  id: string,
  errors: InvalidField[],
  current?: string | null,
): OptionRow | undefined {
  const entry = database.find(tables[field], { id });
  if (entry === undefined) errors.push({ field, message: "must exist" });
  else if (!entry.enabled && entry.id !== current)
    errors.push({ field, message: `is ${entry.name}, which is disabled` });
  return entry;
}
