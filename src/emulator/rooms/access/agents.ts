/** Agents: created without any ability, with tokens that can be rotated and ended one by one. */

import { randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import type { BodyShape, ValueOf } from "../../http/body-schema.ts";
import { member } from "../../http/envelope.ts";
import { invalid, notFound } from "../../http/http-error.ts";
import type { Database } from "../../store/database.ts";
import { agentSlug, isSlug } from "../../store/slug.ts";
import { type Call, created, noContent, ok, type Room, route } from "../room.ts";
import { type AgentRow, agents as agentTable, grantedAbilities, grants } from "./principals.ts";
import { issueToken, tokens } from "./tokens.ts";

const properties = {
  name: { type: ["string", "null"], description: "The display name." },
  description: { type: ["string", "null"], description: 'Free text; "" clears it, null is ignored.' },
} as const;

const createBody = {
  type: "object",
  properties: {
    ...properties,
    slug: { type: ["string", "null"], description: "Letters a to z, digits and _; derived from the name if left out." },
  },
  required: ["name"],
} as const satisfies BodyShape;

const updateBody = {
  type: "object",
  properties: { ...properties, enabled: { type: ["boolean", "null"], description: "false stops its tokens." } },
} as const satisfies BodyShape;

/** The room of /api/v1/agents, which only an admin's personal token reaches. */
export const agents: Room = {
  tables: [],
  routes: [
    route({
      method: "GET",
      path: "/agents",
      summary: "Lists the agents by name, with the prefixes of their tokens.",
      needs: "permissions.read",
      handle: (call) => {
        const rows = call.database.list(agentTable, {}, { order: "name, rowid" });
        return ok({ agents: rows.map((row) => shown(call, row)) });
      },
    }),
    route({
      method: "POST",
      path: "/agents",
      summary: "Creates an agent without abilities; only this answer holds its token.",
      needs: "permissions.create",
      body: createBody,
      handle: (call) => created(member("agent", withToken(call, create(call)), call.dialects)),
    }),
    route({
      method: "PATCH",
      path: "/agents/:slug",
      summary: "Changes an agent.",
      needs: "permissions.update",
      body: updateBody,
      handle: (call) => ok(member("agent", shown(call, update(call)), call.dialects)),
    }),
    route({
      method: "DELETE",
      path: "/agents/:slug",
      summary: "Deletes an agent with its tokens and grants.",
      needs: "permissions.delete",
      handle: ({ database, param }) => {
        const { id } = bySlug(database, param("slug"));
        database.remove(tokens, { principal_id: id });
        database.remove(grants, { principal_id: id });
        database.remove(agentTable, { id });
        return noContent;
      },
    }),
    route({
      method: "POST",
      path: "/agents/:slug/rotate",
      summary: "Issues a further token; the earlier ones keep working.",
      needs: "permissions.update",
      handle: (call) => {
        const row = bySlug(call.database, call.param("slug"));
        return created(member("agent", withToken(call, row), call.dialects));
      },
    }),
    route({
      method: "DELETE",
      path: "/agents/:slug/tokens/:prefix",
      summary: "Ends one token.",
      needs: "permissions.update",
      handle: ({ database, param }) => {
        const { id } = bySlug(database, param("slug"));
        if (database.remove(tokens, { principal_id: id, prefix: param("prefix") }) === 0) throw notFound();
        return noContent;
      },
    }),
  ],
};

function shown({ database, timestamp }: Call<unknown>, row: AgentRow): Fields {
  const { id, name, slug, description, enabled } = row;
  const held = database.list(tokens, { principal_id: id }, { order: "created_at DESC, rowid DESC" });
  return {
    id,
    name,
    slug,
    description,
    enabled,
    granted_abilities: grantedAbilities(database, id, timestamp).size,
    tokens: held.map(({ prefix, created_at, last_used_at }) => ({ prefix, created_at, last_used_at })),
  };
}

/** Issues a token and shows the agent with it: the only time it is told. */
function withToken(call: Call<unknown>, row: AgentRow): Fields {
  const owner = { principal_kind: "agent", principal_id: row.id, created_at: call.timestamp } as const;
  const token = issueToken(call.database, owner);
  return { ...shown(call, row), token };
}

function create({ database, timestamp, body }: Call<ValueOf<typeof createBody>>): AgentRow {
  const name = nameOf(body.name ?? "");
  const slug = body.slug?.trim() ? body.slug : agentSlug(name);
  if (!isSlug(slug)) throw invalid({ field: "slug", message: "may hold a to z, digits and _ only" });
  if (database.find(agentTable, { slug }) !== undefined) {
    throw invalid({ field: "slug", message: "has already been taken" });
  }
  const description = body.description?.trim() ? body.description : null;
  const row: AgentRow = { id: randomUUID(), name, slug, description, enabled: true, created_at: timestamp };
  database.insert(agentTable, row);
  return row;
}

function update({ database, body, param }: Call<ValueOf<typeof updateBody>>): AgentRow {
  const { id, slug } = bySlug(database, param("slug"));
  database.update(agentTable, id, {
    ...(body.name == null ? {} : { name: nameOf(body.name) }),
    ...(body.description == null ? {} : { description: body.description.trim() === "" ? null : body.description }),
    ...(body.enabled == null ? {} : { enabled: body.enabled }),
  });
  return bySlug(database, slug);
}

function nameOf(sent: string): string {
  const name = sent.trim();
  if (name === "") throw invalid({ field: "name", message: "can't be blank" });
  return name;
}

function bySlug(database: Database, slug: string): AgentRow {
  const row = database.find(agentTable, { slug });
  if (row === undefined) throw notFound();
  return row;
}
