/** The four option lists of a replica, in their live places. */

import type { Fields } from "../../core/json.ts";
import { incidentRoleTable } from "../rooms/option-lists/incident-roles.ts";
import { incidentTypeTable } from "../rooms/option-lists/incident-types.ts";
import type { OptionList, OptionRow } from "../rooms/option-lists/option-list.ts";
import { severityTable } from "../rooms/option-lists/severities.ts";
import { statusTable } from "../rooms/option-lists/statuses.ts";
import { flagOf, idOf, type Loading, numberOf, rowsAt, textOf, textOrNull } from "./lenient-rows.ts";

const lists: Readonly<Record<OptionList["path"], OptionList["table"]>> = {
  severities: severityTable,
  statuses: statusTable,
  incident_types: incidentTypeTable,
  incident_roles: incidentRoleTable,
};

/** Loads the lists that were read; one that was not stays as a bare workspace has it. */
export function loadOptionLists(loading: Loading): void {
  const { database } = loading.service;
  for (const [path, table] of Object.entries(lists)) {
    const rows = rowsAt(loading, `/${path}`);
    if (rows === undefined) continue;
    database.remove(table, {});
    database.insert(table, ...rows.map((row, index) => optionRow(loading, path, row, index, rows.length)));
  }
}

function optionRow(loading: Loading, path: string, row: Fields, index: number, length: number): OptionRow {
  return {
    id: idOf(loading, row, path),
    name: textOf(row, "name") ?? "",
    slug: textOf(row, "slug") ?? "",
    description: textOrNull(row, "description"),
    color: textOrNull(row, "color"),
    position: numberOf(row, "position", index + 1),
    rank: numberOf(row, "rank", length - index),
    enabled: flagOf(row, true, "enabled"),
    is_default: flagOf(row, false, "is_default", "default"),
    lifecycle_stage: textOrNull(row, "lifecycle_stage") as OptionRow["lifecycle_stage"],
  };
}
