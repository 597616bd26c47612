/** The room in which alerts are taken: each is evaluated by the rules of its source, and what they say is done. */

import { randomUUID } from "node:crypto";
import { type Fields, isList } from "../../../core/json.ts";
import type { BodyShape } from "../../http/body-schema.ts";
import { badRequest, notFound, Refusal, refused } from "../../http/http-error.ts";
import type { Act } from "../../transaction.ts";
import { messagePerson, notifyChannel, posts } from "../chat/service-posts.ts";
import { createIncident, defaultStatus } from "../incidents/declare.ts";
import { record } from "../incidents/event.ts";
import { type IncidentRow, identifierOf, incidents } from "../incidents/incident.ts";
import { severityTable } from "../option-lists/severities.ts";
import { join } from "../responders/participants.ts";
import { type Answer, type Call, created, type Room, route } from "../room.ts";
import { type AlertRow, alerts, alertsIn } from "./alert.ts";
import { type AlertSourceRow, alertSourceTable } from "./alert-sources.ts";
import { evaluate } from "./evaluation.ts";
import { targetsOf } from "./outcome-targets.ts";
import type { RoutingContext } from "./routing-context.ts";
import { isAction, type RoutingAction } from "./routing-outcome.ts";
import type { RoutingRuleRow } from "./routing-rule-sets.ts";

const alertsPerMinute = 60;
/** The test of SQL for live incidents. */
const live = "status_id IN (SELECT id FROM statuses WHERE lifecycle_stage IN ('triage', 'active'))";

const payload = { type: "object", properties: {} } as const satisfies BodyShape;

/** The room of /api/v1/alerts/<endpoint path>. The bearer token needs alerts: create; no source has a secret of its own. */
export const alertIngest: Room = {
  tables: [alerts, posts],
  routes: [
    route({
      method: "POST",
      path: "/alerts/:slug",
      summary: "Takes one alert, or a list of them in `alerts`, and does what the routing rules of the source say.",
      needs: "alerts.create",
      body: payload,
      handle: take,
    }),
  ],
};

function take(call: Call<unknown>): Answer {
  const { database, param } = call;
  const source = database.find(alertSourceTable, { slug: param("slug"), enabled: true });
  if (source === undefined) throw notFound();
  const taken = alertsIn(call.body as Fields);
  if (taken.length === 0) throw badRequest("param is missing or the value is empty: alerts");
  limit(call, source, taken.length);
  return created({ alerts: taken.map((fields) => alertView(takeOne(call, source, fields))) });
}

/** Throws 429 when the source has sent its alerts of this minute. */
function limit({ database, timestamp }: Act, source: AlertSourceRow, count: number): void {
  const minute = `${timestamp.slice(0, "2026-01-01T00:00".length)}:00.000Z`;
  const sql = "SELECT COUNT(*) FROM alerts WHERE source_id = ? AND received_at >= ?";
  if (database.scalar(sql, [source.id, minute]) + count > alertsPerMinute) {
    throw new Refusal(429, "rate_limit_exceeded", `More than ${alertsPerMinute} alerts of this source in this minute`);
  }
}

function takeOne(act: Act, source: AlertSourceRow, fields: Fields): AlertRow {
  const { database, timestamp } = act;
  const evaluation = evaluate(database, fields, source.id);
  const status = /^(resolved|ok|closed|recovered)$/i.test(textIn(fields, "status")) ? "resolved" : "firing";
  const base = {
    id: randomUUID(),
    source_id: source.id,
    fingerprint: fingerprintOf(fields),
    status,
    fields,
    received_at: timestamp,
    rule_priority: evaluation?.rule?.priority ?? null,
  } as const;
  const action = actionOf(evaluation?.rule);
  const incident = handle(act, source, { ...base, action, incident_id: null }, evaluation?.rule, evaluation?.context);
  const alert = { ...base, action, incident_id: incident?.id ?? null };
  database.insert(alerts, alert);
  return alert;
}

