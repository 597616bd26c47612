import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields, Json } from "../../../../src/core/json.ts";
import { errorOf } from "../../client.ts";
import { listOf, openTestEmulator, readTimeline, startTime, type TestEmulator } from "../../test-emulator.ts";

let service: TestEmulator;
let path: string;
beforeEach(async () => {
  service = await openTestEmulator();
  path = `/alerts/${(await service.send("POST", "/alert_sources", { name: "Grafana" })).body.slug}`;
});
afterEach(() => service.close());

async function outcome(input: Fields, conditions: Json = []): Promise<void> {
  expect((await service.send("POST", "/routing_rules", { conditions, outcome: input })).status).toBe(201);
}

async function alert(fields: Fields): Promise<Fields> {
  const response = await service.send("POST", path, fields);
  expect(response.status).toBe(201);
  return listOf(response, "alerts")[0] ?? {};
}

async function incidents(): Promise<readonly Fields[]> {
  return listOf(await service.send("GET", "/incidents"), "incidents");
}

test("Alerts: auto_create_incident declares an incident with the rule's severity, declared by nobody", async () => {
  await outcome({ action: "auto_create_incident", severity_id: await service.id("severities", "critical") });
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
    detected_at: startTime,
  });
  const events = await readTimeline(service, incident ?? {});
  expect(events).toMatchObject([
    { event_type: "incident.created", automated: true, actor: null },
    { event_type: "alert.attached", automated: true },
  ]);
});

test("Alerts: an alert with the same fingerprint is attached to the live incident, where its resolution is recorded", async () => {
  await outcome({ action: "auto_create_incident" });
  const first = await alert({ title: "Down", fingerprint: "f" });
  expect(await alert({ title: "Down", fingerprint: "f" })).toMatchObject({ incident_id: first.incident_id });
  expect(await alert({ title: "Down", fingerprint: "f", status: "resolved" })).toMatchObject({
    status: "resolved",
    incident_id: first.incident_id,
  });
  const [incident, ...others] = await incidents();
  expect(others).toEqual([]);
  expect((await service.events(incident ?? {})).slice(2)).toEqual(["alert.attached", "alert.resolved"]);
  const status_id = await service.id("statuses", "resolved");
  await service.send("PATCH", `/incidents/${first.incident_id}`, { status_id });
  expect((await alert({ title: "Down", fingerprint: "f" })).incident_id).not.toBe(first.incident_id);
});

test("Alerts: attach_to_incident joins the live incident of the same service, else the newest, and creates none", async () => {
  await outcome({ action: "auto_create_incident" }, [{ field: "title", operator: "is_one_of", value: ["first"] }]);
  await outcome({ action: "attach_to_incident" });
  expect(await alert({ title: "early" })).toMatchObject({ action: "attach_to_incident", incident_id: null });
  const first = await alert({ title: "first", service: "checkout" });
  const newest = await service.declare();
  expect(await alert({ title: "other", service: "checkout" })).toMatchObject({ incident_id: first.incident_id });
  expect(await alert({ title: "third", service: "search" })).toMatchObject({ incident_id: newest.id });
  expect(await incidents()).toHaveLength(2);
});

test("Alerts: notify_only notifies members, channels and teams, and creates none", async () => {
  const led = await service.declare({ declared_by_id: "U0002" });
  const member_id = (led.declared_by as { id: string }).id;
  await outcome({ action: "notify_only", notify: { type: "member", member_id } }, [
    { field: "to", operator: "is_one_of", value: ["member"] },
  ]);
  await outcome({ action: "notify_only", notify: { type: "channel", channel_id: "C1" } });
  await alert({ title: "Look", to: "member" });
  await alert({ title: "Look there" });
  expect((await service.control("GET", "/posts")).body.posts).toMatchObject([
    { member_id, incident_id: null, text: "Alert: Look" },
    { channel_id: "C1", incident_id: null, text: "Alert: Look there" },
  ]);
  expect(await incidents()).toHaveLength(1);
});

test("Alerts: invite brings members into the channel of the incident", async () => {
  const led = await service.declare({ declared_by_id: "U0002" });
  const member_id = (led.declared_by as { id: string }).id;
  await outcome({ action: "auto_create_incident", invite: [{ type: "member", member_id }] });
  const { incident_id } = await alert({ title: "Down" });
  const again = await service.send("POST", `/incidents/${incident_id}/invite`, { member_ids: ["U0002"] });
  expect(again.body).toMatchObject({ invited: [], already_here: [{ id: member_id }] });
});

test("Alerts: drop, and no matching rule, only store the alert", async () => {
  await outcome({ action: "drop" }, [{ field: "title", operator: "is_one_of", value: ["noise"] }]);
  expect(await alert({ title: "noise" })).toMatchObject({ action: "drop", incident_id: null });
  expect(await alert({ title: "news" })).toMatchObject({ action: null, incident_id: null });
  expect(await incidents()).toEqual([]);
  expect((await service.control("GET", "/alerts")).body.alerts).toHaveLength(2);
});

test("Alerts: a list of alerts with labels and annotations is ingested one by one", async () => {
  await outcome({ action: "auto_create_incident" });
  const alerts = [
    { status: "firing", labels: { alertname: "Disk", service: "db" }, annotations: { description: "Full" } },
    { status: "firing", labels: { alertname: "Load" } },
  ];
  expect(listOf(await service.send("POST", path, { alerts }), "alerts")).toHaveLength(2);
  expect((await incidents()).map(({ name, summary }) => [name, summary])).toEqual([
    ["Load", null],
    ["Disk", "Full"],
  ]);
});

test("Alerts: an unknown or disabled source is 404, a token without alerts: create 403, the 61st in a minute 429", async () => {
  expect((await service.send("POST", "/alerts/unknown", { title: "x" })).status).toBe(404);
  const key = await service.key({ alerts: ["read"] });
  expect((await service.send("POST", path, { title: "x" }, key)).status).toBe(403);
  expect((await service.send("POST", path, { alerts: Array(60).fill({ title: "x" }) })).status).toBe(201);
  const response = await service.send("POST", path, { title: "x" });
  expect([response.status, errorOf(response).type]).toEqual([429, "rate_limit_exceeded"]);
  service.emulator.control?.clock.advance(60_000);
  expect((await service.send("POST", path, { title: "x" })).status).toBe(201);
  await service.send("PATCH", path.replace("/alerts/", "/alert_sources/"), { enabled: false });
  expect((await service.send("POST", path, { title: "x" })).status).toBe(404);
});

test("Alert sources: deleting one deletes its alerts and keeps its incidents", async () => {
  await outcome({ action: "auto_create_incident" });
  await alert({ title: "Down" });
  expect((await service.send("DELETE", path.replace("/alerts/", "/alert_sources/"))).status).toBe(204);
  expect((await service.control("GET", "/alerts")).body.alerts).toEqual([]);
  expect(await incidents()).toHaveLength(1);
});
