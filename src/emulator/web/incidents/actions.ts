/**
 * The actions of a responder on an incident. An action is one operation of the interface or of the control surface, and the schema of its
 * body gives the inputs of its form.
 */

import type { Fields, Json } from "../../../core/json.ts";
import { controlEndpoints } from "../../control/control-handler.ts";
import { type BodySchema, typesOf, type ValueSchema } from "../../http/value-schema.ts";
import { allModules } from "../../modules/all-modules.ts";
import { messages } from "../../modules/chat/transcript.ts";
import { type IncidentRow, identifierOf, incidents } from "../../modules/incident-record/incident.ts";
import { members } from "../../modules/people.ts";
import type { Database } from "../../store/database.ts";

/** An action. Members of the body without an input are values that the form carries. */
export interface IncidentAction {
  /** The sentence of a refusal. */
  readonly refused: string;
  readonly button: string;
  /** The part of the page that shows the result, by its id. */
  readonly section: string;
  /** The operation, such as `POST /api/v1/incidents/:id/link`. */
  readonly operation: string;
  /** Labels of the inputs, by the member of the body. */
  readonly inputs?: { readonly [member: string]: string };
}

/** The name of an action, in the path of its form. */
export type ActionName =
  | "lead"
  | "role"
  | "invite"
  | "thank"
  | "claim"
  | "add"
  | "assign"
  | "finish"
  | "escalate"
  | "acknowledge"
  | "say"
  | "note"
  | "dismiss"
  | "link"
  | "open"
  | "write";

export const incidentActions: { readonly [Name in ActionName]: IncidentAction } = {
  lead: {
    refused: "The lead was not changed.",
    button: "Assign",
    section: "people",
    operation: "PATCH /api/v1/incidents/:id",
    inputs: { lead_id: "Lead" },
  },
  role: {
    refused: "The role was not changed.",
    button: "Assign",
    section: "people",
    operation: "POST /control/incidents/:id/roles",
    inputs: { member_id: "Person" },
  },
  invite: {
    refused: "Nobody was invited.",
    button: "Invite",
    section: "people",
    operation: "POST /api/v1/incidents/:id/invite",
    inputs: { member_ids: "People" },
  },
  thank: {
    refused: "Nobody was thanked.",
    button: "Thank",
    section: "posts",
    operation: "POST /api/v1/incidents/:id/shoutout",
    inputs: { member_id: "To", message: "Message" },
  },
  claim: {
    refused: "The step was not claimed.",
    button: "Claim",
    section: "runbooks",
    operation: "POST /api/v1/incidents/:id/runbook_steps/claim",
    inputs: { member_id: "Person" },
  },
  add: {
    refused: "The action item was not added.",
    button: "Add action item",
    section: "action-items",
    operation: "POST /api/v1/incidents/:id/action_items",
    inputs: { description: "Description", kind: "Kind", assignee_id: "Assignee" },
  },
  assign: {
    refused: "The action item was not assigned.",
    button: "Assign",
    section: "action-items",
    operation: "PATCH /api/v1/incidents/:id/action_items/:item_id",
    inputs: { assignee_id: "Assignee" },
  },
  finish: {
    refused: "The action item was not finished.",
    button: "Done",
    section: "action-items",
    operation: "PATCH /api/v1/incidents/:id/action_items/:item_id",
  },
  escalate: {
    refused: "Nobody was asked to respond.",
    button: "Escalate",
    section: "escalations",
    operation: "POST /api/v1/incidents/:id/escalate",
    inputs: { member_id: "Person", reason: "Reason" },
  },
  acknowledge: {
    refused: "The escalation was not acknowledged.",
    button: "Acknowledge",
    section: "escalations",
    operation: "POST /control/escalations/:escalation_id/acknowledge",
  },
  say: {
    refused: "The message was not posted.",
    button: "Post message",
    section: "conversation",
    operation: "POST /control/incidents/:id/messages",
    inputs: { said_by: "From", text: "Text", thread_id: "In the thread of" },
  },
  note: {
    refused: "The message was not noted.",
    button: "Note message",
    section: "timeline",
    operation: "POST /control/incidents/:id/notes",
    inputs: { message_id: "Message", kind: "Kind", statement: "Statement" },
  },
  dismiss: {
    refused: "The note was not dismissed.",
    button: "Dismiss",
    section: "timeline",
    operation: "PATCH /api/v1/incidents/:id/timeline/:note_id/dismiss",
  },
  link: {
    refused: "The incidents were not linked.",
    button: "Link incident",
    section: "links",
    operation: "POST /api/v1/incidents/:id/link",
    inputs: { other_incident_id: "Other incident", relationship: "Relationship" },
  },
  open: {
    refused: "The postmortem was not opened.",
    button: "Open postmortem",
    section: "postmortem",
    operation: "POST /api/v1/incidents/:id/postmortem",
    inputs: { generate: "First version" },
  },
  write: {
    refused: "The postmortem was not saved.",
    button: "Save postmortem",
    section: "postmortem",
    operation: "PATCH /api/v1/incidents/:id/postmortem",
    inputs: { html: "Body (HTML)", status: "Status" },
  },
};

