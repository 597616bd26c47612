/** Rules of agents, service keys and grants: tokens shown once, prefixes, rotation, and what a new principal may do. */

import type { Fields } from "../../core/json.ts";
import type { Client, Exchange } from "../client.ts";
import {
  expectRefusal,
  expectSame,
  expectShape,
  expectStatus,
  expectSuccess,
  expectThat,
  memberOf,
} from "../expectation.ts";
import { findResource } from "../fixtures/configuration-resources.ts";
import { createMember, listMembers, memberPath } from "../fixtures/requests.ts";
import { type ConformanceRule, Deviation, type RuleDefinition, rulesOf } from "../rule.ts";
import type { RuleContext } from "../rule-context.ts";
import {
  array,
  at,
  boolean,
  integer,
  nonEmptyString,
  objectWith,
  orNull,
  rowsAt,
  string,
  textAt,
  timestamp,
  uuid,
  type ValueShape,
} from "../value-shape.ts";

const agents = findResource("agents");
const keys = findResource("api_keys");

/** A service key that may do no more than this, and a client that bears it. */
export async function keyWith(
  context: RuleContext,
  permissions: Fields,
): Promise<{ key: Fields; client: Client; token: string }> {
  const key = await createMember(context, keys, { permissions });
  const token = textAt(key, "token");
  return { key, token, client: context.bearer(token) };
}

async function createAgent(context: RuleContext): Promise<{ agent: Fields; path: string; token: string }> {
  const created = await createMember(context, agents);
  return { agent: created, path: memberPath(agents, created), token: textAt(created, "token") };
}

/** Whether the service knows the token: anything but 401. */
async function isAccepted(context: RuleContext, token: string): Promise<boolean> {
  return (await context.bearer(token).get("severities")).status !== 401;
}

async function listedAgent(context: RuleContext, slug: string): Promise<Fields> {
  return (await listMembers(context, agents)).find((entry) => entry.slug === slug) ?? {};
}

function prefixesOf(entry: Fields): readonly string[] {
  return rowsAt(entry, "tokens").map((token) => textAt(token, "prefix"));
}

async function rotate(context: RuleContext, path: string): Promise<string> {
  const exchange = await context.admin.post(`${path}/rotate`);
  expectSuccess(exchange);
  const token = textAt(memberOf(exchange), "token");
  if (token === "")
    throw new Deviation("a second token in the response of rotate", exchange.text.slice(0, 200), exchange);
  return token;
}

/** Throws if the response shows the token. */
function expectHidden(exchange: Exchange, token: string): void {
  expectThat(!exchange.text.includes(token), "a response without the token", "the token is in it", exchange);
}

const agentFields: readonly (readonly [string, ValueShape])[] = [
  ["id", uuid],
  ["name", nonEmptyString],
  ["slug", nonEmptyString],
  ["description", orNull(string)],
  ["enabled", boolean],
  ["granted_abilities", integer],
  ["tokens", array],
];

const agentRows: readonly RuleDefinition[] = agentFields.map(([name, shape]) => ({
  id: `agent.field.${name}`,
  title: `an agent's ${name} is ${shape.description}, on creation and in the listing`,
  async check(context: RuleContext) {
    const created = (await createAgent(context)).agent;
    expectShape(`agent.${name}`, created[name], shape);
    expectShape(`the listed agent.${name}`, (await listedAgent(context, textAt(created, "slug")))[name], shape);
  },
}));

