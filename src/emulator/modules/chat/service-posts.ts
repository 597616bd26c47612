/** The service's own messages on the chat platform, in channels and to people. The control surface lists them. */

import { randomUUID } from "node:crypto";
import type { TransactionContext } from "../../service/service-context.ts";
import { type RowOfColumns, rowTable, type Table } from "../../store/table.ts";
import type { IncidentRow } from "../incident-record/incident.ts";
import type { MemberRow } from "../people.ts";

/** The columns of a message. */
export const postColumns = {
  id: { type: "string" },
  // Null for an alert that only notifies.
  incident_id: { type: ["string", "null"] },
  // The recipient of a direct message.
  member_id: { type: ["string", "null"] },
  // A channel other than the incident's own.
  channel_id: { type: ["string", "null"] },
  text: { type: "string" },
  posted_at: { type: "string", format: "date-time" },
} as const;

/** One message of the service. */
type PostRow = RowOfColumns<typeof postColumns>;

/** Every message of the service. */
export const posts: Table<PostRow> = rowTable("chat_posts", postColumns);

/** Posts to the incident's channel and returns the post's id. */
export function postToChannel(transaction: TransactionContext, incident: IncidentRow, message: string): string {
  return post(transaction, { incident_id: incident.id }, message);
}

/** Sends a person a direct message about an incident or an alert. */
export function messagePerson(
  transaction: TransactionContext,
  incident: IncidentRow | undefined,
  person: MemberRow,
  message: string,
): void {
  post(transaction, { incident_id: incident?.id ?? null, member_id: person.id }, message);
}

/** Posts to a channel by its id or name, without an incident. */
export function notifyChannel(transaction: TransactionContext, channel_id: string, message: string): void {
  post(transaction, { channel_id }, message);
}

type Recipient = Partial<Pick<PostRow, "incident_id" | "member_id" | "channel_id">>;

function post({ database, timestamp }: TransactionContext, recipient: Recipient, message: string): string {
  const id = randomUUID();
  const nobody = { incident_id: null, member_id: null, channel_id: null };
  database.insert(posts, { ...nobody, ...recipient, id, text: message, posted_at: timestamp });
  return id;
}
