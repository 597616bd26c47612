/** Abilities, permission sets and principals: everything that a grant can name. */

import { randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import type { BodySchema, SchemaValue } from "../../http/body-schema.ts";
import { notFound, unprocessable, validationError } from "../../http/http-error.ts";
import type { Database } from "../../store/database.ts";
import { refuseIfReferenced } from "../../store/references.ts";
import { newSlug, wordSlug } from "../../store/slug.ts";
import { created, endpoint, noContent, ok, type RequestContext, type ServiceModule, wrapMember } from "../module.ts";
import { type Ability, abilityGroup, grantableAbilities, isGrantable, riskLevel } from "./permissions.ts";
import {
  agents,
  members,
  type PermissionSetRow,
  permissionSets as permissionSetTable,
  serviceKeys,
} from "./principals.ts";

const properties = {
  name: { type: ["string", "null"], description: "The display name." },
  abilities: {
    type: ["array", "null"],
    items: { type: "string" },
    description: "The whole set; what cannot be granted is dropped.",
  },
  slug: { description: "Ignored, unless the dialect `slug` accepts it." },
} as const;

const createBody = { type: "object", properties, required: ["name"] } as const satisfies BodySchema;
const updateBody = { type: "object", properties } as const satisfies BodySchema;

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
      summary: "Lists every ability that can be granted.",
      requiredAbility: "permissions.read",
      handle: () => {
        const rows = grantableAbilities.map((key) => ({ key, risk_level: riskLevel(key), group: abilityGroup(key) }));
        return ok({ abilities: rows });
      },
    }),
    endpoint({
      method: "GET",
      path: "/principals",
      summary: "Lists whom abilities can be granted to: members, agents and service keys.",
      requiredAbility: "permissions.read",
      handle: ({ database }) => {
        const listing = { order: "name, rowid" };
        const people = database.list(members, {}, listing).map(({ id, name }) => ({ kind: "user", id, name }));
        const machines = database.list(agents, {}, listing).map(({ id, name }) => ({ kind: "agent", id, name }));
        const keys = database.list(serviceKeys, { built_in: false }, listing);
        return ok({
          principals: [...people, ...machines, ...keys.map(({ id, name }) => ({ kind: "api_key", id, name }))],
        });
      },
    }),
    endpoint({
      method: "GET",
      path: "/permission_sets",
      summary: "Lists the permission sets by name.",
      requiredAbility: "permissions.read",
      handle: ({ database }) => {
        const rows = database.list(permissionSetTable, {}, { order: "name, rowid" });
        return ok({ permission_sets: rows.map(serialize) });
      },
    }),
    endpoint({
      method: "POST",
      path: "/permission_sets",
      summary: "Creates a permission set.",
      requiredAbility: "permissions.create",
      body: createBody,
      handle: (request) => created(wrapMember("permission_set", serialize(create(request)), request.dialects)),
    }),
    endpoint({
      method: "PATCH",
      path: "/permission_sets/:slug",
      summary: "Changes a permission set; abilities, when sent, are the whole set.",
      requiredAbility: "permissions.update",
      body: updateBody,
      handle: (request) => ok(wrapMember("permission_set", serialize(update(request)), request.dialects)),
    }),
    endpoint({
      method: "DELETE",
      path: "/permission_sets/:slug",
      summary: "Deletes a permission set that nobody is granted.",
      requiredAbility: "permissions.delete",
      handle: (request) => {
        const row = findChangeable(request.database, request.param("slug"));
        refuseIfReferenced(row, "permission_sets", request);
        request.database.remove(permissionSetTable, { id: row.id });
        return noContent;
      },
    }),
  ],
};

function serialize({ id, slug, name, abilities, built_in }: PermissionSetRow): Fields {
  return { id, slug, name, abilities, built_in };
}

function create({ database, dialects, body }: RequestContext<SchemaValue<typeof createBody>>): PermissionSetRow {
  const name = readName(body.name ?? "");
  const slug = newSlug(name, wordSlug, typeof body.slug === "string" ? body.slug : undefined, dialects);
  if (slug === "") throw validationError({ field: "slug", message: "can't be blank" });
  if (database.find(permissionSetTable, { slug }) !== undefined) {
    throw validationError({ field: "slug", message: "has already been taken" });
  }
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

function readName(input: string): string {
  const name = input.trim();
  if (name === "") throw validationError({ field: "name", message: "can't be blank" });
  return name;
}

function findChangeable(database: Database, slug: string): PermissionSetRow {
  const row = findBySlug(database, slug);
  if (row.built_in) throw unprocessable(`${row.name} is built in and cannot be changed.`);
  return row;
}

function findBySlug(database: Database, slug: string): PermissionSetRow {
  const row = database.find(permissionSetTable, { slug });
  if (row === undefined) throw notFound();
  return row;
}
