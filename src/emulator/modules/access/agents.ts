/** Agents: created without abilities; their tokens can be rotated and revoked one by one. */

import { type Json, objectsIn } from "../../../core/json.ts";
import { type HttpError, notFound, validationError } from "../../http/http-error.ts";
import { listOf, objectSchema, optionalTimestamp, present, timestamp } from "../../http/response-schema.ts";
import type { RowOf } from "../../resource/field.ts";
import { resourceModule } from "../../resource/resource.ts";
import { tableOf } from "../../resource/schemas.ts";
import { created, endpoint, noContent, type ServiceModule } from "../../service/module.ts";
import { agentSlug, isSlug } from "../../store/slug.ts";
import type { Table } from "../../store/table.ts";
import { grantedAbilities, grantTable } from "./grant.ts";
import { issueToken, loadToken, tokenProperty, tokens } from "./tokens.ts";

const fields = {
  id: { value: { type: "string", format: "uuid" } },
  name: {
    value: { type: "string", examples: ["Support bot"] },
    input: "The display name.",
    reading: "name",
    required: true,
  },
  slug: {
    value: { type: "string", examples: ["support_bot"] },
    input: {
      type: ["string", "null"],
      pattern: "^(\\s*|[a-z0-9_]+)$",
      description: "Letters a to z, digits and _; derived from the name if left out or blank.",
      examples: ["support_bot"],
      refusal: (slug: Json | undefined): HttpError | undefined => (typeof slug === "string" ? slugError() : undefined),
    },
    sentIn: "create",
    reading: "none",
    unique: true,
  },
  description: {
    value: { type: ["string", "null"] },
    input: 'Free text; "" clears it, null is ignored.',
    reading: "clearable",
  },
  enabled: { value: { type: "boolean" }, input: "false stops its tokens.", sentIn: "update", initial: true },
  created_at: { value: { type: "string", format: "date-time" }, hidden: true, liveNames: ["created_at"] },
} as const;

function slugError(): HttpError {
  return validationError({ field: "slug", message: "may hold a to z, digits and _ only" });
}

/** An agent. The tokens of a disabled agent are invalid. */
export type AgentRow = RowOf<typeof fields>;

export const agentTable: Table<AgentRow> = tableOf("agents", fields);

const agentToken = objectSchema("AgentToken", {
  prefix: { type: "string", description: "The first twelve characters.", examples: ["ff_7Gk2mPq9X"] },
  created_at: timestamp,
  last_used_at: optionalTimestamp,
});

const resource = resourceModule({
  title: "Agent",
  path: "agents",
  ability: "permissions",
  fields,
  table: agentTable,
  address: "slug",
  order: "name, rowid",
  listsDisabledOnRequest: true,
  summaries: {
    list: "Lists the agents by name, with the prefixes of their tokens.",
    create: "Creates an agent without abilities; only this response has its token.",
    update: "Changes an agent.",
    delete: "Deletes an agent with its tokens and grants.",
  },
  complete({ body }, { name = "" }) {
    const slug = body.slug?.trim() ? body.slug : agentSlug(name);
    if (!isSlug(slug)) throw slugError();
    return { slug };
  },
  computed: {
    granted_abilities: { value: { type: "integer", minimum: 0, description: "The number of its abilities." } },
    tokens: { value: listOf(agentToken) },
  },
  compute({ database, timestamp }, { id }) {
    const own = database.list(tokens, { principal_id: id }, { order: "created_at DESC, rowid DESC" });
    return {
      granted_abilities: grantedAbilities(database, id, timestamp).size,
      tokens: own.map((token) => present(agentToken, token)),
    };
  },
  created: {
    title: "AgentWithToken",
    properties: { token: tokenProperty },
    compute: ({ database, timestamp }, { id }) => ({
      token: issueToken(database, { principal_kind: "agent", principal_id: id, created_at: timestamp }),
    }),
  },
  afterRemove({ database }, { id }) {
    database.remove(tokens, { principal_id: id });
    database.remove(grantTable, { principal_id: id });
  },
  loadParts(load, live, { id }) {
    // The list is newest first; insertion in reverse keeps its order.
    for (const token of [...objectsIn(live.tokens)].reverse())
      loadToken(load, { principal_kind: "agent", principal_id: id }, token);
  },
});

/** The module of /api/v1/agents, which only an admin's personal token reaches. */
export const agents: ServiceModule = {
  ...resource,
  endpoints: [
    ...resource.endpoints,
    endpoint({
      method: "POST",
      path: "/agents/:slug/rotate",
      operationId: "rotateAgentToken",
      summary: "Issues a further token; the earlier ones keep working.",
      requiredAbility: "permissions.update",
      member: "agent",
      responses: { 201: resource.createdSchema },
      handle: (request) => created(resource.presentCreated(request, resource.find(request))),
    }),
    endpoint({
      method: "DELETE",
      path: "/agents/:slug/tokens/:prefix",
      operationId: "revokeAgentToken",
      summary: "Ends one token.",
      requiredAbility: "permissions.update",
      responses: { 204: null },
      handle: (request) => {
        const { id } = resource.find(request);
        const ended = request.database.remove(tokens, { principal_id: id, prefix: request.param("prefix") });
        if (ended === 0) throw notFound();
        return noContent;
      },
    }),
  ],
};
