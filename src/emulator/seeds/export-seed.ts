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
import { runbookTable } from "../modules/runbooks/runbooks.ts";
import { settingsOf } from "../modules/workspace-settings.ts";
import type { Database } from "../store/database.ts";
import type { SeedActor, SeedData, SeedEvent, SeedIncident, SeedPostmortem, SeedRunbook } from "./seed-data.ts";

/** The seed. Tokens, alerts, deliveries and the service's own messages are not part of it. */
export function exportSeed(database: Database): SeedData {
  const { name, transcript_access } = settingsOf(database);
  const sources = database.list(alertSourceTable, {}, { order: "name" });
  const rows = database.list(incidents, {}, { order: "number" });
  return present({
    workspace: { name, transcript_access },
    alert_sources: sources.length === 0 ? null : Object.fromEntries(sources.map((row) => [row.name, row.slug])),
    people: database.list(members).map(({ id: _id, ...person }) => person),
    incidents: orNull(rows.map((row) => exportIncident(database, row))),
  });
}

function exportIncident(database: Database, row: IncidentRow): SeedIncident {
  const own = { incident_id: row.id };
  const items = database.list(actionItems, own);
  const said = database.list(messages, own, { order: "said_at, rowid" });
  const speakers = new Set(said.map(({ said_by }) => said_by.id));
  const silent = database.list(participants, own).filter(({ member_id }) => !speakers.has(member_id));
  const custom_fields = serializeCustomValues(database, row.custom_values);
  return present({
    identifier: identifierOf(row),
    name: row.name,
    summary: row.summary,
    severity: database.find(severityTable, { id: row.severity_id })?.slug ?? "",
    status: database.find(statusTable, { id: row.status_id })?.slug ?? "",
    type: row.incident_type_id && database.find(incidentTypeTable, { id: row.incident_type_id })?.slug,
    lead: row.lead_id && emailOf(database, row.lead_id),
    source: row.source,
    visibility: row.visibility === "public" ? null : row.visibility,
    declared_by: row.declared_by && actorIn(database, row.declared_by),
    declared_at: row.declared_at,
    detected_at: row.detected_at,
    resolved_at: row.resolved_at,
    updated_at: row.updated_at,
    idempotency_key: row.idempotency_key,
    custom_fields: Object.keys(custom_fields).length === 0 ? null : custom_fields,
    timeline: database.list(events, own, { order: "occurred_at, rowid" }).map((event) =>
      present({
        event_type: event.event_type,
        description: event.description,
        occurred_at: event.occurred_at,
        actor: event.actor && actorIn(database, event.actor),
        milestone: event.milestone && milestoneIn(event.milestone, row, said),
        dismissed_at: event.dismissed_at,
      }),
    ),
    messages: orNull(
      said.map(({ said_by, said_at, text, thread_id }) => {
        const thread = said.findIndex(({ id }) => id === thread_id) + 1;
        return present({ said_by: actorIn(database, said_by), said_at, text, thread: thread || null });
      }),
    ),
    participants: orNull(silent.map(({ member_id }) => emailOf(database, member_id))),
    roles: orNull(
      database.list(roleAssignments, own).map(({ role_id, member_id }) => ({
        role: database.find(incidentRoleTable, { id: role_id })?.slug ?? "",
        person: emailOf(database, member_id),
      })),
    ),
    action_items: orNull(
      items.map(({ description, kind, status, assignee, created_by, created_at }) =>
        present({
          description,
          kind,
          status,
          assignee: assignee && actorIn(database, assignee),
          created_by: actorIn(database, created_by),
          created_at,
        }),
      ),
    ),
    runbooks: orNull(exportRunbooks(database, row, items)),
    links: orNull(
      database.list(links, own).map(({ other_incident_id, relationship }) => {
        const other = database.find(incidents, { id: other_incident_id });
        return { incident: other === undefined ? "" : identifierOf(other), relationship };
      }),
    ),
    escalations: orNull(
      database
        .list(escalations, own)
        .map(({ id: _id, incident_id: _incident, member_id, ...escalation }) =>
          present({ person: emailOf(database, member_id), ...escalation }),
        ),
    ),
    postmortem: exportPostmortem(database, row),
  });
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

function exportRunbooks(
  database: Database,
  row: IncidentRow,
  items: readonly { readonly id: string }[],
): readonly SeedRunbook[] {
  return database.list(attachments, { incident_id: row.id }).flatMap(({ id, runbook_id, attached_at }) => {
    const runbook = database.find(runbookTable, { id: runbook_id });
    const steps = database.list(attachedSteps, { attachment_id: id }, { order: "position" });
    const copies = steps.map(({ title, instruction, action_item_id }) => {
      const action_item = items.findIndex((item) => item.id === action_item_id) + 1 || null;
      return present({ title, instruction, action_item });
    });
    return runbook === undefined ? [] : [{ runbook: runbook.slug, attached_at, steps: copies }];
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
    versions: versions.map(({ html, written_by, written_at }) =>
      present({ html, written_by: written_by && actorIn(database, written_by), written_at }),
    ),
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

/** An object with these members; one that can be null or undefined can be absent. */
type Present<Members> = {
  readonly [Name in keyof Members as Members[Name] extends NonNullable<unknown> ? Name : never]: Members[Name];
} & { readonly [Name in keyof Members]?: NonNullable<Members[Name]> };

/** The members that have a value. */
function present<const Members extends object>(members: Members): Present<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value != null)) as Present<Members>;
}

/** The list; null if it is empty. */
function orNull<Item>(items: readonly Item[]): readonly Item[] | null {
  return items.length === 0 ? null : items;
}