const agentRules: readonly ConformanceRule[] = rulesOf("Agent", [
  ...agentRows,
  {
    id: "agent.tokens.items",
    title: "each of an agent's tokens is { prefix, created_at, last_used_at or null }",
    async check(context) {
      const created = (await createAgent(context)).agent;
      const shape = objectWith({ prefix: nonEmptyString, created_at: timestamp, last_used_at: orNull(timestamp) });
      const tokens = rowsAt(await listedAgent(context, textAt(created, "slug")), "tokens");
      expectSame("the number of tokens", tokens.length, 1);
      expectShape("the token", tokens[0], shape);
    },
  },
  {
    id: "agent.abilities",
    title: "granted_abilities is 0 for a new agent",
    async check(context) {
      expectSame("granted_abilities", (await createAgent(context)).agent.granted_abilities, 0);
    },
  },
  {
    id: "agent.token.once",
    title: "an agent's full token is in the creation response and in no response after it",
    async check(context) {
      const { agent: created, path, token } = await createAgent(context);
      expectShape("token", created.token, nonEmptyString);
      expectHidden(await context.admin.get("agents"), token);
      expectHidden(await context.admin.patch(path, { description: "Changed" }), token);
      expectSame("token in the listing", (await listedAgent(context, textAt(created, "slug"))).token, undefined);
    },
  },
  {
    id: "agent.prefix",
    title: "a token prefix is the first twelve characters of the token",
    async check(context) {
      const { agent: created, token } = await createAgent(context);
      expectSame("the prefixes", prefixesOf(await listedAgent(context, textAt(created, "slug"))), [token.slice(0, 12)]);
    },
  },
  {
    id: "key.prefix",
    title: "a service key is addressed by its prefix, the first twelve characters of its token",
    async check(context) {
      const { key, token } = await keyWith(context, {});
      expectSame("prefix", key.prefix, token.slice(0, 12));
      expectStatus(await context.admin.patch(`api_keys/${token.slice(0, 12)}`, { name: context.name("renamed") }), 200);
    },
  },
  {
    id: "key.permissions",
    title: "a service key has a permissions set",
    async check(context) {
      const { key } = await keyWith(context, { severities: ["read"] });
      const listed = (await listMembers(context, keys)).find((entry) => entry.prefix === key.prefix);
      expectSame("permissions", listed?.permissions, { severities: ["read"] });
    },
  },
  {
    id: "key.token.once",
    title: "listings never contain a token: a service key's is in its creation response only",
    async check(context) {
      const { key, token } = await keyWith(context, {});
      expectShape("token", key.token, nonEmptyString);
      expectHidden(await context.admin.get("api_keys"), token);
      expectHidden(
        await context.admin.patch(`api_keys/${textAt(key, "prefix")}`, { name: context.name("renamed") }),
        token,
      );
    },
  },
]);

const replacing: readonly ConformanceRule[] = rulesOf("Configuration resources", [
  {
    id: "resources.7",
    title: "7: sending permissions replaces the whole set",
    async check(context) {
      const { key, client } = await keyWith(context, { severities: ["read"], statuses: ["read"] });
      const path = memberPath(keys, key);
      const exchange = await context.admin.patch(path, { permissions: { statuses: ["read"] } });
      expectSame("permissions", memberOf(exchange).permissions, { statuses: ["read"] }, exchange);
      expectRefusal(await client.get("severities"), 403, "forbidden");
      expectStatus(await client.get("statuses"), 200);
    },
  },
  {
    id: "resources.7.omitted",
    title: "7: a change without permissions leaves the set as it was",
    async check(context) {
      const { key } = await keyWith(context, { severities: ["read"] });
      const exchange = await context.admin.patch(memberPath(keys, key), { name: context.name("renamed") });
      expectSame("permissions", memberOf(exchange).permissions, { severities: ["read"] }, exchange);
    },
  },
]);

async function grant(context: RuleContext, holder: Fields, ability: string): Promise<Exchange> {
  const exchange = await context.admin.post("grants", {
    principal_kind: "agent",
    principal_id: holder.id ?? null,
    ability,
  });
  const id = textAt(exchange.body, "id");
  if (id !== "") context.cleanup(() => context.admin.delete(`grants/${id}`));
  return exchange;
}

