/** Service keys: addressed by prefix, their permissions replaced as a whole (rule 7), their token told once. */

import { randomUUID } from "node:crypto";
import { type Fields, isList } from "../../../core/json.ts";
import type { BodyShape, ValueOf } from "../../http/body-schema.ts";
import { member } from "../../http/envelope.ts";
import { type FieldError, invalid, notFound } from "../../http/http-error.ts";
import type { Database } from "../../store/database.ts";
import { type Call, created, noContent, ok, type Room, route } from "../room.ts";
import { type Ability, isGrantable } from "./permissions.ts";
import { type GrantRow, grants, type ServiceKeyRow, serviceKeys } from "./principals.ts";
import { issueToken, tokens } from "./tokens.ts";

const properties = {
  name: { type: ["string", "null"], description: "The display name; it need not be unique." },
  permissions: {
    type: ["object", "null"],
    description: "Lists of actions by resource; replaces the whole set, and {} clears it.",
  },
} as const;

const createBody = { type: "object", properties, required: ["name"] } as const satisfies BodyShape;
const updateBody = {
  type: "object",
  properties: { ...properties, active: { type: ["boolean", "null"], description: "false deactivates the token." } },
} as const satisfies BodyShape;

/** The room of /api/v1/api_keys, which only an admin's personal token reaches. */
export const apiKeys: Room = {
  tables: [],
  routes: [
    route({
      method: "GET",
      path: "/api_keys",
      summary: "Lists the service keys, newest first, without their tokens.",
      needs: "api_keys.read",
      handle: ({ database }) => {
        const rows = database.list(serviceKeys, { built_in: false }, { order: "created_at DESC, rowid DESC" });
        return ok({ api_keys: rows.map((row) => shown(database, row)) });
      },
    }),
    route({
      method: "POST",
      path: "/api_keys",
      summary: "Creates a service key; only this answer holds its token.",
      needs: "api_keys.create",
      body: createBody,
      handle: (call) => created(member("api_key", create(call), call.dialects)),
    }),
    route({
      method: "PATCH",
      path: "/api_keys/:prefix",
      summary: "Changes a service key.",
      needs: "api_keys.update",
      body: updateBody,
      handle: (call) => ok(member("api_key", shown(call.database, update(call)), call.dialects)),
    }),
    route({
      method: "DELETE",
      path: "/api_keys/:prefix",
      summary: "Deletes a service key and ends its token.",
      needs: "api_keys.delete",
      handle: ({ database, param }) => {
        const { id } = byPrefix(database, param("prefix"));
        database.remove(tokens, { principal_id: id });
        database.remove(grants, { principal_id: id });
        database.remove(serviceKeys, { id });
        return noContent;
      },
    }),
  ],
};

function shown(database: Database, { id, name, active }: ServiceKeyRow): Fields {
  const token = database.find(tokens, { principal_id: id });
  return {
    id,
    name,
    active,
    prefix: token?.prefix ?? null,
    expires_at: token?.expires_at ?? null,
    last_used_at: token?.last_used_at ?? null,
    permissions: permissionsOf(database.list(grants, { principal_id: id })),
  };
}

/** The direct grants as sorted lists of actions by resource. */
function permissionsOf(rows: readonly GrantRow[]): Fields {
  const held: Record<string, string[]> = {};
  for (const ability of rows.flatMap(({ ability }) => ability ?? []).sort()) {
    const [resource = "", action = ""] = ability.split(".");
    held[resource] = [...(held[resource] ?? []), action];
  }
  return held;
}

function create(call: Call<ValueOf<typeof createBody>>): Fields {
  const { database, timestamp, body } = call;
  const name = nameOf(body.name ?? "");
  const abilities = abilitiesOf(body.permissions ?? {});
  const row: ServiceKeyRow = { id: randomUUID(), name, active: true, created_at: timestamp, built_in: false };
  database.insert(serviceKeys, row);
  replaceAbilities(call, row.id, abilities);
  const token = issueToken(database, { principal_kind: "api_key", principal_id: row.id, created_at: timestamp });
  return { ...shown(database, row), token };
}

function update(call: Call<ValueOf<typeof updateBody>>): ServiceKeyRow {
  const { database, body, param } = call;
  const { id } = byPrefix(database, param("prefix"));
  database.update(serviceKeys, id, {
    ...(body.name == null ? {} : { name: nameOf(body.name) }),
    ...(body.active == null ? {} : { active: body.active }),
  });
  if (body.permissions != null) replaceAbilities(call, id, abilitiesOf(body.permissions));
  return byPrefix(database, param("prefix"));
}

function replaceAbilities({ database, timestamp }: Call<unknown>, id: string, abilities: readonly Ability[]): void {
  database.run("DELETE FROM grants WHERE principal_id = ? AND ability IS NOT NULL", [id]);
  const grant = { principal_kind: "api_key", principal_id: id, permission_set: null, environments: [] } as const;
  const life = { expires_at: null, created_at: timestamp };
  database.insert(grants, ...abilities.map((ability) => ({ ...grant, ...life, id: randomUUID(), ability })));
}

/** The abilities that the permissions name. Throws 422 for what is unknown, and for what nobody can be granted. */
function abilitiesOf(permissions: Fields): readonly Ability[] {
  const errors: FieldError[] = [];
  const abilities = new Set<Ability>();
  for (const [resource, actions] of Object.entries(permissions)) {
    if (!isList(actions)) errors.push({ field: "permissions", message: `of ${resource} must be a list of actions` });
    for (const action of isList(actions) ? actions : []) {
      const ability = `${resource}.${action}`;
      if (isGrantable(ability)) abilities.add(ability);
      else errors.push({ field: "permissions", message: `cannot hold ${ability}` });
    }
  }
  if (errors.length > 0) throw invalid(...errors);
  return [...abilities];
}

function nameOf(sent: string): string {
  const name = sent.trim();
  if (name === "") throw invalid({ field: "name", message: "can't be blank" });
  return name;
}

function byPrefix(database: Database, prefix: string): ServiceKeyRow {
  const token = database.find(tokens, { prefix, principal_kind: "api_key" });
  const row = token && database.find(serviceKeys, { id: token.principal_id, built_in: false });
  if (row === undefined) throw notFound();
  return row;
}
