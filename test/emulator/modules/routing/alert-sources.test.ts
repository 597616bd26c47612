import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Fields } from "../../../../src/core/json.ts";
import { createEmulator, type Emulator } from "../../../../src/emulator/emulator.ts";
import { column, errorOf, send } from "../../client.ts";

let emulator: Emulator;
beforeEach(() => {
  emulator = createEmulator({ workspace: "bare" });
});
afterEach(() => emulator.close());

async function create(body: Fields): Promise<Fields> {
  const response = await send(emulator, "POST", "/alert_sources", body);
  expect(response.status).toBe(201);
  return response.body;
}

describe("Alert sources", () => {
  test("the service generates the endpoint path and returns nothing else", async () => {
    const created = await create({ name: "Datadog", provider: "datadog", slug: "mine", enabled: false, secret: "x" });
    expect(created).toEqual({
      id: expect.any(String),
      name: "Datadog",
      provider: "datadog",
      enabled: true,
      slug: expect.stringMatching(/^[\w-]{24}$/),
    });
    expect((await create({ name: "Other" })).provider).toBe("generic");
  });

  test("they are listed by name", async () => {
    for (const name of ["Pager", "Alerts", "Metrics"]) await create({ name });
    expect(await column(emulator, "/alert_sources", "name")).toEqual(["Alerts", "Metrics", "Pager"]);
  });

  test("a source can be renamed, disabled and enabled, and its provider stays", async () => {
    const { slug } = await create({ name: "Old" });
    const path = `/alert_sources/${slug}`;
    const changed = await send(emulator, "PATCH", path, { name: "New", enabled: false, provider: "grafana" });
    expect(changed.body).toMatchObject({ name: "New", enabled: false, provider: "generic", slug });
    const nulls = await send(emulator, "PATCH", path, { name: null, enabled: null });
    expect(nulls.body).toEqual(changed.body);
  });

  test("a name in use is refused on rename too, but not the source's own name", async () => {
    await create({ name: "A" });
    const { slug } = await create({ name: "B" });
    const response = await send(emulator, "PATCH", `/alert_sources/${slug}`, { name: "A" });
    expect(errorOf(response).errors).toEqual([{ field: "name", message: "has already been taken" }]);
    expect((await send(emulator, "PATCH", `/alert_sources/${slug}`, { name: "B" })).status).toBe(200);
  });

  test("deleting a source destroys its rules: a new one of the same name has none", async () => {
    const { slug } = await create({ name: "A" });
    await send(emulator, "POST", "/routing_rules?source=A", { outcome: { action: "drop" } });
    expect((await send(emulator, "DELETE", `/alert_sources/${slug}`)).status).toBe(204);
    expect((await send(emulator, "DELETE", `/alert_sources/${slug}`)).status).toBe(404);
    expect((await send(emulator, "GET", "/routing_rules?source=A")).status).toBe(404);
    await create({ name: "A" });
    expect(await column(emulator, "/routing_rules?source=A&x=", "priority")).toEqual([]);
  });
});
