/** The option lists. */

import type { ServiceModule } from "../../service/module.ts";
import type { TransactionContext } from "../../service/service-context.ts";
import type { Table } from "../../store/table.ts";
import { type LifecycleStage, lifecycleStages, type OptionRow, optionListModule, optionTable } from "./option-list.ts";

/** The severities. Position 1 is the most severe, and rank is derived from it. */
export const severityTable: Table<OptionRow> = optionTable("severities");

/** The module of /api/v1/severities. A fresh workspace's ranks are 5, 3 and 1 until the list is first written. */
const severities: ServiceModule = optionListModule({
  title: "Severity",
  path: "severities",
  table: severityTable,
  own: { color: true, is_default: true, rank: true },
  initialEntries: [
    { name: "Critical", position: 1, rank: 5, color: "#DC143C" },
    { name: "Major", position: 2, rank: 3, color: "#FF6B35" },
    { name: "Minor", position: 3, rank: 1, color: "#FFA500", is_default: true },
  ],
});

/** The statuses. Each belongs to a lifecycle stage; all stages share one sequence of positions. */
export const statusTable: Table<OptionRow> = optionTable("statuses");

/** The lifecycle stage of a status. */
export function lifecycleStageOf({ lifecycle_stage: stage, name }: OptionRow): LifecycleStage {
  if (stage === null) throw new Error(`the status ${name} has no stage`);
  return stage;
}

/** The module of /api/v1/statuses. A fresh workspace's positions start at 0 until the list is first written. */
const statuses: ServiceModule = optionListModule({
  title: "Status",
  path: "statuses",
  table: statusTable,
  own: {
    color: true,
    is_default: { type: "boolean", description: "true for the status of incidents that name none." },
    lifecycle_stage: { type: "string", enum: lifecycleStages },
  },
  protectionReason: lastOfStageReason,
  defaultStages: ["triage", "active"],
  moveReferrers: moveIncidents,
  initialEntries: [
    { name: "Triaging", position: 0, lifecycle_stage: "triage", color: "#9B59B6" },
    { name: "Investigating", position: 1, lifecycle_stage: "active", color: "#FFA500", is_default: true },
    { name: "Identified", position: 2, lifecycle_stage: "active", color: "#FF6B35" },
    { name: "Monitoring", position: 3, lifecycle_stage: "active", color: "#4169E1" },
    { name: "Resolved", position: 4, lifecycle_stage: "closed", color: "#32CD32" },
    { name: "Canceled", position: 5, lifecycle_stage: "canceled", color: "#999999" },
  ],
});

/**
 * Sets or clears resolved_at of the status's incidents, whose state is the stage of their status. No event records it, since
 * the interface names none for such a change.
 */
function moveIncidents({ database, timestamp }: TransactionContext, { id, lifecycle_stage }: OptionRow): void {
  const isClosed = lifecycle_stage === "closed";
  const sql = "UPDATE incidents SET resolved_at = ?, updated_at = ? WHERE status_id = ? AND (resolved_at IS NULL) = ?";
  database.run(sql, [isClosed ? timestamp : null, timestamp, id, isClosed ? 1 : 0]);
}

/** The reason why the only enabled status of a stage cannot be disabled or deleted; undefined for other statuses. */
function lastOfStageReason(
  row: OptionRow,
  rows: readonly OptionRow[],
  verb: "disabled" | "deleted",
): string | undefined {
  const stage = row.lifecycle_stage ?? "";
  const others = rows.filter(
    ({ id, enabled, lifecycle_stage }) => id !== row.id && enabled && lifecycle_stage === stage,
  );
  if (!row.enabled || others.length > 0) return undefined;
  const title = stage.charAt(0).toUpperCase() + stage.slice(1);
  const gerund = verb === "disabled" ? "disabling" : "deleting";
  return `${row.name} is the only enabled status in ${title}. Add another one before ${gerund} it.`;
}

export const incidentTypeTable: Table<OptionRow> = optionTable("incident_types");

/** The module of /api/v1/incident_types. */
const incidentTypes: ServiceModule = optionListModule({
  title: "IncidentType",
  path: "incident_types",
  table: incidentTypeTable,
  own: { color: true },
  initialEntries: [
    { name: "Service Outage", position: 1 },
    { name: "Performance Degradation", position: 2 },
    { name: "Security Incident", position: 3 },
    { name: "Data Issue", position: 4 },
  ],
});

/** The incident roles. The Incident Lead always exists. */
export const incidentRoleTable: Table<OptionRow> = optionTable("incident_roles");

/** The slug of the role that always exists. */
export const leadRole = "incident_lead";

/** The module of /api/v1/incident_roles. */
const incidentRoles: ServiceModule = optionListModule({
  title: "IncidentRole",
  path: "incident_roles",
  table: incidentRoleTable,
  own: {},
  builtInSlug: leadRole,
  protectionReason: ({ name, slug }, _rows, verb) =>
    slug === leadRole ? `${name} is built in and cannot be ${verb}.` : undefined,
  initialEntries: [{ name: "Incident Lead", position: 1 }],
});

/** The modules, in the order in which they fill a new workspace. */
export const optionLists: readonly ServiceModule[] = [severities, statuses, incidentTypes, incidentRoles];
