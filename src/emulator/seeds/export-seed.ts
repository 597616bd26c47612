/** The people and incidents of a workspace as a seed, which gives the same responses when it is loaded. */

import { type MessageRow, messages } from "../modules/chat/transcript.ts";
import { events, type Milestone } from "../modules/incident-record/event.ts";
import {
  type IncidentRow,
  identifierOf,
  incidents,
  serializeCustomValues,
} from "../modules/incident-record/incident.ts";
import { links } from "../modules/incidents/links.ts";
import {
  incidentRoleTable,
  incidentTypeTable,
  severityTable,
  statusTable,
} from "../modules/option-lists/option-lists.ts";
import type { Actor } from "../modules/people.ts";
import { members } from "../modules/people.ts";
import { postmortems, postmortemVersions } from "../modules/postmortems/postmortems.ts";
import { actionItems } from "../modules/responders/action-items.ts";
import { permalinkOf } from "../modules/responders/conversation.ts";
import { escalations } from "../modules/responders/escalations.ts";
import { participants, roleAssignments } from "../modules/responders/participants.ts";
import { alertSourceTable } from "../modules/routing/alert-sources.ts";
import { attachedSteps, attachments } from "../modules/runbooks/runbook-attachments.ts";
import { runbookTable } from "../modules/runbooks/runbook-tables.ts";
import { settingsOf } from "../modules/workspace-settings.ts";
import type { Database } from "../store/database.ts";
import type { SeedActor, SeedData, SeedEvent, SeedIncident, SeedPostmortem, SeedRunbook } from "./seed-data.ts";

/** The seed. Tokens, alerts, deliveries and the service's own messages are not part of it. */
export function exportSeed(database: Database): SeedData {
  const { name, transcript_access } = settingsOf(database);
  const sources = database.list(alertSourceTable, {}, { order: "name" });
  const people = database.list(members).map(({ id: _id, ...person }) => person);
  const rows = database.list(incidents, {}, { order: "number" });
  return {
    workspace: { name, transcript_access },
    ...(sources.length === 0 ? {} : { alert_sources: Object.fromEntries(sources.map((row) => [row.name, row.slug])) }),
    people,
    ...(rows.length === 0 ? {} : { incidents: rows.map((row) => exportIncident(database, row)) }),
  };
}

function exportIncident(database: Database, row: IncidentRow): SeedIncident {
  const own = { incident_id: row.id };
  const items = database.list(actionItems, own);
  const said = database.list(messages, own, { order: "said_at, rowid" });
  const speakers = new Set(said.map(({ said_by }) => said_by.id));
  const silent = database.list(participants, own).filter(({ member_id }) => !speakers.has(member_id));
  const custom_fields = serializeCustomValues(database, row.custom_values);
  const type =
    row.incident_type_id === null ? undefined : database.find(incidentTypeTable, { id: row.incident_type_id });
  return {
    identifier: identifierOf(row),
    name: row.name,
    ...(row.summary === null ? {} : { summary: row.summary }),
    severity: database.find(severityTable, { id: row.severity_id })?.slug ?? "",
    status: database.find(statusTable, { id: row.status_id })?.slug ?? "",
    ...(type === undefined ? {} : { type: type.slug }),
    ...optional("lead", row.lead_id === null ? undefined : emailOf(database, row.lead_id)),
    source: row.source,
    ...(row.visibility === "public" ? {} : { visibility: row.visibility }),
    ...optional("declared_by", row.declared_by === null ? undefined : actorIn(database, row.declared_by)),
    declared_at: row.declared_at,
    ...optional("detected_at", row.detected_at),
    ...optional("resolved_at", row.resolved_at),
    updated_at: row.updated_at,
    ...optional("idempotency_key", row.idempotency_key),
    ...(Object.keys(custom_fields).length === 0 ? {} : { custom_fields }),
    timeline: database.list(events, own, { order: "occurred_at, rowid" }).map((event) => ({
      event_type: event.event_type,
      description: event.description,
      occurred_at: event.occurred_at,
      ...optional("actor", event.actor === null ? undefined : actorIn(database, event.actor)),
      ...optional("milestone", event.milestone === null ? undefined : milestoneIn(event.milestone, row, said)),
      ...optional("dismissed_at", event.dismissed_at),
    })),
    ...list(
      "messages",
      said.map(({ said_by, said_at, text, thread_id }) => {
        const thread = said.findIndex(({ id }) => id === thread_id) + 1;
        return { said_by: actorIn(database, said_by), said_at, text, ...(thread === 0 ? {} : { thread }) };
      }),
    ),
    ...list(
      "participants",
      silent.map(({ member_id }) => emailOf(database, member_id)),
    ),
    ...list(
      "roles",
      database.list(roleAssignments, own).map(({ role_id, member_id }) => ({
        role: database.find(incidentRoleTable, { id: role_id })?.slug ?? "",
        person: emailOf(database, member_id),
      })),
    ),
    ...list(
      "action_items",
      items.map(({ description, kind, status, assignee, created_by, created_at }) => ({
        description,
        kind,
        status,
        ...optional("assignee", assignee === null ? undefined : actorIn(database, assignee)),
        created_by: actorIn(database, created_by),
        created_at,
      })),
    ),
    ...list(
      "runbooks",
      exportRunbooks(
        database,
        row,
        items.map(({ id }) => id),
      ),
    ),
    ...list(
      "links",
      database.list(links, own).map(({ other_incident_id, relationship }) => {
        const other = database.find(incidents, { id: other_incident_id });
        return { incident: other === undefined ? "" : identifierOf(other), relationship };
      }),
    ),
    ...list(
      "escalations",
      database.list(escalations, own).map(({ member_id, reason, escalated_at, acknowledged_at, nudged_at }) => ({
        person: emailOf(database, member_id),
        ...optional("reason", reason),
        escalated_at,
        ...optional("acknowledged_at", acknowledged_at),
        ...optional("nudged_at", nudged_at),
      })),
    ),
    ...optional("postmortem", exportPostmortem(database, row)),
  };
}

