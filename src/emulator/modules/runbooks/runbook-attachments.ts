/**
 * Runbooks attached to incidents: attached by their conditions, with a copy of their steps. A claimed step becomes an action item of
 * its assignee.
 */

import { randomUUID } from "node:crypto";
import { requireFound, unprocessable } from "../../http/http-error.ts";
import { listOf, objectSchema, present, timestamp, uuid } from "../../http/response-schema.ts";
import type { BodySchema, SchemaValue } from "../../http/value-schema.ts";
import { created, endpoint, ok, type ServiceModule } from "../../service/module.ts";
import type { TransactionContext } from "../../service/service-context.ts";
import type { Database } from "../../store/database.ts";
import { rowCounter } from "../../store/references.ts";
import { type RowOfColumns, rowTable, type Table } from "../../store/table.ts";
import { conditionsHold, conditionsOf } from "../forms/conditions.ts";
import { recordEvent } from "../incident-record/event.ts";
import { chosenIdsByField, findIncident, type IncidentRow } from "../incident-record/incident.ts";
import { actorOf, findPerson, memberActor } from "../people.ts";
import { actionItemSchema, createItem } from "../responders/action-items.ts";
import { type RunbookRow, runbookSteps, runbookTable } from "./runbooks.ts";

const attachmentColumns = {
  id: { type: "string" },
  incident_id: { type: "string" },
  runbook_id: { type: "string" },
  attached_at: { type: "string" },
} as const;

/** A runbook on an incident. */
type AttachmentRow = RowOfColumns<typeof attachmentColumns>;

const stepColumns = {
  id: { type: "string" },
  attachment_id: { type: "string" },
  // 1-based.
  position: { type: "integer" },
  title: { type: "string" },
  instruction: { type: ["string", "null"] },
  // The action item of the claimed step; null until it is claimed.
  action_item_id: { type: ["string", "null"] },
} as const;

/** A copy of a step, which later changes of the runbook do not affect. */
type AttachedStepRow = RowOfColumns<typeof stepColumns>;

/** The runbooks on incidents. */
export const attachments: Table<AttachmentRow> = rowTable(
  "runbook_attachments",
  attachmentColumns,
  "UNIQUE (incident_id, runbook_id)",
);

/** The steps of runbooks on incidents. */
export const attachedSteps: Table<AttachedStepRow> = rowTable(
  "attached_steps",
  stepColumns,
  "UNIQUE (attachment_id, position)",
);

const attachedStep = objectSchema("AttachedStep", {
  id: uuid,
  position: { type: "integer", minimum: 1 },
  title: { type: "string", examples: ["Page the database team"] },
  instruction: { type: ["string", "null"] },
  action_item_id: { type: ["string", "null"], format: "uuid", description: "The item of a claimed step." },
});

const attachedRunbook = objectSchema("AttachedRunbook", {
  id: { ...uuid, description: "The id of the attachment, which a claim names." },
  slug: { type: ["string", "null"] },
  name: { type: ["string", "null"] },
  attached_at: timestamp,
  steps: listOf(attachedStep),
});

const claim = {
  type: "object",
  required: ["runbook_id", "step_id"],
  properties: {
    runbook_id: { type: "string", description: "The id of the attachment, from GET /incidents/:id/runbooks." },
    step_id: { type: "string" },
    member_id: {
      type: ["string", "null"],
      description: "Who takes it, by email or chat user ID; the caller when absent.",
    },
  },
} as const satisfies BodySchema;

