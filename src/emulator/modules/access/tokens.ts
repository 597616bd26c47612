/** Tokens: generation, storage as a digest, and look-up. */

import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import type { ValueSchema } from "../../http/value-schema.ts";
import { type ReplicaLoad, textOf, textOrNull } from "../../service/live-rows.ts";
import type { PrincipalKind } from "../../service/principal.ts";
import type { Database } from "../../store/database.ts";
import { boolean, enumText, key, optionalText, type Table, table, text, uniqueText } from "../../store/table.ts";

/** One token. The text itself is never stored. */
export interface TokenRow {
  readonly id: string;
  /** SHA-256 of the token, in hexadecimal. */
  readonly digest: string;
  /** The first twelve characters, under which the token is listed and revoked. */
  readonly prefix: string;
  readonly principal_kind: PrincipalKind;
  readonly principal_id: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  /** True for the emulator's own tokens, which the next start revokes. */
  readonly session: boolean;
}

/** The tokens of every principal. */
export const tokens: Table<TokenRow> = table("tokens", {
  id: key,
  digest: uniqueText,
  prefix: text,
  principal_kind: enumText(),
  principal_id: text,
  created_at: text,
  last_used_at: optionalText,
  expires_at: optionalText,
  session: boolean,
});

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
export interface TokenOwner {
  readonly principal_kind: PrincipalKind;
  readonly principal_id: string;
  readonly created_at: string;
  readonly session?: boolean;
}

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

/** Inserts a token of a replica, with the live prefix and a random digest, so that it is invalid. */
export function loadToken(
  { service }: ReplicaLoad,
  principal_kind: PrincipalKind,
  principal_id: string,
  row: Fields,
): void {
  const prefix = textOf(row, "prefix");
  if (prefix === undefined) return;
  service.database.insert(tokens, {
    id: randomUUID(),
    digest: randomBytes(32).toString("hex"),
    prefix,
    principal_kind,
    principal_id,
    created_at: textOf(row, "created_at") ?? service.now().toISOString(),
    last_used_at: textOrNull(row, "last_used_at"),
    expires_at: textOrNull(row, "expires_at"),
    session: false,
  });
}