const endpoints: readonly ConformanceRule[] = rulesOf("Reference data and configuration", [
  {
    id: "agents.create",
    title: "an agent takes name and description, and its creation returns the token once",
    async check(context) {
      const created = (await createAgent(context)).agent;
      expectSame("description", created.description, "Made by the conformance suite");
      expectShape("token", created.token, nonEmptyString);
    },
  },
  {
    id: "keys.create",
    title: "creating a service key returns its token once, and the token works",
    async check(context) {
      const { token } = await keyWith(context, { severities: ["read"] });
      expectSame("the token accepted", await isAccepted(context, token), true);
    },
  },
  {
    id: "agents.rotate",
    title: "rotate issues a second token; the first keeps working",
    async check(context) {
      const { agent: created, path, token } = await createAgent(context);
      const second = await rotate(context, path);
      expectThat(second !== token, "another token", "the same token");
      expectSame("the first token accepted", await isAccepted(context, token), true);
      expectSame("the second token accepted", await isAccepted(context, second), true);
      const prefixes = prefixesOf(await listedAgent(context, textAt(created, "slug")));
      expectSame("the prefixes", [...prefixes].sort(), [token.slice(0, 12), second.slice(0, 12)].sort());
    },
  },
  {
    id: "agents.token.end",
    title: "DELETE of a token prefix ends that token and no other",
    async check(context) {
      const { agent: created, path, token } = await createAgent(context);
      const second = await rotate(context, path);
      expectSuccess(await context.admin.delete(`${path}/tokens/${token.slice(0, 12)}`));
      expectRefusal(await context.bearer(token).get("severities"), 401, "unauthorized");
      expectSame("the other token accepted", await isAccepted(context, second), true);
      expectSame("the prefixes", prefixesOf(await listedAgent(context, textAt(created, "slug"))), [
        second.slice(0, 12),
      ]);
    },
  },
  {
    id: "agents.token.unknown",
    title: "ending a token the agent does not have returns 404",
    async check(context) {
      const { path } = await createAgent(context);
      expectRefusal(await context.admin.delete(`${path}/tokens/ff_000000000`), 404, "not_found");
    },
  },
  {
    id: "grants.post",
    title: "POST grants gives an agent an ability, which then counts and works",
    async check(context) {
      const { agent: created, token } = await createAgent(context);
      expectRefusal(await context.bearer(token).get("severities"), 403, "forbidden");
      expectSuccess(await grant(context, created, "severities.read"));
      expectStatus(await context.bearer(token).get("severities"), 200);
      expectSame("granted_abilities", (await listedAgent(context, textAt(created, "slug"))).granted_abilities, 1);
    },
  },
  {
    id: "grants.get",
    title: "GET grants lists the abilities given",
    async check(context) {
      const { agent: created } = await createAgent(context);
      expectSuccess(await grant(context, created, "runbooks.read"));
      const exchange = await context.admin.get("grants");
      expectStatus(exchange, 200);
      expectThat(
        exchange.text.includes("runbooks.read") && exchange.text.includes(textAt(created, "id")),
        "the grant in the list",
        exchange.body ?? null,
        exchange,
      );
    },
  },
  {
    id: "grants.again",
    basis: "wire",
    title: "granting what is granted returns 200 instead of 201 and adds nothing",
    async check(context) {
      const { agent: created } = await createAgent(context);
      expectStatus(await grant(context, created, "runbooks.read"), 201);
      expectStatus(await grant(context, created, "runbooks.read"), 200);
      expectSame("granted_abilities", (await listedAgent(context, textAt(created, "slug"))).granted_abilities, 1);
    },
  },
  {
    id: "grants.ungrantable",
    basis: "wire",
    title: "an unknown or admin-only ability cannot be granted: 404",
    async check(context) {
      const { agent: created } = await createAgent(context);
      for (const ability of ["api_keys.read", "permissions.create", "nothing.read"]) {
        expectRefusal(await grant(context, created, ability), 404);
      }
    },
  },
  {
    id: "tokens.form",
    basis: "wire",
    title: "a token is ff_ and 36 base58 characters",
    async check(context) {
      const { token } = await createAgent(context);
      expectThat(
        /^ff_[1-9A-HJ-NP-Za-km-z]{36}$/.test(token),
        "ff_ and 36 base58 characters",
        `${token.slice(0, 3)}… of ${token.length}`,
      );
    },
  },
  {
    id: "keys.inactive",
    basis: "wire",
    title: "active: false ends a service key until it is set true again",
    async check(context) {
      const { key, token } = await keyWith(context, { severities: ["read"] });
      expectStatus(await context.admin.patch(memberPath(keys, key), { active: false }), 200);
      expectRefusal(await context.bearer(token).get("severities"), 401, "unauthorized");
      const exchange = await context.admin.patch(memberPath(keys, key), { active: true });
      expectSame("active", at(memberOf(exchange), "active"), true, exchange);
      expectSame("the token accepted", await isAccepted(context, token), true);
    },
  },
]);

/** The rules of agents, service keys and grants. */
export const tokenRules: readonly ConformanceRule[] = [...agentRules, ...replacing, ...endpoints];
