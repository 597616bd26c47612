/** Service keys, agents and grants of a replica. Their tokens have the live prefixes but are invalid. */

import { randomBytes, randomUUID } from "node:crypto";
import { type Fields, fieldsIn, isList, objectsIn, textsIn } from "../../core/json.ts";
import {
  agents as agentTable,
  type GrantRow,
  grants as grantTable,
  permissionSets,
  serviceKeys,
} from "../modules/access/principals.ts";
import { tokens } from "../modules/access/tokens.ts";
import { flagOf, idOf, type ReplicaLoad, rowsAt, textOf, textOrNull } from "../service/live-rows.ts";
import type { PrincipalKind } from "../service/principal.ts";

/** Loads the resources that only an admin can read. */
export function loadAccess(load: ReplicaLoad): void {
  loadKeys(load);
  loadAgents(load);
  for (const path of Object.keys(load.rows)) {
    if (path === "/grants" || path.startsWith("/grants?")) loadGrants(load, path);
  }
}

function loadKeys(load: ReplicaLoad): void {
  const { database, now } = load.service;
  // The list is newest first; insertion in reverse keeps its order.
  for (const row of [...(rowsAt(load, "/api_keys") ?? [])].reverse()) {
    const id = idOf(load, row, "service keys");
    const created_at = textOf(row, "created_at") ?? now().toISOString();
    const name = textOf(row, "name") ?? "";
    database.insert(serviceKeys, { id, name, active: flagOf(row, true, "active"), created_at, built_in: false });
    insertToken(load, "api_key", id, { created_at, ...row });
    const abilities = Object.entries(fieldsIn(row.permissions)).flatMap(([resource, actions]) =>
      isList(actions) ? actions.map((action) => `${resource}.${String(action)}`) : [],
    );
    const owner = { principal_kind: "api_key", principal_id: id, permission_set: null, environments: [] } as const;
    const grants = abilities.map((ability) => ({ ...owner, id: randomUUID(), ability, expires_at: null, created_at }));
    database.insert(grantTable, ...grants);
  }
}

function loadAgents(load: ReplicaLoad): void {
  const { database, now } = load.service;
  for (const row of rowsAt(load, "/agents") ?? []) {
    const id = idOf(load, row, "agents");
    database.insert(agentTable, {
      id,
      name: textOf(row, "name") ?? "",
      slug: textOf(row, "slug") ?? "",
      description: textOrNull(row, "description"),
      enabled: flagOf(row, true, "enabled"),
      created_at: textOf(row, "created_at") ?? now().toISOString(),
    });
    for (const token of [...objectsIn(row.tokens)].reverse()) insertToken(load, "agent", id, token);
  }
}

/** Inserts a token with a random digest, since only the prefix is known. */
function insertToken({ service }: ReplicaLoad, principal_kind: PrincipalKind, principal_id: string, row: Fields): void {
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

function loadGrants(load: ReplicaLoad, path: string): void {
  const { database } = load.service;
  const query = new URLSearchParams(path.split("?")[1]);
  for (const row of rowsAt(load, path) ?? []) {
    const grant = grantRow(load, row, query);
    if (database.find(grantTable, { principal_id: grant.principal_id, ...targetOf(grant) }) !== undefined) continue;
    database.insert(grantTable, grant);
    const slug = grant.permission_set;
    if (slug === null || database.find(permissionSets, { slug }) !== undefined) continue;
    load.notes.add(
      `the permission set "${slug}" has no abilities in the replica: no kind of the configuration contains them`,
    );
    database.insert(permissionSets, { id: randomUUID(), name: slug, slug, abilities: [], built_in: false });
  }
}

function targetOf({ ability, permission_set }: GrantRow): Partial<GrantRow> {
  return ability === null ? { permission_set } : { ability };
}

function grantRow(load: ReplicaLoad, row: Fields, query: URLSearchParams): GrantRow {
  const principal = fieldsIn(row.principal);
  return {
    id: idOf(load, row, "grants"),
    principal_kind: (textOf(principal, "kind") ?? query.get("principal_kind") ?? "agent") as PrincipalKind,
    principal_id: textOf(principal, "id") ?? query.get("principal_id") ?? "",
    ability: textOrNull(row, "ability"),
    permission_set: textOrNull(row, "permission_set"),
    environments: textsIn(row.environments),
    expires_at: textOrNull(row, "expires_at"),
    created_at: textOf(row, "created_at") ?? load.service.now().toISOString(),
  };
}
