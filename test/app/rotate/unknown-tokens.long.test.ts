/** A rotation under an intermediary that repeats, refuses and mixes up: every token is stored or named, and each resource keeps one. */

import { describe, expect, test } from "vitest";
import { rotate } from "../../../src/app/rotate/rotate-command.ts";
import type { RotateOptions } from "../../../src/app/rotate/rotate-definition.ts";
import { objectsIn } from "../../../src/core/json.ts";
import { openTestWorld, type World } from "../../commands/world.ts";
import { type Fetch, rowsOf, runWithin, storedTokens } from "../../recovery/runs/interrupted.ts";
import { sentTwice } from "../../support/service/sent-twice.ts";

const APPROVED = { secretsOut: "tokens.jsonl", allowDelete: true, yes: true };
const NAMED = "has a token that this run neither issued nor planned with";

/** A kind whose resource is rotated. */
interface Rotated {
  readonly address: string;
  readonly issue: string;
  readonly body: object;
  /** The same request about a resource of somebody else. */
  readonly foreign: { readonly issue: string; readonly body: object };
  readonly tokens: (world: World) => Promise<readonly string[]>;
}

const AGENT: Rotated = {
  address: "agents/triage_bot",
  issue: "/api/v1/agents/triage_bot/rotate",
  body: {},
  foreign: { issue: "/api/v1/agents/other_bot/rotate", body: {} },
  tokens: async (world) =>
    (await rowsOf(world, "agents"))
      .filter(({ slug }) => slug === "triage_bot")
      .flatMap(({ tokens }) => objectsIn(tokens))
      .map(({ prefix }) => String(prefix)),
};

const KEY: Rotated = {
  address: "api_keys/deploy bot",
  issue: "/api/v1/api_keys",
  body: { name: "deploy bot", permissions: { incidents: ["read"] } },
  foreign: { issue: "/api/v1/api_keys", body: { name: "other bot", permissions: { incidents: ["read"] } } },
  tokens: async (world) =>
    (await rowsOf(world, "api_keys")).filter(({ name }) => name === "deploy bot").map(({ prefix }) => String(prefix)),
};

async function opened(): Promise<World> {
  const world = await openTestWorld({});
  await world.send("POST", "/api/v1/agents", { name: "Triage bot", slug: "triage_bot" });
  await world.send("POST", "/api/v1/agents", { name: "Other bot", slug: "other_bot" });
  if ((await KEY.tokens(world)).length === 0) await world.send("POST", KEY.issue, KEY.body);
  world.requests.length = 0;
  return world;
}

/** An answer to the request for a token, and whether the service gets the request. */
type Meddling = (send: () => Promise<Response>) => Promise<Response>;

/** The connection with an intermediary that answers the first requests for a token. */
function through(world: World, meddling: Meddling, times = 1): Fetch {
  let count = 0;
  return async (input, init) => {
    const send = () => world.io.fetch(input, init) as Promise<Response>;
    return init.method === "POST" && ++count <= times ? meddling(send) : send();
  };
}

const refusal = (status: number): Response =>
  Response.json(
    { error: { type: status === 429 ? "rate_limited" : "refused", message: "no", request_id: "r1" } },
    { status, headers: status === 429 ? { "retry-after": "1" } : {} },
  );

const doneButRefused =
  (status: number): Meddling =>
  async (send) => {
    await send();
    return refusal(status);
  };

const MEDDLINGS: Readonly<Record<string, Meddling>> = {
  ...sentTwice<Response>(),
  ...Object.fromEntries(
    [401, 403, 404, 409, 422, 429].map((status) => [`carried out, answered by ${status}`, doneButRefused(status)]),
  ),
};

/** A rotation, and the tokens after it. */
interface Turn {
  readonly exit: number;
  readonly output: string;
  readonly live: readonly string[];
  /** Those that nobody holds. */
  readonly unknown: readonly string[];
}

