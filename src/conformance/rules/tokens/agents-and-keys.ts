/** Rules of agents, service keys and grants: tokens shown once, prefixes, rotation, and what a new principal may do. */

import type { Fields } from "../../../core/json.ts";
import { type Expected, exactly, likeKept, row } from "../../expected.ts";
import { made, posted } from "../../fixtures/given.ts";
import { forEach, type RowStep, type Rules, rulesOf, type StepOutcome } from "../../row.ts";
import type { ConformanceRule } from "../../rule.ts";
import {
  absent,
  array,
  boolean,
  integer,
  nonEmptyString,
  orNull,
  string,
  stringLike,
  timestamp,
  uuid,
} from "../../value-shape.ts";

const agentFields = {
  id: uuid,
  name: nonEmptyString,
  slug: nonEmptyString,
  description: orNull(string),
  enabled: boolean,
  granted_abilities: integer,
  tokens: array,
};

const agent = { agent: made("agents") };
const key = { key: made("api_keys", { permissions: { severities: ["read"] } }) };
const rotated = { ...agent, second: posted("agents/{agent.slug}/rotate") };

function listedAgent(members: Expected): RowStep {
  return { request: "LIST agents", shows: row({ slug: "{agent.slug}" }, members) };
}

/** A request with the token. Without an outcome: the token is known, whatever it may do. */
function asks(token: string, outcome: StepOutcome = { status: "2xx or 403" }, path = "severities"): RowStep {
  return { request: `GET ${path}`, as: token, ...outcome };
}

function changedKey(body: Fields, outcome: StepOutcome = {}): RowStep {
  return { request: "PATCH api_keys/{key.prefix}", body, ...outcome };
}

const unauthorized: StepOutcome = { refusal: "401 unauthorized" };

const shown: Rules = {
  ...forEach(Object.entries(agentFields), ([name, shape]) => ({
    [`agent.field.${name}`]: {
      title: `an agent's ${name} is ${shape.description}, on creation and in the listing`,
      given: { agent: made("agents", {}, { [name]: shape }) },
      steps: [listedAgent({ [name]: shape })],
    },
  })),
  "agent.tokens.items": {
    title: "each of an agent's tokens is { prefix, created_at, last_used_at or null }",
    given: agent,
    steps: [
      listedAgent({ tokens: [{ prefix: nonEmptyString, created_at: timestamp, last_used_at: orNull(timestamp) }] }),
    ],
  },
  "agent.abilities": {
    title: "granted_abilities is 0 for a new agent",
    given: { agent: made("agents", {}, { granted_abilities: 0 }) },
    steps: [listedAgent({ granted_abilities: 0 })],
  },
  "agent.token.once": {
    title: "an agent's full token is in the creation response and in no response after it",
    given: { agent: made("agents", {}, { token: nonEmptyString }) },
    steps: [
      { request: "GET agents", hides: "{agent.token}" },
      { request: "PATCH agents/{agent.slug}", body: { description: "Changed" }, hides: "{agent.token}" },
      listedAgent({ token: absent }),
    ],
  },
  "agent.prefix": {
    title: "a token prefix is the first twelve characters of the token",
    given: agent,
    steps: [listedAgent({ tokens: [{ prefix: "{agent.token.prefix}" }] })],
  },
  "key.prefix": {
    title: "a service key is addressed by its prefix, the first twelve characters of its token",
    given: { key: made("api_keys", {}, { token: nonEmptyString }) },
    steps: [
      {
        request: "PATCH api_keys/{key.token.prefix}",
        body: { name: "{new.renamed}" },
        shows: { prefix: "{key.token.prefix}" },
      },
    ],
  },
  "key.permissions": {
    title: "a service key has a permissions set",
    given: key,
    steps: [
      {
        request: "LIST api_keys",
        shows: row({ prefix: "{key.prefix}" }, { permissions: exactly({ severities: ["read"] }) }),
      },
    ],
  },
  "key.token.once": {
    title: "listings never contain a token: a service key's is in its creation response only",
    given: { key: made("api_keys", {}, { token: nonEmptyString }) },
    steps: [
      { request: "GET api_keys", hides: "{key.token}" },
      changedKey({ name: "{new.renamed}" }, { hides: "{key.token}" }),
    ],
  },
};

const replacing: Rules = {
  "resources.7": {
    title: "7: sending permissions replaces the whole set",
    given: { key: made("api_keys", { permissions: { severities: ["read"], statuses: ["read"] } }) },
    steps: [
      changedKey({ permissions: { statuses: ["read"] } }, { shows: { permissions: exactly({ statuses: ["read"] }) } }),
      asks("{key.token}", { refusal: "403 forbidden" }),
      asks("{key.token}", { status: "200" }, "statuses"),
    ],
  },
  "resources.7.omitted": {
    title: "7: a change without permissions leaves the set as it was",
    given: key,
    steps: [changedKey({ name: "{new.renamed}" }, { shows: { permissions: exactly({ severities: ["read"] }) } })],
  },
};

