/** The tokens of a resource, and the paths and commands that revoke them. */

import { type Fields, type Json, objectsIn } from "../../core/json.ts";
import { segment } from "../../core/route.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import type { TokenStore } from "./plan.ts";

/** Length of a token's public prefix, which identifies it for revoking (interface, "Agent"). */
export const PREFIX_LENGTH = 12;

/** The paths that revoke and issue tokens of a kind. */
export function tokenStoreOf({ identity, endpoint, lifecycle }: Kind): TokenStore {
  const tokens = lifecycle.secret?.tokens;
  const below = (path: string) => `/api/v1${path}`;
  return {
    address: identity.idFields,
    remove: below(endpoint.member.path),
    ...(tokens === undefined
      ? {}
      : { tokens: { rotate: below(tokens.rotate), end: below(tokens.end), list: tokens.list } }),
  };
}

/** Returns the path of a request about a row's token; undefined if the row lacks a value for it. */
export function tokenStorePath(
  template: string | undefined,
  custody: TokenStore | undefined,
  row: Fields,
  prefix: string | undefined,
): string | undefined {
  const id = custody?.address
    .map((name) => row[name])
    .find((value) => (typeof value === "string" && value !== "") || typeof value === "number");
  if (template === undefined || id === undefined) return undefined;
  return template.replace("{id}", segment(String(id))).replace("{prefix}", prefix === undefined ? "" : segment(prefix));
}

/** A token of a live resource. */
export interface LiveToken {
  readonly prefix: string;
  /** Null if it was never used; undefined if the service does not tell. */
  readonly lastUsed: string | null | undefined;
  /** Undefined if the service does not tell. */
  readonly createdAt: string | undefined;
}

/** The tokens of a live resource, by what its row tells of them. */
export function tokensOf({ kind, row }: { readonly kind: Kind; readonly row: Fields }): readonly LiveToken[] {
  const { secret } = kind.lifecycle;
  if (secret === undefined) return [];
  const list: Json | undefined = secret.tokens === undefined ? [row] : row[secret.tokens.list];
  return objectsIn(list).flatMap(({ prefix, last_used_at: lastUsed, created_at: createdAt }) =>
    typeof prefix === "string"
      ? [
          {
            prefix,
            lastUsed: typeof lastUsed === "string" || lastUsed === null ? lastUsed : undefined,
            createdAt: typeof createdAt === "string" ? createdAt : undefined,
          },
        ]
      : [],
  );
}

/** The shell command that sends a DELETE. */
export function deleteCommand(
  host: string,
  path: string,
  { admin, query = {} }: { readonly admin?: boolean; readonly query?: Readonly<Record<string, string>> },
): string {
  const search = new URLSearchParams(query).toString();
  const token = admin === true ? `\${INCIDENTCTL_ADMIN_TOKEN:-$INCIDENTCTL_TOKEN}` : "$INCIDENTCTL_TOKEN";
  return `curl -X DELETE -H "Authorization: Bearer ${token}" '${host}${path.replaceAll("'", "%27")}${search === "" ? "" : `?${search.replaceAll("'", "%27")}`}'`;
}