async function turn(world: World, rotated: Rotated, former: readonly string[], given: Turned = {}): Promise<Turn> {
  const { fetch, ...options } = given;
  const request: RotateOptions = { resources: [rotated.address], ...APPROVED, ...options };
  const { exit, stdout, stderr } = await runWithin(world, rotate, request, fetch === undefined ? {} : { fetch });
  const [live, stored] = [await rotated.tokens(world), await storedTokens(world)];
  const unknown = live.filter((prefix) => !stored.includes(prefix) && !former.includes(prefix));
  expect(live.length - unknown.length, `no held token\n${stdout}${stderr}`).toBeGreaterThan(0);
  return { exit, output: stdout + stderr, live, unknown };
}

type Turned = Partial<RotateOptions> & { readonly fetch?: Fetch };

describe.each([AGENT, KEY])("the rotation of $address", (rotated) => {
  test.each(Object.entries(MEDDLINGS))("names the token that nobody holds: %s", async (_name, meddling) => {
    const world = await opened();
    const former = await rotated.tokens(world);
    let last = await turn(world, rotated, former, { fetch: through(world, meddling) });
    for (let more = 0; more < 3 && last.unknown.length === 0 && last.exit !== 0; more++)
      last = await turn(world, rotated, former);
    expect(last.unknown.length === 0, last.output).toBe(last.exit === 0);
    for (const prefix of last.unknown) {
      expect(last.output).toContain(`${rotated.address} ${NAMED}: ${prefix}`);
      const word = rotated.address.includes(" ") ? `'${rotated.address}'` : rotated.address;
      expect(last.output).toContain(`incidentctl rotate ${word} --revoke --token ${prefix} --allow-delete`);
    }
    expect(last.unknown.length, last.output).toBeLessThanOrEqual(1);
    // The same command goes on to name it.
    const again = await turn(world, rotated, former);
    if (again.unknown.length > 0) expect(again.exit, again.output).not.toBe(0);
    for (const prefix of again.unknown) {
      expect(again.output).toContain(prefix);
      const ended = await turn(world, rotated, former, { revoke: true, token: [prefix] });
      expect([ended.exit, ended.unknown], ended.output).toEqual([0, []]);
    }
  });

  const OLD: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
    "that still works": (world) => world.send("POST", rotated.issue, rotated.body),
    "that was revoked": async (world) => {
      const old = (await world.send("POST", rotated.issue, rotated.body)) as Record<string, unknown>;
      const prefix = String(old.token).slice(0, 12);
      const path = rotated === AGENT ? `/api/v1/agents/triage_bot/tokens/${prefix}` : `/api/v1/api_keys/${prefix}`;
      await world.send("DELETE", path);
      return old;
    },
    "of somebody else": (world) => world.send("POST", rotated.foreign.issue, rotated.foreign.body),
  };
  for (const [name, make] of Object.entries(OLD)) {
    for (const isDone of [false, true]) {
      for (const sink of [APPROVED, { ...APPROVED, secretsOut: undefined, secretsExec: "/bin/false" }]) {
        const title = `${name}, answered as new, ${isDone ? "" : "not "}done, ${sink === APPROVED ? "" : "failing sink"}`;
        test(`takes no token for its own: one ${title}`, async () => {
          const world = await opened();
          const answer = await make(world);
          const former = await rotated.tokens(world);
          const all = async () => [...(await AGENT.tokens(world)), ...(await rowsOf(world, "api_keys"))].length;
          const count = await all();
          const token = rotated === KEY ? former.slice(0, 1) : [];
          const fetch = through(world, async (send) => {
            if (isDone) await send();
            return Response.json(answer as object, { status: 201 });
          });
          const { secretsOut: _none, ...failing } = sink;
          const given = sink === APPROVED ? sink : (failing as Turned);
          const first = await turn(world, rotated, former, { ...given, token, fetch });
          if (first.exit !== 0) expect(await all(), first.output).toBeGreaterThanOrEqual(count);
          if (first.exit === 0) expect(first.unknown, first.output).toEqual([]);
          expect(JSON.stringify(await storedTokens(world))).not.toContain(
            name === "that was revoked" ? "nothing" : String((answer as { token: string }).token).slice(0, 12),
          );
        });
      }
    }
  }
});
