import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Fields, Json } from "../../../../src/core/json.ts";
import type { Dialects } from "../../../../src/emulator/dialects.ts";
import { createEmulator, type Emulator } from "../../../../src/emulator/emulator.ts";
import { errorOf, type JsonResponse, listResources, send } from "../../client.ts";

let emulator: Emulator;
let now: Date;
let agent: Fields;
beforeEach(async () => {
  now = new Date("2026-01-01T00:00:00Z");
  await start({});
});
afterEach(() => emulator.close());

async function start(dialects: Partial<Dialects>): Promise<void> {
  emulator = createEmulator({ now: () => now, dialects });
  agent = (await send(emulator, "POST", "/agents", { name: "Bot" })).body;
  for (const name of ["Staging", "Production"]) {
    await send(emulator, "POST", "/catalog/types/environment/entries", { name });
  }
}

function post(body: Fields): Promise<JsonResponse> {
  return send(emulator, "POST", "/grants", { principal_kind: "agent", principal_id: agent.id ?? null, ...body });
}

async function mayRead(): Promise<boolean> {
  return (await send(emulator, "GET", "/runbooks", undefined, String(agent.token))).status === 200;
}

const future = "2026-02-01T00:00:00Z";

describe("Grants", () => {
  test("a grant gives an ability to a principal, with its environments sorted and without duplicates", async () => {
    const environments = ["staging", "production", "staging"];
    const response = await post({ ability: "runbooks.update", environments, expires_at: future });
    expect(response).toMatchObject({ status: 201 });
    expect(response.body).toEqual({
      id: expect.any(String),
      principal: { kind: "agent", id: agent.id, name: "Bot" },
      ability: "runbooks.update",
      permission_set: null,
      environments: ["production", "staging"],
      expires_at: "2026-02-01T00:00:00.000Z",
      expired: false,
      no_access: false,
      created_at: "2026-01-01T00:00:00.000Z",
    });
  });

  test("granting again is 200 and changes the same grant: absent limits mean all environments and no expiry", async () => {
    const first = await post({ ability: "runbooks.read", environments: ["staging"], expires_at: future });
    const second = await post({ ability: "runbooks.read" });
    expect([second.status, second.body]).toEqual([200, { ...first.body, environments: [], expires_at: null }]);
    expect(await listResources(emulator, "/grants")).toEqual([second.body]);
  });

  test("a change keeps absent limits, and a blank expiry clears it", async () => {
    const { id } = (await post({ ability: "runbooks.read", environments: ["staging"], expires_at: future })).body;
    const path = `/grants/${id}`;
    expect((await send(emulator, "PATCH", path, { environments: [] })).body).toMatchObject({
      environments: [],
      expires_at: "2026-02-01T00:00:00.000Z",
    });
    expect((await send(emulator, "PATCH", path, { expires_at: "" })).body.expires_at).toBeNull();
    expect((await send(emulator, "DELETE", path)).status).toBe(204);
    expect((await send(emulator, "PATCH", path, {})).status).toBe(404);
  });

  test("the list can be limited to one principal, and never contains the emulator's own key", async () => {
    const key = (await send(emulator, "POST", "/api_keys", { name: "CI" })).body;
    await post({ ability: "runbooks.read" });
    await post({ principal_kind: "api_key", principal_id: key.id ?? null, ability: "runbooks.read" });
    const visible = async (query: string): Promise<readonly Json[]> => {
      return (await listResources(emulator, `/grants${query}`)).map(
        ({ principal }) => (principal as Fields).kind ?? null,
      );
    };
    expect(await visible("")).toEqual(["agent", "api_key"]);
    expect(await visible(`?principal_kind=agent&principal_id=${agent.id}`)).toEqual(["agent"]);
    expect(await visible(`?principal_kind=agent&principal_id=${key.id}`)).toEqual([]);
  });

  test("an expired grant gives no access and is marked as expired", async () => {
    await post({ ability: "runbooks.read", expires_at: future });
    expect(await mayRead()).toBe(true);
    now = new Date("2026-02-01T00:00:00Z");
    expect(await mayRead()).toBe(false);
    expect(await listResources(emulator, "/grants")).toMatchObject([{ expired: true }]);
    expect(await listResources(emulator, "/agents")).toMatchObject([{ granted_abilities: 0 }]);
  });
});

