/** The endpoints of grants, which are limited to environments and in time. */

import { randomUUID } from "node:crypto";
import { type Fields, fieldsIn } from "../../../core/json.ts";
import { badRequest, type HttpError, notFound, requireFound, validationError } from "../../http/http-error.ts";
import { listOf, objectSchema, uuid } from "../../http/response-schema.ts";
import type { ResourceRequest } from "../../resource/definition.ts";
import { liveRow } from "../../resource/live-row.ts";
import { resourceModule } from "../../resource/resource.ts";
import { type ReplicaLoad, rowsAt, textOf } from "../../service/live-rows.ts";
import { endpoint, ok, type RequestContext, type ServiceModule } from "../../service/module.ts";
import {
  abilityGroup,
  grantableAbilities,
  isGrantable,
  principalKinds,
  riskLevel,
  riskLevels,
} from "../../service/permissions.ts";
import type { Database } from "../../store/database.ts";
import { rowCounter } from "../../store/references.ts";
import { catalogEntries, catalogTypes } from "../catalog/catalog-tables.ts";
import { members } from "../people.ts";
import { agentTable } from "./agents.ts";
import { serviceKeyTable } from "./api-keys.ts";
import { type GrantRow, grantFields, grantTable } from "./grant.ts";
import { permissionSetTable } from "./permission-sets.ts";

/** The grants of an environment and of a permission set, which they name by slug. */
const grantsOfEnvironment = `grants, json_each(grants.environments) AS scope, catalog_entries, catalog_types
  WHERE catalog_entries.id = ? AND scope.value = catalog_entries.slug
  AND catalog_types.id = catalog_entries.type_id AND catalog_types.slug = 'environment'`;
const grantsOfSet =
  "grants, permission_sets WHERE permission_sets.id = ? AND grants.permission_set = permission_sets.slug";

type GrantRequest = ResourceRequest<typeof grantFields>;

const grantedPrincipal = objectSchema("GrantedPrincipal", {
  kind: { type: "string", enum: principalKinds },
  id: uuid,
  name: { type: ["string", "null"], examples: ["Support bot"] },
});

const named = { type: "string", minLength: 1 } as const;
const unnamed = { enum: ["", null] } as const;

/** The module of /api/v1/grants, which only an admin's personal token reaches. */
export const grants: ServiceModule = {
  ...resourceModule({
    title: "Grant",
    path: "grants",
    ability: "permissions",
    fields: grantFields,
    table: grantTable,
    address: "id",
    summaries: {
      list: "Lists the grants, of one principal when it is named.",
      create: "Grants an ability or a permission set; a grant that is there already takes the new limits (200).",
      update: "Changes the limits of a grant.",
      delete: "Takes a grant back.",
    },
    errors: { create: [404] },
    bodyRules: {
      create: {
        oneOf: [
          { type: "object", properties: { ability: named, permission_set: unnamed }, required: ["ability"] },
          { type: "object", properties: { ability: unnamed, permission_set: named }, required: ["permission_set"] },
        ],
        refusal: (body) => targetError(fieldsIn(body)),
      },
    },
    query: { principal_kind: { type: "string", enum: principalKinds }, principal_id: { type: "string" } },
    rows: listGrants,
    find({ database, param }) {
      const row = requireFound(database.find(grantTable, { id: param("id") }));
      if (principalName(database, row) === undefined) throw notFound();
      return row;
    },
    existing: findExisting,
    read: {
      environments: (slugs, { database }) => readEnvironments(database, slugs),
      expires_at: (time, { timestamp }) => readExpiry(time, timestamp),
    },
    complete: readTarget,
    computed: {
      principal: { value: grantedPrincipal },
      expired: { value: { type: "boolean", examples: [false] } },
      no_access: {
        value: {
          type: "boolean",
          description: "true if none of the environments exists any more.",
          examples: [false],
        },
      },
    },
    compute({ database, timestamp }, row) {
      const { principal_kind, principal_id, environments, expires_at } = row;
      const candidate = environmentSlugs(database);
      return {
        principal: { kind: principal_kind, id: principal_id, name: principalName(database, row) ?? null },
        expired: expires_at !== null && expires_at <= timestamp,
        // A grant whose environments are all deleted gives no access; it does not widen to all environments.
        no_access: environments.length > 0 && !environments.some((slug) => candidate.has(slug)),
      };
    },
  }),
  referenceCounters: [
    rowCounter("catalog/entries", "grant", grantsOfEnvironment, false),
    rowCounter("permission_sets", "grant", grantsOfSet, true),
  ],
  loadReplica(load) {
    for (const path of Object.keys(load.rows)) {
      if (path === "/grants" || path.startsWith("/grants?")) loadGrants(load, path);
    }
  },
};

function listGrants({ database, query }: RequestContext<unknown>): readonly GrantRow[] {
  const kind = principalKinds.find((candidate) => candidate === query.get("principal_kind"));
  const id = query.get("principal_id");
  const where = { ...(kind && { principal_kind: kind }), ...(id ? { principal_id: id } : {}) };
  const rows = database.list(grantTable, where, { order: "created_at, rowid" });
  return rows.filter((row) => principalName(database, row) !== undefined);
}

