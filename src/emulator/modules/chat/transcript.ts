/** The transcript of an incident's channel, read from the newest message backwards. */

import { randomUUID } from "node:crypto";
import { badRequest, HttpError } from "../../http/http-error.ts";
import { readCount } from "../../http/pagination.ts";
import { listOf, objectSchema, timestamp, uuid } from "../../http/response-schema.ts";
import type { SchemaValue } from "../../http/value-schema.ts";
import { endpoint, ok, type ServiceModule } from "../../service/module.ts";
import type { Database } from "../../store/database.ts";
import { indexed, type RowOfColumns, rowTable, type Table } from "../../store/table.ts";
import { findIncident } from "../incident-record/incident.ts";
import { actorSchema } from "../people.ts";
import { settingsOf } from "../workspace-settings.ts";

const messageColumns = {
  id: { type: "string" },
  incident_id: { type: "string" },
  // The id of the thread's first message; null outside threads.
  thread_id: { type: ["string", "null"] },
  said_by: actorSchema as typeof actorSchema,
  said_at: { type: "string" },
  // Redacted.
  text: { type: "string" },
  redacted: { type: "boolean" },
} as const;

/** One message of a channel. */
export type MessageRow = RowOfColumns<typeof messageColumns>;

/** The messages of all channels. */
export const messages: Table<MessageRow> = indexed(
  rowTable("transcript_messages", messageColumns),
  "incident_id",
  "said_at",
);

const defaultLimit = 100;
const maximumLimit = 500;

const message = objectSchema("TranscriptMessage", {
  message_id: uuid,
  thread_id: { type: ["string", "null"], format: "uuid", description: "The first message of its thread." },
  said_at: timestamp,
  text: { type: "string", examples: ["The database is at its limit of connections"] },
  redacted: { type: "boolean", description: "true if a secret was removed from the text.", examples: [false] },
  said_by: actorSchema,
});

const transcriptPage = objectSchema("Transcript", {
  incident_id: uuid,
  messages: { ...listOf(message), description: "The oldest last." },
  more_before: {
    type: "string",
    description: "The value of `before` for earlier messages; empty if there are none.",
    examples: [""],
  },
});

/** The module of transcripts. They require their own ability and a setting of the workspace. */
export const transcript: ServiceModule = {
  tables: [messages],
  endpoints: [
    endpoint({
      method: "GET",
      path: "/incidents/:id/transcript",
      operationId: "getTranscript",
      summary: "Reads the channel's messages backwards: the newest first, then earlier ones page by page.",
      requiredAbility: "incident_transcripts.read",
      query: {
        limit: { type: "integer", minimum: 1, maximum: maximumLimit, description: `${defaultLimit} when absent.` },
        before: { type: "string", description: "The more_before of an earlier response." },
      },
      responses: { 200: transcriptPage },
      errors: [400],
      handle: ({ database, param, query }) => {
        if (!settingsOf(database).transcript_access) {
          throw new HttpError(
            403,
            "transcript_access_disabled",
            "Transcript access is turned off in this workspace's settings",
          );
        }
        const { id } = findIncident(database, param("id"));
        const limit = readCount(query, "limit", defaultLimit, maximumLimit);
        const before = query.get("before") ?? "";
        if (before !== "" && database.find(messages, { id: before, incident_id: id }) === undefined) {
          throw badRequest("before is no more_before of this incident's transcript");
        }
        const older =
          before === "" ? "" : "AND (said_at, rowid) < (SELECT said_at, rowid FROM transcript_messages WHERE id = ?)";
        const clause = `WHERE incident_id = ? ${older} ORDER BY said_at DESC, rowid DESC LIMIT ?`;
        // One message more than requested shows whether older ones exist.
        const rows = database.query(messages, clause, [id, ...(before === "" ? [] : [before]), limit + 1]);
        const visible = rows.slice(0, limit);
        const more_before = rows.length > limit ? (visible.at(-1)?.id ?? "") : "";
        return ok({ incident_id: id, messages: visible.map(serializeMessage), more_before });
      },
    }),
  ],
};

/** Stores a message of the channel, redacted. */
export function storeMessage(
  database: Database,
  message: Pick<MessageRow, "incident_id" | "thread_id" | "said_by" | "said_at" | "text">,
): MessageRow {
  const row: MessageRow = { ...message, id: randomUUID(), ...redact(message.text) };
  database.insert(messages, row);
  return row;
}

function serializeMessage({
  id,
  thread_id,
  said_at,
  text,
  redacted,
  said_by,
}: MessageRow): SchemaValue<typeof message> {
  return { message_id: id, thread_id, said_at, text, redacted, said_by };
}

/** A text without its secrets. */
interface RedactedText {
  readonly text: string;
  readonly redacted: boolean;
}

/** The text in place of a secret. */
export const redactionMark = "[REDACTED]";

/** Patterns of secrets. A first group is not redacted. */
const secretPatterns: readonly RegExp[] = [
  // Keys of known providers and of this service.
  /\b(?:ff_[1-9A-HJ-NP-Za-km-z]{36}|AKIA[0-9A-Z]{16}|gh[pousr]_\w{36,255}|xox[abprs]-[\w-]{10,255}|sk_live_\w{16,255})/g,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]{0,10000}?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
  /(\bbearer\s+)[\w.~+/-]{16,}=*/gi,
  /(\b\w*(?:password|passwd|secret|token|api[_-]?key)\s*[:=]\s*)[^\s,;]+/gi,
  // The user and password of a URL.
  /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/:@]{1,200}:[^\s/@]{1,200}(?=@)/gi,
];

/** Redacts keys, passwords, bearer tokens and private keys. */
export function redact(text: string): RedactedText {
  const clean = secretPatterns.reduce((rest, pattern) => {
    return rest.replace(pattern, (_match, prefix) => `${typeof prefix === "string" ? prefix : ""}${redactionMark}`);
  }, text);
  return { text: clean, redacted: clean !== text };
}