describe("Disabled entries, rule 3", () => {
  test.each([
    ["any", 422, false],
    ["incidents", 204, true],
  ] as const)("delete_guard: %s, for an environment of a grant", async (delete_guard, status, no_access) => {
    emulator.close();
    await start({ delete_guard });
    await post({ ability: "runbooks.read", environments: ["staging"] });
    const entries = await listResources(emulator, "/catalog/types/environment/entries");
    const staging = entries.find(({ slug }) => slug === "staging");
    expect((await send(emulator, "DELETE", `/catalog/entries/${staging?.id}`)).status).toBe(status);
    expect(await listResources(emulator, "/grants")).toMatchObject([{ environments: ["staging"], no_access }]);
  });
});

describe("Permission sets", () => {
  test("a set gives all of its abilities, sorted, without those that cannot be granted", async () => {
    const abilities = ["runbooks.read", "permissions.read", "forms.read", "nothing.read", "forms.read"];
    const created = await send(emulator, "POST", "/permission_sets", { name: "Read-only", abilities });
    expect(created).toMatchObject({
      status: 201,
      body: { slug: "readonly", name: "Read-only", abilities: ["forms.read", "runbooks.read"], built_in: false },
    });
    await post({ permission_set: "readonly" });
    expect(await mayRead()).toBe(true);
    expect(await listResources(emulator, "/agents")).toMatchObject([{ granted_abilities: 2 }]);
    const changed = await send(emulator, "PATCH", "/permission_sets/readonly", { abilities: ["forms.read"] });
    expect(changed.body.abilities).toEqual(["forms.read"]);
    expect(await mayRead()).toBe(false);
  });

  test("a set in use cannot be deleted, and a built-in one can be neither changed nor deleted", async () => {
    await send(emulator, "POST", "/permission_sets", { name: "Mine", abilities: ["forms.read"] });
    await post({ permission_set: "mine" });
    const refused = await send(emulator, "DELETE", "/permission_sets/mine");
    expect(errorOf(refused).message).toBe("Mine is in use by 1 grant(s) and cannot be deleted.");
    const [grant] = await listResources(emulator, "/grants");
    await send(emulator, "DELETE", `/grants/${grant?.id}`);
    expect((await send(emulator, "DELETE", "/permission_sets/mine")).status).toBe(204);
    expect((await send(emulator, "DELETE", "/permission_sets/mine")).status).toBe(404);
    expect((await send(emulator, "PATCH", "/permission_sets/read_everything", { name: "X" })).status).toBe(422);
    expect((await send(emulator, "DELETE", "/permission_sets/read_everything")).status).toBe(422);
    expect((await send(emulator, "POST", "/permission_sets", { name: "Read everything" })).status).toBe(422);
  });
});

test("the abilities are listed with their risk, without those of admins only", async () => {
  const rows = await listResources(emulator, "/abilities");
  expect(rows.find(({ key }) => key === "policies.update")).toEqual({
    key: "policies.update",
    risk_level: "write",
    group: "Alert Routing",
  });
  expect(rows.filter(({ group }) => group === "Custom Fields").map(({ risk_level }) => risk_level)).toEqual([
    "read",
    "write",
    "write",
    "destructive",
  ]);
  expect(rows.some(({ key }) => String(key).startsWith("permissions."))).toBe(false);
});

test("the principals are the members, agents and service keys of the workspace", async () => {
  await send(emulator, "POST", "/api_keys", { name: "CI" });
  const rows = await listResources(emulator, "/principals");
  expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(["user", "agent", "api_key"]));
  expect(rows.filter(({ kind }) => kind !== "user").map(({ name }) => name)).toEqual(["Bot", "CI"]);
});
