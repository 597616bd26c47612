/** One incident of a seed, stored with its past: nothing is posted, delivered or attached because of it. */

import { type MessageRow, messages, redact, redactionMark } from "../modules/chat/transcript.ts";
import { customFieldTable } from "../modules/custom-fields/custom-field-tables.ts";
import { readFieldValue } from "../modules/custom-fields/custom-field-values.ts";
import { type EventRow, events, type Milestone } from "../modules/incident-record/event.ts";
import {
  type CustomValues,
  type IncidentRow,
  identifierOf,
  incidents,
  isLive,
} from "../modules/incident-record/incident.ts";
import type { OptionRow } from "../modules/option-lists/option-list.ts";
import {
  incidentRoleTable,
  incidentTypeTable,
  severityTable,
  statusTable,
} from "../modules/option-lists/option-lists.ts";
import type { Actor } from "../modules/people.ts";
import { postmortems, postmortemVersions } from "../modules/postmortems/postmortems.ts";
import { actionItems } from "../modules/responders/action-items.ts";
import { permalinkOf } from "../modules/responders/conversation.ts";
import { escalations } from "../modules/responders/escalations.ts";
import { joinChannel, roleAssignments } from "../modules/responders/participants.ts";
import { attachedSteps, attachments } from "../modules/runbooks/runbook-attachments.ts";
import { runbookSteps, runbookTable } from "../modules/runbooks/runbooks.ts";
import type { SeedEvent, SeedIncident, SeedRunbook } from "./seed-data.ts";
import type { SeedReferences } from "./seed-references.ts";
import { stableId } from "./stable-ids.ts";

/** Stores the incident. Throws 422 with the field of the first name that matches nothing. */
export function loadIncident(references: SeedReferences, seed: SeedIncident, now: Date): IncidentRow {
  const { database } = references;
  const declaredAt = references.time(seed.declared_at, "declared_at", now.toISOString());
  references.startAt(declaredAt);
  const number = incidentNumber(references, seed);
  const status =
    seed.status === undefined ? defaultStatus(references) : references.bySlug(statusTable, seed.status, "status");
  const lead = seed.lead == null ? null : references.person(seed.lead, "lead");
  const resolvedAt = references.optionalTime(seed.resolved_at, "resolved_at");
  if (resolvedAt !== null && status.lifecycle_stage !== "closed") {
    throw references.error("resolved_at", "needs a status of the stage closed");
  }
  const row: IncidentRow = {
    id: stableId("incidents", String(number)),
    number,
    name: seed.name.trim(),
    summary: seed.summary ?? null,
    status_id: status.id,
    severity_id: references.bySlug(severityTable, seed.severity, "severity").id,
    incident_type_id: seed.type == null ? null : references.bySlug(incidentTypeTable, seed.type, "type").id,
    lead_id: lead?.id ?? null,
    source: seed.source ?? "seed",
    declared_by: references.optionalActor(seed.declared_by, "declared_by"),
    declared_at: declaredAt,
    detected_at: references.optionalTime(seed.detected_at, "detected_at"),
    resolved_at: status.lifecycle_stage === "closed" ? (resolvedAt ?? declaredAt) : null,
    created_at: declaredAt,
    updated_at: references.time(seed.updated_at, "updated_at", resolvedAt ?? declaredAt),
    custom_values: customValues(references, seed),
    visibility: seed.visibility ?? "public",
    idempotency_key: seed.idempotency_key ?? null,
  };
  database.insert(incidents, row);
  const conversation = loadConversation(references, seed, row);
  database.insert(events, ...timelineOf(references, seed, row, status, conversation));
  if (lead !== null) joinChannel(database, row, lead);
  loadRoles(references, seed, row);
  const items = loadActionItems(references, seed, row);
  for (const [index, runbook] of (seed.runbooks ?? []).entries()) loadRunbook(references, runbook, index, row, items);
  loadEscalations(references, seed, row);
  loadPostmortem(references, seed, row);
  return row;
}

function incidentNumber({ database, error }: SeedReferences, { identifier }: SeedIncident): number {
  if (identifier === undefined) return database.scalar("SELECT MAX(number) FROM incidents") + 1;
  const number = Number(identifier.slice("INC-".length));
  if (database.find(incidents, { number }) !== undefined) throw error("identifier", "is taken by another incident");
  return number;
}

function defaultStatus({ database, error }: SeedReferences): OptionRow {
  const status = database.find(statusTable, { is_default: true });
  if (status === undefined) throw error("status", "is missing, and the workspace has no default status");
  return status;
}