/** The module of the runbooks on an incident, with the ids that a claim names. */
export const runbookAttachments: ServiceModule = {
  tables: [attachments, attachedSteps],
  referenceCounters: [rowCounter("runbooks", "incident", "runbook_attachments WHERE runbook_id = ?", true)],
  endpoints: [
    endpoint({
      method: "GET",
      path: "/incidents/:id/runbooks",
      operationId: "listIncidentRunbooks",
      summary: "Lists the runbooks attached to an incident with their steps, whose ids a claim names.",
      requiredAbility: "incidents.read",
      responses: { 200: objectSchema("AttachedRunbookList", { runbooks: listOf(attachedRunbook) }) },
      handle: ({ database, param }) => {
        const { id } = findIncident(database, param("id"));
        const rows = database.list(attachments, { incident_id: id });
        return ok({ runbooks: rows.map((row) => serializeAttachment(database, row)) });
      },
    }),
    endpoint({
      method: "POST",
      path: "/incidents/:id/runbook_steps/claim",
      operationId: "claimRunbookStep",
      summary: "Takes one step of an attached runbook.",
      requiredAbility: "incidents.update",
      body: claim,
      responses: { 201: actionItemSchema },
      handle: (request) => {
        const { database, body, principal } = request;
        const incident = findIncident(database, request.param("id"));
        const step = findAttachedStep(database, incident, body.runbook_id, body.step_id);
        if (step.action_item_id !== null) throw unprocessable("Somebody has taken this step already.");
        const caller = actorOf(principal);
        const assignee = body.member_id == null ? caller : memberActor(findPerson(database, body.member_id));
        const item = createItem(request, incident, {
          description: step.title,
          kind: "action",
          created_by: caller,
          assignee,
          status: "in_progress",
        });
        database.update(attachedSteps, step.id, { action_item_id: item.id });
        return created(present(actionItemSchema, item));
      },
    }),
  ],
};

/** Attaches every runbook with conditions that the incident meets, unless it is attached already. */
export function attachRunbooks(transaction: TransactionContext, incident: IncidentRow): void {
  const { severity_id, incident_type_id } = incident;
  const answers = { severity_id, incident_type_id, chosenIds: chosenIdsByField(incident.custom_values) };
  for (const runbook of transaction.database.list(runbookTable)) {
    const conditions = conditionsOf(transaction.database, runbook.id);
    if (conditions.length === 0 || !conditionsHold(conditions, answers)) continue;
    const attached = transaction.database.find(attachments, { incident_id: incident.id, runbook_id: runbook.id });
    if (attached === undefined) attachRunbook(transaction, incident, runbook);
  }
}

/** Attaches a runbook with a copy of its steps. */
function attachRunbook(transaction: TransactionContext, incident: IncidentRow, runbook: RunbookRow): AttachmentRow {
  const { database, timestamp } = transaction;
  const attachment = { id: randomUUID(), incident_id: incident.id, runbook_id: runbook.id, attached_at: timestamp };
  database.insert(attachments, attachment);
  const steps = database.list(runbookSteps, { runbook_id: runbook.id }, { order: "position" });
  const copies = steps.map(({ position, title, instruction }) => {
    return { id: randomUUID(), attachment_id: attachment.id, position, title, instruction, action_item_id: null };
  });
  database.insert(attachedSteps, ...copies);
  recordEvent(transaction, incident, { type: "runbook.attached", description: `Runbook ${runbook.name} attached` });
  return attachment;
}

/** A step of a runbook attached to the incident. Throws 404 for an unknown attachment or step. */
function findAttachedStep(
  database: Database,
  incident: IncidentRow,
  attachmentId: string,
  stepId: string,
): AttachedStepRow {
  const attachment = database.find(attachments, { id: attachmentId, incident_id: incident.id });
  return requireFound(attachment && database.find(attachedSteps, { id: stepId, attachment_id: attachment.id }));
}

function serializeAttachment(
  database: Database,
  { id, runbook_id, attached_at }: AttachmentRow,
): SchemaValue<typeof attachedRunbook> {
  const runbook = database.find(runbookTable, { id: runbook_id });
  const steps = database.list(attachedSteps, { attachment_id: id }, { order: "position" });
  return {
    id,
    slug: runbook?.slug ?? null,
    name: runbook?.name ?? null,
    attached_at,
    steps: steps.map((step) => present(attachedStep, step)),
  };
}