/** Whether the text names an action. */
export function isAction(name: string): name is ActionName {
  return Object.hasOwn(incidentActions, name);
}

const schemas: ReadonlyMap<string, BodySchema | undefined> = new Map([
  ...allModules
    .flatMap(({ endpoints }) => endpoints)
    .map(({ method, path, body }) => [`${method} /api/v1${path}`, body] as const),
  ...controlEndpoints.map(({ method, path, body }) => [`${method} /control${path}`, body] as const),
]);

/** The schema of an action's body. Throws if there is no such operation. */
export function bodySchemaOf({ operation }: IncidentAction): BodySchema {
  // The control surface names every parameter `id`.
  const name = [operation, operation.replace(/:\w+/, ":id")].find((each) => schemas.has(each));
  if (name === undefined) throw new Error(`there is no operation ${operation}`);
  return schemas.get(name) ?? { type: "object", properties: {} };
}

/** An input of an action's form. */
export interface ActionInput {
  readonly member: string;
  readonly label: string;
  readonly isRequired: boolean;
  readonly takesSeveral: boolean;
  /** The choices; undefined for free text. */
  readonly options: Options | undefined;
}

type Options = readonly (readonly [value: string, label: string])[];

/** The inputs of an action's form on the page of an incident. */
export function inputsOf(action: IncidentAction, database: Database, incident: IncidentRow): readonly ActionInput[] {
  const { properties, required = [] } = bodySchemaOf(action);
  return Object.entries(action.inputs ?? {}).map(([member, label]) => {
    const schema = properties[member] ?? {};
    const options = optionsOf[member]?.(database, incident) ?? schemaOptions(schema);
    return {
      member,
      label,
      isRequired: required.includes(member) && !typesOf(schema).includes("null"),
      takesSeveral: typesOf(schema).includes("array"),
      options,
    };
  });
}

/** The choices of members that name a row. */
const optionsOf: { readonly [member: string]: (database: Database, incident: IncidentRow) => Options } = {
  lead_id: people,
  member_id: people,
  member_ids: people,
  assignee_id: people,
  said_by: people,
  message_id: recentMessages,
  thread_id: recentMessages,
  other_incident_id: otherIncidents,
  generate: () => [
    ["false", "an empty one"],
    ["true", "a draft from the timeline"],
  ],
};

function people(database: Database): Options {
  return database.list(members, {}, { order: "name" }).map(({ email, name }) => [email, name]);
}

const maximumOptions = 100;

function recentMessages(database: Database, { id }: IncidentRow): Options {
  const newest = database.list(
    messages,
    { incident_id: id },
    { order: "said_at DESC, rowid DESC", limit: maximumOptions },
  );
  return newest.map((message) => [message.id, `${message.said_by.name}: ${message.text.slice(0, 80)}`]);
}

function otherIncidents(database: Database, { id }: IncidentRow): Options {
  const clause = "WHERE id <> ? ORDER BY number DESC LIMIT ?";
  const others = database.query(incidents, clause, [id, maximumOptions]);
  return others.map((other) => [other.id, `${identifierOf(other)} ${other.name}`]);
}

function schemaOptions(schema: ValueSchema): Options | undefined {
  return schema.enum?.flatMap((value) =>
    typeof value === "string" ? [[value, value.replaceAll("_", " ")] as const] : [],
  );
}

/** The path of the request, with the parameters of the form. */
export function requestPath({ operation }: IncidentAction, { id }: IncidentRow, form: URLSearchParams): string {
  const [, path = ""] = operation.split(" ");
  return path.replace(/:(\w+)/g, (_all, name: string) =>
    encodeURIComponent(name === "id" ? id : (form.get(name) ?? "")),
  );
}

/** The body of the request. A blank value is null where the member takes null: then it is left out unless the operation requires it. */
export function requestBody(action: IncidentAction, form: URLSearchParams): Fields {
  const { properties, required = [] } = bodySchemaOf(action);
  const entries = Object.entries(properties).flatMap(([member, schema]): [string, Json][] => {
    const types = typesOf(schema);
    const value = form.get(member);
    if (types.includes("array")) return [[member, form.getAll(member)]];
    if (value === null) return [];
    if (value === "" && types.includes("null")) return required.includes(member) ? [[member, null]] : [];
    if (types.includes("integer")) return [[member, Number(value)]];
    return [[member, types.includes("boolean") ? value === "true" : value]];
  });
  return Object.fromEntries(entries);
}
