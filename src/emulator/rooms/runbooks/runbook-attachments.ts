/** Runbooks attached to incidents: attached by their conditions, kept with the steps they had, counted as references. */

import { randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import { notFound } from "../../http/http-error.ts";
import type { Database } from "../../store/database.ts";
import type { Reference } from "../../store/references.ts";
import { integer, key, optionalText, type Table, table, text } from "../../store/table.ts";
import type { Act } from "../../transaction.ts";
import { conditionsHold, conditionsOf } from "../forms/conditions.ts";
import { chosenByField } from "../incidents/custom-values.ts";
import { record } from "../incidents/event.ts";
import { findIncident, type IncidentRow } from "../incidents/incident.ts";
import { ok, type Room, route } from "../room.ts";
import { type RunbookRow, runbookSteps, runbookTable } from "./runbook-tables.ts";

/** A runbook on an incident. */
export interface AttachmentRow {
  readonly id: string;
  readonly incident_id: string;
  readonly runbook_id: string;
  readonly attached_at: string;
}

/** A step as it was when its runbook was attached: replacing the runbook's steps leaves those of incidents alone. */
export interface AttachedStepRow {
  readonly id: string;
  readonly attachment_id: string;
  /** 1-based. */
  readonly position: number;
  readonly title: string;
  readonly instruction: string | null;
  /** The action item of whoever took the step. */
  readonly action_item_id: string | null;
}

/** The runbooks on incidents. */
const attachments: Table<AttachmentRow> = table(
  "runbook_attachments",
  { id: key, incident_id: text, runbook_id: text, attached_at: text },
  "UNIQUE (incident_id, runbook_id)",
);

/** The steps of runbooks on incidents. */
export const attachedSteps: Table<AttachedStepRow> = table(
  "attached_steps",
  {
    id: key,
    attachment_id: text,
    position: integer,
    title: text,
    instruction: optionalText,
    action_item_id: optionalText,
  },
  "UNIQUE (attachment_id, position)",
);

/** Incidents point at every runbook that was ever attached to them. */
const attachmentReference: Reference = {
  target: "runbooks",
  noun: "incident",
  always: true,
  count: (database, id) => database.count(attachments, { runbook_id: id }),
};

/** The room of the runbooks on an incident: the ids that a claim names are read here. */
export const runbookAttachments: Room = {
  tables: [attachments, attachedSteps],
  references: [attachmentReference],
  routes: [
    route({
      method: "GET",
      path: "/incidents/:id/runbooks",
      summary: "Lists the runbooks attached to an incident with their steps, whose ids a claim names.",
      needs: "incidents.read",
      handle: ({ database, param }) => {
        const { id } = findIncident(database, param("id"));
        const rows = database.list(attachments, { incident_id: id });
        return ok({ runbooks: rows.map((row) => attachmentView(database, row)) });
      },
    }),
  ],
};

/** Attaches every runbook that has conditions, all of which the incident meets, and that is not attached yet. */
export function attachRunbooks(act: Act, incident: IncidentRow): void {
  const { severity_id, incident_type_id } = incident;
  const answers = { severity_id, incident_type_id, chosen: chosenByField(incident.custom_values) };
  for (const runbook of act.database.list(runbookTable)) {
    const conditions = conditionsOf(act.database, runbook.id);
    if (conditions.length === 0 || !conditionsHold(conditions, answers)) continue;
    const attached = act.database.find(attachments, { incident_id: incident.id, runbook_id: runbook.id });
    if (attached === undefined) attachRunbook(act, incident, runbook);
  }
}

/** Attaches a runbook with a copy of its steps. */
function attachRunbook(act: Act, incident: IncidentRow, runbook: RunbookRow): AttachmentRow {
  const { database, timestamp } = act;
  const attachment = { id: randomUUID(), incident_id: incident.id, runbook_id: runbook.id, attached_at: timestamp };
  database.insert(attachments, attachment);
  const steps = database.list(runbookSteps, { runbook_id: runbook.id }, { order: "position" });
  const copies = steps.map(({ position, title, instruction }) => {
    return { id: randomUUID(), attachment_id: attachment.id, position, title, instruction, action_item_id: null };
  });
  database.insert(attachedSteps, ...copies);
  record(act, incident, { type: "runbook.attached", description: `Runbook ${runbook.name} attached` });
  return attachment;
}

/** A step of a runbook attached to the incident. Throws 404 for an attachment or step that it does not have. */
export function findAttachedStep(
  database: Database,
  incident: IncidentRow,
  attachmentId: string,
  stepId: string,
): AttachedStepRow {
  const attachment = database.find(attachments, { id: attachmentId, incident_id: incident.id });
  const step = attachment && database.find(attachedSteps, { id: stepId, attachment_id: attachment.id });
  if (step === undefined) throw notFound();
  return step;
}

function attachmentView(database: Database, { id, runbook_id, attached_at }: AttachmentRow): Fields {
  const runbook = database.find(runbookTable, { id: runbook_id });
  const steps = database.list(attachedSteps, { attachment_id: id }, { order: "position" });
  return {
    id,
    slug: runbook?.slug ?? null,
    name: runbook?.name ?? null,
    attached_at,
    steps: steps.map(({ id, position, title, instruction, action_item_id }) => {
      return { id, position, title, instruction, action_item_id };
    }),
  };
}
