/** Grants: one ability or one permission set given to a principal, for some environments and for some time. */

import { randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import type { BodyShape, ValueOf } from "../../http/body-schema.ts";
import { member } from "../../http/envelope.ts";
import { badRequest, invalid, notFound } from "../../http/http-error.ts";
import type { Database } from "../../store/database.ts";
import type { Reference } from "../../store/references.ts";
import { catalogEntries, catalogTypes } from "../catalog/catalog-tables.ts";
import { type Answer, type Call, created, noContent, ok, type Room, route } from "../room.ts";
import { isGrantable } from "./permissions.ts";
import { agents, type GrantRow, grants as grantTable, members, permissionSets, serviceKeys } from "./principals.ts";
import type { PrincipalKind } from "./tokens.ts";

const principalKinds = ["user", "agent", "api_key"] as const satisfies readonly PrincipalKind[];

const limits = {
  environments: {
    type: ["array", "null"],
    items: { type: "string" },
    description: "Slugs of the environments the grant is narrowed to; [] means all.",
  },
  expires_at: { type: ["string", "null"], description: "A time in the future; blank means never." },
} as const;

const createBody = {
  type: "object",
  properties: {
    principal_kind: { type: "string", enum: principalKinds },
    principal_id: { type: "string", description: "The id of the member, agent or service key." },
    ability: { type: ["string", "null"], description: "Such as runbooks.update; either this or permission_set." },
    permission_set: { type: ["string", "null"], description: "The slug of a permission set." },
    ...limits,
  },
  required: ["principal_kind", "principal_id"],
} as const satisfies BodyShape;

const updateBody = { type: "object", properties: limits } as const satisfies BodyShape;

type LimitsBody = ValueOf<typeof updateBody>;

/** The room of /api/v1/grants, which only an admin's personal token reaches. */
export const grants: Room = {
  tables: [],
  references: references(),
  routes: [
    route({
      method: "GET",
      path: "/grants",
      summary: "Lists the grants, of one principal when it is named.",
      needs: "permissions.read",
      query: { principal_kind: { type: "string", enum: principalKinds }, principal_id: { type: "string" } },
      handle: (call) => ok({ grants: listed(call).map((row) => shown(call, row)) }),
    }),
    route({
      method: "POST",
      path: "/grants",
      summary: "Grants an ability or a permission set; a grant that is there already takes the new limits (200).",
      needs: "permissions.create",
      body: createBody,
      handle: create,
    }),
    route({
      method: "PATCH",
      path: "/grants/:id",
      summary: "Changes the limits of a grant.",
      needs: "permissions.update",
      body: updateBody,
      handle: (call) => {
        const { id } = byId(call);
        call.database.update(grantTable, id, limitsOf(call));
        return ok(member("grant", shown(call, byId(call)), call.dialects));
      },
    }),
    route({
      method: "DELETE",
      path: "/grants/:id",
      summary: "Takes a grant back.",
      needs: "permissions.delete",
      handle: (call) => {
        call.database.remove(grantTable, { id: byId(call).id });
        return noContent;
      },
    }),
  ],
};

/** Grants point at environments and permission sets by slug. */
function references(): readonly Reference[] {
  const environments = `SELECT COUNT(*) FROM grants, json_each(grants.environments) AS scope, catalog_entries, catalog_types
    WHERE catalog_entries.id = ? AND scope.value = catalog_entries.slug
    AND catalog_types.id = catalog_entries.type_id AND catalog_types.slug = 'environment'`;
  const sets = `SELECT COUNT(*) FROM grants, permission_sets
    WHERE permission_sets.id = ? AND grants.permission_set = permission_sets.slug`;
  const noun = "grant";
  return [
    { target: "catalog/entries", noun, always: false, count: (database, id) => database.scalar(environments, [id]) },
    { target: "permission_sets", noun, always: true, count: (database, id) => database.scalar(sets, [id]) },
  ];
}

function listed({ database, query }: Call<unknown>): readonly GrantRow[] {
  const kind = principalKinds.find((known) => known === query.get("principal_kind"));
  const id = query.get("principal_id");
  const where = { ...(kind && { principal_kind: kind }), ...(id ? { principal_id: id } : {}) };
  const rows = database.list(grantTable, where, { order: "created_at, rowid" });
  return rows.filter((row) => nameOf(database, row) !== undefined);
}

function shown({ database, timestamp }: Call<unknown>, row: GrantRow): Fields {
  const { id, principal_kind, principal_id, ability, permission_set, environments, expires_at, created_at } = row;
  const known = environmentSlugs(database);
  return {
    id,
    principal: { kind: principal_kind, id: principal_id, name: nameOf(database, row) ?? null },
    ability,
    permission_set,
    environments,
    expires_at,
    expired: expires_at !== null && expires_at <= timestamp,
    // A grant whose every environment is gone gives nothing; it does not widen to all.
    no_access: environments.length > 0 && !environments.some((slug) => known.has(slug)),
    created_at,
  };
}

function create(call: Call<ValueOf<typeof createBody>>): Answer {
  const { database, dialects, timestamp, body } = call;
  const { principal_kind, principal_id } = body;
  if (nameOf(database, body) === undefined) throw notFound();
  const target = targetOf(call);
  const limits = { environments: [], expires_at: null, ...limitsOf(call) };
  const found = database.find(grantTable, { principal_kind, principal_id, ...target });
  if (found !== undefined) {
    database.update(grantTable, found.id, limits);
    return ok(member("grant", shown(call, { ...found, ...limits }), dialects));
  }
  const row: GrantRow = {
    id: randomUUID(),
    principal_kind,
    principal_id,
    ability: null,
    permission_set: null,
    ...target,
    ...limits,
    created_at: timestamp,
  };
  database.insert(grantTable, row);
  return created(member("grant", shown(call, row), dialects));
}

/** What is granted. Neither is 400, both are 422, and what does not exist or cannot be granted is 404. */
function targetOf({
  database,
  body,
}: Call<ValueOf<typeof createBody>>): Pick<GrantRow, "ability"> | Pick<GrantRow, "permission_set"> {
  const { ability, permission_set } = body;
  if (ability && permission_set) {
    throw invalid({ field: "permission_set", message: "cannot be granted together with an ability" });
  }
  if (ability) {
    if (!isGrantable(ability)) throw notFound();
    return { ability };
  }
  if (!permission_set) throw badRequest("param is missing or the value is empty: ability or permission_set");
  if (database.find(permissionSets, { slug: permission_set }) === undefined) throw notFound();
  return { permission_set };
}

/** The limits that a body sets; what is absent stays as it was. */
function limitsOf({
  database,
  timestamp,
  body,
}: Call<LimitsBody>): Partial<Pick<GrantRow, "environments" | "expires_at">> {
  const { environments, expires_at } = body;
  return {
    ...(environments == null ? {} : { environments: environmentsOf(database, environments) }),
    ...(expires_at === undefined ? {} : { expires_at: expiryOf(expires_at ?? "", timestamp) }),
  };
}

/** The slugs, sorted and each once. */
function environmentsOf(database: Database, slugs: readonly string[]): readonly string[] {
  const known = environmentSlugs(database);
  const unknown = slugs.filter((slug) => !known.has(slug));
  if (unknown.length > 0) {
    throw invalid(...unknown.map((slug) => ({ field: "environments", message: `has no entry "${slug}"` })));
  }
  return [...new Set(slugs)].sort();
}

function environmentSlugs(database: Database): ReadonlySet<string> {
  const type = database.find(catalogTypes, { slug: "environment" });
  const entries = type === undefined ? [] : database.list(catalogEntries, { type_id: type.id });
  return new Set(entries.map(({ slug }) => slug));
}

function expiryOf(sent: string, timestamp: string): string | null {
  if (sent.trim() === "") return null;
  const time = Date.parse(sent);
  if (Number.isNaN(time)) throw invalid({ field: "expires_at", message: "is not a time" });
  const expires_at = new Date(time).toISOString();
  if (expires_at <= timestamp) throw invalid({ field: "expires_at", message: "must be in the future" });
  return expires_at;
}

function byId({ database, param }: Call<unknown>): GrantRow {
  const row = database.find(grantTable, { id: param("id") });
  if (row === undefined || nameOf(database, row) === undefined) throw notFound();
  return row;
}

/** The principal's name; undefined when there is none, as for the emulator's own key. */
function nameOf(
  database: Database,
  { principal_kind, principal_id: id }: Pick<GrantRow, "principal_kind" | "principal_id">,
): string | undefined {
  if (principal_kind === "user") return database.find(members, { id })?.name;
  if (principal_kind === "agent") return database.find(agents, { id })?.name;
  return database.find(serviceKeys, { id, built_in: false })?.name;
}
