/** The forms of an incident, which responders submit in the chat platform: update, resolve and cancel. */

import type { Fields } from "../../../core/json.ts";
import type { InvalidField } from "../../http/http-error.ts";
import type { TransactionContext } from "../../service/service-context.ts";
import type { Database } from "../../store/database.ts";
import type { Table } from "../../store/table.ts";
import { postToChannel } from "../chat/service-posts.ts";
import { customFieldTable } from "../custom-fields/custom-field-tables.ts";
import { type FormName, formFields, formNames, type SystemField } from "../forms/form-fields.ts";
import {
  type CustomValues,
  type IncidentRow,
  incidentNotActive,
  isLive,
  stageOf,
  stateWord,
} from "../incident-record/incident.ts";
import type { OptionRow } from "../option-lists/option-list.ts";
import { incidentTypeTable, lifecycleStageOf, severityTable, statusTable } from "../option-lists/option-lists.ts";
import type { Actor } from "../people.ts";
import { applyChange, type ChangedField } from "./change.ts";
import { validateAnswers } from "./form-answers.ts";

/** A form of an incident that has been declared. */
export type IncidentForm = Exclude<FormName, "declare">;

/** Answers to system fields. A status, severity or type is named by slug or id, and the lead by email address or chat user ID. */
type SystemAnswers = { readonly [Field in Exclude<SystemField, "visibility">]?: string | null };

/** The answers of a submission. One that is left out keeps the value of the incident. */
export interface FormSubmission extends SystemAnswers {
  /** By the slug of the custom field; null empties it. */
  readonly custom_fields?: Fields;
}

export function isIncidentForm(text: string): text is IncidentForm {
  return text !== "declare" && formNames.some((name) => name === text);
}

/** The forms that fit the incident's stage. The update form of an incident that is over reopens it. */
export function formsOf(database: Database, incident: IncidentRow): readonly IncidentForm[] {
  return isLive(stageOf(database, incident)) ? ["update", "resolve", "cancel"] : ["update"];
}

/** The enabled statuses that the form can set: closed ones resolve, canceled ones cancel, and an update keeps the incident live or reopens it. */
export function statusesFor(database: Database, form: FormName, incident?: IncidentRow): readonly OptionRow[] {
  return database.list(statusTable, {}, { order: "position" }).filter((status) => {
    if (status.id === incident?.status_id) return form === "update";
    const stage = lifecycleStageOf(status);
    if (!status.enabled) return false;
    if (form === "resolve") return stage === "closed";
    if (form === "cancel") return stage === "canceled";
    return isLive(stage) || (incident !== undefined && stage === stageOf(database, incident));
  });
}

/** Applies the answers as one change. Throws 422 with one error for each answer that is wrong or missing. */
export function submitForm(
  transaction: TransactionContext,
  incident: IncidentRow,
  form: IncidentForm,
  { custom_fields = {}, ...system }: FormSubmission,
  actor: Actor,
): IncidentRow {
  const { database } = transaction;
  if (!formsOf(database, incident).includes(form)) {
    throw incidentNotActive(`The incident is ${stateWord(stageOf(database, incident))} already`);
  }
  const errors: InvalidField[] = [];
  refuseUnasked(database, form, system, errors);
  const severity_id = idOf(database, severityTable, system.severity);
  const incident_type_id = idOf(database, incidentTypeTable, system.incident_type);
  const status_id = idOf(database, statusTable, system.status);
  const statuses = statusesFor(database, form, incident);
  const isFitting = status_id === undefined || statuses.some(({ id }) => id === status_id);
  if (!isFitting) {
    errors.push({ field: "status", message: `must be one of ${statuses.map(({ name }) => name).join(", ")}` });
  }
  const custom_values = validateAnswers(
    database,
    form,
    {
      severity_id: severity_id ?? incident.severity_id,
      incident_type_id: system.incident_type === undefined ? incident.incident_type_id : (incident_type_id ?? null),
      system: {
        ...{ name: incident.name, summary: incident.summary, severity: incident.severity_id },
        ...{ incident_type: incident.incident_type_id, lead: incident.lead_id },
        ...(form === "update" ? { status: incident.status_id } : {}),
        ...system,
      },
      custom: custom_fields,
      stored: incident.custom_values,
    },
    errors,
  );
  const patch = {
    ...(isBlank(system.name) ? {} : { name: system.name }),
    ...(system.summary === undefined ? {} : { summary: system.summary || null }),
    ...(severity_id === undefined ? {} : { severity_id }),
    ...(system.incident_type === undefined ? {} : { incident_type_id: incident_type_id ?? null }),
    ...(status_id === undefined || !isFitting ? {} : { status_id }),
    ...(isBlank(system.lead) ? {} : { lead_id: system.lead }),
  };
  const more = [...changedValues(database, incident.custom_values, custom_values), ...announcements(system)];
  const after = applyChange(transaction, incident, patch, actor, { more, errors });
  announce(transaction, after, actor, system);
  return after;
}

function isBlank(text: string | null | undefined): text is "" | null | undefined {
  return (text ?? "").trim() === "";
}

/** The id of the row with this slug or id; the text itself if there is no such row, and undefined for a blank one. */
function idOf(database: Database, table: Table<OptionRow>, word: string | null | undefined): string | undefined {
  return isBlank(word) ? undefined : (database.find(table, { slug: word })?.id ?? word);
}

function refuseUnasked(database: Database, form: FormName, system: Fields, errors: InvalidField[]): void {
  const asked = new Set(formFields(database, form).flatMap(({ visible, slug }) => (visible ? [slug] : [])));
  for (const field of Object.keys(system)) {
    if (!asked.has(field)) errors.push({ field, message: `is not a field of the ${form} form` });
  }
}

function changedValues(database: Database, before: CustomValues, after: CustomValues): readonly ChangedField[] {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = ids.filter((id) => JSON.stringify(before[id]) !== JSON.stringify(after[id]));
  return changed.map((id) => ({
    columns: { custom_values: after },
    words: `changed ${database.find(customFieldTable, { id })?.name ?? "a field"}`,
  }));
}

/** The message and the next update as changes, for the timeline. */
function announcements({ message, next_update }: SystemAnswers): readonly ChangedField[] {
  return [
    ...(isBlank(message) ? [] : [{ columns: {}, words: `posted an update: ${message.trim()}` }]),
    ...(isBlank(next_update) ? [] : [{ columns: {}, words: `announced the next update: ${next_update.trim()}` }]),
  ];
}

function announce(
  transaction: TransactionContext,
  incident: IncidentRow,
  { name }: Actor,
  { message, next_update }: SystemAnswers,
): void {
  const texts = [
    isBlank(message) ? [] : message.trim(),
    isBlank(next_update) ? [] : `Next update: ${next_update.trim()}`,
  ];
  const post = texts.flat().join("\n");
  if (post !== "") postToChannel(transaction, incident, `${name}: ${post}`);
}
