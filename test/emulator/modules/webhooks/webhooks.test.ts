import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Fields } from "../../../../src/core/json.ts";
import { createEmulator, type Emulator } from "../../../../src/emulator/emulator.ts";
import { column, errorOf, listResources, send } from "../../client.ts";

let emulator: Emulator;
beforeEach(() => {
  emulator = createEmulator({ workspace: "bare" });
});
afterEach(() => emulator.close());

const hook = { name: "Chat", url: "https://hooks.example.com/in", subscribed_events: ["incident.created"] };

async function create(body: Fields): Promise<Fields> {
  const response = await send(emulator, "POST", "/webhooks", body);
  expect(response.status).toBe(201);
  return response.body;
}

describe("Webhooks", () => {
  test("a webhook starts enabled, with its address trimmed, and no response contains a secret", async () => {
    const created = await create({ ...hook, url: ` ${hook.url} `, enabled: false });
    expect(created).toEqual({ id: expect.any(String), ...hook, enabled: true });
    expect(await listResources(emulator, "/webhooks")).toEqual([created]);
  });

  test("a second one of the same name is another webhook; they are listed by name", async () => {
    for (const name of ["B", "A", "B"]) await create({ ...hook, name });
    expect(await column(emulator, "/webhooks", "name")).toEqual(["A", "B", "B"]);
  });

  test("a webhook is addressed by id: changed, disabled, deleted", async () => {
    const { id } = await create(hook);
    const response = await send(emulator, "PATCH", `/webhooks/${id}`, { name: "Renamed", url: null, enabled: false });
    expect(response.body).toEqual({ id, ...hook, name: "Renamed", enabled: false });
    expect((await send(emulator, "DELETE", `/webhooks/${id}`)).status).toBe(204);
    expect((await send(emulator, "DELETE", `/webhooks/${id}`)).status).toBe(404);
    expect((await send(emulator, "PATCH", `/webhooks/${id}`, {})).status).toBe(404);
  });

  test("an invalid address on update changes nothing", async () => {
    const created = await create(hook);
    const response = await send(emulator, "PATCH", `/webhooks/${created.id}`, { name: "Lost", url: "gopher://x" });
    expect(errorOf(response).errors).toEqual([{ field: "url", message: "must be an http or https address" }]);
    expect(await listResources(emulator, "/webhooks")).toEqual([created]);
  });
});
