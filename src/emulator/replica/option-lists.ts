/** The four option lists of a replica, with their live positions. */

import type { Fields } from "../../core/json.ts";
import { incidentRoleTable } from "../modules/option-lists/incident-roles.ts";
import { incidentTypeTable } from "../modules/option-lists/incident-types.ts";
import type { OptionList, OptionRow } from "../modules/option-lists/option-list.ts";
import { severityTable } from "../modules/option-lists/severities.ts";
import { statusTable } from "../modules/option-lists/statuses.ts";
import { flagOf, idOf, numberOf, type ReplicaLoad, rowsAt, textOf, textOrNull } from "./lenient-rows.ts";

const lists: Readonly<Record<OptionList["path"], OptionList["table"]>> = {
  severities: severityTable,
  statuses: statusTable,
  incident_types: incidentTypeTable,
  incident_roles: incidentRoleTable,
};

/** Loads the lists that were read. Other lists stay as in a bare workspace. */
export function loadOptionLists(load: ReplicaLoad): void {
  const { database } = load.service;
  for (const [path, table] of Object.entries(lists)) {
    const rows = rowsAt(load, `/${path}`);
    if (rows === undefined) continue;
    database.remove(table, {});
    database.insert(table, ...rows.map((row, index) => optionRow(load, path, row, index, rows.length)));
  }
}

function optionRow(load: ReplicaLoad, path: string, row: Fields, index: number, length: number): OptionRow {
  return {
    id: idOf(load, row, path),
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
