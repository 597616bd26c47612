/** Service keys, agents and grants of a replica. Their tokens bear the live prefixes and work for nobody. */

import { randomBytes, randomUUID } from "node:crypto";
import { type Fields, isList } from "../../core/json.ts";
import {
  agents as agentTable,
  type GrantRow,
  grants as grantTable,
  permissionSets,
  serviceKeys,
} from "../rooms/access/principals.ts";
import { type PrincipalKind, tokens } from "../rooms/access/tokens.ts";
import {
  flagOf,
  idOf,
  type Loading,
  objectOf,
  objectsIn,
  rowsAt,
  textOf,
  textOrNull,
  textsIn,
} from "./lenient-rows.ts";

/** Loads what was read of the admin-only surface. */
export function loadAccess(loading: Loading): void {
  loadKeys(loading);
  loadAgents(loading);
  for (const path of Object.keys(loading.rows)) {
    if (path === "/grants" || path.startsWith("/grants?")) loadGrants(loading, path);
  }
}

function loadKeys(loading: Loading): void {
  const { database, now } = loading.service;
  // Listed newest first: made in the opposite order, they stand as they stood.
  for (const row of [...(rowsAt(loading, "/api_keys") ?? [])].reverse()) {
    const id = idOf(loading, row, "service keys");
    const created_at = textOf(row, "created_at") ?? now().toISOString();
    const name = textOf(row, "name") ?? "";
    database.insert(serviceKeys, { id, name, active: flagOf(row, true, "active"), created_at, built_in: false });
    insertToken(loading, "api_key", id, { created_at, ...row });
    const abilities = Object.entries(objectOf(row.permissions)).flatMap(([resource, actions]) =>
      isList(actions) ? actions.map((action) => `${resource}.${String(action)}`) : [],
    );
    const held = { principal_kind: "api_key", principal_id: id, permission_set: null, environments: [] } as const;
    const grants = abilities.map((ability) => ({ ...held, id: randomUUID(), ability, expires_at: null, created_at }));
    database.insert(grantTable, ...grants);
  }
}

function loadAgents(loading: Loading): void {
  const { database, now } = loading.service;
  for (const row of rowsAt(loading, "/agents") ?? []) {
    const id = idOf(loading, row, "agents");
    database.insert(agentTable, {
      id,
      name: textOf(row, "name") ?? "",
      slug: textOf(row, "slug") ?? "",
      description: textOrNull(row, "description"),
      enabled: flagOf(row, true, "enabled"),
      created_at: textOf(row, "created_at") ?? now().toISOString(),
    });
    for (const token of [...objectsIn(row.tokens)].reverse()) insertToken(loading, "agent", id, token);
  }
}

/** Only the prefix of a token is known: the digest is that of no text. */
function insertToken({ service }: Loading, principal_kind: PrincipalKind, principal_id: string, row: Fields): void {
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

function loadGrants(loading: Loading, path: string): void {
  const { database } = loading.service;
  const query = new URLSearchParams(path.split("?")[1]);
  for (const row of rowsAt(loading, path) ?? []) {
    const grant = grantRow(loading, row, query);
    if (database.find(grantTable, { principal_id: grant.principal_id, ...targetOf(grant) }) !== undefined) continue;
    database.insert(grantTable, grant);
    const slug = grant.permission_set;
    if (slug === null || database.find(permissionSets, { slug }) !== undefined) continue;
    loading.notes.add(
      `the permission set "${slug}" is there without its abilities: no kind of the configuration holds them`,
    );
    database.insert(permissionSets, { id: randomUUID(), name: slug, slug, abilities: [], built_in: false });
  }
}

function targetOf({ ability, permission_set }: GrantRow): Partial<GrantRow> {
  return ability === null ? { permission_set } : { ability };
}

function grantRow(loading: Loading, row: Fields, query: URLSearchParams): GrantRow {
  const principal = objectOf(row.principal);
  return {
    id: idOf(loading, row, "grants"),
    principal_kind: (textOf(principal, "kind") ?? query.get("principal_kind") ?? "agent") as PrincipalKind,
    principal_id: textOf(principal, "id") ?? query.get("principal_id") ?? "",
    ability: textOrNull(row, "ability"),
    permission_set: textOrNull(row, "permission_set"),
    environments: textsIn(row.environments),
    expires_at: textOrNull(row, "expires_at"),
    created_at: textOf(row, "created_at") ?? loading.service.now().toISOString(),
  };
}
