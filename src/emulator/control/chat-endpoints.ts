/** The endpoints of /control that are about people and the chat platform: what the interface only shows the outcome of. */

import { randomUUID } from "node:crypto";
import { invalid, notFound } from "../http/http-error.ts";
import { type MemberRow, members } from "../rooms/access/principals.ts";
import { issueToken } from "../rooms/access/tokens.ts";
import { note, say } from "../rooms/chat/conversation.ts";
import { posts } from "../rooms/chat/service-posts.ts";
import { type MessageRow, messages } from "../rooms/chat/transcript.ts";
import { milestoneKinds } from "../rooms/incidents/event.ts";
import { findIncident, type IncidentRow } from "../rooms/incidents/incident.ts";
import { eventView } from "../rooms/incidents/timeline.ts";
import { incidentRoleTable } from "../rooms/option-lists/incident-roles.ts";
import { postmortems, postmortemVersions } from "../rooms/postmortems/postmortems.ts";
import { acknowledge, escalations, remindOverdue } from "../rooms/responders/escalations.ts";
import { assignRole, unassignRole } from "../rooms/responders/participants.ts";
import { findPerson, memberActor } from "../rooms/responders/people.ts";
import { type Answer, created, ok } from "../rooms/room.ts";
import { alerts } from "../rooms/routing/alert.ts";
import type { Database } from "../store/database.ts";
import { perform } from "../transaction.ts";
import { type ControlCall, type ControlRoute, controlRoute, listing } from "./control-endpoint.ts";

const person = { type: "string", minLength: 1, description: "A person by email address or chat user ID." } as const;

const personBody = {
  type: "object",
  required: ["name", "email", "chat_user_id"],
  properties: {
    name: { type: "string", minLength: 1 },
    email: { type: "string", format: "email" },
    chat_user_id: { type: "string", minLength: 1 },
    role: { type: "string", enum: ["admin", "member"] },
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

/** The endpoints, as the control surface's HTTP side serves them. */
export const chatRoutes: readonly ControlRoute[] = [
  controlRoute({ method: "GET", path: "/people", handle: (call) => listing("people", database(call).list(members)) }),
  controlRoute({
    method: "POST",
    path: "/people",
    body: personBody,
    handle: ({ control, body: { role = "member", ...rest } }) => {
      return perform(control.service, (act) => {
        const row: MemberRow = { ...rest, email: rest.email.toLowerCase(), id: randomUUID(), role };
        for (const field of ["email", "chat_user_id"] as const) {
          const taken = act.database.find(members, { [field]: row[field] }) !== undefined;
          if (taken) throw invalid({ field, message: "has already been taken" });
        }
        act.database.insert(members, row);
        const owner = { principal_kind: "user", principal_id: row.id, created_at: act.timestamp } as const;
        return created({ ...row, token: issueToken(act.database, owner) });
      });
    },
  }),
  controlRoute({
    method: "POST",
    path: "/incidents/:id/messages",
    body: messageBody,
    handle: ({ control, param, body }) => {
      return perform(control.service, (act) => {
        const incident = findIncident(act.database, param("id"));
        const thread = body.thread_id === undefined ? null : messageIn(act.database, incident, body.thread_id);
        return created({ ...say(act, incident, findPerson(act.database, body.said_by), body.text, thread) });
      });
    },
  }),
  controlRoute({
    method: "POST",
    path: "/incidents/:id/notes",
    body: noteBody,
    handle: ({ control, param, body }) => {
      return perform(control.service, (act) => {
        const incident = findIncident(act.database, param("id"));
        const message = messageIn(act.database, incident, body.message_id);
        return created(eventView(note(act, incident, message, body.kind, body.statement)));
      });
    },
  }),
  controlRoute({
    method: "POST",
    path: "/incidents/:id/roles",
    body: roleBody,
    handle: ({ control, param, body }) => {
      return perform(control.service, (act) => {
        const incident = findIncident(act.database, param("id"));
        const role = act.database.find(incidentRoleTable, { slug: body.role });
        if (role === undefined) throw notFound();
        const member = body.member_id === null ? undefined : findPerson(act.database, body.member_id);
        if (member === undefined) unassignRole(act, incident, role, memberActor(anyAdmin(act.database)));
        else assignRole(act, incident, role, member, memberActor(member));
        return created({ incident_id: incident.id, role: role.slug, member_id: member?.id ?? null });
      });
    },
  }),
  controlRoute({
    method: "GET",
    path: "/incidents/:id/escalations",
    handle: (call) => {
      const { id } = findIncident(database(call), call.param("id"));
      return listing("escalations", database(call).list(escalations, { incident_id: id }));
    },
  }),
  controlRoute({
    method: "POST",
    path: "/escalations/:id/acknowledge",
    handle: ({ control, param }) => {
      return perform(control.service, (act) => {
        const escalation = act.database.find(escalations, { id: param("id") });
        if (escalation === undefined) throw notFound();
        acknowledge(act, escalation);
        return ok({ ...escalation, ...act.database.find(escalations, { id: escalation.id }) });
      });
    },
  }),
  controlRoute({
    method: "GET",
    path: "/incidents/:id/postmortem/versions",
    handle: (call) => {
      const postmortem = database(call).find(postmortems, { incident_id: call.param("id") });
      if (postmortem === undefined) throw notFound();
      const rows = database(call).list(postmortemVersions, { postmortem_id: postmortem.id }, { order: "version" });
      return listing("versions", rows);
    },
  }),
  controlRoute({
    method: "GET",
    path: "/posts",
    handle: (call): Answer => {
      perform(call.control.service, remindOverdue);
      return listing("posts", database(call).list(posts));
    },
  }),
  controlRoute({ method: "GET", path: "/alerts", handle: (call) => listing("alerts", database(call).list(alerts)) }),
];

function database({ control }: ControlCall<unknown>): Database {
  return control.service.database;
}

/** Who does on the chat platform what the request says nobody in particular does. */
function anyAdmin(database: Database): MemberRow {
  const admin = database.find(members, { role: "admin" });
  if (admin === undefined) throw new Error("the workspace has no admin");
  return admin;
}

function messageIn(database: Database, incident: IncidentRow, id: string): MessageRow {
  const message = database.find(messages, { id, incident_id: incident.id });
  if (message === undefined) throw notFound();
  return message;
}
