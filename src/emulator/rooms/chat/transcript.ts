/** The room of an incident's transcript: what people said in its channel, read backwards from the newest message. */

import { randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import { badRequest, Refusal } from "../../http/http-error.ts";
import { countOf } from "../../http/pagination.ts";
import type { Database } from "../../store/database.ts";
import { boolean, indexed, json, key, optionalText, type Table, table, text } from "../../store/table.ts";
import { findIncident } from "../incidents/incident.ts";
import type { Actor } from "../responders/people.ts";
import { type Answer, type Call, ok, type Room, route } from "../room.ts";
import { settingsOf } from "../workspace-settings.ts";
import { redact } from "./redaction.ts";

/** One message of a channel. */
export interface MessageRow {
  readonly id: string;
  readonly incident_id: string;
  /** The id of the message whose thread it is in; null outside threads. */
  readonly thread_id: string | null;
  readonly said_by: Actor;
  readonly said_at: string;
  /** As it is kept: secrets are taken out before. */
  readonly text: string;
  readonly redacted: boolean;
}

/** The messages of all channels. */
export const messages: Table<MessageRow> = indexed(
  table("transcript_messages", {
    id: key,
    incident_id: text,
    thread_id: optionalText,
    said_by: json<Actor>(),
    said_at: text,
    text,
    redacted: boolean,
  }),
  "incident_id",
  "said_at",
);

const defaultLimit = 100;
const maximumLimit = 500;

/** The room of transcripts. It checks an ability of its own, not incidents, and a setting of the workspace. */
export const transcript: Room = {
  tables: [messages],
  routes: [
    route({
      method: "GET",
      path: "/incidents/:id/transcript",
      summary: "Reads the channel's messages backwards: the newest first, then page by page what was said before.",
      needs: "incident_transcripts.read",
      query: {
        limit: { type: "integer", minimum: 1, maximum: maximumLimit, description: `${defaultLimit} when absent.` },
        before: { type: "string", description: "The more_before of an earlier answer." },
      },
      handle: read,
    }),
  ],
};

/** Keeps a message of the channel, its secrets taken out. */
export function keepMessage(
  database: Database,
  message: Pick<MessageRow, "incident_id" | "thread_id" | "said_by" | "said_at" | "text">,
): MessageRow {
  const row: MessageRow = { ...message, id: randomUUID(), ...redact(message.text) };
  database.insert(messages, row);
  return row;
}

function read({ database, param, query }: Call<unknown>): Answer {
  if (!settingsOf(database).transcript_access) {
    throw new Refusal(
      403,
      "transcript_access_disabled",
      "Transcript access is turned off in this workspace's settings",
    );
  }
  const { id } = findIncident(database, param("id"));
  const limit = countOf(query, "limit", defaultLimit, maximumLimit);
  const before = query.get("before") ?? "";
  if (before !== "" && database.find(messages, { id: before, incident_id: id }) === undefined) {
    throw badRequest("before is no more_before of this incident's transcript");
  }
  const older =
    before === "" ? "" : "AND (said_at, rowid) < (SELECT said_at, rowid FROM transcript_messages WHERE id = ?)";
  const clause = `WHERE incident_id = ? ${older} ORDER BY said_at DESC, rowid DESC LIMIT ?`;
  // One more than asked for tells whether anything older exists.
  const rows = database.query(messages, clause, [id, ...(before === "" ? [] : [before]), limit + 1]);
  const shown = rows.slice(0, limit);
  const more_before = rows.length > limit ? (shown.at(-1)?.id ?? "") : "";
  return ok({ incident_id: id, messages: shown.map(messageView), more_before });
}

function messageView({ id, thread_id, said_at, text, redacted, said_by }: MessageRow): Fields {
  return { message_id: id, thread_id, said_at, text, redacted, said_by };
}
