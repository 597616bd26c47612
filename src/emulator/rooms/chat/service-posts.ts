/** What the service says on the chat platform: in channels and to people directly, kept for the control surface to show. */

import { randomUUID } from "node:crypto";
import { key, optionalText, type Table, table, text } from "../../store/table.ts";
import type { Act } from "../../transaction.ts";
import type { MemberRow } from "../access/principals.ts";
import type { IncidentRow } from "../incidents/incident.ts";

/** One message of the service. */
export interface PostRow {
  readonly id: string;
  /** The incident it is about; null for an alert that only notifies. */
  readonly incident_id: string | null;
  /** The member a direct message went to. */
  readonly member_id: string | null;
  /** A channel other than the incident's own. */
  readonly channel_id: string | null;
  readonly text: string;
  readonly posted_at: string;
}

/** Every message of the service. */
export const posts: Table<PostRow> = table("chat_posts", {
  id: key,
  incident_id: optionalText,
  member_id: optionalText,
  channel_id: optionalText,
  text,
  posted_at: text,
});

/** Posts to the incident's channel and returns the post's id. */
export function postToChannel(act: Act, incident: IncidentRow, message: string): string {
  return post(act, { incident_id: incident.id }, message);
}

/** Messages a person directly, about an incident or an alert. */
export function messagePerson(act: Act, incident: IncidentRow | undefined, person: MemberRow, message: string): void {
  post(act, { incident_id: incident?.id ?? null, member_id: person.id }, message);
}

/** Posts to a channel by its id or name; no incident has to do with it. */
export function notifyChannel(act: Act, channel_id: string, message: string): void {
  post(act, { channel_id }, message);
}

type Recipient = Partial<Pick<PostRow, "incident_id" | "member_id" | "channel_id">>;

function post({ database, timestamp }: Act, recipient: Recipient, message: string): string {
  const id = randomUUID();
  const nobody = { incident_id: null, member_id: null, channel_id: null };
  database.insert(posts, { ...nobody, ...recipient, id, text: message, posted_at: timestamp });
  return id;
}
