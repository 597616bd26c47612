/** Ingestion of alerts: each alert is evaluated by the routing rules of its source, and the outcome is carried out for its targets. */

import { randomUUID } from "node:crypto";
import { type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import { badRequest, HttpError, requireFound, unprocessable } from "../../http/http-error.ts";
import { listOf, objectSchema, present, uuid } from "../../http/response-schema.ts";
import type { BodySchema } from "../../http/value-schema.ts";
import { created, endpoint, type ServiceModule } from "../../service/module.ts";
import type { TransactionContext } from "../../service/service-context.ts";
import type { Database } from "../../store/database.ts";
import {
  type AttributeRole,
  type CatalogEntryRow,
  catalogAttributes,
  catalogEntries,
} from "../catalog/catalog-tables.ts";
import { messagePerson, notifyChannel, posts } from "../chat/service-posts.ts";
import { recordEvent } from "../incident-record/event.ts";
import { type IncidentRow, identifierOf, incidents, isLiveSql } from "../incident-record/incident.ts";
import { createIncident, defaultStatus } from "../incidents/declare.ts";
import { severityTable } from "../option-lists/option-lists.ts";
import { type MemberRow, members } from "../people.ts";
import { joinChannel } from "../responders/participants.ts";
import { type AlertRow, alertStatuses, alerts, alertsIn } from "./alert.ts";
import { type AlertSourceRow, alertSourceTable } from "./alert-sources.ts";
import { evaluate, findEntry, type RoutingContext, referencedEntry } from "./evaluation.ts";
import { isAction, type RoutingAction, routingActions } from "./routing-outcome.ts";
import type { RoutingRuleRow } from "./routing-rule-sets.ts";

const alertsPerMinute = 60;

const payload = {
  type: "object",
  properties: {},
  additionalProperties: {},
  oneOf: [
    { type: "object", properties: { alerts: { type: ["string", "number", "boolean", "object", "null"] } } },
    {
      type: "object",
      properties: { alerts: { type: "array", contains: { type: "object" } } },
      required: ["alerts"],
    },
  ],
  refusal: () => badRequest("param is missing or the value is empty: alerts"),
  description: "One alert with any fields, or `alerts`, a list of them.",
  examples: [{ title: "Checkout is slow", service: "checkout", severity: "critical", status: "firing" }],
} as const satisfies BodySchema;

const alertResult = objectSchema("Alert", {
  id: uuid,
  status: { type: "string", enum: alertStatuses },
  action: {
    type: ["string", "null"],
    enum: [...routingActions, null],
    description: "The action of the matching rule; null if none matched.",
  },
  matched_rule_priority: { type: ["integer", "null"], examples: [1] },
  incident_id: { type: ["string", "null"], format: "uuid", description: "The incident that it created or joined." },
});

/** The module of /api/v1/alerts/<endpoint path>. The token needs alerts: create; sources have no secret of their own. */
export const alertIngest: ServiceModule = {
  tables: [alerts, posts],
  endpoints: [
    endpoint({
      method: "POST",
      path: "/alerts/:slug",
      operationId: "ingestAlerts",
      summary: "Takes one alert, or a list of them in `alerts`, and does what the routing rules of the source say.",
      requiredAbility: "alerts.create",
      body: payload,
      responses: { 201: objectSchema("AlertList", { alerts: listOf(alertResult) }) },
      handle: (request) => {
        const { database, param } = request;
        const source = requireFound(database.find(alertSourceTable, { slug: param("slug"), enabled: true }));
        const alertFields = alertsIn(request.body as Fields);
        checkRate(request, source, alertFields.length);
        const rows = alertFields.map((fields) => ingestAlert(request, source, fields));
        return created({
          alerts: rows.map((row) => present(alertResult, { ...row, matched_rule_priority: row.rule_priority })),
        });
      },
    }),
  ],
};

/** Throws 429 above the limit of alerts of the source in this minute. */
function checkRate({ database, timestamp }: TransactionContext, source: AlertSourceRow, count: number): void {
  const minute = `${timestamp.slice(0, "2026-01-01T00:00".length)}:00.000Z`;
  const sql = "SELECT COUNT(*) FROM alerts WHERE source_id = ? AND received_at >= ?";
  if (database.scalar(sql, [source.id, minute]) + count > alertsPerMinute) {
    throw new HttpError(
      429,
      "rate_limit_exceeded",
      `More than ${alertsPerMinute} alerts of this source in this minute`,
    );
  }
}

function ingestAlert(transaction: TransactionContext, source: AlertSourceRow, fields: Fields): AlertRow {
  const { database, timestamp } = transaction;
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
  const action = ruleAction(evaluation?.rule);
  const incident = applyRule(
    transaction,
    source,
    { ...base, action, incident_id: null },
    evaluation?.rule,
    evaluation?.context,
  );
  const alert = { ...base, action, incident_id: incident?.id ?? null };
  database.insert(alerts, alert);
  return alert;
}

/** Carries out the rule's outcome, and returns the incident that the alert now belongs to. */
function applyRule(
  transaction: TransactionContext,
  source: AlertSourceRow,
  alert: AlertRow,
  rule: RoutingRuleRow | undefined,
  context: RoutingContext = {},
): IncidentRow | undefined {
  const same = findLiveIncident(transaction, "fingerprint = ?", [alert.fingerprint], source);
  if (alert.status === "resolved") {
    if (same !== undefined)
      recordEvent(transaction, same, { type: "alert.resolved", description: `Alert resolved: ${titleOf(alert)}` });
    return same;
  }
  if (rule === undefined || alert.action === null || alert.action === "drop") return undefined;
  if (alert.action === "notify_only") {
    notify(transaction, alert, rule.outcome, context);
    return undefined;
  }
  const incident =
    same ?? (alert.action === "attach_to_incident" ? findRelatedIncident(transaction, source, alert) : undefined);
  if (incident === undefined && alert.action === "attach_to_incident") return undefined;
  const attachedTo = incident ?? createIncidentFor(transaction, source, alert, rule.outcome);
  attachAlert(transaction, attachedTo, alert, rule.outcome, context);
  return attachedTo;
}

/** A new incident, with the outcome's severity or else the default one. Nobody declared it. */
function createIncidentFor(
  transaction: TransactionContext,
  source: AlertSourceRow,
  alert: AlertRow,
  outcome: Fields,
): IncidentRow {
  const { database, timestamp } = transaction;
  const severity =
    database.find(severityTable, { id: textIn(outcome, "severity_id") }) ??
    database.find(severityTable, { is_default: true }) ??
    database.list(severityTable, { enabled: true }, { order: "position", limit: 1 })[0];
  const status = defaultStatus(database);
  if (severity === undefined || status === undefined) {
    throw unprocessable("The workspace has no severity or no default status that an incident could be given.");
  }
  return createIncident(transaction, {
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

function attachAlert(
  transaction: TransactionContext,
  incident: IncidentRow,
  alert: AlertRow,
  outcome: Fields,
  context: RoutingContext,
): void {
  recordEvent(transaction, incident, { type: "alert.attached", description: `Alert attached: ${titleOf(alert)}` });
  for (const target of isList(outcome.invite) ? outcome.invite : []) {
    for (const person of resolveTarget(transaction.database, target, context).people) {
      joinChannel(transaction.database, incident, person);
      messagePerson(
        transaction,
        incident,
        person,
        `You were brought into ${identifierOf(incident)} (${incident.name})`,
      );
    }
  }
}

function notify(transaction: TransactionContext, alert: AlertRow, outcome: Fields, context: RoutingContext): void {
  const { people, channels } = resolveTarget(transaction.database, outcome.notify, context);
  for (const person of people) messagePerson(transaction, undefined, person, `Alert: ${titleOf(alert)}`);
  for (const channel of channels) notifyChannel(transaction, channel, `Alert: ${titleOf(alert)}`);
}

/** The live incident for an alert: the newest with an alert of the same service, else the newest. */
function findRelatedIncident(
  transaction: TransactionContext,
  source: AlertSourceRow,
  alert: AlertRow,
): IncidentRow | undefined {
  const service = textIn(alert.fields, "service");
  const same =
    service === ""
      ? undefined
      : findLiveIncident(transaction, "json_extract(fields, '$.service') = ?", [service], source);
  if (same !== undefined) return same;
  return transaction.database.query(incidents, `WHERE ${isLiveSql} ORDER BY number DESC LIMIT 1`)[0];
}

/** The newest live incident with an alert of the source that matches the SQL condition. */
function findLiveIncident(
  { database }: TransactionContext,
  test: string,
  values: readonly string[],
  source: AlertSourceRow,
): IncidentRow | undefined {
  const attachedTo = `SELECT incident_id FROM alerts WHERE ${test} AND source_id = ?`;
  const clause = `WHERE ${isLiveSql} AND id IN (${attachedTo}) ORDER BY number DESC LIMIT 1`;
  return database.query(incidents, clause, [...values, source.id])[0];
}

function ruleAction(rule: RoutingRuleRow | undefined): RoutingAction | null {
  const action = rule?.outcome.action;
  return isAction(action) ? action : null;
}

/** The alert's fingerprint or id, else its title and service. */
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

/** People and channels. */
interface ResolvedTargets {
  readonly people: readonly MemberRow[];
  readonly channels: readonly string[];
}

/** The people and channels of a target. An unknown id gives none. */
function resolveTarget(database: Database, target: Json | undefined, context: RoutingContext): ResolvedTargets {
  if (!isFields(target)) return { people: [], channels: [] };
  if (target.type === "member") return { people: findMembers(database, [textIn(target, "member_id")]), channels: [] };
  if (target.type === "channel") return { people: [], channels: [textIn(target, "channel_id")] };
  const team =
    target.type === "team"
      ? database.find(catalogEntries, { id: textIn(target, "entry_id") })
      : owningTeam(database, textIn(target, "of"), context);
  if (team === undefined) return { people: [], channels: [] };
  return {
    people: findMembers(database, [...roleValues(database, team, "members"), ...roleValues(database, team, "manager")]),
    channels: roleValues(database, team, "notification_channel"),
  };
}

/** The team that the alert's entry references. `of` is the alert's field that names the entry, such as `service`. */
function owningTeam(database: Database, of: string, context: RoutingContext): CatalogEntryRow | undefined {
  const entry = findEntry(database, of, context[of]);
  const team = entry === undefined ? undefined : referencedEntry(database, entry, "team");
  return team ?? findEntry(database, "team", context.team);
}

/** The values of the entry's attribute with the role. */
function roleValues(database: Database, entry: CatalogEntryRow, role: AttributeRole): readonly string[] {
  const attribute = database.find(catalogAttributes, { type_id: entry.type_id, role });
  const value = attribute === undefined ? null : (entry.attributes[attribute.slug] ?? null);
  return (isList(value) ? value : [value]).filter((item) => typeof item === "string");
}

/** The members with these ids or chat user IDs, without duplicates. */
function findMembers(database: Database, ids: readonly string[]): readonly MemberRow[] {
  return [...new Set(ids)].flatMap((id) => {
    const member = database.find(members, { id }) ?? database.find(members, { chat_user_id: id });
    return member === undefined ? [] : [member];
  });
}
