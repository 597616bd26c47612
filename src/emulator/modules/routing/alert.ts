/** Alerts: their fields in the terms of routing, and the result of routing. */

import { type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import {
  enumText,
  indexed,
  json,
  key,
  optionalInteger,
  optionalText,
  type Table,
  table,
  text,
} from "../../store/table.ts";
import type { RoutingAction } from "./routing-outcome.ts";

/** Every status of an alert. */
export const alertStatuses = ["firing", "resolved"] as const;

/** One ingested alert. */
export interface AlertRow {
  readonly id: string;
  readonly source_id: string;
  /** Equal for alerts about the same problem. */
  readonly fingerprint: string;
  readonly status: (typeof alertStatuses)[number];
  readonly fields: Fields;
  readonly received_at: string;
  /** The action of the matching rule; null if none matched. */
  readonly action: RoutingAction | null;
  readonly rule_priority: number | null;
  /** The incident that it created or was attached to. */
  readonly incident_id: string | null;
}

/** The alerts of all sources. */
export const alerts: Table<AlertRow> = indexed(
  table("alerts", {
    id: key,
    source_id: text,
    fingerprint: text,
    status: enumText(),
    fields: json<Fields>(),
    received_at: text,
    action: enumText(),
    rule_priority: optionalInteger,
    incident_id: optionalText,
  }),
  "source_id",
  "received_at",
);

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
