/** The people of the workspace, and actors in requests and in responses. */

import { requireFound } from "../http/http-error.ts";
import { type ObjectSchema, objectSchema } from "../http/response-schema.ts";
import { notBlank, type SchemaValue } from "../http/value-schema.ts";
import type { Principal } from "../service/permissions.ts";
import type { Database } from "../store/database.ts";
import { type RowOfColumns, rowTable, type Table } from "../store/table.ts";

const memberColumns = {
  id: { type: "string" },
  name: { type: "string" },
  email: { type: "string" },
  // The user ID on the chat platform.
  chat_user_id: { type: "string" },
  // An admin's personal token has every permission.
  role: { type: "string", enum: ["admin", "member"] },
} as const;

/** A person in the workspace. */
export type MemberRow = RowOfColumns<typeof memberColumns>;

/** The people of the workspace. */
export const members: Table<MemberRow> = rowTable("members", memberColumns, "UNIQUE (email)", "UNIQUE (chat_user_id)");

/** The member of a request body that names a person. */
export const personReference = {
  type: "string",
  pattern: notBlank as string,
  description: "A person by email address or chat user ID.",
} as const;

const actorProperties = {
  id: { type: "string", format: "uuid" },
  type: { type: "string", enum: ["user", "agent", "api_key"] },
  name: { type: "string", examples: ["Ada Okafor"] },
  email: { type: ["string", "null"], description: "Null for machines.", examples: ["ada@example.com"] },
} as const;

/** The schema of a person or machine in responses. */
export const actorSchema: ObjectSchema<typeof actorProperties> = objectSchema("Actor", actorProperties);

/** A person or machine for a response. */
export type Actor = SchemaValue<typeof actorSchema>;

const briefProperties = {
  id: { type: "string", format: "uuid" },
  name: { type: "string", examples: ["Ada Okafor"] },
} as const;

/** The schema of a member in the responses of responder actions. */
export const memberBriefSchema: ObjectSchema<typeof briefProperties> = objectSchema("MemberBrief", briefProperties);

/** The actor of a request's principal. */
export function actorOf({ id, kind, name, email }: Principal): Actor {
  return { id, type: kind, name, email };
}

export function memberActor({ id, name, email }: MemberRow): Actor {
  return { id, type: "user", name, email };
}

/** A member in the short form of the responder actions. */
export function memberBrief({ id, name }: MemberRow): SchemaValue<typeof memberBriefSchema> {
  return { id, name };
}

/** The member with this email address or chat user ID, but not service ID. Throws 404 if there is none. */
export function findPerson(database: Database, reference: string): MemberRow {
  const email = reference.trim().toLowerCase();
  const [member] = database.query(members, "WHERE lower(email) = ? OR chat_user_id = ? LIMIT 1", [
    email,
    reference.trim(),
  ]);
  return requireFound(member);
}

/** The member with this service ID, email address or chat user ID. Throws 404 if there is none. */
export function findMember(database: Database, idOrName: string): MemberRow {
  return database.find(members, { id: idOrName }) ?? findPerson(database, idOrName);
}

/** The first admin, who owns the admin token and acts where nobody is named. */
export function firstAdmin(database: Database): MemberRow {
  const admin = database.find(members, { role: "admin" });
  if (admin === undefined) throw new Error("the workspace has no admin");
  return admin;
}
