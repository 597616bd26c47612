/** People and other actors of incidents: how they are named in requests and how they are shown in answers. */

import { notFound } from "../../http/http-error.ts";
import type { Database } from "../../store/database.ts";
import { type MemberRow, members, type Principal } from "../access/principals.ts";
import type { PrincipalKind } from "../access/tokens.ts";

/** Who did something, or holds it, as answers show them; email is null for machines. */
export type Actor = {
  readonly id: string;
  readonly type: PrincipalKind;
  readonly name: string;
  readonly email: string | null;
};

/** Whoever makes the request. */
export function actorOf({ id, kind, name, email }: Principal): Actor {
  return { id, type: kind, name, email };
}

/** A member as an actor. */
export function memberActor({ id, name, email }: MemberRow): Actor {
  return { id, type: "user", name, email };
}

/** A member in short, as the responder actions show them. */
export function memberBrief({ id, name }: MemberRow): { readonly id: string; readonly name: string } {
  return { id, name };
}

/** The member an email address or a chat user ID names; a service ID names nobody. Throws 404 when nobody is named. */
export function findPerson(database: Database, named: string): MemberRow {
  const email = named.trim().toLowerCase();
  const [found] = database.query(members, "WHERE lower(email) = ? OR chat_user_id = ? LIMIT 1", [email, named.trim()]);
  if (found === undefined) throw notFound();
  return found;
}

/** The member with this service ID, or whom the text names otherwise. Throws 404 when nobody is. */
export function findMember(database: Database, idOrName: string): MemberRow {
  return database.find(members, { id: idOrName }) ?? findPerson(database, idOrName);
}
