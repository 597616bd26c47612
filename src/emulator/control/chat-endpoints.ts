/** Control endpoints for people and the chat platform, which the interface itself cannot change. */

import { randomUUID } from "node:crypto";
import { requireFound, validationError } from "../http/http-error.ts";
import { nonBlankText } from "../http/value-schema.ts";
import { issueToken } from "../modules/access/tokens.ts";
import { postColumns, posts } from "../modules/chat/service-posts.ts";
import { type MessageRow, messages } from "../modules/chat/transcript.ts";
import { milestoneKinds } from "../modules/incident-record/event.ts";
import {
  findIncident,
  type IncidentRow,
  incidentEnvelope,
  serializeIncident,
} from "../modules/incident-record/incident.ts";
import { isIncidentForm, submitForm } from "../modules/incidents/submit-form.ts";
import { serializeEvent } from "../modules/incidents/timeline.ts";
import { incidentRoleTable } from "../modules/option-lists/option-lists.ts";
import { findPerson, firstAdmin, type MemberRow, memberActor, members, personReference } from "../modules/people.ts";
import { postmortems, postmortemVersions } from "../modules/postmortems/postmortems.ts";
import { noteMilestone, postMessage } from "../modules/responders/conversation.ts";
import { acknowledge, escalationColumns, escalations, remindOverdue } from "../modules/responders/escalations.ts";
import { assignRole, unassignRole } from "../modules/responders/participants.ts";
import { alerts } from "../modules/routing/alert.ts";
import { runTransaction } from "../service/service-context.ts";
import type { Database } from "../store/database.ts";
import { type ControlEndpoint, controlEndpoint } from "./control-endpoint.ts";
import { anyObject, flag, list, object, optionalText, optionalWhole, text, time, whole } from "./response-schema.ts";

const personBody = {
  type: "object",
  required: ["name", "email", "chat_user_id"],
  properties: {
    name: { ...nonBlankText },
    email: { type: "string", format: "email" },
    chat_user_id: { ...nonBlankText },
    role: { type: "string", enum: ["admin", "member"], description: "member if absent." },
  },
} as const;

const messageBody = {
  type: "object",
  required: ["said_by", "text"],
  properties: {
    said_by: personReference,
    text: { ...nonBlankText },
    thread_id: { type: ["string", "null"], description: "The message whose thread it is said in." },
  },
} as const;

const noteBody = {
  type: "object",
  required: ["message_id", "kind", "statement"],
  properties: {
    message_id: { type: "string", description: "The message of the channel that is noted." },
    kind: { type: "string", enum: milestoneKinds },
    statement: { ...nonBlankText },
  },
} as const;

const roleBody = {
  type: "object",
  required: ["role", "member_id"],
  properties: {
    role: { type: "string", description: "The slug of an incident role." },
    member_id: {
      type: ["string", "null"],
      description: "A person by email or chat user ID; null takes the role away.",
    },
  },
} as const;

const answer = { type: ["string", "null"] } as const;
const nameOfChoice = { ...answer, description: "A slug or id." } as const;

const formBody = {
  type: "object",
  properties: {
    submitted_by: { ...personReference, description: "A person by email or chat user ID; the first admin if absent." },
    message: { ...answer, description: "Posted in the channel." },
    next_update: { ...answer, description: "When the next update follows, in free text." },
    name: answer,
    incident_type: nameOfChoice,
    status: { ...answer, description: "The slug or id of a status that fits the form." },
    severity: nameOfChoice,
    summary: answer,
    lead: { ...answer, description: "A person by email or chat user ID." },
    custom_fields: {
      type: "object",
      additionalProperties: {},
      description: "Values by the slug of a custom field; null empties the field.",
    },
  },
} as const;

const escalationSchema = object(escalationColumns);

const personProperties = { id: text, name: text, email: text, chat_user_id: text, role: text };

