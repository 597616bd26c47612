/** Agents: created without abilities; their tokens can be rotated and revoked one by one. */

import { randomUUID } from "node:crypto";
import { notFound, requireFound, validationError } from "../../http/http-error.ts";
import { listOf, objectSchema, optionalTimestamp, present, timestamp, uuid } from "../../http/response-schema.ts";
import type { BodySchema, SchemaValue } from "../../http/value-schema.ts";
import { created, endpoint, noContent, ok, type RequestContext, type ServiceModule } from "../../service/module.ts";
import { readName } from "../../service/names.ts";
import type { Database } from "../../store/database.ts";
import { agentSlug, isSlug } from "../../store/slug.ts";
import { type AgentRow, agents as agentTable, grantedAbilities, grants } from "./principals.ts";
import { issueToken, tokens } from "./tokens.ts";

const properties = {
  name: { type: ["string", "null"], description: "The display name.", examples: ["Support bot"] },
  description: { type: ["string", "null"], description: 'Free text; "" clears it, null is ignored.' },
} as const;

const createBody = {
  type: "object",
  properties: {
    ...properties,
    slug: {
      type: ["string", "null"],
      description: "Letters a to z, digits and _; derived from the name if left out.",
      examples: ["support_bot"],
    },
  },
  required: ["name"],
} as const satisfies BodySchema;

const updateBody = {
  type: "object",
  properties: { ...properties, enabled: { type: ["boolean", "null"], description: "false stops its tokens." } },
} as const satisfies BodySchema;

const agentToken = objectSchema("AgentToken", {
  prefix: { type: "string", description: "The first twelve characters.", examples: ["ff_7Gk2mPq9X"] },
  created_at: timestamp,
  last_used_at: optionalTimestamp,
});

const agentProperties = {
  id: uuid,
  name: { type: "string", examples: ["Support bot"] },
  slug: { type: "string", examples: ["support_bot"] },
  description: { type: ["string", "null"] },
  enabled: { type: "boolean" },
  granted_abilities: { type: "integer", minimum: 0, description: "The number of its abilities." },
  tokens: listOf(agentToken),
} as const;

const agent = objectSchema("Agent", agentProperties);

const agentWithToken = objectSchema("AgentWithToken", {
  ...agentProperties,
  token: { type: "string", description: "The whole token, which no other response has.", examples: ["ff_…"] },
});

/** The module of /api/v1/agents, which only an admin's personal token reaches. */
export const agents: ServiceModule = {
  tables: [],
  endpoints: [
    endpoint({
      method: "GET",
      path: "/agents",
      operationId: "listAgents",
      summary: "Lists the agents by name, with the prefixes of their tokens.",
      requiredAbility: "permissions.read",
      responses: { 200: objectSchema("AgentList", { agents: listOf(agent) }) },
      handle: (request) => {
        const rows = request.database.list(agentTable, {}, { order: "name, rowid" });
        return ok({ agents: rows.map((row) => serialize(request, row)) });
      },
    }),
    endpoint({
      method: "POST",
      path: "/agents",
      operationId: "createAgent",
      summary: "Creates an agent without abilities; only this response has its token.",
      requiredAbility: "permissions.create",
      body: createBody,
      member: "agent",
      responses: { 201: agentWithToken },
      handle: (request) => created(withToken(request, create(request))),
    }),
    endpoint({
      method: "PATCH",
      path: "/agents/:slug",
      operationId: "updateAgent",
      summary: "Changes an agent.",
      requiredAbility: "permissions.update",
      body: updateBody,
      member: "agent",
      responses: { 200: agent },
      handle: (request) => ok(serialize(request, update(request))),
    }),
    endpoint({
      method: "DELETE",
      path: "/agents/:slug",
      operationId: "deleteAgent",
      summary: "Deletes an agent with its tokens and grants.",
      requiredAbility: "permissions.delete",
      responses: { 204: null },
      handle: ({ database, param }) => {
        const { id } = findBySlug(database, param("slug"));
        database.remove(tokens, { principal_id: id });
        database.remove(grants, { principal_id: id });
        database.remove(agentTable, { id });
        return noContent;
      },
    }),
    endpoint({
      method: "POST",
      path: "/agents/:slug/rotate",
      operationId: "rotateAgentToken",
      summary: "Issues a further token; the earlier ones keep working.",
      requiredAbility: "permissions.update",
      member: "agent",
      responses: { 201: agentWithToken },
      handle: (request) => created(withToken(request, findBySlug(request.database, request.param("slug")))),
    }),
    endpoint({
      method: "DELETE",
      path: "/agents/:slug/tokens/:prefix",
      operationId: "revokeAgentToken",
      summary: "Ends one token.",
      requiredAbility: "permissions.update",
      responses: { 204: null },
      handle: ({ database, param }) => {
        const { id } = findBySlug(database, param("slug"));
        if (database.remove(tokens, { principal_id: id, prefix: param("prefix") }) === 0) throw notFound();
        return noContent;
      },
    }),
  ],
};

function serialize({ database, timestamp }: RequestContext<unknown>, row: AgentRow): SchemaValue<typeof agent> {
  const { id, name, slug, description, enabled } = row;
  const agentTokens = database.list(tokens, { principal_id: id }, { order: "created_at DESC, rowid DESC" });
  return {
    id,
    name,
    slug,
    description,
    enabled,
    granted_abilities: grantedAbilities(database, id, timestamp).size,
    tokens: agentTokens.map((token) => present(agentToken, token)),
  };
}

/** Issues a token and adds it to the response, the only one that contains it. */
function withToken(request: RequestContext<unknown>, row: AgentRow): SchemaValue<typeof agentWithToken> {
  const owner = { principal_kind: "agent", principal_id: row.id, created_at: request.timestamp } as const;
  const token = issueToken(request.database, owner);
  return { ...serialize(request, row), token };
}

function create({ database, timestamp, body }: RequestContext<SchemaValue<typeof createBody>>): AgentRow {
  const name = readName(body.name);
  const slug = body.slug?.trim() ? body.slug : agentSlug(name);
  if (!isSlug(slug)) throw validationError({ field: "slug", message: "may hold a to z, digits and _ only" });
  if (database.find(agentTable, { slug }) !== undefined) {
    throw validationError({ field: "slug", message: "has already been taken" });
  }
  const description = body.description?.trim() ? body.description : null;
  const row: AgentRow = { id: randomUUID(), name, slug, description, enabled: true, created_at: timestamp };
  database.insert(agentTable, row);
  return row;
}

function update({ database, body, param }: RequestContext<SchemaValue<typeof updateBody>>): AgentRow {
  const { id, slug } = findBySlug(database, param("slug"));
  database.update(agentTable, id, {
    ...(body.name == null ? {} : { name: readName(body.name) }),
    ...(body.description == null ? {} : { description: body.description.trim() === "" ? null : body.description }),
    ...(body.enabled == null ? {} : { enabled: body.enabled }),
  });
  return findBySlug(database, slug);
}

function findBySlug(database: Database, slug: string): AgentRow {
  return requireFound(database.find(agentTable, { slug }));
}
