import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Fields, Json } from "../../../../src/core/json.ts";
import { createEmulator, type Emulator } from "../../../../src/emulator/emulator.ts";
import { column, errorOf, listResources, send } from "../../client.ts";

let emulator: Emulator;
beforeEach(() => {
  emulator = createEmulator();
});
afterEach(() => emulator.close());

async function create(body: Fields): Promise<Fields & { readonly token: string; readonly prefix: string }> {
  const response = await send(emulator, "POST", "/api_keys", body);
  expect(response).toMatchObject({ status: 201 });
  return { ...response.body, token: String(response.body.token), prefix: String(response.body.prefix) };
}

async function statusOf(token: string, path = "/severities"): Promise<number> {
  return (await send(emulator, "GET", path, undefined, token)).status;
}

describe("Authentication, rule 7", () => {
  test("only the creation response contains the token, and its first twelve characters name it", async () => {
    const created = await create({ name: "CI", permissions: { severities: ["read"] } });
    expect(created.token).toMatch(/^ff_[1-9A-HJ-NP-Za-km-z]{36}$/);
    expect(created.prefix).toBe(created.token.slice(0, 12));
    expect(await statusOf(created.token)).toBe(200);
    const listing = await send(emulator, "GET", "/api_keys");
    const changed = await send(emulator, "PATCH", `/api_keys/${created.prefix}`, { name: "CD" });
    expect(JSON.stringify([listing.body, changed.body])).not.toContain(created.token);
    expect(changed.body).toEqual({
      id: created.id,
      name: "CD",
      active: true,
      prefix: created.prefix,
      expires_at: null,
      last_used_at: expect.any(String),
      permissions: { severities: ["read"] },
    });
  });

  test("the emulator's own key is not listed, and keys are listed newest first", async () => {
    expect(await listResources(emulator, "/api_keys")).toEqual([]);
    for (const name of ["A", "B", "B"]) await create({ name });
    expect(await column(emulator, "/api_keys", "name")).toEqual(["B", "B", "A"]);
    const own = emulator.serviceToken.slice(0, 12);
    expect((await send(emulator, "DELETE", `/api_keys/${own}`)).status).toBe(404);
  });
});

describe("Authentication, rule 5", () => {
  test.each<[Json, string]>([
    [{ api_keys: ["read"] }, "cannot hold api_keys.read"],
    [{ permissions: ["update"] }, "cannot hold permissions.update"],
    [{ severities: ["fly"] }, "cannot hold severities.fly"],
    [{ everything: ["read"] }, "cannot hold everything.read"],
    [{ map: ["update"] }, "cannot hold map.update"],
    [{ severities: "read" }, "of severities must be a list of actions"],
  ])("the permissions %j are refused", async (permissions, message) => {
    const refused = { status: 422, errors: [{ field: "permissions", message }] };
    const created = await send(emulator, "POST", "/api_keys", { name: "CI", permissions });
    expect({ status: created.status, errors: errorOf(created).errors }).toEqual(refused);
    const { prefix } = await create({ name: "Kept", permissions: { statuses: ["read"] } });
    const changed = await send(emulator, "PATCH", `/api_keys/${prefix}`, { name: "Lost", permissions });
    expect({ status: changed.status, errors: errorOf(changed).errors }).toEqual(refused);
    expect(await listResources(emulator, "/api_keys")).toMatchObject([
      { name: "Kept", permissions: { statuses: ["read"] } },
    ]);
  });
});

describe("Configuration resources, rule 7", () => {
  test("permissions replace the whole set, {} clears it, and they come back sorted", async () => {
    const { prefix, token } = await create({ name: "CI", permissions: { statuses: ["read", "create", "read"] } });
    const path = `/api_keys/${prefix}`;
    expect((await send(emulator, "PATCH", path, { name: "CD" })).body.permissions).toEqual({
      statuses: ["create", "read"],
    });
    const replaced = await send(emulator, "PATCH", path, { permissions: { severities: ["update", "read"] } });
    expect(replaced.body.permissions).toEqual({ severities: ["read", "update"] });
    expect([await statusOf(token, "/statuses"), await statusOf(token)]).toEqual([403, 200]);
    expect((await send(emulator, "PATCH", path, { permissions: {} })).body.permissions).toEqual({});
    expect(await statusOf(token)).toBe(403);
  });

  test("permissions contain direct grants, and grants of permission sets survive a replacement", async () => {
    const { id, prefix, token } = await create({ name: "CI" });
    const principal = { principal_kind: "api_key", principal_id: id ?? null };
    await send(emulator, "POST", "/grants", { ...principal, ability: "runbooks.update" });
    await send(emulator, "POST", "/grants", { ...principal, permission_set: "read_everything" });
    expect(await listResources(emulator, "/api_keys")).toMatchObject([{ permissions: { runbooks: ["update"] } }]);
    await send(emulator, "PATCH", `/api_keys/${prefix}`, { permissions: {} });
    expect(await statusOf(token)).toBe(200);
  });
});

describe("Service keys", () => {
  test("name is required", async () => {
    expect((await send(emulator, "POST", "/api_keys", {})).status).toBe(400);
    expect((await send(emulator, "POST", "/api_keys", { name: " " })).status).toBe(422);
  });
});

test("dialect envelope: wrapped puts a key and its token under api_key", async () => {
  const wrapping = createEmulator({ dialects: { envelope: "wrapped" } });
  const { body } = await send(wrapping, "POST", "/api_keys", { name: "CI" });
  expect(body).toEqual({ api_key: expect.objectContaining({ name: "CI", token: expect.any(String) }) });
  wrapping.close();
});
