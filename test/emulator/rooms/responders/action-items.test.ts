import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields } from "../../../../src/core/json.ts";
import { errorOf } from "../../client.ts";
import { type Desk, itemsIn, openDesk, opening } from "../../test-emulator.ts";

let desk: Desk;
let incident: Fields;
beforeEach(async () => {
  desk = await openDesk();
  incident = await desk.declare();
});
afterEach(() => desk.close());

const items = (): string => `/incidents/${incident.id}/action_items`;

async function add(fields: Fields = {}): Promise<Fields> {
  return (await desk.send("POST", items(), { description: "Restart it", ...fields })).body;
}

async function change(item: Fields, fields: Fields, token?: string): Promise<Fields> {
  const answer = await desk.send("PATCH", `${items()}/${item.id}`, fields, token);
  expect(answer.status).toBe(200);
  return answer.body;
}

test("Action item: description alone adds an open action that nobody holds, and posts it in the channel", async () => {
  expect(await add()).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    description: "Restart it",
    status: "open",
    kind: "action",
    incident_id: incident.id,
    created_by: expect.objectContaining({ name: "Ada Marsh" }),
    assignee: null,
    created_at: opening,
  });
  expect(await desk.events(incident)).toEqual(["incident.created", "action.created"]);
  expect((await desk.control("GET", "/posts")).body.posts).toMatchObject([{ text: "New action: Restart it" }]);
});

test.each([["grace@example.com"], ["U0002"]])(
  "Action item: %s names the person who is to hold it",
  async (assignee_id) => {
    expect(await add({ kind: "followup", assignee_id })).toMatchObject({
      kind: "followup",
      assignee: { name: "Grace Holm" },
    });
  },
);

test.each([
  ["without a description", {}, 400, "bad_request"],
  ["with a blank description", { description: " " }, 422, "validation_error"],
  ["of an unknown kind", { description: "x", kind: "wish" }, 422, "validation_error"],
  ["for nobody", { description: "x", assignee_id: "nobody@example.com" }, 404, "not_found"],
])("Action item: one %s is refused, and none is added", async (_case, body, status, type) => {
  const answer = await desk.send("POST", items(), body);
  expect([answer.status, errorOf(answer).type]).toEqual([status, type]);
  expect(itemsIn(await desk.send("GET", items()), "action_items")).toEqual([]);
});

test("Action item: assignee_id null takes it yourself, whoever you are", async () => {
  const item = await add({ assignee_id: "U0002" });
  expect(await change(item, { assignee_id: null })).toMatchObject({
    assignee: { name: "Ada Marsh" },
    status: "in_progress",
  });
  const key = await desk.key({ incidents: ["update"] });
  expect(await change(item, { assignee_id: null }, key)).toMatchObject({ assignee: { type: "api_key", email: null } });
  expect((await desk.events(incident)).slice(2)).toEqual(["action.picked_up", "action.picked_up"]);
});

test("Action item: another person's name hands it over, done finishes it", async () => {
  const item = await add({ assignee_id: "U0001" });
  expect(await change(item, { assignee_id: "grace@example.com" })).toMatchObject({ assignee: { name: "Grace Holm" } });
  expect(await change(item, { status: "done" })).toMatchObject({ status: "done", assignee: { name: "Grace Holm" } });
  expect((await desk.events(incident)).slice(2)).toEqual(["action.reassigned", "action.completed"]);
});

test("Action item: the list is the open work, in the order in which it came", async () => {
  const [first, second] = [await add({ description: "first" }), await add({ description: "second" })];
  const third = await add({ description: "third" });
  await change(second, { status: "done" });
  expect(itemsIn(await desk.send("GET", items()), "action_items")).toEqual([first, third]);
  await change(second, { status: "open" });
  expect(itemsIn(await desk.send("GET", `${items()}?per_page=2`), "action_items")).toHaveLength(2);
});

test("Action item: nobody's name, another status, and an item of another incident are refused", async () => {
  const item = await add();
  const other = await desk.declare();
  const statuses = [
    (await desk.send("PATCH", `${items()}/${item.id}`, { assignee_id: "nobody" })).status,
    (await desk.send("PATCH", `${items()}/${item.id}`, { status: "dropped" })).status,
    (await desk.send("PATCH", `/incidents/${other.id}/action_items/${item.id}`, { status: "done" })).status,
  ];
  expect(statuses).toEqual([404, 422, 404]);
});
