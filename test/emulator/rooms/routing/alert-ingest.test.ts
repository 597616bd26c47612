import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields, Json } from "../../../../src/core/json.ts";
import { errorOf } from "../../client.ts";
import { type Desk, itemsIn, openDesk, opening, timelineOf } from "../../test-emulator.ts";

let desk: Desk;
let path: string;
beforeEach(async () => {
  desk = await openDesk();
  path = `/alerts/${(await desk.send("POST", "/alert_sources", { name: "Grafana" })).body.slug}`;
});
afterEach(() => desk.close());

async function outcome(given: Fields, conditions: Json = []): Promise<void> {
  expect((await desk.send("POST", "/routing_rules", { conditions, outcome: given })).status).toBe(201);
}

async function alert(fields: Fields): Promise<Fields> {
  const answer = await desk.send("POST", path, fields);
  expect(answer.status).toBe(201);
  return itemsIn(answer, "alerts")[0] ?? {};
}

async function incidents(): Promise<readonly Fields[]> {
  return itemsIn(await desk.send("GET", "/incidents"), "incidents");
}

test("Alerts: auto_create_incident declares an incident of the rule's severity, as nobody's", async () => {
  await outcome({ action: "auto_create_incident", severity_id: await desk.id("severities", "critical") });
  const taken = await alert({ title: "Checkout down", description: "500s", service: "checkout" });
  expect(taken).toMatchObject({ action: "auto_create_incident", matched_rule_priority: 1, status: "firing" });
  const [incident] = await incidents();
  expect(incident).toMatchObject({
    id: taken.incident_id,
    name: "Checkout down",
    summary: "500s",
    severity: { slug: "critical" },
    source: "Grafana",
    declared_by: null,
    detected_at: opening,
  });
  const events = await timelineOf(desk, incident ?? {});
  expect(events).toMatchObject([
    { event_type: "incident.created", automated: true, actor: null },
    { event_type: "alert.attached", automated: true },
  ]);
});

test("Alerts: the same trouble again is attached to the live incident; resolved, it is recorded there", async () => {
  await outcome({ action: "auto_create_incident" });
  const first = await alert({ title: "Down", fingerprint: "f" });
  expect(await alert({ title: "Down", fingerprint: "f" })).toMatchObject({ incident_id: first.incident_id });
  expect(await alert({ title: "Down", fingerprint: "f", status: "resolved" })).toMatchObject({
    status: "resolved",
    incident_id: first.incident_id,
  });
  const [incident, ...others] = await incidents();
  expect(others).toEqual([]);
  expect((await desk.events(incident ?? {})).slice(2)).toEqual(["alert.attached", "alert.resolved"]);
  const status_id = await desk.id("statuses", "resolved");
  await desk.send("PATCH", `/incidents/${first.incident_id}`, { status_id });
  expect((await alert({ title: "Down", fingerprint: "f" })).incident_id).not.toBe(first.incident_id);
});

test("Alerts: attach_to_incident joins the live incident of the same service, else the newest, and creates none", async () => {
  await outcome({ action: "auto_create_incident" }, [{ field: "title", operator: "is_one_of", value: ["first"] }]);
  await outcome({ action: "attach_to_incident" });
  expect(await alert({ title: "early" })).toMatchObject({ action: "attach_to_incident", incident_id: null });
  const first = await alert({ title: "first", service: "checkout" });
  const newest = await desk.declare();
  expect(await alert({ title: "other", service: "checkout" })).toMatchObject({ incident_id: first.incident_id });
  expect(await alert({ title: "third", service: "search" })).toMatchObject({ incident_id: newest.id });
  expect(await incidents()).toHaveLength(2);
});

test("Alerts: notify_only tells members, channels and teams, and creates none", async () => {
  const led = await desk.declare({ declared_by_id: "U0002" });
  const member_id = (led.declared_by as { id: string }).id;
  await outcome({ action: "notify_only", notify: { type: "member", member_id } }, [
    { field: "to", operator: "is_one_of", value: ["member"] },
  ]);
  await outcome({ action: "notify_only", notify: { type: "channel", channel_id: "C1" } });
  await alert({ title: "Look", to: "member" });
  await alert({ title: "Look there" });
  expect((await desk.control("GET", "/posts")).body.posts).toMatchObject([
    { member_id, incident_id: null, text: "Alert: Look" },
    { channel_id: "C1", incident_id: null, text: "Alert: Look there" },
  ]);
  expect(await incidents()).toHaveLength(1);
});

test("Alerts: invite brings members into the channel of the incident", async () => {
  const led = await desk.declare({ declared_by_id: "U0002" });
  const member_id = (led.declared_by as { id: string }).id;
  await outcome({ action: "auto_create_incident", invite: [{ type: "member", member_id }] });
  const { incident_id } = await alert({ title: "Down" });
  const again = await desk.send("POST", `/incidents/${incident_id}/invite`, { member_ids: ["U0002"] });
  expect(again.body).toMatchObject({ invited: [], already_here: [{ id: member_id }] });
});

test("Alerts: drop, and no rule that matches, do nothing but keep the alert", async () => {
  await outcome({ action: "drop" }, [{ field: "title", operator: "is_one_of", value: ["noise"] }]);
  expect(await alert({ title: "noise" })).toMatchObject({ action: "drop", incident_id: null });
  expect(await alert({ title: "news" })).toMatchObject({ action: null, incident_id: null });
  expect(await incidents()).toEqual([]);
  expect((await desk.control("GET", "/alerts")).body.alerts).toHaveLength(2);
});

test("Alerts: a list of alerts with labels and annotations is taken, one by one", async () => {
  await outcome({ action: "auto_create_incident" });
  const alerts = [
    { status: "firing", labels: { alertname: "Disk", service: "db" }, annotations: { description: "Full" } },
    { status: "firing", labels: { alertname: "Load" } },
  ];
  expect(itemsIn(await desk.send("POST", path, { alerts }), "alerts")).toHaveLength(2);
  expect((await incidents()).map(({ name, summary }) => [name, summary])).toEqual([
    ["Load", null],
    ["Disk", "Full"],
  ]);
});

test("Alerts: an unknown or disabled source is 404, a token without alerts: create 403, the 61st in a minute 429", async () => {
  expect((await desk.send("POST", "/alerts/unknown", { title: "x" })).status).toBe(404);
  const key = await desk.key({ alerts: ["read"] });
  expect((await desk.send("POST", path, { title: "x" }, key)).status).toBe(403);
  expect((await desk.send("POST", path, { alerts: Array(60).fill({ title: "x" }) })).status).toBe(201);
  const answer = await desk.send("POST", path, { title: "x" });
  expect([answer.status, errorOf(answer).type]).toEqual([429, "rate_limit_exceeded"]);
  desk.emulator.control?.clock.advance(60_000);
  expect((await desk.send("POST", path, { title: "x" })).status).toBe(201);
  await desk.send("PATCH", path.replace("/alerts/", "/alert_sources/"), { enabled: false });
  expect((await desk.send("POST", path, { title: "x" })).status).toBe(404);
});

test("Alert sources: deleting one takes its alerts with it, and leaves its incidents", async () => {
  await outcome({ action: "auto_create_incident" });
  await alert({ title: "Down" });
  expect((await desk.send("DELETE", path.replace("/alerts/", "/alert_sources/"))).status).toBe(204);
  expect((await desk.control("GET", "/alerts")).body.alerts).toEqual([]);
  expect(await incidents()).toHaveLength(1);
});
