import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields } from "../../../../src/core/json.ts";
import { errorOf } from "../../client.ts";
import { listOf, openTestEmulator, startTime, type TestEmulator } from "../../test-emulator.ts";

let service: TestEmulator;
let incident: Fields;
beforeEach(async () => {
  service = await openTestEmulator();
  incident = await service.declare();
});
afterEach(() => service.close());

const items = (): string => `/incidents/${incident.id}/action_items`;

async function add(fields: Fields = {}): Promise<Fields> {
  return (await service.send("POST", items(), { description: "Restart it", ...fields })).body;
}

async function change(item: Fields, fields: Fields, token?: string): Promise<Fields> {
  const response = await service.send("PATCH", `${items()}/${item.id}`, fields, token);
  expect(response.status).toBe(200);
  return response.body;
}

test("Action item: a description adds an open, unassigned action, and posts it in the channel", async () => {
  expect(await add()).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    description: "Restart it",
    status: "open",
    kind: "action",
    incident_id: incident.id,
    created_by: expect.objectContaining({ name: "Ada Marsh" }),
    assignee: null,
    created_at: startTime,
  });
  expect(await service.events(incident)).toEqual(["incident.created", "action.created"]);
  expect((await service.control("GET", "/posts")).body.posts).toMatchObject([{ text: "New action: Restart it" }]);
});

test.each([
  ["without a description", {}, 400, "bad_request"],
  ["with a blank description", { description: " " }, 422, "validation_error"],
  ["of an unknown kind", { description: "x", kind: "wish" }, 422, "validation_error"],
  ["for nobody", { description: "x", assignee_id: "nobody@example.com" }, 404, "not_found"],
])("Action item: one %s is refused, and none is added", async (_case, body, status, type) => {
  const response = await service.send("POST", items(), body);
  expect([response.status, errorOf(response).type]).toEqual([status, type]);
  expect(listOf(await service.send("GET", items()), "action_items")).toEqual([]);
});

test("Action item: assignee_id null assigns it to the caller, of any kind", async () => {
  const item = await add({ assignee_id: "U0002" });
  expect(await change(item, { assignee_id: null })).toMatchObject({
    assignee: { name: "Ada Marsh" },
    status: "in_progress",
  });
  const key = await service.key({ incidents: ["update"] });
  expect(await change(item, { assignee_id: null }, key)).toMatchObject({ assignee: { type: "api_key", email: null } });
  expect((await service.events(incident)).slice(2)).toEqual(["action.picked_up", "action.picked_up"]);
});

test("Action item: another person's name reassigns it, done finishes it", async () => {
  const item = await add({ assignee_id: "U0001" });
  expect(await change(item, { assignee_id: "grace@example.com" })).toMatchObject({ assignee: { name: "Grace Holm" } });
  expect(await change(item, { status: "done" })).toMatchObject({ status: "done", assignee: { name: "Grace Holm" } });
  expect((await service.events(incident)).slice(2)).toEqual(["action.reassigned", "action.completed"]);
});

test("Action item: the list contains the open items, in the order of their creation", async () => {
  const [first, second] = [await add({ description: "first" }), await add({ description: "second" })];
  const third = await add({ description: "third" });
  await change(second, { status: "done" });
  expect(listOf(await service.send("GET", items()), "action_items")).toEqual([first, third]);
  await change(second, { status: "open" });
  expect(listOf(await service.send("GET", `${items()}?per_page=2`), "action_items")).toHaveLength(2);
});

test("Action item: an unknown name, another status, and an item of another incident are refused", async () => {
  const item = await add();
  const other = await service.declare();
  const statuses = [
    (await service.send("PATCH", `${items()}/${item.id}`, { assignee_id: "nobody" })).status,
    (await service.send("PATCH", `${items()}/${item.id}`, { status: "dropped" })).status,
    (await service.send("PATCH", `/incidents/${other.id}/action_items/${item.id}`, { status: "done" })).status,
  ];
  expect(statuses).toEqual([404, 422, 404]);
});
