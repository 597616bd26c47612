/** Statuses: each belongs to a stage of the lifecycle; one sequence of positions runs across all stages. */

import type { Table } from "../../store/table.ts";
import type { Room } from "../room.ts";
import { type OptionRow, optionListRoom, optionTable } from "./option-list.ts";

/** The statuses. */
export const statusTable: Table<OptionRow> = optionTable("statuses");

/** The room of /api/v1/statuses. A fresh workspace's positions start at 0 until the list is first written. */
export const statuses: Room = optionListRoom({
  path: "statuses",
  entry: "status",
  table: statusTable,
  colored: true,
  hasDefault: true,
  staged: true,
  builtIn: undefined,
  extras: ({ lifecycle_stage }) => ({ lifecycle_stage }),
  refusal: lastOfStage,
  defaultRefusal: ({ name, lifecycle_stage: stage }) =>
    stage === "triage" || stage === "active"
      ? undefined
      : `${name} is ${stage}; only a triage or active status can be the default.`,
  seeded: [
    { name: "Triaging", position: 0, lifecycle_stage: "triage", color: "#9B59B6" },
    { name: "Investigating", position: 1, lifecycle_stage: "active", color: "#FFA500", is_default: true },
    { name: "Identified", position: 2, lifecycle_stage: "active", color: "#FF6B35" },
    { name: "Monitoring", position: 3, lifecycle_stage: "active", color: "#4169E1" },
    { name: "Resolved", position: 4, lifecycle_stage: "closed", color: "#32CD32" },
    { name: "Canceled", position: 5, lifecycle_stage: "canceled", color: "#999999" },
  ],
});

/** The only enabled status of a stage can be neither disabled nor deleted. */
function lastOfStage(row: OptionRow, rows: readonly OptionRow[], verb: "disabled" | "deleted"): string | undefined {
  const stage = row.lifecycle_stage ?? "";
  const others = rows.filter(
    ({ id, enabled, lifecycle_stage }) => id !== row.id && enabled && lifecycle_stage === stage,
  );
  if (!row.enabled || others.length > 0) return undefined;
  const title = stage.charAt(0).toUpperCase() + stage.slice(1);
  const doing = verb === "disabled" ? "disabling" : "deleting";
  return `${row.name} is the only enabled status in ${title}. Add another one before ${doing} it.`;
}