/** Does what the rule says with the alert, and returns the incident it belongs to from now on. */
function handle(
  act: Act,
  source: AlertSourceRow,
  alert: AlertRow,
  rule: RoutingRuleRow | undefined,
  context: RoutingContext = {},
): IncidentRow | undefined {
  const same = openIncident(act, "fingerprint = ?", [alert.fingerprint], source);
  if (alert.status === "resolved") {
    if (same !== undefined)
      record(act, same, { type: "alert.resolved", description: `Alert resolved: ${titleOf(alert)}` });
    return same;
  }
  if (rule === undefined || alert.action === null || alert.action === "drop") return undefined;
  if (alert.action === "notify_only") {
    notify(act, alert, rule.outcome, context);
    return undefined;
  }
  const incident = same ?? (alert.action === "attach_to_incident" ? related(act, source, alert) : undefined);
  if (incident === undefined && alert.action === "attach_to_incident") return undefined;
  const held = incident ?? createFrom(act, source, alert, rule.outcome);
  attach(act, held, alert, rule.outcome, context);
  return held;
}

/** A new incident: its severity is the outcome's, or the default where that names none. Its declaration is nobody's. */
function createFrom(act: Act, source: AlertSourceRow, alert: AlertRow, outcome: Fields): IncidentRow {
  const { database, timestamp } = act;
  const severity =
    database.find(severityTable, { id: textIn(outcome, "severity_id") }) ??
    database.find(severityTable, { is_default: true }) ??
    database.list(severityTable, { enabled: true }, { order: "position", limit: 1 })[0];
  const status = defaultStatus(database);
  if (severity === undefined || status === undefined) {
    throw refused("The workspace has no severity or no default status that an incident could be given.");
  }
  return createIncident(act, {
    name: titleOf(alert),
    summary: textIn(alert.fields, "description") || null,
    status_id: status.id,
    severity_id: severity.id,
    incident_type_id: null,
    source: source.name,
    declared_by: null,
    detected_at: timestamp,
    custom_values: {},
    visibility: "public",
    idempotency_key: null,
  });
}

function attach(act: Act, incident: IncidentRow, alert: AlertRow, outcome: Fields, context: RoutingContext): void {
  record(act, incident, { type: "alert.attached", description: `Alert attached: ${titleOf(alert)}` });
  for (const target of isList(outcome.invite) ? outcome.invite : []) {
    for (const person of targetsOf(act.database, target, context).people) {
      join(act.database, incident, person);
      messagePerson(act, incident, person, `You were brought into ${identifierOf(incident)} (${incident.name})`);
    }
  }
}

function notify(act: Act, alert: AlertRow, outcome: Fields, context: RoutingContext): void {
  const { people, channels } = targetsOf(act.database, outcome.notify, context);
  for (const person of people) messagePerson(act, undefined, person, `Alert: ${titleOf(alert)}`);
  for (const channel of channels) notifyChannel(act, channel, `Alert: ${titleOf(alert)}`);
}

/** The live incident an alert is attached to: the newest that holds an alert of the same service, else the newest of all. */
function related(act: Act, source: AlertSourceRow, alert: AlertRow): IncidentRow | undefined {
  const service = textIn(alert.fields, "service");
  const same =
    service === "" ? undefined : openIncident(act, "json_extract(fields, '$.service') = ?", [service], source);
  if (same !== undefined) return same;
  return act.database.query(incidents, `WHERE ${live} ORDER BY number DESC LIMIT 1`)[0];
}

/** The newest live incident that holds an alert of the source for which the test of SQL holds. */
function openIncident(
  { database }: Act,
  test: string,
  values: readonly string[],
  source: AlertSourceRow,
): IncidentRow | undefined {
  const held = `SELECT incident_id FROM alerts WHERE ${test} AND source_id = ?`;
  const clause = `WHERE ${live} AND id IN (${held}) ORDER BY number DESC LIMIT 1`;
  return database.query(incidents, clause, [...values, source.id])[0];
}

function actionOf(rule: RoutingRuleRow | undefined): RoutingAction | null {
  const action = rule?.outcome.action;
  return isAction(action) ? action : null;
}

/** The alert's own fingerprint or id, else its title and service. */
function fingerprintOf(fields: Fields): string {
  const own = textIn(fields, "fingerprint") || textIn(fields, "external_id");
  return own || `${textIn(fields, "title")}|${textIn(fields, "service")}`;
}

function titleOf({ fields }: AlertRow): string {
  return textIn(fields, "title").trim() || "Alert without a title";
}

function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

function alertView({ id, status, action, rule_priority, incident_id }: AlertRow): Fields {
  return { id, status, action, matched_rule_priority: rule_priority, incident_id };
}
