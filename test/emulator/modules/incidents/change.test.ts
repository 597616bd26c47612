import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields, Json } from "../../../../src/core/json.ts";
import { errorOf } from "../../client.ts";
import { incidentOf, openTestEmulator, startTime, type TestEmulator } from "../../test-emulator.ts";

let service: TestEmulator;
beforeEach(async () => {
  service = await openTestEmulator();
});
afterEach(() => service.close());

async function patch(incident: Fields, change: Fields): Promise<Awaited<ReturnType<TestEmulator["send"]>>> {
  return service.send("PATCH", `/incidents/${incident.id}`, change);
}

async function move(incident: Fields, status: string): Promise<[number, Json]> {
  const response = await patch(incident, { status_id: await service.id("statuses", status) });
  return [
    response.status,
    response.status === 200 ? (incidentOf(response).resolved_at ?? null) : (errorOf(response).type ?? null),
  ];
}

test("Incidents: PATCH accepts any combination and applies it as a single change", async () => {
  const incident = await service.declare();
  service.emulator.control?.clock.advance(1000);
  const change = {
    name: "Renamed",
    summary: "Known",
    status_id: await service.id("statuses", "identified"),
    severity_id: await service.id("severities", "critical"),
    incident_type_id: await service.id("incident_types", "data_issue"),
    lead_id: "U0002",
  };
  const after = incidentOf(await patch(incident, change));
  expect(after).toMatchObject({
    name: "Renamed",
    summary: "Known",
    status: { slug: "identified" },
    severity: { slug: "critical" },
    type: { slug: "data_issue" },
    lead: { type: "user", name: "Grace Holm", email: "grace@example.com" },
    updated_at: "2026-03-01T12:00:01.000Z",
    created_at: startTime,
  });
  expect(await service.read(incident)).toEqual(after);
  expect(await service.events(incident)).toEqual(["incident.created", "incident.updated", "lead.assigned"]);
});

test.each([
  ["an unknown severity", { severity_id: "none" }, 422],
  ["an unknown status", { status_id: "none" }, 422],
  ["an unknown type", { incident_type_id: "none" }, 422],
  ["a lead who is nobody", { lead_id: "nobody@example.com" }, 404],
  ["a blank name", { name: "" }, 422],
  ["a status that is null", { status_id: null }, 422],
])("Incidents: %s refuses the whole PATCH", async (_case, wrong, status) => {
  const incident = await service.declare();
  const response = await patch(incident, { summary: "Never", ...wrong });
  expect(response.status).toBe(status);
  expect(await service.read(incident)).toEqual(incident);
});

test("Incidents: omitted fields stay, null removes summary and type, and an unchanged incident records no event", async () => {
  const incident_type_id = await service.id("incident_types", "data_issue");
  const incident = await service.declare({ summary: "Known", incident_type_id, visibility: "private" });
  service.emulator.control?.clock.advance(1000);
  expect(incidentOf(await patch(incident, {}))).toEqual(incident);
  expect(incidentOf(await patch(incident, { name: incident.name ?? null, summary: "Known" }))).toEqual(incident);
  const after = incidentOf(await patch(incident, { summary: null, incident_type_id: null }));
  expect(after).toMatchObject({ summary: null, type: null, visibility: "private", name: incident.name });
});

test("Disabled entries 1: an incident keeps an entry that was disabled, and another cannot choose it", async () => {
  const severity_id = await service.id("severities", "critical");
  const incident = await service.declare({ severity_id });
  const other = await service.declare();
  await service.send("PATCH", "/severities/critical", { enabled: false });
  expect((await patch(incident, { severity_id, summary: "Same" })).status).toBe(200);
  const refused = await patch(other, { severity_id });
  expect([refused.status, errorOf(refused).errors]).toMatchObject([422, [{ field: "severity_id" }]]);
});

test("Lifecycle: a resolved incident moved to another closed status keeps its resolved_at", async () => {
  await service.send("POST", "/statuses", { name: "Closed", lifecycle_stage: "closed" });
  const incident = await service.declareIn("resolved");
  service.emulator.control?.clock.advance(1000);
  expect(await move(incident, "closed")).toEqual([200, startTime]);
});

test("Lead: it can change with a request that reopens or resolves the incident", async () => {
  const incident = await service.declareIn("resolved");
  const reopened = await patch(incident, { status_id: await service.id("statuses", "triaging"), lead_id: "U0001" });
  expect([reopened.status, incidentOf(reopened).lead]).toMatchObject([200, { email: "ada@example.com" }]);
  const resolved = await patch(incident, { status_id: await service.id("statuses", "resolved"), lead_id: "U0002" });
  expect([resolved.status, incidentOf(resolved).lead]).toMatchObject([200, { email: "grace@example.com" }]);
});

test("Lead: null is refused with 422 if there is one, and changes nothing before", async () => {
  const incident = await service.declare();
  expect((await patch(incident, { lead_id: null })).status).toBe(200);
  await patch(incident, { lead_id: "U0001" });
  expect((await patch(incident, { lead_id: null })).status).toBe(422);
  expect((await service.read(incident)).lead).toMatchObject({ email: "ada@example.com" });
});

test("Lead: a person is named by email address in any case or chat user ID, never by a service ID", async () => {
  const incident = await service.declare();
  const led = incidentOf(await patch(incident, { lead_id: "ADA@example.com" }));
  const { id } = led.lead as { id: string };
  expect(incidentOf(await patch(incident, { lead_id: "U0002" })).lead).toMatchObject({ name: "Grace Holm" });
  expect((await patch(incident, { lead_id: id })).status).toBe(404);
});

test("Lead: the assignment is announced in the channel, and the person is notified", async () => {
  const incident = await service.declare();
  await patch(incident, { lead_id: "U0002" });
  const { body } = await service.control("GET", "/posts");
  expect(body.posts).toMatchObject([
    { incident_id: incident.id, member_id: null, text: "Grace Holm leads INC-1 now" },
    { incident_id: incident.id, member_id: expect.any(String), text: expect.stringContaining("You lead INC-1") },
  ]);
});

test("Disabled entries 3: a role that is assigned on an incident cannot be deleted", async () => {
  await service.send("POST", "/incident_roles", { name: "Scribe" });
  const incident = await service.declare();
  await service.control("POST", `/incidents/${incident.id}/roles`, { role: "scribe", member_id: "U0002" });
  const refused = await service.send("DELETE", "/incident_roles/scribe");
  expect([refused.status, errorOf(refused).message]).toEqual([422, expect.stringContaining("1 incident(s)")]);
  expect((await service.events(incident)).at(-1)).toBe("role.assigned");
});
