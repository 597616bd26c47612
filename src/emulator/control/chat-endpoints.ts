/** Control endpoints for people and the chat platform, which the interface itself cannot change. */

import { randomUUID } from "node:crypto";
import { requireFound, validationError } from "../http/http-error.ts";
import { issueToken } from "../modules/access/tokens.ts";
import { posts } from "../modules/chat/service-posts.ts";
import { type MessageRow, messages } from "../modules/chat/transcript.ts";
import { milestoneKinds } from "../modules/incident-record/event.ts";
import { findIncident, type IncidentRow } from "../modules/incident-record/incident.ts";
import { serializeEvent } from "../modules/incidents/timeline.ts";
import { incidentRoleTable } from "../modules/option-lists/incident-roles.ts";
import { findPerson, type MemberRow, memberActor, members } from "../modules/people.ts";
import { postmortems, postmortemVersions } from "../modules/postmortems/postmortems.ts";
import { noteMilestone, postMessage } from "../modules/responders/conversation.ts";
import { acknowledge, escalations, remindOverdue } from "../modules/responders/escalations.ts";
import { assignRole, unassignRole } from "../modules/responders/participants.ts";
import { alerts } from "../modules/routing/alert.ts";
import { created, type EndpointResult, ok } from "../service/module.ts";
import { runTransaction } from "../service/transaction.ts";
import type { Database } from "../store/database.ts";
import { type ControlEndpoint, type ControlRequest, controlEndpoint, listResult } from "./control-endpoint.ts";
import { responseSchemas } from "./response-schemas.ts";

const person = { type: "string", minLength: 1, description: "A person by email address or chat user ID." } as const;

const personBody = {
  type: "object",
  required: ["name", "email", "chat_user_id"],
  properties: {
    name: { type: "string", minLength: 1 },
    email: { type: "string", format: "email" },
    chat_user_id: { type: "string", minLength: 1 },
    role: { type: "string", enum: ["admin", "member"], description: "member if absent." },
  },
} as const;

const messageBody = {
  type: "object",
  required: ["said_by", "text"],
  properties: {
    said_by: person,
    text: { type: "string", minLength: 1 },
    thread_id: { type: "string", description: "The message whose thread it is said in." },
  },
} as const;

