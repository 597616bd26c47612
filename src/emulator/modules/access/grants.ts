/** Grants: one ability or permission set of a principal, optionally limited to environments and in time. */

import { randomUUID } from "node:crypto";
import { badRequest, notFound, validationError } from "../../http/http-error.ts";
import { listOf, objectSchema, optionalTimestamp, timestamp, uuid } from "../../http/response-schema.ts";
import type { BodySchema, SchemaValue } from "../../http/value-schema.ts";
import {
  created,
  type DeclaredResult,
  endpoint,
  noContent,
  ok,
  type RequestContext,
  type ServiceModule,
} from "../../service/module.ts";
import { isGrantable } from "../../service/permissions.ts";
import type { PrincipalKind } from "../../service/principal.ts";
import type { Database } from "../../store/database.ts";
import type { ReferenceCounter } from "../../store/references.ts";
import { catalogEntries, catalogTypes } from "../catalog/catalog-tables.ts";
import { members } from "../people.ts";
import { agents, type GrantRow, grants as grantTable, permissionSets, serviceKeys } from "./principals.ts";

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
    ability: {
      type: ["string", "null"],
      description: "Such as runbooks.update; either this or permission_set.",
      examples: ["runbooks.update"],
    },
    permission_set: { type: ["string", "null"], description: "The slug of a permission set." },
    ...limits,
  },
  required: ["principal_kind", "principal_id"],
} as const satisfies BodySchema;

const updateBody = { type: "object", properties: limits } as const satisfies BodySchema;

type LimitsBody = SchemaValue<typeof updateBody>;

const grantedPrincipal = objectSchema("GrantedPrincipal", {
  kind: { type: "string", enum: principalKinds },
  id: uuid,
  name: { type: ["string", "null"], examples: ["Support bot"] },
});

const grant = objectSchema("Grant", {
  id: uuid,
  principal: grantedPrincipal,
  ability: { type: ["string", "null"], examples: ["runbooks.update"] },
  permission_set: { type: ["string", "null"], examples: [null] },
  environments: { type: "array", items: { type: "string" }, examples: [[]] },
  expires_at: { ...optionalTimestamp, examples: [null] },
  expired: { type: "boolean", examples: [false] },
  no_access: {
    type: "boolean",
    description: "true if none of the environments exists any more.",
    examples: [false],
  },
  created_at: timestamp,
});