/** The endpoints of this group. */
export const chatEndpoints: readonly ControlEndpoint[] = [
  controlEndpoint("GET", "/people", "Lists the people.", {
    response: list("people", object(personProperties)),
    handle: ({ database }) => ({ people: database.list(members) }),
  }),
  controlEndpoint("POST", "/people", "Adds a person. The response has a personal token.", {
    status: 201,
    response: object({ ...personProperties, token: text }),
    body: personBody,
    handle: ({ control, database, body: { role = "member", ...rest } }) => {
      return runTransaction(control.service, (transaction) => {
        const row: MemberRow = { ...rest, email: rest.email.toLowerCase(), id: randomUUID(), role };
        for (const field of ["email", "chat_user_id"] as const) {
          const isTaken = database.find(members, { [field]: row[field] }) !== undefined;
          if (isTaken) throw validationError({ field, message: "has already been taken" });
        }
        database.insert(members, row);
        const owner = { principal_kind: "user", principal_id: row.id, created_at: transaction.timestamp } as const;
        return { ...row, token: issueToken(database, owner) };
      });
    },
  }),
  controlEndpoint("POST", "/incidents/:id/messages", "Posts a person's message in the channel of an incident.", {
    status: 201,
    response: object({
      id: text,
      incident_id: text,
      thread_id: optionalText,
      said_by: object({ id: text, type: text, name: text, email: optionalText }),
      said_at: time,
      text,
      redacted: flag,
    }),
    body: messageBody,
    handle: ({ control, database, param, body }) => {
      return runTransaction(control.service, (transaction) => {
        const incident = findIncident(database, param("id"));
        const thread = body.thread_id == null ? null : findMessage(database, incident, body.thread_id);
        return postMessage(transaction, incident, findPerson(database, body.said_by), body.text, thread);
      });
    },
  }),
  controlEndpoint("POST", "/incidents/:id/notes", "Notes a message of the channel as a milestone.", {
    status: 201,
    response: object({ id: text, event_type: text, description: text, occurred_at: time, milestone: anyObject }),
    body: noteBody,
    handle: ({ control, database, param, body }) => {
      return runTransaction(control.service, (transaction) => {
        const incident = findIncident(database, param("id"));
        const message = findMessage(database, incident, body.message_id);
        return serializeEvent(noteMilestone(transaction, incident, message, body.kind, body.statement));
      });
    },
  }),
  controlEndpoint("POST", "/incidents/:id/roles", "Assigns a role of an incident, or takes it away.", {
    status: 201,
    response: object({ incident_id: text, role: text, member_id: optionalText }),
    body: roleBody,
    handle: ({ control, database, param, body }) => {
      return runTransaction(control.service, (transaction) => {
        const incident = findIncident(database, param("id"));
        const role = requireFound(database.find(incidentRoleTable, { slug: body.role }));
        const member = body.member_id === null ? undefined : findPerson(database, body.member_id);
        if (member === undefined) unassignRole(transaction, incident, role, memberActor(firstAdmin(database)));
        else assignRole(transaction, incident, role, member, memberActor(member));
        return { incident_id: incident.id, role: role.slug, member_id: member?.id ?? null };
      });
    },
  }),
  controlEndpoint(
    "POST",
    "/incidents/:id/forms/:form",
    "Submits the update, resolve or cancel form of an incident, as a responder does. The answers are one change.",
    {
      response: incidentEnvelope,
      body: formBody,
      handle: ({ control, database, param, body: { submitted_by, ...answers } }) => {
        return runTransaction(control.service, (transaction) => {
          const form = requireFound([param("form")].find(isIncidentForm));
          const person = submitted_by === undefined ? firstAdmin(database) : findPerson(database, submitted_by);
          const incident = findIncident(database, param("id"));
          const after = submitForm(transaction, incident, form, answers, memberActor(person));
          return { incident: serializeIncident(database, after) };
        });
      },
    },
  ),
  controlEndpoint("GET", "/incidents/:id/escalations", "Lists the escalations of an incident.", {
    response: list("escalations", escalationSchema),
    handle: ({ database, param }) => {
      const { id } = findIncident(database, param("id"));
      return { escalations: database.list(escalations, { incident_id: id }) };
    },
  }),
  controlEndpoint("POST", "/escalations/:id/acknowledge", "Acknowledges an escalation.", {
    response: escalationSchema,
    handle: ({ control, database, param }) => {
      return runTransaction(control.service, (transaction) => {
        const escalation = requireFound(database.find(escalations, { id: param("id") }));
        acknowledge(transaction, escalation);
        return requireFound(database.find(escalations, { id: escalation.id }));
      });
    },
  }),
  controlEndpoint("GET", "/incidents/:id/postmortem/versions", "Lists every version of a postmortem's body.", {
    response: list("versions", object({ id: text, postmortem_id: text, version: whole, html: text, written_at: time })),
    handle: ({ database, param }) => {
      const { id: postmortem_id } = requireFound(database.find(postmortems, { incident_id: param("id") }));
      return { versions: database.list(postmortemVersions, { postmortem_id }, { order: "version" }) };
    },
  }),
  controlEndpoint("GET", "/posts", "Lists the service's messages in channels and to people.", {
    response: list("posts", object(postColumns)),
    handle: ({ control, database }) => {
      runTransaction(control.service, remindOverdue);
      return { posts: database.list(posts) };
    },
  }),
  controlEndpoint("GET", "/alerts", "Lists the ingested alerts.", {
    response: list(
      "alerts",
      object({
        id: text,
        source_id: text,
        fingerprint: text,
        status: text,
        fields: anyObject,
        received_at: time,
        action: optionalText,
        rule_priority: optionalWhole,
        incident_id: optionalText,
      }),
    ),
    handle: ({ database }) => ({ alerts: database.list(alerts) }),
  }),
];

function findMessage(database: Database, incident: IncidentRow, id: string): MessageRow {
  return requireFound(database.find(messages, { id, incident_id: incident.id }));
}
