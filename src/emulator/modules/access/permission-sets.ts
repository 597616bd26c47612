/** Abilities, permission sets and principals: everything that a grant can name. */

import { randomUUID } from "node:crypto";
import { requireFound, unprocessable } from "../../http/http-error.ts";
import { listOf, objectSchema, present, uuid } from "../../http/response-schema.ts";
import type { BodySchema, SchemaValue } from "../../http/value-schema.ts";
import { created, endpoint, noContent, ok, type RequestContext, type ServiceModule } from "../../service/module.ts";
import { freeSlug, readName } from "../../service/names.ts";
import {
  type Ability,
  abilityGroup,
  grantableAbilities,
  isGrantable,
  riskLevel,
  riskLevels,
} from "../../service/permissions.ts";
import type { Database } from "../../store/database.ts";
import { refuseIfReferenced } from "../../store/references.ts";
import { members } from "../people.ts";
import { agents, type PermissionSetRow, permissionSets as permissionSetTable, serviceKeys } from "./principals.ts";

const properties = {
  name: { type: ["string", "null"], description: "The display name.", examples: ["Responders"] },
  abilities: {
    type: ["array", "null"],
    items: { type: "string" },
    description: "The whole set; what cannot be granted is dropped.",
    examples: [["incidents.read", "incidents.update"]],
  },
  slug: { description: "Ignored, unless the dialect `slug` accepts it." },
} as const;

const createBody = { type: "object", properties, required: ["name"] } as const satisfies BodySchema;
const updateBody = { type: "object", properties } as const satisfies BodySchema;

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

const permissionSet = objectSchema("PermissionSet", {
  id: uuid,
  slug: { type: "string", examples: ["responders"] },
  name: { type: "string", examples: ["Responders"] },
  abilities: { type: "array", items: { type: "string", enum: grantableAbilities } },
  built_in: { type: "boolean", examples: [false] },
});

/** The modules of /api/v1/abilities, /principals and /permission_sets, which only an admin's personal token reaches. */
export const permissionSets: ServiceModule = {
  tables: [],
  seed: ({ database }) => {
    const abilities = sortAbilities(grantableAbilities.filter((ability) => ability.endsWith(".read")));
    const row = { id: randomUUID(), name: "Read everything", slug: "read_everything", abilities, built_in: true };
    database.insert(permissionSetTable, row);
  },
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
          .list(agents, {}, listing)
          .map(({ id, name }) => ({ kind: "agent" as const, id, name }));
        const keys = database.list(serviceKeys, { built_in: false }, listing);
        return ok({
          principals: [...people, ...machines, ...keys.map(({ id, name }) => ({ kind: "api_key" as const, id, name }))],
        });
      },
    }),
    endpoint({
      method: "GET",
      path: "/permission_sets",
      operationId: "listPermissionSets",
      summary: "Lists the permission sets by name.",
      requiredAbility: "permissions.read",
      responses: { 200: objectSchema("PermissionSetList", { permission_sets: listOf(permissionSet) }) },
      handle: ({ database }) => {
        const rows = database.list(permissionSetTable, {}, { order: "name, rowid" });
        return ok({ permission_sets: rows.map((row) => present(permissionSet, row)) });
      },
    }),
    endpoint({
      method: "POST",
      path: "/permission_sets",
      operationId: "createPermissionSet",
      summary: "Creates a permission set.",
      requiredAbility: "permissions.create",
      body: createBody,
      member: "permission_set",
      responses: { 201: permissionSet },
      handle: (request) => created(present(permissionSet, create(request))),
    }),
    endpoint({
      method: "PATCH",
      path: "/permission_sets/:slug",
      operationId: "updatePermissionSet",
      summary: "Changes a permission set; abilities, when sent, are the whole set.",
      requiredAbility: "permissions.update",
      body: updateBody,
      member: "permission_set",
      responses: { 200: permissionSet },
      handle: (request) => ok(present(permissionSet, update(request))),
    }),
    endpoint({
      method: "DELETE",
      path: "/permission_sets/:slug",
      operationId: "deletePermissionSet",
      summary: "Deletes a permission set that nobody is granted.",
      requiredAbility: "permissions.delete",
      responses: { 204: null },
      handle: (request) => {
        const row = findChangeable(request.database, request.param("slug"));
        refuseIfReferenced(row, "permission_sets", request);
        request.database.remove(permissionSetTable, { id: row.id });
        return noContent;
      },
    }),
  ],
};

function create(request: RequestContext<SchemaValue<typeof createBody>>): PermissionSetRow {
  const { database, body } = request;
  const name = readName(body.name);
  const slug = freeSlug(request, name, permissionSetTable);
  const abilities = sortAbilities(body.abilities ?? []);
  const row: PermissionSetRow = { id: randomUUID(), name, slug, abilities, built_in: false };
  database.insert(permissionSetTable, row);
  return row;
}

function update({ database, body, param }: RequestContext<SchemaValue<typeof updateBody>>): PermissionSetRow {
  const { id, slug } = findChangeable(database, param("slug"));
  database.update(permissionSetTable, id, {
    ...(body.name == null ? {} : { name: readName(body.name) }),
    ...(body.abilities == null ? {} : { abilities: sortAbilities(body.abilities) }),
  });
  return findBySlug(database, slug);
}

function sortAbilities(abilities: readonly string[]): readonly Ability[] {
  return [...new Set(abilities)].filter(isGrantable).sort();
}

function findChangeable(database: Database, slug: string): PermissionSetRow {
  const row = findBySlug(database, slug);
  if (row.built_in) throw unprocessable(`${row.name} is built in and cannot be changed.`);
  return row;
}

function findBySlug(database: Database, slug: string): PermissionSetRow {
  return requireFound(database.find(permissionSetTable, { slug }));
}