const noteBody = {
  type: "object",
  required: ["message_id", "kind", "statement"],
  properties: {
    message_id: { type: "string", description: "The message of the channel that is noted." },
    kind: { type: "string", enum: milestoneKinds },
    statement: { type: "string", minLength: 1 },
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

/** The endpoints of this group. */
export const chatEndpoints: readonly ControlEndpoint[] = [
  controlEndpoint({
    method: "GET",
    path: "/people",
    summary: "Lists the people.",
    status: 200,
    response: responseSchemas.people,
    handle: (request) => listResult("people", database(request).list(members)),
  }),
  controlEndpoint({
    method: "POST",
    path: "/people",
    summary: "Adds a person. The response has a personal token.",
    status: 201,
    response: responseSchemas.newPerson,
    body: personBody,
    handle: ({ control, body: { role = "member", ...rest } }) => {
      return runTransaction(control.service, (transaction) => {
        const row: MemberRow = { ...rest, email: rest.email.toLowerCase(), id: randomUUID(), role };
        for (const field of ["email", "chat_user_id"] as const) {
          const isTaken = transaction.database.find(members, { [field]: row[field] }) !== undefined;
          if (isTaken) throw validationError({ field, message: "has already been taken" });
        }
        transaction.database.insert(members, row);
        const owner = { principal_kind: "user", principal_id: row.id, created_at: transaction.timestamp } as const;
        return created({ ...row, token: issueToken(transaction.database, owner) });
      });
    },
  }),
  controlEndpoint({
    method: "POST",
    path: "/incidents/:id/messages",
    summary: "Posts a person's message in the channel of an incident.",
    status: 201,
    response: responseSchemas.message,
    body: messageBody,
    handle: ({ control, param, body }) => {
      return runTransaction(control.service, (transaction) => {
        const incident = findIncident(transaction.database, param("id"));
        const thread =
          body.thread_id === undefined ? null : findMessage(transaction.database, incident, body.thread_id);
        return created({
          ...postMessage(transaction, incident, findPerson(transaction.database, body.said_by), body.text, thread),
        });
      });
    },
  }),
  controlEndpoint({
    method: "POST",
    path: "/incidents/:id/notes",
    summary: "Notes a message of the channel as a milestone.",
    status: 201,
    response: responseSchemas.note,
    body: noteBody,
    handle: ({ control, param, body }) => {
      return runTransaction(control.service, (transaction) => {
        const incident = findIncident(transaction.database, param("id"));
        const message = findMessage(transaction.database, incident, body.message_id);
        return created(serializeEvent(noteMilestone(transaction, incident, message, body.kind, body.statement)));
      });
    },
  }),
  controlEndpoint({
    method: "POST",
    path: "/incidents/:id/roles",
    summary: "Assigns a role of an incident, or takes it away.",
    status: 201,
    response: responseSchemas.role,
    body: roleBody,
    handle: ({ control, param, body }) => {
      return runTransaction(control.service, (transaction) => {
        const incident = findIncident(transaction.database, param("id"));
        const role = requireFound(transaction.database.find(incidentRoleTable, { slug: body.role }));
        const member = body.member_id === null ? undefined : findPerson(transaction.database, body.member_id);
        if (member === undefined)
          unassignRole(transaction, incident, role, memberActor(findAdmin(transaction.database)));
        else assignRole(transaction, incident, role, member, memberActor(member));
        return created({ incident_id: incident.id, role: role.slug, member_id: member?.id ?? null });
      });
    },
  }),
  controlEndpoint({
    method: "GET",
    path: "/incidents/:id/escalations",
    summary: "Lists the escalations of an incident.",
    status: 200,
    response: responseSchemas.escalations,
    handle: (request) => {
      const { id } = findIncident(database(request), request.param("id"));
      return listResult("escalations", database(request).list(escalations, { incident_id: id }));
    },
  }),
  controlEndpoint({
    method: "POST",
    path: "/escalations/:id/acknowledge",
    summary: "Acknowledges an escalation.",
    status: 200,
    response: responseSchemas.escalation,
    handle: ({ control, param }) => {
      return runTransaction(control.service, (transaction) => {
        const escalation = requireFound(transaction.database.find(escalations, { id: param("id") }));
        acknowledge(transaction, escalation);
        return ok({ ...escalation, ...transaction.database.find(escalations, { id: escalation.id }) });
      });
    },
  }),
  controlEndpoint({
    method: "GET",
    path: "/incidents/:id/postmortem/versions",
    summary: "Lists every version of a postmortem's body.",
    status: 200,
    response: responseSchemas.versions,
    handle: (request) => {
      const postmortem = requireFound(database(request).find(postmortems, { incident_id: request.param("id") }));
      const rows = database(request).list(postmortemVersions, { postmortem_id: postmortem.id }, { order: "version" });
      return listResult("versions", rows);
    },
  }),
  controlEndpoint({
    method: "GET",
    path: "/posts",
    summary: "Lists the service's messages in channels and to people.",
    status: 200,
    response: responseSchemas.posts,
    handle: (request): EndpointResult => {
      runTransaction(request.control.service, remindOverdue);
      return listResult("posts", database(request).list(posts));
    },
  }),
  controlEndpoint({
    method: "GET",
    path: "/alerts",
    summary: "Lists the ingested alerts.",
    status: 200,
    response: responseSchemas.alerts,
    handle: (request) => listResult("alerts", database(request).list(alerts)),
  }),
];

function database({ control }: ControlRequest<unknown>): Database {
  return control.service.database;
}

/** The person who acts on the chat platform when the request names nobody. */
function findAdmin(database: Database): MemberRow {
  const admin = database.find(members, { role: "admin" });
  if (admin === undefined) throw new Error("the workspace has no admin");
  return admin;
}

function findMessage(database: Database, incident: IncidentRow, id: string): MessageRow {
  return requireFound(database.find(messages, { id, incident_id: incident.id }));
}
