/** Service keys: addressed by prefix. Permissions are replaced as a whole (rule 7), and the token is returned once. */

import { randomUUID } from "node:crypto";
import { type Fields, isList } from "../../../core/json.ts";
import { type InvalidField, requireFound, validationError } from "../../http/http-error.ts";
import { listOf, objectSchema, optionalTimestamp, uuid } from "../../http/response-schema.ts";
import type { BodySchema, SchemaValue } from "../../http/value-schema.ts";
import { created, endpoint, noContent, ok, type RequestContext, type ServiceModule } from "../../service/module.ts";
import { readName } from "../../service/names.ts";
import { type Ability, isGrantable } from "../../service/permissions.ts";
import type { Database } from "../../store/database.ts";
import { type GrantRow, grants, type ServiceKeyRow, serviceKeys } from "./principals.ts";
import { issueToken, tokens } from "./tokens.ts";

const properties = {
  name: { type: ["string", "null"], description: "The display name; it need not be unique.", examples: ["Deploy bot"] },
  permissions: {
    type: ["object", "null"],
    description: "Lists of actions by resource; replaces the whole set, and {} clears it.",
    additionalProperties: {},
    examples: [{ severities: ["read", "update"] }],
  },
} as const;

const createBody = { type: "object", properties, required: ["name"] } as const satisfies BodySchema;
const updateBody = {
  type: "object",
  properties: { ...properties, active: { type: ["boolean", "null"], description: "false deactivates the token." } },
} as const satisfies BodySchema;

const apiKeyProperties = {
  id: uuid,
  name: { type: "string", examples: ["Deploy bot"] },
  active: { type: "boolean" },
  prefix: { type: ["string", "null"], examples: ["ff_7Gk2mPq9X"] },
  expires_at: optionalTimestamp,
  last_used_at: optionalTimestamp,
  permissions: {
    type: "object",
    additionalProperties: { type: "array", items: { type: "string" } },
    description: "Lists of actions by resource.",
    examples: [{ severities: ["read", "update"] }],
  },
} as const;

const apiKey = objectSchema("ApiKey", apiKeyProperties);

const apiKeyWithToken = objectSchema("ApiKeyWithToken", {
  ...apiKeyProperties,
  token: { type: "string", description: "The whole token, which no other response has.", examples: ["ff_…"] },
});

/** The module of /api/v1/api_keys, which only an admin's personal token reaches. */
export const apiKeys: ServiceModule = {
  tables: [],
  endpoints: [
    endpoint({
      method: "GET",
      path: "/api_keys",
      operationId: "listApiKeys",
      summary: "Lists the service keys, newest first, without their tokens.",
      requiredAbility: "api_keys.read",
      responses: { 200: objectSchema("ApiKeyList", { api_keys: listOf(apiKey) }) },
      handle: ({ database }) => {
        const rows = database.list(serviceKeys, { built_in: false }, { order: "created_at DESC, rowid DESC" });
        return ok({ api_keys: rows.map((row) => serialize(database, row)) });
      },
    }),
    endpoint({
      method: "POST",
      path: "/api_keys",
      operationId: "createApiKey",
      summary: "Creates a service key; only this response has its token.",
      requiredAbility: "api_keys.create",
      body: createBody,
      member: "api_key",
      responses: { 201: apiKeyWithToken },
      handle: (request) => created(create(request)),
    }),
    endpoint({
      method: "PATCH",
      path: "/api_keys/:prefix",
      operationId: "updateApiKey",
      summary: "Changes a service key.",
      requiredAbility: "api_keys.update",
      body: updateBody,
      member: "api_key",
      responses: { 200: apiKey },
      handle: (request) => ok(serialize(request.database, update(request))),
    }),
    endpoint({
      method: "DELETE",
      path: "/api_keys/:prefix",
      operationId: "deleteApiKey",
      summary: "Deletes a service key and ends its token.",
      requiredAbility: "api_keys.delete",
      responses: { 204: null },
      handle: ({ database, param }) => {
        const { id } = findByPrefix(database, param("prefix"));
        database.remove(tokens, { principal_id: id });
        database.remove(grants, { principal_id: id });
        database.remove(serviceKeys, { id });
        return noContent;
      },
    }),
  ],
};

function serialize(database: Database, { id, name, active }: ServiceKeyRow): SchemaValue<typeof apiKey> {
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
function permissionsOf(rows: readonly GrantRow[]): SchemaValue<typeof apiKey>["permissions"] {
  const actionsByResource: Record<string, string[]> = {};
  for (const ability of rows.flatMap(({ ability }) => ability ?? []).sort()) {
    const [resource = "", action = ""] = ability.split(".");
    actionsByResource[resource] = [...(actionsByResource[resource] ?? []), action];
  }
  return actionsByResource;
}

function create(request: RequestContext<SchemaValue<typeof createBody>>): SchemaValue<typeof apiKeyWithToken> {
  const { database, timestamp, body } = request;
  const name = readName(body.name);
  const abilities = readAbilities(body.permissions ?? {});
  const row: ServiceKeyRow = { id: randomUUID(), name, active: true, created_at: timestamp, built_in: false };
  database.insert(serviceKeys, row);
  replaceAbilities(request, row.id, abilities);
  const token = issueToken(database, { principal_kind: "api_key", principal_id: row.id, created_at: timestamp });
  return { ...serialize(database, row), token };
}

function update(request: RequestContext<SchemaValue<typeof updateBody>>): ServiceKeyRow {
  const { database, body, param } = request;
  const { id } = findByPrefix(database, param("prefix"));
  database.update(serviceKeys, id, {
    ...(body.name == null ? {} : { name: readName(body.name) }),
    ...(body.active == null ? {} : { active: body.active }),
  });
  if (body.permissions != null) replaceAbilities(request, id, readAbilities(body.permissions));
  return findByPrefix(database, param("prefix"));
}

function replaceAbilities(
  { database, timestamp }: RequestContext<unknown>,
  id: string,
  abilities: readonly Ability[],
): void {
  database.run("DELETE FROM grants WHERE principal_id = ? AND ability IS NOT NULL", [id]);
  const grant = { principal_kind: "api_key", principal_id: id, permission_set: null, environments: [] } as const;
  const life = { expires_at: null, created_at: timestamp };
  database.insert(grants, ...abilities.map((ability) => ({ ...grant, ...life, id: randomUUID(), ability })));
}

/** The abilities that the permissions name. Throws 422 for an ability that is unknown or cannot be granted. */
function readAbilities(permissions: Fields): readonly Ability[] {
  const errors: InvalidField[] = [];
  const abilities = new Set<Ability>();
  for (const [resource, actions] of Object.entries(permissions)) {
    if (!isList(actions)) errors.push({ field: "permissions", message: `of ${resource} must be a list of actions` });
    for (const action of isList(actions) ? actions : []) {
      const ability = `${resource}.${action}`;
      if (isGrantable(ability)) abilities.add(ability);
      else errors.push({ field: "permissions", message: `cannot hold ${ability}` });
    }
  }
  if (errors.length > 0) throw validationError(...errors);
  return [...abilities];
}

function findByPrefix(database: Database, prefix: string): ServiceKeyRow {
  const token = database.find(tokens, { prefix, principal_kind: "api_key" });
  return requireFound(token && database.find(serviceKeys, { id: token.principal_id, built_in: false }));
}
