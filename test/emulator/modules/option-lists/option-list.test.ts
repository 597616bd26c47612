import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Json } from "../../../../src/core/json.ts";
import { createEmulator, type Emulator } from "../../../../src/emulator/emulator.ts";
import { column, errorOf, listResources, send } from "../../client.ts";

let emulator: Emulator;
beforeEach(() => {
  emulator = createEmulator({ workspace: "bare" });
});
afterEach(() => emulator.close());

async function create(path: string, ...bodies: readonly { readonly [name: string]: Json }[]): Promise<void> {
  for (const body of bodies) expect(await send(emulator, "POST", path, body)).toMatchObject({ status: 201 });
}

const letters = ["A", "B", "C", "D"].map((name) => ({ name }));

describe("Position rule", () => {
  test.each([
    ["d", 2, "ADBC"],
    ["a", 3, "BCAD"],
    ["b", 99, "ACDB"],
    ["c", 0, "CABD"],
    ["c", -7, "CABD"],
    ["a", "3", "BCAD"],
    ["a", 2.7, "BACD"],
    ["a", null, "ABCD"],
    ["a", "", "ABCD"],
  ])("3: %s moved to %j gives %s", async (slug, position, order) => {
    await create("/severities", ...letters);
    expect(await send(emulator, "PATCH", `/severities/${slug}`, { position })).toMatchObject({ status: 200 });
    expect((await column(emulator, "/severities", "name")).join("")).toBe(order);
    expect(await column(emulator, "/severities", "position")).toEqual([1, 2, 3, 4]);
  });

  test("a disabled entry keeps its number, and a deletion renumbers", async () => {
    await create("/severities", ...letters);
    await send(emulator, "PATCH", "/severities/b", { enabled: false });
    expect((await listResources(emulator, "/severities")).map((entry) => entry.position)).toEqual([1, 3, 4]);
    await send(emulator, "DELETE", "/severities/a");
    expect(await column(emulator, "/severities", "position")).toEqual([1, 2, 3]);
  });
});

describe("Severities", () => {
  test("a slug in use, even by a disabled entry, is refused with errors on slug and on name", async () => {
    await create("/severities", { name: "Major" }, { name: "Other" });
    await send(emulator, "PATCH", "/severities/major", { name: "Renamed", enabled: false });
    const response = await send(emulator, "POST", "/severities", { name: "major" });
    expect(response.status).toBe(422);
    const message = "is already used by another severity";
    expect(errorOf(response).errors).toEqual([
      { field: "slug", message },
      { field: "name", message },
    ]);
  });

  test("null is ignored, a blank description clears it, a blank name is invalid", async () => {
    await create("/severities", { name: "Major", description: "Bad", color: "#fff" });
    const nulls = { name: null, description: null, color: null, position: null, enabled: null, default: null };
    expect((await send(emulator, "PATCH", "/severities/major", nulls)).body).toMatchObject({
      name: "Major",
      description: "Bad",
      color: "#fff",
    });
    expect((await send(emulator, "PATCH", "/severities/major", { description: "" })).body.description).toBeNull();
    expect((await send(emulator, "PATCH", "/severities/major", { name: " " })).status).toBe(422);
  });

  test("the default entry can be neither disabled nor deleted, and a disabled one cannot become the default", async () => {
    await create("/severities", { name: "A", default: true }, { name: "B" });
    expect((await send(emulator, "PATCH", "/severities/a", { enabled: false })).status).toBe(422);
    expect((await send(emulator, "DELETE", "/severities/a")).status).toBe(422);
    expect((await send(emulator, "PATCH", "/severities/b", { enabled: false, default: true })).status).toBe(422);
    expect(await column(emulator, "/severities", "enabled")).toEqual([true, true]);
    await send(emulator, "PATCH", "/severities/b", { enabled: false });
    await send(emulator, "PATCH", "/severities/b", { enabled: true, default: true });
    expect(await column(emulator, "/severities", "is_default")).toEqual([false, true]);
    expect((await send(emulator, "DELETE", "/severities/a")).status).toBe(204);
  });
});

describe("Statuses", () => {
  test("the only enabled status of a stage can be neither disabled nor deleted", async () => {
    await create("/statuses", { name: "Open", lifecycle_stage: "active" });
    const disabled = await send(emulator, "PATCH", "/statuses/open", { enabled: false });
    expect(errorOf(disabled).message).toBe(
      "Open is the only enabled status in Active. Add another one before disabling it.",
    );
    expect((await send(emulator, "DELETE", "/statuses/open")).status).toBe(422);
    await create("/statuses", { name: "Working", lifecycle_stage: "active" });
    expect((await send(emulator, "DELETE", "/statuses/open")).status).toBe(204);
  });

  test("the only status of a stage that incidents have is refused with their number and the reason", async () => {
    await create("/severities", { name: "A" });
    await create("/statuses", { name: "Done", lifecycle_stage: "closed" });
    const [[severity_id], [status_id]] = [
      await column(emulator, "/severities", "id"),
      await column(emulator, "/statuses", "id"),
    ];
    const body = { idempotency_key: "k", name: "Down", severity_id: severity_id ?? null, status_id: status_id ?? null };
    expect((await send(emulator, "POST", "/incidents", body)).status).toBe(201);
    expect(errorOf(await send(emulator, "DELETE", "/statuses/done")).message).toBe(
      "Done is in use by 1 incident(s) and cannot be deleted. Done is the only enabled status in Closed. Add another one before deleting it.",
    );
  });
});

describe("Incident roles", () => {
  test("the Incident Lead can be renamed but neither disabled nor deleted", async () => {
    const renamed = await send(emulator, "PATCH", "/incident_roles/incident_lead", { name: "Commander" });
    expect(renamed.body).toEqual({
      id: expect.any(String),
      name: "Commander",
      slug: "incident_lead",
      description: null,
      position: 1,
      enabled: true,
    });
    expect((await send(emulator, "PATCH", "/incident_roles/incident_lead", { enabled: false })).status).toBe(422);
    expect((await send(emulator, "DELETE", "/incident_roles/incident_lead")).status).toBe(422);
  });
});

test.each([
  ["severities", 3],
  ["statuses", 6],
  ["incident_types", 4],
  ["incident_roles", 1],
])("the default workspace has its %s", async (path, count) => {
  const fresh = createEmulator();
  expect(await listResources(fresh, `/${path}`)).toHaveLength(count);
  fresh.close();
});
