import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Fields, isFields, isList } from "../../../../src/core/json.ts";
import { createEmulator, type Emulator } from "../../../../src/emulator/emulator.ts";
import { column, errorOf, listResources, send } from "../../client.ts";

let emulator: Emulator;
let now: Date;
beforeEach(() => {
  now = new Date("2026-01-01T00:00:00Z");
  emulator = createEmulator({ now: () => now });
});
afterEach(() => emulator.close());

async function create(body: Fields): Promise<Fields & { readonly token: string }> {
  const response = await send(emulator, "POST", "/agents", body);
  expect(response).toMatchObject({ status: 201 });
  return { ...response.body, token: String(response.body.token) };
}

async function grant({ id }: Fields, ability: string): Promise<void> {
  const body = { principal_kind: "agent", principal_id: id ?? null, ability };
  expect((await send(emulator, "POST", "/grants", body)).status).toBe(201);
}

async function statusOf(token: string): Promise<number> {
  return (await send(emulator, "GET", "/severities", undefined, token)).status;
}

/** The listed token prefixes of the only agent. */
async function prefixes(): Promise<readonly unknown[]> {
  const [agent = {}] = await listResources(emulator, "/agents");
  return isList(agent.tokens) ? agent.tokens.filter(isFields).map(({ prefix }) => prefix) : [];
}

describe("Authentication, rules 6 and 7", () => {
  test("a new agent has no abilities until some are granted, and its token is returned once", async () => {
    const created = await create({ name: "Triage bot", description: "Sorts alerts" });
    const prefix = created.token.slice(0, 12);
    expect(created).toEqual({
      id: expect.any(String),
      name: "Triage bot",
      slug: "triage_bot",
      description: "Sorts alerts",
      enabled: true,
      granted_abilities: 0,
      tokens: [{ prefix, created_at: "2026-01-01T00:00:00.000Z", last_used_at: null }],
      token: expect.stringMatching(/^ff_[1-9A-HJ-NP-Za-km-z]{36}$/),
    });
    expect(await statusOf(created.token)).toBe(403);
    await grant(created, "severities.read");
    expect(await statusOf(created.token)).toBe(200);
    const listing = await send(emulator, "GET", "/agents");
    expect(listing.body.agents).toMatchObject([
      { granted_abilities: 1, tokens: [{ prefix, last_used_at: "2026-01-01T00:00:00.000Z" }] },
    ]);
    expect(JSON.stringify(listing.body)).not.toContain(created.token);
  });

  test("the tokens of an agent are listed with the newest first", async () => {
    const created = await create({ name: "Bot" });
    now = new Date("2026-01-02T00:00:00Z");
    const second = String((await send(emulator, "POST", "/agents/bot/rotate")).body.token);
    expect(await prefixes()).toEqual([second.slice(0, 12), created.token.slice(0, 12)]);
    await send(emulator, "DELETE", `/agents/bot/tokens/${created.token.slice(0, 12)}`);
    expect(await prefixes()).toEqual([second.slice(0, 12)]);
  });

  test("an agent's token cannot be revoked through another agent", async () => {
    const created = await create({ name: "Bot" });
    await create({ name: "Other" });
    expect((await send(emulator, "DELETE", `/agents/other/tokens/${created.token.slice(0, 12)}`)).status).toBe(404);
  });
});

describe("Authentication, rule 5", () => {
  test("no agent and no service key creates an agent or widens its access", async () => {
    const created = await create({ name: "Bot" });
    const own = { principal_kind: "agent", principal_id: created.id ?? null, ability: "severities.read" };
    for (const token of [created.token, emulator.serviceToken]) {
      for (const [method, path, body] of [
        ["GET", "/agents", undefined],
        ["POST", "/agents", { name: "Second" }],
        ["PATCH", "/agents/bot", { enabled: true }],
        ["DELETE", "/agents/bot", undefined],
        ["POST", "/agents/bot/rotate", undefined],
        ["POST", "/grants", own],
        ["GET", "/abilities", undefined],
        ["GET", "/principals", undefined],
        ["POST", "/permission_sets", { name: "Mine" }],
      ] as const) {
        const response = await send(emulator, method, path, body, token);
        expect([path, response.status, errorOf(response).type]).toEqual([path, 403, "forbidden"]);
      }
    }
  });
});

describe("Agents", () => {
  test("a requested slug is used in every dialect; a derived one keeps hyphens and is then refused", async () => {
    expect((await create({ name: "Support-bot", slug: "support_bot" })).slug).toBe("support_bot");
    const derived = await send(emulator, "POST", "/agents", { name: "Support-bot" });
    const sent = await send(emulator, "POST", "/agents", { name: "Support", slug: "Support bot" });
    const taken = await send(emulator, "POST", "/agents", { name: "Support bot" });
    for (const response of [derived, sent, taken]) {
      expect([response.status, errorOf(response).errors]).toMatchObject([422, [{ field: "slug" }]]);
    }
    expect((await send(emulator, "POST", "/agents", { description: "nameless" })).status).toBe(400);
  });

  test("they are listed by name, and changed without changing their slug", async () => {
    for (const name of ["B", "A"]) await create({ name, description: "x" });
    const nulls = { name: null, description: null, enabled: null, slug: "z" };
    expect((await send(emulator, "PATCH", "/agents/b", nulls)).body).toMatchObject({ name: "B", description: "x" });
    const changed = await send(emulator, "PATCH", "/agents/b", { name: "First", description: "" });
    expect(changed.body).toMatchObject({ name: "First", slug: "b", description: null });
    expect(await column(emulator, "/agents", "name")).toEqual(["A", "First"]);
  });

  test("disabling an agent invalidates its tokens, and deleting it removes tokens and grants", async () => {
    const created = await create({ name: "Bot" });
    await grant(created, "severities.read");
    await send(emulator, "PATCH", "/agents/bot", { enabled: false });
    expect(await statusOf(created.token)).toBe(401);
    await send(emulator, "PATCH", "/agents/bot", { enabled: true });
    expect(await statusOf(created.token)).toBe(200);
    expect((await send(emulator, "DELETE", "/agents/bot")).status).toBe(204);
    expect(await statusOf(created.token)).toBe(401);
    expect(await listResources(emulator, "/grants")).toEqual([]);
    expect((await send(emulator, "POST", "/agents/bot/rotate")).status).toBe(404);
  });
});
