/** What can be granted and to whom: the abilities, the permission sets, and the principals of the workspace. */

import { randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import type { BodyShape, ValueOf } from "../../http/body-schema.ts";
import { member } from "../../http/envelope.ts";
import { invalid, notFound, refused } from "../../http/http-error.ts";
import type { Database } from "../../store/database.ts";
import { guardReferences } from "../../store/references.ts";
import { newSlug, wordSlug } from "../../store/slug.ts";
import { type Call, created, noContent, ok, type Room, route } from "../room.ts";
import { type Ability, grantableAbilities, isGrantable, labelOf, riskOf } from "./permissions.ts";
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

const createBody = { type: "object", properties, required: ["name"] } as const satisfies BodyShape;
const updateBody = { type: "object", properties } as const satisfies BodyShape;

/** The rooms of /api/v1/abilities, /principals and /permission_sets, which only an admin's personal token reaches. */
export const permissionSets: Room = {
  tables: [],
  seed: ({ database }) => {
    const abilities = sorted(grantableAbilities.filter((ability) => ability.endsWith(".read")));
    const row = { id: randomUUID(), name: "Read everything", slug: "read_everything", abilities, built_in: true };
    database.insert(permissionSetTable, row);
  },
  routes: [
    route({
      method: "GET",
      path: "/abilities",
      summary: "Lists every ability that can be granted.",
      needs: "permissions.read",
      handle: () => {
        const rows = grantableAbilities.map((key) => ({ key, risk_level: riskOf(key), group: labelOf(key) }));
        return ok({ abilities: rows });
      },
    }),
    route({
      method: "GET",
      path: "/principals",
      summary: "Lists whom abilities can be granted to: members, agents and service keys.",
      needs: "permissions.read",
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
    route({
      method: "GET",
      path: "/permission_sets",
      summary: "Lists the permission sets by name.",
      needs: "permissions.read",
      handle: ({ database }) => {
        const rows = database.list(permissionSetTable, {}, { order: "name, rowid" });
        return ok({ permission_sets: rows.map(shown) });
      },
    }),
    route({
      method: "POST",
      path: "/permission_sets",
      summary: "Creates a permission set.",
      needs: "permissions.create",
      body: createBody,
      handle: (call) => created(member("permission_set", shown(create(call)), call.dialects)),
    }),
    route({
      method: "PATCH",
      path: "/permission_sets/:slug",
      summary: "Changes a permission set; abilities, when sent, are the whole set.",
      needs: "permissions.update",
      body: updateBody,
      handle: (call) => ok(member("permission_set", shown(update(call)), call.dialects)),
    }),
    route({
      method: "DELETE",
      path: "/permission_sets/:slug",
      summary: "Deletes a permission set that nobody is granted.",
      needs: "permissions.delete",
      handle: (call) => {
        const row = changeable(call.database, call.param("slug"));
        guardReferences(row, "permission_sets", call);
        call.database.remove(permissionSetTable, { id: row.id });
        return noContent;
      },
    }),
  ],
};

function shown({ id, slug, name, abilities, built_in }: PermissionSetRow): Fields {
  return { id, slug, name, abilities, built_in };
}

function create({ database, dialects, body }: Call<ValueOf<typeof createBody>>): PermissionSetRow {
  const name = nameOf(body.name ?? "");
  const slug = newSlug(name, wordSlug, typeof body.slug === "string" ? body.slug : undefined, dialects);
  if (slug === "") throw invalid({ field: "slug", message: "can't be blank" });
  if (database.find(permissionSetTable, { slug }) !== undefined) {
    throw invalid({ field: "slug", message: "has already been taken" });
  }
  const abilities = sorted(body.abilities ?? []);
  const row: PermissionSetRow = { id: randomUUID(), name, slug, abilities, built_in: false };
  database.insert(permissionSetTable, row);
  return row;
}

function update({ database, body, param }: Call<ValueOf<typeof updateBody>>): PermissionSetRow {
  const { id, slug } = changeable(database, param("slug"));
  database.update(permissionSetTable, id, {
    ...(body.name == null ? {} : { name: nameOf(body.name) }),
    ...(body.abilities == null ? {} : { abilities: sorted(body.abilities) }),
  });
  return bySlug(database, slug);
}

function sorted(abilities: readonly string[]): readonly Ability[] {
  return [...new Set(abilities)].filter(isGrantable).sort();
}

function nameOf(sent: string): string {
  const name = sent.trim();
  if (name === "") throw invalid({ field: "name", message: "can't be blank" });
  return name;
}

function changeable(database: Database, slug: string): PermissionSetRow {
  const row = bySlug(database, slug);
  if (row.built_in) throw refused(`${row.name} is built in and cannot be changed.`);
  return row;
}

function bySlug(database: Database, slug: string): PermissionSetRow {
  const row = database.find(permissionSetTable, { slug });
  if (row === undefined) throw notFound();
  return row;
}
