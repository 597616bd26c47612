/** The severity, status and type that a request names for an incident: they must exist and be enabled. */

import type { FieldError } from "../../http/http-error.ts";
import type { Database } from "../../store/database.ts";
import type { Table } from "../../store/table.ts";
import { incidentTypeTable } from "../option-lists/incident-types.ts";
import type { OptionRow } from "../option-lists/option-list.ts";
import { severityTable } from "../option-lists/severities.ts";
import { statusTable } from "../option-lists/statuses.ts";

/** An input of an incident that names an entry of an option list. */
export type ChoiceField = "severity_id" | "status_id" | "incident_type_id";

const tables: { readonly [Field in ChoiceField]: Table<OptionRow> } = {
  severity_id: severityTable,
  status_id: statusTable,
  incident_type_id: incidentTypeTable,
};

/**
 * The entry with this id. What is wrong with it is added to the errors: it does not exist, or it is disabled and so not
 * offered (an incident that already uses it keeps it; `current` is its id).
 */
export function chosen(
  database: Database,
  field: ChoiceField,
  id: string,
  errors: FieldError[],
  current?: string | null,
): OptionRow | undefined {
  const entry = database.find(tables[field], { id });
  if (entry === undefined) errors.push({ field, message: "must exist" });
  else if (!entry.enabled && entry.id !== current)
    errors.push({ field, message: `is ${entry.name}, which is disabled` });
  return entry;
}
