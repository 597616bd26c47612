/** Tokens: generation, storage as a digest, and look-up. */

import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import type { ValueSchema } from "../../http/value-schema.ts";
import type { RowOf } from "../../resource/field.ts";
import { liveRow } from "../../resource/live-row.ts";
import { tableOf } from "../../resource/schemas.ts";
import type { ReplicaLoad } from "../../service/live-rows.ts";
import { principalKinds } from "../../service/permissions.ts";
import type { Database } from "../../store/database.ts";
import type { Table } from "../../store/table.ts";

const fields = {
  id: { value: { type: "string" } },
  // SHA-256 of the token, in hexadecimal. That of a replica's token is random, so that the token is invalid.
  digest: {
    value: { type: "string" },
    unique: true,
    liveNames: [],
    initial: (): string => randomBytes(32).toString("hex"),
  },
  // The first twelve characters, under which the token is listed and revoked.
  prefix: { value: { type: "string" } },
  principal_kind: { value: { type: "string", enum: principalKinds as typeof principalKinds } },
  principal_id: { value: { type: "string" } },
  created_at: { value: { type: "string", format: "date-time" } },
  last_used_at: { value: { type: ["string", "null"] } },
  expires_at: { value: { type: ["string", "null"] } },
  // True for the emulator's own tokens, which the next start revokes.
  session: { value: { type: "boolean" }, liveNames: [] },
} as const;

/** One token. The text itself is never stored. */
export type TokenRow = RowOf<typeof fields>;

/** The tokens of every principal. */
export const tokens: Table<TokenRow> = tableOf("tokens", fields);

/** The schema of a token in the response that issues it. */
export const tokenProperty: ValueSchema = {
  type: "string",
  description: "The whole token, which no other response has.",
  examples: ["ff_…"],
};

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const randomLength = 36;
const prefixLength = 12;

/** A new random token: `ff_` and 36 base-58 characters. */
export function newToken(): string {
  let token = "ff_";
  while (token.length < 3 + randomLength) {
    for (const byte of randomBytes(randomLength)) {
      // 232 is the largest multiple of 58 in a byte; larger values would favor the first letters.
      if (byte < 232 && token.length < 3 + randomLength) token += alphabet[byte % 58];
    }
  }
  return token;
}

/** The public prefix of a token: its first twelve characters. */
export function prefixOf(token: string): string {
  return token.slice(0, prefixLength);
}

/** The owner of a new token, and the time of its creation. */
type TokenOwner = Pick<TokenRow, "principal_kind" | "principal_id" | "created_at"> & Partial<Pick<TokenRow, "session">>;

/** Stores the digest of a token (a new one by default) and returns the token, whose text is not stored. */
export function issueToken(database: Database, owner: TokenOwner, token: string = newToken()): string {
  database.insert(tokens, {
    id: randomUUID(),
    digest: tokenDigest(token),
    prefix: prefixOf(token),
    last_used_at: null,
    expires_at: null,
    session: false,
    ...owner,
  });
  return token;
}

/** The digest under which a token is stored. Its look-up leaks nothing about the text through its timing. */
export function tokenDigest(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Inserts a token of a replica, of which only the prefix is known. */
export function loadToken(
  load: ReplicaLoad,
  owner: Pick<TokenRow, "principal_kind" | "principal_id">,
  live: Fields,
): void {
  if (typeof live.prefix !== "string") return;
  load.service.database.insert(tokens, liveRow(load, fields, live, "tokens", { id: randomUUID(), ...owner }));
}