function granted(ability: string, outcome: StepOutcome = {}): RowStep {
  const body = { principal_kind: "agent", principal_id: "{agent.id}", ability };
  return { request: "POST grants", body, ...outcome };
}

const endpoints: Rules = {
  "agents.create": {
    title: "an agent takes name and description, and its creation returns the token once",
    given: {
      agent: made("agents", { description: "Watches" }, { description: "Watches", token: nonEmptyString }),
    },
    steps: [listedAgent({ description: "Watches" })],
  },
  "keys.create": {
    title: "creating a service key returns its token once, and the token works",
    given: key,
    steps: [asks("{key.token}", { status: "200" })],
  },
  "agents.rotate": {
    title: "rotate issues a second token; the first keeps working",
    given: rotated,
    steps: [
      listedAgent({ tokens: [{}, {}] }),
      listedAgent({ tokens: row({ prefix: "{agent.token.prefix}" }) }),
      listedAgent({ tokens: row({ prefix: "{second.token.prefix}" }) }),
      asks("{agent.token}"),
      asks("{second.token}"),
    ],
  },
  "agents.token.end": {
    title: "DELETE of a token prefix ends that token and no other",
    given: rotated,
    steps: [
      { request: "DELETE agents/{agent.slug}/tokens/{agent.token.prefix}" },
      { request: "DELETE agents/{agent.slug}/tokens/{agent.token.prefix}", refusal: "404 not_found" },
      asks("{agent.token}", unauthorized),
      asks("{second.token}"),
      listedAgent({ tokens: [{ prefix: "{second.token.prefix}" }] }),
    ],
  },
  "agents.token.unknown": {
    title: "ending a token the agent does not have returns 404",
    given: agent,
    steps: [{ request: "DELETE agents/{agent.slug}/tokens/ff_000000000", refusal: "404 not_found" }],
  },
  "grants.post": {
    title: "POST grants gives an agent an ability, which then counts and works",
    given: agent,
    steps: [
      asks("{agent.token}", { refusal: "403 forbidden" }),
      granted("severities.read"),
      asks("{agent.token}", { status: "200" }),
      listedAgent({ granted_abilities: 1 }),
    ],
  },
  "grants.get": {
    title: "GET grants lists the abilities given",
    given: agent,
    steps: [
      granted("runbooks.read"),
      { request: "GET grants", mentions: ["runbooks.read"] },
      { request: "GET grants", mentions: ["{agent.id}"] },
    ],
  },
  "grants.again": {
    basis: "wire",
    title: "granting what is granted returns 200 instead of 201 and adds nothing",
    given: agent,
    steps: [
      granted("runbooks.read", { status: "201" }),
      granted("runbooks.read", { status: "200" }),
      listedAgent({ granted_abilities: 1 }),
    ],
  },
  "grants.shown": {
    basis: "wire",
    title: "the list shows a grant with every field that its creation returned",
    given: agent,
    steps: [
      granted("runbooks.read", {
        shows: { id: uuid, ability: "runbooks.read", principal: { kind: "agent", id: "{agent.id}" } },
        keep: "grant",
      }),
      { request: "LIST grants", shows: row({ id: "{grant.id}" }, likeKept("grant")) },
    ],
  },
  "agents.rotate.status": {
    basis: "wire",
    title: "rotating returns 201, ending a token 204 with an empty body",
    given: agent,
    steps: [
      { request: "POST agents/{agent.slug}/rotate", status: "201", keep: "second" },
      { request: "DELETE agents/{agent.slug}/tokens/{second.token.prefix}", status: "204", shows: absent },
    ],
  },
  "grants.ungrantable": {
    basis: "wire",
    title: "an unknown or admin-only ability cannot be granted: 404",
    given: agent,
    steps: ["api_keys.read", "permissions.create", "workspace.update", "nothing.read"].map((each) =>
      granted(each, { refusal: "404" }),
    ),
  },
  "tokens.form": {
    basis: "wire",
    title: "a token is ff_ and 36 base58 characters",
    given: { agent: made("agents", {}, { token: stringLike("a token", /^ff_[1-9A-HJ-NP-Za-km-z]{36}$/) }) },
    steps: [],
  },
  "keys.inactive": {
    basis: "wire",
    title: "active: false ends a service key until it is set true again",
    given: key,
    steps: [
      changedKey({ active: false }),
      asks("{key.token}", unauthorized),
      changedKey({ active: true }, { shows: { active: true } }),
      asks("{key.token}"),
    ],
  },
};

/** The rules of agents, service keys and grants. */
export const tokenRules: readonly ConformanceRule[] = [
  ...rulesOf("Agent", shown),
  ...rulesOf("Configuration resources", replacing),
  ...rulesOf("Reference data and configuration", endpoints),
];
