/** Alerts: what a source sent, in the fields that routing knows, and what routing did with it. */

import { type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import { indexed, json, key, optionalInteger, optionalText, type Table, table, text, word } from "../../store/table.ts";
import type { RoutingAction } from "./routing-outcome.ts";

/** One alert as it was taken. */
export interface AlertRow {
  readonly id: string;
  readonly source_id: string;
  /** What makes two alerts the same trouble. */
  readonly fingerprint: string;
  readonly status: "firing" | "resolved";
  readonly fields: Fields;
  readonly received_at: string;
  /** The action of the rule that matched; null when none did. */
  readonly action: RoutingAction | null;
  readonly rule_priority: number | null;
  /** The incident it created or was attached to. */
  readonly incident_id: string | null;
}

/** The alerts of all sources. */
export const alerts: Table<AlertRow> = indexed(
  table("alerts", {
    id: key,
    source_id: text,
    fingerprint: text,
    status: word(),
    fields: json<Fields>(),
    received_at: text,
    action: word(),
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

/** Other words for the fields that routing knows, the first one present winning. */
const synonyms: readonly (readonly [field: string, others: readonly string[]])[] = [
  ["title", ["alertname", "alert_title", "name", "summary", "message"]],
  ["description", ["body", "text"]],
  ["severity_raw", ["severity", "priority", "level"]],
  ["external_id", ["id", "alert_id"]],
  ["environment", ["env"]],
];

/** The fields of one alert: labels and annotations count as fields of their own, and known synonyms are understood. */
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