/** The milestone, with the number of its message if the conversation has it. */
function milestoneIn(
  milestone: Milestone,
  row: IncidentRow,
  said: readonly MessageRow[],
): NonNullable<SeedEvent["milestone"]> {
  const { kind, statement, said_by, said_at, message_text, permalink } = milestone;
  const place = said.findIndex(({ id }) => permalinkOf(row, id) === permalink);
  const message = said[place];
  const isSame = message?.said_by.name === said_by && message.said_at === said_at && message.text === message_text;
  if (isSame) return { kind, statement, message: place + 1 };
  return message === undefined ? milestone : { kind, statement, said_by, said_at, message_text, message: place + 1 };
}

function exportRunbooks(database: Database, row: IncidentRow, items: readonly string[]): readonly SeedRunbook[] {
  return database.list(attachments, { incident_id: row.id }).flatMap(({ id, runbook_id, attached_at }) => {
    const runbook = database.find(runbookTable, { id: runbook_id });
    const steps = database.list(attachedSteps, { attachment_id: id }, { order: "position" });
    if (runbook === undefined) return [];
    return [
      {
        runbook: runbook.slug,
        attached_at,
        steps: steps.map(({ title, instruction, action_item_id }) => {
          const item = items.indexOf(action_item_id ?? "") + 1;
          return { title, ...optional("instruction", instruction), ...(item === 0 ? {} : { action_item: item }) };
        }),
      },
    ];
  });
}

function exportPostmortem(database: Database, row: IncidentRow): SeedPostmortem | undefined {
  const postmortem = database.find(postmortems, { incident_id: row.id });
  if (postmortem === undefined) return undefined;
  const { id, title, status, updated_at } = postmortem;
  const versions = database.list(postmortemVersions, { postmortem_id: id }, { order: "version" });
  return {
    title,
    status,
    updated_at,
    versions: versions.map(({ html, written_by, written_at }) => ({
      html,
      ...optional("written_by", written_by === null ? undefined : actorIn(database, written_by)),
      written_at,
    })),
  };
}

function emailOf(database: Database, id: string): string {
  const member = database.find(members, { id });
  if (member === undefined) throw new Error(`the workspace has lost the person ${id}`);
  return member.email;
}

function actorIn(database: Database, { type, id, name }: Actor): SeedActor {
  return type === "user" ? emailOf(database, id) : { type, name };
}

/** The member, unless there is no value. */
function optional<Name extends string, Value>(
  name: Name,
  value: Value | null | undefined,
): { readonly [Key in Name]?: Value } {
  return value == null ? {} : ({ [name]: value } as { readonly [Key in Name]: Value });
}

/** The member, unless the list is empty. */
function list<Name extends string, Item>(
  name: Name,
  items: readonly Item[],
): { readonly [Key in Name]?: readonly Item[] } {
  return items.length === 0 ? {} : ({ [name]: items } as { readonly [Key in Name]: readonly Item[] });
}
