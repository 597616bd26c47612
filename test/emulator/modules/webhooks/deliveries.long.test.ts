import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields } from "../../../../src/core/json.ts";
import { listOf, openTestEmulator, startTime, type TestEmulator } from "../../test-emulator.ts";

interface Received {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

let service: TestEmulator;
let receiver: Server;
let url: string;
let received: Received[];
/** The statuses of the next responses; 204 afterwards. */
let statuses: number[];
beforeEach(async () => {
  service = await openTestEmulator();
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
  await service.close();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

async function subscribe(events: readonly string[], address = url): Promise<Fields> {
  const body = { name: "Hook", url: address, subscribed_events: events };
  return (await service.send("POST", "/webhooks", body)).body;
}

async function deliveries(): Promise<readonly Fields[]> {
  await service.emulator.control?.settled();
  return listOf(await service.control("GET", "/deliveries"), "deliveries");
}

test("Events 4: a webhook receives an incident declared through the API, signed over the raw body", async () => {
  const hook = await subscribe(["incident.created"]);
  const incident = await service.declare();
  const [delivery] = await deliveries();
  expect(delivery).toMatchObject({ state: "delivered", attempts: [{ status: 204, error: null }] });
  const [{ headers, body }] = received as [Received];
  expect(JSON.parse(body)).toEqual({
    id: delivery?.id,
    version: 1,
    event_type: "incident.created",
    workspace_id: expect.any(String),
    occurred_at: startTime,
    incident,
    actor: expect.objectContaining({ name: "Ada Marsh" }),
  });
  const { secret } = (await service.control("GET", `/webhooks/${hook.id}/secret`)).body;
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "x-webhook-event": "incident.created",
    "x-webhook-delivery": delivery?.id,
    "x-webhook-signature": createHmac("sha256", String(secret)).update(body).digest("hex"),
  });
});

test("Events 4: a webhook receives the events of its subscriptions and no others, in the order of the events", async () => {
  await subscribe(["action.created", "action.picked_up", "action.completed"]);
  const incident = await service.declare();
  const items = `/incidents/${incident.id}/action_items`;
  const item = (await service.send("POST", items, { description: "x" })).body;
  await service.send("PATCH", `${items}/${item.id}`, { assignee_id: null, status: "done" });
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

test("Events 4: webhooks receive every event to which they can subscribe", async () => {
  const { webhookEvents } = await import("../../../../src/emulator/modules/webhooks/webhooks.ts");
  await subscribe(webhookEvents);
  await service.send("POST", "/incident_roles", { name: "Scribe" });
  const conditions = [{ condition_field: "severity", operator: "one_of", values: ["minor"] }];
  await service.send("POST", "/runbooks", { name: "Book", conditions });
  const [incident, other] = [await service.declareIn("triaging"), await service.declare()];
  const path = `/incidents/${incident.id}`;
  const move = async (status: string): Promise<void> => {
    await service.send("PATCH", path, { status_id: await service.id("statuses", status) });
  };
  await move("investigating");
  await service.send("PATCH", path, { summary: "x", lead_id: "U0001" });
  await service.control("POST", `${path}/roles`, { role: "scribe", member_id: "U0002" });
  await service.control("POST", `${path}/roles`, { role: "scribe", member_id: null });
  await service.send("POST", `${path}/escalate`, { member_id: "U0002" });
  const item = (await service.send("POST", `${path}/action_items`, { description: "x" })).body;
  for (const body of [{ assignee_id: null }, { assignee_id: "U0002" }, { status: "done" }]) {
    await service.send("PATCH", `${path}/action_items/${item.id}`, body);
  }
  const message = await service.control("POST", `${path}/messages`, { said_by: "U0001", text: "Found" });
  const note = { message_id: message.body.id ?? null, kind: "finding", statement: "Found" };
  await service.control("POST", `${path}/notes`, note);
  await service.send("POST", `${path}/link`, { other_incident_id: other.id ?? null, relationship: "related" });
  await move("resolved");
  await service.send("POST", `${path}/postmortem`, { generate: true });
  await service.emulator.control?.settled();
  await service.send("PATCH", `${path}/postmortem`, { html: "x", version: 2 });
  await move("investigating");
  await service.send("POST", `${path}/link`, { other_incident_id: other.id ?? null, relationship: "duplicate" });
  const received = new Set((await deliveries()).map(({ event_type }) => String(event_type)));
  expect([...received].toSorted()).toEqual([...webhookEvents].toSorted());
});

test("Deliveries: up to three attempts until one succeeds; a redirect is a failure", async () => {
  await subscribe(["incident.created"]);
  statuses = [500, 302];
  await service.declare();
  const [delivery] = await deliveries();
  expect(delivery?.state).toBe("delivered");
  expect(delivery?.attempts).toMatchObject([{ status: 500 }, { status: 302 }, { status: 204 }]);
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
});

test("Deliveries: after three failures a delivery has failed, and the next one is still sent", async () => {
  await subscribe(["incident.created"]);
  statuses = [500, 503, 404];
  await service.declare();
  await service.declare();
  expect((await deliveries()).map(({ state }) => state)).toEqual(["failed", "delivered"]);
});

test("Deliveries: a refused connection is recorded as the error", async () => {
  await subscribe(["incident.created"], "http://127.0.0.1:9/");
  await service.declare();
  const [delivery] = await deliveries();
  const attempt = { status: null, error: expect.stringContaining("fetch failed") };
  expect(delivery).toMatchObject({ state: "failed", attempts: [attempt, attempt, attempt] });
});

test("Deliveries: a rejected request queues none, and a disabled webhook receives none", async () => {
  const hook = await subscribe(["incident.created"]);
  await service.send("POST", "/incidents", { idempotency_key: "k", name: "x", severity_id: "none" });
  await service.send("PATCH", `/webhooks/${hook.id}`, { enabled: false });
  await service.declare();
  expect(await deliveries()).toEqual([]);
});

test("Deliveries: the response does not wait for them", async () => {
  let release: (response: Response) => void = () => {};
  const stored = new Promise<Response>((resolve) => {
    release = resolve;
  });
  const other = await openTestEmulator({ send: () => stored });
  const hook = { name: "Slow", url, subscribed_events: ["incident.created"] };
  await other.send("POST", "/webhooks", hook);
  await other.declare();
  expect(listOf(await other.control("GET", "/deliveries"), "deliveries")).toMatchObject([{ state: "pending" }]);
  release(new Response(null, { status: 204 }));
  await other.emulator.control?.settled();
  expect(listOf(await other.control("GET", "/deliveries"), "deliveries")).toMatchObject([{ state: "delivered" }]);
  await other.close();
});
