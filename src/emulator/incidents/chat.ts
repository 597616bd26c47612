/** What the service says on the chat platform: posts to an incident's channel and direct messages, kept for the control surface. */

import { randomUUID } from "node:crypto";
import type { MemberRow } from "../access/principals.ts";
import type { Act } from "../act.ts";
import { key, optionalText, type Table, table, text } from "../table.ts";
import type { IncidentRow } from "./incident.ts";

/** One message of the service. */
export interface PostRow {
  readonly id: string;
  readonly incident_id: string;
  /** The member a direct message went to; null for a post to the channel. */
  readonly member_id: string | null;
  readonly text: string;
  readonly posted_at: string;
}

/** Every message of the service. */
export const posts: Table<PostRow> = table("chat_posts", {
  id: key,
  incident_id: text,
  member_id: optionalText,
  text,
  posted_at: text,
});

/** Posts to the incident's channel and returns the post's id. */
export function postToChannel(act: Act, incident: IncidentRow, message: string): string {
  return post(act, incident, null, message);
}

/** Messages a person directly. */
export function messagePerson(act: Act, incident: IncidentRow, person: MemberRow, message: string): void {
  post(act, incident, person.id, message);
}

function post({ database, timestamp }: Act, incident: IncidentRow, member_id: string | null, message: string): string {
  const id = randomUUID();
  database.insert(posts, { id, incident_id: incident.id, member_id, text: message, posted_at: timestamp });
  return id;
}