/** The grant of the same ability or permission set, without its limits. Throws 404 for an unknown principal. */
function findExisting(request: GrantRequest): GrantRow | undefined {
  const { database, body } = request;
  const { principal_kind = "user", principal_id = "" } = body;
  if (principalName(database, { principal_kind, principal_id }) === undefined) throw notFound();
  const row = database.find(grantTable, { principal_kind, principal_id, ...readTarget(request) });
  return row && { ...row, environments: [], expires_at: null };
}

/** The error for a grant of neither an ability nor a permission set, or of both. */
function targetError({ ability, permission_set }: Fields): HttpError {
  if (ability && permission_set) {
    return validationError({ field: "permission_set", message: "cannot be granted together with an ability" });
  }
  return badRequest("param is missing or the value is empty: ability or permission_set");
}

/** The ability or permission set of a request. Throws 404 for one that does not exist or cannot be granted. */
function readTarget({ database, body }: GrantRequest): Pick<GrantRow, "ability"> | Pick<GrantRow, "permission_set"> {
  const { ability, permission_set } = body;
  if (ability) {
    if (!isGrantable(ability)) throw notFound();
    return { ability };
  }
  const slug = permission_set ?? "";
  if (database.find(permissionSetTable, { slug }) === undefined) throw notFound();
  return { permission_set: slug };
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
  const expires_at = new Date(input.trim()).toISOString();
  if (expires_at <= timestamp) throw validationError({ field: "expires_at", message: "must be in the future" });
  return expires_at;
}

/** The principal's name; undefined if it does not exist or is the emulator's own key. */
function principalName(
  database: Database,
  { principal_kind, principal_id: id }: Pick<GrantRow, "principal_kind" | "principal_id">,
): string | undefined {
  if (principal_kind === "user") return database.find(members, { id })?.name;
  if (principal_kind === "agent") return database.find(agentTable, { id })?.name;
  return database.find(serviceKeyTable, { id, built_in: false })?.name;
}

function loadGrants(load: ReplicaLoad, path: string): void {
  const { database } = load.service;
  const query = new URLSearchParams(path.split("?")[1]);
  for (const row of rowsAt(load, path) ?? []) {
    const grant = liveRow(load, grantFields, row, "grants", livePrincipal(row, query));
    const { ability, permission_set: slug, principal_id } = grant;
    const target = ability === null ? { permission_set: slug } : { ability };
    if (database.find(grantTable, { principal_id, ...target }) !== undefined) continue;
    database.insert(grantTable, grant);
    if (slug === null || database.find(permissionSetTable, { slug }) !== undefined) continue;
    load.notes.add(
      `the permission set "${slug}" has no abilities in the replica: no kind of the configuration contains them`,
    );
    database.insert(permissionSetTable, { id: randomUUID(), name: slug, slug, abilities: [], built_in: false });
  }
}

function livePrincipal(row: Fields, query: URLSearchParams): Pick<GrantRow, "principal_kind" | "principal_id"> {
  const principal = fieldsIn(row.principal);
  const kind = textOf(principal, "kind") ?? query.get("principal_kind");
  return {
    principal_kind: principalKinds.find((each) => each === kind) ?? "agent",
    principal_id: textOf(principal, "id") ?? query.get("principal_id") ?? "",
  };
}

const ability = objectSchema("Ability", {
  key: { type: "string", enum: grantableAbilities },
  risk_level: { type: "string", enum: riskLevels },
  group: { type: "string", description: "The display name of its resource.", examples: ["Incidents"] },
});

const principal = objectSchema("Principal", {
  kind: { type: "string", enum: ["user", "agent", "api_key"] },
  id: uuid,
  name: { type: "string", examples: ["Ada Okafor"] },
});

/** The endpoints of /api/v1/abilities and /principals, which only an admin's personal token reaches. */
export const grantable: ServiceModule = {
  tables: [],
  endpoints: [
    endpoint({
      method: "GET",
      path: "/abilities",
      operationId: "listAbilities",
      summary: "Lists every ability that can be granted.",
      requiredAbility: "permissions.read",
      responses: { 200: objectSchema("AbilityList", { abilities: listOf(ability) }) },
      handle: () => {
        const rows = grantableAbilities.map((key) => ({ key, risk_level: riskLevel(key), group: abilityGroup(key) }));
        return ok({ abilities: rows });
      },
    }),
    endpoint({
      method: "GET",
      path: "/principals",
      operationId: "listPrincipals",
      summary: "Lists whom abilities can be granted to: members, agents and service keys.",
      requiredAbility: "permissions.read",
      responses: { 200: objectSchema("PrincipalList", { principals: listOf(principal) }) },
      handle: ({ database }) => {
        const listing = { order: "name, rowid" };
        const people = database.list(members, {}, listing).map(({ id, name }) => ({ kind: "user" as const, id, name }));
        const machines = database
          .list(agentTable, {}, listing)
          .map(({ id, name }) => ({ kind: "agent" as const, id, name }));
        const keys = database.list(serviceKeyTable, { built_in: false }, listing);
        return ok({
          principals: [...people, ...machines, ...keys.map(({ id, name }) => ({ kind: "api_key" as const, id, name }))],
        });
      },
    }),
  ],
};
