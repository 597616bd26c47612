/** Alerts: their fields in the terms of routing, and the result of routing. */

import { type Fields, fieldsIn, isFields, isList, type Json, listIn, textsIn } from "../../../core/json.ts";
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

/** The alerts of a payload: its `alerts` (Alertmanager, Grafana), `event.data` (PagerDuty), `data.event` (Sentry), or the payload itself. */
export function alertsIn(payload: Fields): readonly Fields[] {
  if (isList(payload.alerts)) return payload.alerts.filter(isFields).map(alertFields);
  const parts = [fieldsIn(payload.event).data, fieldsIn(payload.data).event];
  return [alertFields(parts.find(isFields) ?? payload)];
}

/** Synonyms of the fields that routing knows. The first one present counts. */
const synonyms: readonly (readonly [field: string, others: readonly string[]])[] = [
  ["title", ["alert_title", "summary", "alertname", "name", "message"]],
  ["description", ["body", "text", "culprit"]],
  ["severity_raw", ["severity", "priority", "urgency", "level"]],
  ["external_id", ["id", "alert_id", "issue_id"]],
  ["environment", ["env"]],
  ["team", ["teams"]],
];

/** The fields of one alert, with its labels, its annotations, its tags as pairs and known synonyms. */
function alertFields(alert: Fields): Fields {
  const { labels, annotations, ...own } = alert;
  const tags = listIn(own.tags).flatMap((pair) => {
    const [name, value] = textsIn(pair);
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  const fields = new Map<string, Json>();
  for (const part of [Object.fromEntries(tags), annotations, labels, own]) {
    if (isFields(part)) for (const [name, value] of Object.entries(part)) fields.set(name, nameOf(value));
  }
  for (const [field, others] of synonyms) {
    const value = others.map((other) => fields.get(other)).find((other) => other != null);
    if (!fields.has(field) && value !== undefined) fields.set(field, value);
  }
  return Object.fromEntries(fields);
}

/** The value; of a reference with a `summary`, as in PagerDuty, that text, and of a list of them the first. */
function nameOf(value: Json): Json {
  const [first = null] = isList(value) ? value : [value];
  const { summary } = fieldsIn(first);
  return typeof summary === "string" ? summary : value;
}
