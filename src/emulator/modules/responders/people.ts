/** People and other actors, in requests and in responses. */

import { notFound } from "../../http/http-error.ts";
import type { Database } from "../../store/database.ts";
import { type MemberRow, members, type Principal } from "../access/principals.ts";
import type { PrincipalKind } from "../access/tokens.ts";

/** A person or machine for a response. email is null for machines. */
export type Actor = {
  readonly id: string;
  readonly type: PrincipalKind;
  readonly name: string;
  readonly email: string | null;
};

/** The actor of a request's principal. */
export function actorOf({ id, kind, name, email }: Principal): Actor {
  return { id, type: kind, name, email };
}

/** A member as an actor. */
export function memberActor({ id, name, email }: MemberRow): Actor {
  return { id, type: "user", name, email };
}

/** A member in the short form of the responder actions. */
export function memberBrief({ id, name }: MemberRow): { readonly id: string; readonly name: string } {
  return { id, name };
}

/** The member with this email address or chat user ID, but not service ID. Throws 404 if there is none. */
export function findPerson(database: Database, reference: string): MemberRow {
  const email = reference.trim().toLowerCase();
  const [member] = database.query(members, "WHERE lower(email) = ? OR chat_user_id = ? LIMIT 1", [
    email,
    reference.trim(),
  ]);
  if (member === undefined) throw notFound();
  return member;
}

/** The member with this service ID, email address or chat user ID. Throws 404 if there is none. */
export function findMember(database: Database, idOrName: string): MemberRow {
  return database.find(members, { id: idOrName }) ?? findPerson(database, idOrName);
}
