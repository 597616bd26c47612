import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Fields } from "../../../../src/core/json.ts";
import { createEmulator, type Emulator } from "../../../../src/emulator/emulator.ts";
import { column, listResources, send } from "../../client.ts";

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
  test("the emulator's own key is not listed, and keys are listed newest first", async () => {
    expect(await listResources(emulator, "/api_keys")).toEqual([]);
    for (const name of ["A", "B", "B"]) await create({ name });
    expect(await column(emulator, "/api_keys", "name")).toEqual(["B", "B", "A"]);
    const own = emulator.serviceToken.slice(0, 12);
    expect((await send(emulator, "DELETE", `/api_keys/${own}`)).status).toBe(404);
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