function customValues({ database, error }: SeedReferences, { custom_fields = {} }: SeedIncident): CustomValues {
  const values = Object.entries(custom_fields).flatMap(([slug, input]): [string, CustomValues[string]][] => {
    const field = database.find(customFieldTable, { slug });
    if (field === undefined) throw error(`custom_fields.${slug}`, "is not a custom field of the workspace");
    const parsed = readFieldValue(database, field, input);
    if ("message" in parsed) throw error(`custom_fields.${slug}`, parsed.message);
    return parsed.value === null ? [] : [[field.id, parsed.value]];
  });
  return Object.fromEntries(values);
}

/** Stores the messages and the participants, and returns the messages. */
function loadConversation(
  references: SeedReferences,
  { messages: seeds = [], participants = [] }: SeedIncident,
  row: IncidentRow,
): readonly MessageRow[] {
  const { database } = references;
  const idOf = (place: number): string => stableId("transcript_messages", row.id, String(place));
  const rows = seeds.map(({ said_by, text, said_at, thread }, index): MessageRow => {
    const field = `messages[${index}]`;
    if (thread !== undefined && thread > index) throw references.error(`${field}.thread`, "names no earlier message");
    if (typeof said_by === "string") joinChannel(database, row, references.person(said_by, `${field}.said_by`));
    const { text: clean, redacted } = redact(text);
    return {
      id: idOf(index),
      incident_id: row.id,
      thread_id: thread === undefined ? null : idOf(thread - 1),
      said_by: references.actor(said_by, `${field}.said_by`),
      said_at: references.time(said_at, `${field}.said_at`, row.declared_at),
      text: clean,
      // An exported text contains the mark instead of its secret.
      redacted: redacted || clean.includes(redactionMark),
    };
  });
  database.insert(messages, ...rows);
  for (const [index, name] of participants.entries()) {
    joinChannel(database, row, references.person(name, `participants[${index}]`));
  }
  return rows;
}

function loadRoles(references: SeedReferences, { roles = [] }: SeedIncident, row: IncidentRow): void {
  const { database } = references;
  for (const [index, { role, person }] of roles.entries()) {
    const role_id = references.bySlug(incidentRoleTable, role, `roles[${index}].role`).id;
    const member = references.person(person, `roles[${index}].person`);
    if (database.find(roleAssignments, { incident_id: row.id, role_id }) !== undefined) {
      throw references.error(`roles[${index}].role`, "is assigned twice");
    }
    const id = stableId("role_assignments", row.id, role);
    database.insert(roleAssignments, { id, incident_id: row.id, role_id, member_id: member.id });
    joinChannel(database, row, member);
  }
}

/** Stores the action items, and returns their ids. */
function loadActionItems(
  references: SeedReferences,
  { action_items = [] }: SeedIncident,
  row: IncidentRow,
): readonly string[] {
  return action_items.map((item, index) => {
    const field = `action_items[${index}]`;
    const assignee = references.optionalActor(item.assignee, `${field}.assignee`);
    const creator =
      item.created_by === undefined ? undefined : references.actor(item.created_by, `${field}.created_by`);
    const id = stableId("action_items", row.id, String(index));
    references.database.insert(actionItems, {
      id,
      incident_id: row.id,
      description: item.description,
      status: item.status ?? (assignee === null ? "open" : "in_progress"),
      kind: item.kind ?? "action",
      created_by: creator ?? row.declared_by ?? references.actor({ type: "api_key", name: "Emulator" }, field),
      assignee,
      created_at: references.time(item.created_at, `${field}.created_at`, row.declared_at),
    });
    return id;
  });
}

function loadRunbook(
  references: SeedReferences,
  { runbook: slug, attached_at, steps }: SeedRunbook,
  index: number,
  row: IncidentRow,
  items: readonly string[],
): void {
  const { database } = references;
  const field = `runbooks[${index}]`;
  const runbook = references.bySlug(runbookTable, slug, `${field}.runbook`);
  const id = stableId("runbook_attachments", row.id, slug);
  if (database.find(attachments, { id }) !== undefined) throw references.error(`${field}.runbook`, "is attached twice");
  const time = references.time(attached_at, `${field}.attached_at`, row.declared_at);
  database.insert(attachments, { id, incident_id: row.id, runbook_id: runbook.id, attached_at: time });
  const own = database.list(runbookSteps, { runbook_id: runbook.id }, { order: "position" });
  const copies: SeedRunbook["steps"] = steps ?? own.map(({ title, instruction }) => ({ title, instruction }));
  for (const [at, { title, instruction = null, action_item }] of copies.entries()) {
    const item = action_item === undefined ? null : items[action_item - 1];
    if (item === undefined) throw references.error(`${field}.steps[${at}].action_item`, "names no action item");
    const step = stableId("attached_steps", id, String(at));
    database.insert(attachedSteps, {
      id: step,
      attachment_id: id,
      position: at + 1,
      title,
      instruction,
      action_item_id: item,
    });
  }
}

