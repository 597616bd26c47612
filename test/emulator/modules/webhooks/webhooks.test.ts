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

  test("events are replaced as a whole in the order of the request; duplicates and unknown names are dropped", async () => {
    const { id } = await create({ name: hook.name, url: hook.url });
    const sent = ["postmortem.edited", "incident.creatd", "incident.created", "postmortem.edited"];
    const response = await send(emulator, "PATCH", `/webhooks/${id}`, { subscribed_events: sent });
    expect(response.body.subscribed_events).toEqual(["postmortem.edited", "incident.created"]);
    const cleared = await send(emulator, "PATCH", `/webhooks/${id}`, { subscribed_events: [] });
    expect(cleared.body.subscribed_events).toEqual([]);
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

  test.each<[Fields, number]>([
    [{ name: "A" }, 400],
    [{ url: hook.url }, 400],
    [{ name: null, url: hook.url }, 400],
    [{ name: "", url: hook.url }, 422],
    [{ name: "A", url: "ftp://example.com" }, 422],
    [{ name: "A", url: "not an address" }, 422],
    [{ ...hook, subscribed_events: "incident.created" }, 422],
  ])("creating one from %j responds with %i", async (body, status) => {
    expect((await send(emulator, "POST", "/webhooks", body)).status).toBe(status);
    expect(await listResources(emulator, "/webhooks")).toEqual([]);
  });

  test("an invalid address on update changes nothing", async () => {
    const created = await create(hook);
    const response = await send(emulator, "PATCH", `/webhooks/${created.id}`, { name: "Lost", url: "gopher://x" });
    expect(errorOf(response).errors).toEqual([{ field: "url", message: "must be an http or https address" }]);
    expect(await listResources(emulator, "/webhooks")).toEqual([created]);
  });
});

test("dialect envelope: wrapped puts a webhook under webhook", async () => {
  const wrapping = createEmulator({ dialects: { envelope: "wrapped" } });
  const { body } = await send(wrapping, "POST", "/webhooks", hook);
  expect(body).toEqual({ webhook: expect.objectContaining(hook) });
  wrapping.close();
});
