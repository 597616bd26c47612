import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields } from "../../../../src/core/json.ts";
import { type Desk, itemsIn, openDesk, opening } from "../../test-emulator.ts";

interface Received {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

let desk: Desk;
let receiver: Server;
let url: string;
let received: Received[];
/** The statuses to answer with, 204 once they are used up. */
let statuses: number[];
beforeEach(async () => {
  desk = await openDesk();
  received = [];
  statuses = [];
  receiver = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => {
      received.push({ headers: request.headers, body });
      response.writeHead(statuses.shift() ?? 204, { location: "http://127.0.0.1:1/" }).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterEach(async () => {
  await desk.close();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

async function subscribe(events: readonly string[], address = url): Promise<Fields> {
  const body = { name: "Hook", url: address, subscribed_events: events };
  return (await desk.send("POST", "/webhooks", body)).body;
}

async function deliveries(): Promise<readonly Fields[]> {
  await desk.emulator.control?.settled();
  return itemsIn(await desk.control("GET", "/deliveries"), "deliveries");
}

test("Events 4: a webhook is told of an incident declared through the API, signed over the raw body", async () => {
  const hook = await subscribe(["incident.created"]);
  const incident = await desk.declare();
  const [delivery] = await deliveries();
  expect(delivery).toMatchObject({ state: "delivered", attempts: [{ status: 204, error: null }] });
  const [{ headers, body }] = received as [Received];
  expect(JSON.parse(body)).toEqual({
    id: delivery?.id,
    version: 1,
    event_type: "incident.created",
    workspace_id: expect.any(String),
    occurred_at: opening,
    incident,
    actor: expect.objectContaining({ name: "Ada Marsh" }),
  });
  const { secret } = (await desk.control("GET", `/webhooks/${hook.id}/secret`)).body;
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "x-webhook-event": "incident.created",
    "x-webhook-delivery": delivery?.id,
    "x-webhook-signature": createHmac("sha256", String(secret)).update(body).digest("hex"),
  });
});

test("Events 4: a webhook is told of what it subscribed to and nothing else, in the order of the events", async () => {
  await subscribe(["action.created", "action.picked_up", "action.completed"]);
  const incident = await desk.declare();
  const items = `/incidents/${incident.id}/action_items`;
  const item = (await desk.send("POST", items, { description: "x" })).body;
  await desk.send("PATCH", `${items}/${item.id}`, { assignee_id: null, status: "done" });
  expect((await deliveries()).map(({ event_type }) => event_type)).toEqual([
    "action.created",
    "action.picked_up",
    "action.completed",
  ]);
  expect(received.map(({ headers }) => headers["x-webhook-event"])).toEqual([
    "action.created",
    "action.picked_up",
    "action.completed",
  ]);
  expect(JSON.parse(received.at(-1)?.body ?? "")).toMatchObject({ action_item: { id: item.id, status: "done" } });
});

test("Events 4: every event that webhooks can be told of is told", async () => {
  const { webhookEvents } = await import("../../../../src/emulator/rooms/webhooks/webhooks.ts");
  await subscribe(webhookEvents);
  await desk.send("POST", "/incident_roles", { name: "Scribe" });
  const conditions = [{ condition_field: "severity", operator: "one_of", values: ["minor"] }];
  await desk.send("POST", "/runbooks", { name: "Book", conditions });
  const [incident, other] = [await desk.declareIn("triaging"), await desk.declare()];
  const path = `/incidents/${incident.id}`;
  const move = async (status: string): Promise<void> => {
    await desk.send("PATCH", path, { status_id: await desk.id("statuses", status) });
  };
  await move("investigating");
  await desk.send("PATCH", path, { summary: "x", lead_id: "U0001" });
  await desk.control("POST", `${path}/roles`, { role: "scribe", member_id: "U0002" });
  await desk.control("POST", `${path}/roles`, { role: "scribe", member_id: null });
  await desk.send("POST", `${path}/escalate`, { member_id: "U0002" });
  const item = (await desk.send("POST", `${path}/action_items`, { description: "x" })).body;
  for (const body of [{ assignee_id: null }, { assignee_id: "U0002" }, { status: "done" }]) {
    await desk.send("PATCH", `${path}/action_items/${item.id}`, body);
  }
  const message = await desk.control("POST", `${path}/messages`, { said_by: "U0001", text: "Found" });
  const note = { message_id: message.body.id ?? null, kind: "finding", statement: "Found" };
  await desk.control("POST", `${path}/notes`, note);
  await desk.send("POST", `${path}/link`, { other_incident_id: other.id ?? null, relationship: "related" });
  await move("resolved");
  await desk.send("POST", `${path}/postmortem`, { generate: true });
  await desk.emulator.control?.settled();
  await desk.send("PATCH", `${path}/postmortem`, { html: "x", version: 2 });
  await move("investigating");
  await desk.send("POST", `${path}/link`, { other_incident_id: other.id ?? null, relationship: "duplicate" });
  const told = new Set((await deliveries()).map(({ event_type }) => String(event_type)));
  expect([...told].toSorted()).toEqual([...webhookEvents].toSorted());
});

test("Deliveries: up to three tries until one succeeds; a redirect is none", async () => {
  await subscribe(["incident.created"]);
  statuses = [500, 302];
  await desk.declare();
  const [delivery] = await deliveries();
  expect(delivery?.state).toBe("delivered");
  expect(delivery?.attempts).toMatchObject([{ status: 500 }, { status: 302 }, { status: 204 }]);
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
});

test("Deliveries: after three failures it is given up, and the next one is sent all the same", async () => {
  await subscribe(["incident.created"]);
  statuses = [500, 503, 404];
  await desk.declare();
  await desk.declare();
  expect((await deliveries()).map(({ state }) => state)).toEqual(["failed", "delivered"]);
});

test("Deliveries: nobody listening is recorded as the reason", async () => {
  await subscribe(["incident.created"], "http://127.0.0.1:9/");
  await desk.declare();
  const [delivery] = await deliveries();
  const attempt = { status: null, error: expect.stringContaining("fetch failed") };
  expect(delivery).toMatchObject({ state: "failed", attempts: [attempt, attempt, attempt] });
});

test("Deliveries: a refused request leaves none, and a disabled webhook is told of nothing", async () => {
  const hook = await subscribe(["incident.created"]);
  await desk.send("POST", "/incidents", { idempotency_key: "k", name: "x", severity_id: "none" });
  await desk.send("PATCH", `/webhooks/${hook.id}`, { enabled: false });
  await desk.declare();
  expect(await deliveries()).toEqual([]);
});

test("Deliveries: the answer does not wait for them", async () => {
  let release: (response: Response) => void = () => {};
  const held = new Promise<Response>((resolve) => {
    release = resolve;
  });
  const other = await openDesk({ send: () => held });
  const hook = { name: "Slow", url, subscribed_events: ["incident.created"] };
  await other.send("POST", "/webhooks", hook);
  await other.declare();
  expect(itemsIn(await other.control("GET", "/deliveries"), "deliveries")).toMatchObject([{ state: "pending" }]);
  release(new Response(null, { status: 204 }));
  await other.emulator.control?.settled();
  expect(itemsIn(await other.control("GET", "/deliveries"), "deliveries")).toMatchObject([{ state: "delivered" }]);
  await other.close();
});