function loadEscalations(
  references: SeedReferences,
  { escalations: seeds = [] }: SeedIncident,
  row: IncidentRow,
): void {
  for (const [index, seed] of seeds.entries()) {
    const field = `escalations[${index}]`;
    references.database.insert(escalations, {
      id: stableId("escalations", row.id, String(index)),
      incident_id: row.id,
      member_id: references.person(seed.person, `${field}.person`).id,
      reason: seed.reason ?? null,
      escalated_at: references.time(seed.escalated_at, `${field}.escalated_at`, row.declared_at),
      acknowledged_at: references.optionalTime(seed.acknowledged_at, `${field}.acknowledged_at`),
      nudged_at: references.optionalTime(seed.nudged_at, `${field}.nudged_at`),
    });
  }
}

function loadPostmortem(references: SeedReferences, { postmortem }: SeedIncident, row: IncidentRow): void {
  const { database } = references;
  if (postmortem === undefined) return;
  const id = stableId("postmortems", row.id);
  const versions = postmortem.versions.map(({ html, written_by, written_at }, index) => ({
    id: stableId("postmortem_versions", id, String(index)),
    postmortem_id: id,
    version: index + 1,
    html,
    written_by: references.optionalActor(written_by, `postmortem.versions[${index}].written_by`),
    written_at: references.time(written_at, `postmortem.versions[${index}].written_at`, row.updated_at),
  }));
  const current = versions.at(-1);
  if (current === undefined) return;
  database.insert(postmortemVersions, ...versions);
  database.insert(postmortems, {
    id,
    incident_id: row.id,
    title: postmortem.title ?? `Postmortem: ${row.name}`,
    status: postmortem.status ?? "draft",
    html: current.html,
    version: current.version,
    generation_state: null,
    written_by: current.written_by,
    updated_at: references.time(postmortem.updated_at, "postmortem.updated_at", current.written_at),
  });
}

/** The events of the seed, or those that follow from the incident. */
function timelineOf(
  references: SeedReferences,
  { timeline }: SeedIncident,
  row: IncidentRow,
  status: OptionRow,
  conversation: readonly MessageRow[],
): readonly EventRow[] {
  if (timeline === undefined) return impliedTimeline(row, status);
  return timeline.map((event, index): EventRow => {
    const field = `timeline[${index}]`;
    const occurredAt = references.time(event.occurred_at, `${field}.occurred_at`, row.declared_at);
    return {
      id: stableId("incident_events", row.id, String(index)),
      incident_id: row.id,
      event_type: event.event_type as EventRow["event_type"],
      description: event.description,
      automated: event.actor == null,
      occurred_at: occurredAt,
      actor: references.optionalActor(event.actor, `${field}.actor`),
      milestone: milestoneOf(references, event, field, row, conversation),
      dismissed_at: references.optionalTime(event.dismissed_at, `${field}.dismissed_at`),
    };
  });
}

/** The milestone of an event, by the message that it notes. */
function milestoneOf(
  references: SeedReferences,
  { milestone, occurred_at }: SeedEvent,
  field: string,
  row: IncidentRow,
  conversation: readonly MessageRow[],
): Milestone | null {
  if (milestone === undefined) return null;
  const { kind, statement, message } = milestone;
  const noted = message === undefined ? undefined : conversation[message - 1];
  if (message !== undefined && noted === undefined) {
    throw references.error(`${field}.milestone.message`, "names no message");
  }
  const occurredAt = references.time(occurred_at, `${field}.occurred_at`, row.declared_at);
  return {
    kind,
    statement,
    said_by: milestone.said_by ?? noted?.said_by.name ?? "",
    said_at: references.time(milestone.said_at, `${field}.milestone.said_at`, noted?.said_at ?? occurredAt),
    message_text: milestone.message_text ?? noted?.text ?? statement,
    permalink: milestone.permalink ?? (noted === undefined ? "" : permalinkOf(row, noted.id)),
  };
}

function impliedTimeline(row: IncidentRow, { lifecycle_stage: stage }: OptionRow): readonly EventRow[] {
  const event = (
    index: number,
    event_type: EventRow["event_type"],
    occurred_at: string,
    description: string,
    actor: Actor | null,
  ): EventRow => ({
    id: stableId("incident_events", row.id, String(index)),
    incident_id: row.id,
    event_type,
    description,
    automated: actor === null,
    occurred_at,
    actor,
    milestone: null,
    dismissed_at: null,
  });
  const who = row.declared_by === null ? "Declared" : `${row.declared_by.name} declared`;
  const declared = `${who} ${identifierOf(row)}: ${row.name}`;
  const created = event(0, "incident.created", row.declared_at, declared, row.declared_by);
  if (isLive(stage)) return [created];
  const [type, word] =
    stage === "closed" ? (["incident.resolved", "Resolved"] as const) : (["incident.canceled", "Canceled"] as const);
  return [created, event(1, type, row.resolved_at ?? row.updated_at, `${word} ${identifierOf(row)}`, null)];
}
