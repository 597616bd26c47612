/** Alerts: their fields in the terms of routing, and the result of routing. */

import { type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import { indexed, type RowOfColumns, rowTable, type Table } from "../../store/table.ts";
import { routingActions } from "./routing-outcome.ts";

/** Every status of an alert. */
export const alertStatuses = ["firing", "resolved"] as const;

const alertColumns = {
  id: { type: "string" },
  source_id: { type: "string" },
  // Equal for alerts about the same problem.
  fingerprint: { type: "string" },
  status: { type: "string", enum: alertStatuses as typeof alertStatuses },
  fields: { type: "object" },
  received_at: { type: "string" },
  // The action of the matching rule; null if none matched.
  action: { anyOf: [{ type: "string", enum: routingActions as typeof routingActions }, { type: "null" }] },
  rule_priority: { type: ["integer", "null"] },
  // The incident that it created or was attached to.
  incident_id: { type: ["string", "null"] },
} as const;

/** One ingested alert. */
export type AlertRow = RowOfColumns<typeof alertColumns>;

/** The alerts of all sources. */
export const alerts: Table<AlertRow> = indexed(rowTable("alerts", alertColumns), "source_id", "received_at");

/** The alerts of a payload: its `alerts` (as Alertmanager and Grafana send them), or the payload itself. */
export function alertsIn(payload: Fields): readonly Fields[] {
  return isList(payload.alerts) ? payload.alerts.filter(isFields).map(alertFields) : [alertFields(payload)];
}

/** Synonyms of the fields that routing knows. The first one present counts. */
const synonyms: readonly (readonly [field: string, others: readonly string[]])[] = [
  ["title", ["alertname", "alert_title", "name", "summary", "message"]],
  ["description", ["body", "text"]],
  ["severity_raw", ["severity", "priority", "level"]],
  ["external_id", ["id", "alert_id"]],
  ["environment", ["env"]],
];

/** The fields of one alert, with its labels, its annotations and known synonyms. */
function alertFields(alert: Fields): Fields {
  const { labels, annotations, ...own } = alert;
  const fields = new Map<string, Json>();
  for (const part of [annotations, labels, own]) {
    if (isFields(part)) for (const [name, value] of Object.entries(part)) fields.set(name, value);
  }
  for (const [field, others] of synonyms) {
    const value = others.map((other) => fields.get(other)).find((other) => other != null);
    if (!fields.has(field) && value !== undefined) fields.set(field, value);
  }
  return Object.fromEntries(fields);
}
