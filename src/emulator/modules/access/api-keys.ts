/** Service keys: addressed by prefix. Permissions are replaced as a whole (rule 7), and the token is returned once. */

import { randomUUID } from "node:crypto";
import { fieldsIn, isFields, isList, type Json, listIn } from "../../../core/json.ts";
import { type HttpError, requireFound, validationError } from "../../http/http-error.ts";
import { optionalTimestamp } from "../../http/response-schema.ts";
import type { RowOf } from "../../resource/field.ts";
import { resourceModule } from "../../resource/resource.ts";
import { tableOf } from "../../resource/schemas.ts";
import { rowsAt } from "../../service/live-rows.ts";
import type { ServiceModule } from "../../service/module.ts";
import { grantableActions, isGrantable } from "../../service/permissions.ts";
import type { Database } from "../../store/database.ts";
import type { Table } from "../../store/table.ts";
import { type GrantRow, grantTable } from "./grant.ts";
import { issueToken, loadToken, tokenProperty, tokens } from "./tokens.ts";

const fields = {
  id: { value: { type: "string", format: "uuid" } },
  name: {
    value: { type: "string", examples: ["Deploy bot"] },
    input: "The display name; it need not be unique.",
    reading: "name",
    required: true,
  },
  active: { value: { type: "boolean" }, input: "false deactivates the token.", sentIn: "update", initial: true },
  permissions: {
    input: {
      type: ["object", "null"],
      description: "Lists of actions by resource; replaces the whole set, and {} clears it.",
      properties: grantableActions as typeof grantableActions,
      additionalProperties: false,
      examples: [{ severities: ["read", "update"] }],
      refusal: (permissions: Json | undefined): HttpError | undefined => permissionsError(permissions),
    },
  },
  created_at: { value: { type: "string", format: "date-time" }, hidden: true, liveNames: ["created_at"] },
  // True for the key of `Emulator.serviceToken`, which is not part of the workspace and never listed.
  built_in: { value: { type: "boolean" }, hidden: true },
} as const;

/** A service key. Its only token is in the tokens table. */
export type ServiceKeyRow = RowOf<typeof fields>;

export const serviceKeyTable: Table<ServiceKeyRow> = tableOf("api_keys", fields);

const resource = resourceModule({
  title: "ApiKey",
  path: "api_keys",
  ability: "api_keys",
  fields,
  table: serviceKeyTable,
  address: "prefix",
  listed: { built_in: false },
  order: "created_at DESC, rowid DESC",
  summaries: {
    list: "Lists the service keys, newest first, without their tokens.",
    create: "Creates a service key; only this response has its token.",
    update: "Changes a service key.",
    delete: "Deletes a service key and ends its token.",
  },
  find({ database, param }) {
    const token = database.find(tokens, { prefix: param("prefix"), principal_kind: "api_key" });
    return requireFound(token && database.find(serviceKeyTable, { id: token.principal_id, built_in: false }));
  },
  afterWrite({ database, timestamp, body: { permissions } }, { id }) {
    if (permissions != null) replaceAbilities(database, id, abilitiesOf(permissions), timestamp);
  },
  computed: {
    prefix: { value: { type: ["string", "null"], examples: ["ff_7Gk2mPq9X"] } },
    expires_at: { value: optionalTimestamp },
    last_used_at: { value: optionalTimestamp },
    permissions: {
      value: {
        type: "object",
        additionalProperties: { type: "array", items: { type: "string" } },
        description: "Lists of actions by resource.",
        examples: [{ severities: ["read", "update"] }],
      },
    },
  },
  compute({ database }, { id }) {
    const token = database.find(tokens, { principal_id: id });
    return {
      prefix: token?.prefix ?? null,
      expires_at: token?.expires_at ?? null,
      last_used_at: token?.last_used_at ?? null,
      permissions: permissionsOf(database.list(grantTable, { principal_id: id })),
    };
  },
  created: {
    title: "ApiKeyWithToken",
    properties: { token: tokenProperty },
    compute: ({ database, timestamp }, { id }) => ({
      token: issueToken(database, { principal_kind: "api_key", principal_id: id, created_at: timestamp }),
    }),
  },
  afterRemove({ database }, { id }) {
    database.remove(tokens, { principal_id: id });
    database.remove(grantTable, { principal_id: id });
  },
  loadParts(load, live, { id, created_at }) {
    loadToken(load, { principal_kind: "api_key", principal_id: id }, { created_at, ...live });
    replaceAbilities(load.service.database, id, abilitiesOf(fieldsIn(live.permissions)), created_at);
  },
});

/** The module of /api/v1/api_keys, which only an admin's personal token reaches. */
export const apiKeys: ServiceModule = {
  ...resource,
  loadReplica(load) {
    // The list is newest first; insertion in reverse keeps its order.
    const rows = [...(rowsAt(load, "/api_keys") ?? [])].reverse();
    resource.loadReplica?.({ ...load, rows: { ...load.rows, "/api_keys": rows } });
  },
};

/** The direct grants as sorted lists of actions by resource. */
function permissionsOf(rows: readonly GrantRow[]): { readonly [resource: string]: readonly string[] } {
  const actionsByResource: Record<string, string[]> = {};
  for (const ability of rows.flatMap(({ ability }) => ability ?? []).sort()) {
    const [resource = "", action = ""] = ability.split(".");
    actionsByResource[resource] = [...(actionsByResource[resource] ?? []), action];
  }
  return actionsByResource;
}

function replaceAbilities(database: Database, id: string, abilities: readonly string[], created_at: string): void {
  database.run("DELETE FROM grants WHERE principal_id = ? AND ability IS NOT NULL", [id]);
  const grant = { principal_kind: "api_key", principal_id: id, permission_set: null, environments: [] } as const;
  const life = { expires_at: null, created_at };
  database.insert(grantTable, ...abilities.map((ability) => ({ ...grant, ...life, id: randomUUID(), ability })));
}

/** The abilities in lists of actions by resource, each once. */
function abilitiesOf(permissions: object): readonly string[] {
  const abilities = Object.entries(permissions).flatMap(([resource, actions]) =>
    listIn(actions).map((action) => `${resource}.${String(action)}`),
  );
  return [...new Set(abilities)];
}

/** The error for permissions that are unknown or cannot be granted. */
function permissionsError(permissions: Json | undefined): HttpError | undefined {
  if (!isFields(permissions)) return undefined;
  const errors = Object.entries(permissions).flatMap(([resource, actions]) => {
    if (!isList(actions)) return [`of ${resource} must be a list of actions`];
    const unknown = actions.filter((action) => !isGrantable(`${resource}.${String(action)}`));
    return unknown.map((action) => `cannot hold ${resource}.${String(action)}`);
  });
  return errors.length === 0
    ? undefined
    : validationError(...errors.map((message) => ({ field: "permissions", message })));
}