/** The module of /api/v1/grants, which only an admin's personal token reaches. */
export const grants: ServiceModule = {
  tables: [],
  referenceCounters: references(),
  endpoints: [
    endpoint({
      method: "GET",
      path: "/grants",
      operationId: "listGrants",
      summary: "Lists the grants, of one principal when it is named.",
      requiredAbility: "permissions.read",
      query: { principal_kind: { type: "string", enum: principalKinds }, principal_id: { type: "string" } },
      responses: { 200: objectSchema("GrantList", { grants: listOf(grant) }) },
      handle: (request) => ok({ grants: listGrants(request).map((row) => serialize(request, row)) }),
    }),
    endpoint({
      method: "POST",
      path: "/grants",
      operationId: "createGrant",
      summary: "Grants an ability or a permission set; a grant that is there already takes the new limits (200).",
      requiredAbility: "permissions.create",
      body: createBody,
      member: "grant",
      responses: { 201: grant, 200: grant },
      errors: [404],
      handle: create,
    }),
    endpoint({
      method: "PATCH",
      path: "/grants/:id",
      operationId: "updateGrant",
      summary: "Changes the limits of a grant.",
      requiredAbility: "permissions.update",
      body: updateBody,
      member: "grant",
      responses: { 200: grant },
      handle: (request) => {
        const { id } = findById(request);
        request.database.update(grantTable, id, readLimits(request));
        return ok(serialize(request, findById(request)));
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/grants/:id",
      operationId: "deleteGrant",
      summary: "Takes a grant back.",
      requiredAbility: "permissions.delete",
      responses: { 204: null },
      handle: (request) => {
        request.database.remove(grantTable, { id: findById(request).id });
        return noContent;
      },
    }),
  ],
};

/** Counts the grants of an environment and of a permission set, which they name by slug. */
function references(): readonly ReferenceCounter[] {
  const environments = `SELECT COUNT(*) FROM grants, json_each(grants.environments) AS scope, catalog_entries, catalog_types
    WHERE catalog_entries.id = ? AND scope.value = catalog_entries.slug
    AND catalog_types.id = catalog_entries.type_id AND catalog_types.slug = 'environment'`;
  const sets = `SELECT COUNT(*) FROM grants, permission_sets
    WHERE permission_sets.id = ? AND grants.permission_set = permission_sets.slug`;
  const noun = "grant";
  return [
    {
      target: "catalog/entries",
      noun,
      isAlwaysCounted: false,
      count: (database, id) => database.scalar(environments, [id]),
    },
    { target: "permission_sets", noun, isAlwaysCounted: true, count: (database, id) => database.scalar(sets, [id]) },
  ];
}

function listGrants({ database, query }: RequestContext<unknown>): readonly GrantRow[] {
  const kind = principalKinds.find((candidate) => candidate === query.get("principal_kind"));
  const id = query.get("principal_id");
  const where = { ...(kind && { principal_kind: kind }), ...(id ? { principal_id: id } : {}) };
  const rows = database.list(grantTable, where, { order: "created_at, rowid" });
  return rows.filter((row) => principalName(database, row) !== undefined);
}

function serialize({ database, timestamp }: RequestContext<unknown>, row: GrantRow): SchemaValue<typeof grant> {
  const { id, principal_kind, principal_id, ability, permission_set, environments, expires_at, created_at } = row;
  const candidate = environmentSlugs(database);
  return {
    id,
    principal: { kind: principal_kind, id: principal_id, name: principalName(database, row) ?? null },
    ability,
    permission_set,
    environments,
    expires_at,
    expired: expires_at !== null && expires_at <= timestamp,
    // A grant whose environments are all deleted gives no access; it does not widen to all environments.
    no_access: environments.length > 0 && !environments.some((slug) => candidate.has(slug)),
    created_at,
  };
}

function create(
  request: RequestContext<SchemaValue<typeof createBody>>,
): DeclaredResult<{ 201: typeof grant; 200: typeof grant }> {
  const { database, timestamp, body } = request;
  const { principal_kind, principal_id } = body;
  if (principalName(database, body) === undefined) throw notFound();
  const target = readTarget(request);
  const limits = { environments: [], expires_at: null, ...readLimits(request) };
  const existing = database.find(grantTable, { principal_kind, principal_id, ...target });
  if (existing !== undefined) {
    database.update(grantTable, existing.id, limits);
    return ok(serialize(request, { ...existing, ...limits }));
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
  return created(serialize(request, row));
}

/**
 * The ability or permission set of a request. Throws 400 for neither, 422 for both, and 404 for one that does not exist
 * or cannot be granted.
 */
function readTarget({
  database,
  body,
}: RequestContext<SchemaValue<typeof createBody>>): Pick<GrantRow, "ability"> | Pick<GrantRow, "permission_set"> {
  const { ability, permission_set } = body;
  if (ability && permission_set) {
    throw validationError({ field: "permission_set", message: "cannot be granted together with an ability" });
  }
  if (ability) {
    if (!isGrantable(ability)) throw notFound();
    return { ability };
  }
  if (!permission_set) throw badRequest("param is missing or the value is empty: ability or permission_set");
  if (database.find(permissionSets, { slug: permission_set }) === undefined) throw notFound();
  return { permission_set };
}

/** The limits that a request sets; absent ones do not change. */
function readLimits({
  database,
  timestamp,
  body,
}: RequestContext<LimitsBody>): Partial<Pick<GrantRow, "environments" | "expires_at">> {
  const { environments, expires_at } = body;
  return {
    ...(environments == null ? {} : { environments: readEnvironments(database, environments) }),
    ...(expires_at === undefined ? {} : { expires_at: readExpiry(expires_at ?? "", timestamp) }),
  };
}

/** The slugs, sorted and without duplicates. Throws 422 for an unknown one. */
function readEnvironments(database: Database, slugs: readonly string[]): readonly string[] {
  const candidate = environmentSlugs(database);
  const unknown = slugs.filter((slug) => !candidate.has(slug));
  if (unknown.length > 0) {
    throw validationError(...unknown.map((slug) => ({ field: "environments", message: `has no entry "${slug}"` })));
  }
  return [...new Set(slugs)].sort();
}

function environmentSlugs(database: Database): ReadonlySet<string> {
  const type = database.find(catalogTypes, { slug: "environment" });
  const entries = type === undefined ? [] : database.list(catalogEntries, { type_id: type.id });
  return new Set(entries.map(({ slug }) => slug));
}

function readExpiry(input: string, timestamp: string): string | null {
  if (input.trim() === "") return null;
  const time = Date.parse(input);
  if (Number.isNaN(time)) throw validationError({ field: "expires_at", message: "is not a time" });
  const expires_at = new Date(time).toISOString();
  if (expires_at <= timestamp) throw validationError({ field: "expires_at", message: "must be in the future" });
  return expires_at;
}

function findById({ database, param }: RequestContext<unknown>): GrantRow {
  const row = database.find(grantTable, { id: param("id") });
  if (row === undefined || principalName(database, row) === undefined) throw notFound();
  return row;
}

/** The principal's name; undefined if it does not exist or is the emulator's own key. */
function principalName(
  database: Database,
  { principal_kind, principal_id: id }: Pick<GrantRow, "principal_kind" | "principal_id">,
): string | undefined {
  if (principal_kind === "user") return database.find(members, { id })?.name;
  if (principal_kind === "agent") return database.find(agents, { id })?.name;
  return database.find(serviceKeys, { id, built_in: false })?.name;
}
