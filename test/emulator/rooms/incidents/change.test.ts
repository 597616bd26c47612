import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields, Json } from "../../../../src/core/json.ts";
import { errorOf } from "../../client.ts";
import { type Desk, incidentIn, openDesk, opening } from "../../test-emulator.ts";

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.close());

async function patch(incident: Fields, change: Fields): Promise<Awaited<ReturnType<Desk["send"]>>> {
  return desk.send("PATCH", `/incidents/${incident.id}`, change);
}

async function move(incident: Fields, status: string): Promise<[number, Json]> {
  const answer = await patch(incident, { status_id: await desk.id("statuses", status) });
  return [
    answer.status,
    answer.status === 200 ? (incidentIn(answer).resolved_at ?? null) : (errorOf(answer).type ?? null),
  ];
}

test("Incidents: PATCH takes any combination and applies it as a single change", async () => {
  const incident = await desk.declare();
  desk.emulator.control?.clock.advance(1000);
  const change = {
    name: "Renamed",
    summary: "Known",
    status_id: await desk.id("statuses", "identified"),
    severity_id: await desk.id("severities", "critical"),
    incident_type_id: await desk.id("incident_types", "data_issue"),
    lead_id: "U0002",
  };
  const after = incidentIn(await patch(incident, change));
  expect(after).toMatchObject({
    name: "Renamed",
    summary: "Known",
    status: { slug: "identified" },
    severity: { slug: "critical" },
    type: { slug: "data_issue" },
    lead: { type: "user", name: "Grace Holm", email: "grace@example.com" },
    updated_at: "2026-03-01T12:00:01.000Z",
    created_at: opening,
  });
  expect(await desk.read(incident)).toEqual(after);
  expect(await desk.events(incident)).toEqual(["incident.created", "incident.updated", "lead.assigned"]);
});

test.each([
  ["an unknown severity", { severity_id: "none" }, 422],
  ["an unknown status", { status_id: "none" }, 422],
  ["an unknown type", { incident_type_id: "none" }, 422],
  ["a lead who is nobody", { lead_id: "nobody@example.com" }, 404],
  ["a blank name", { name: "" }, 422],
  ["a status that is null", { status_id: null }, 422],
])("Incidents: %s refuses the whole PATCH", async (_case, wrong, status) => {
  const incident = await desk.declare();
  const answer = await patch(incident, { summary: "Never", ...wrong });
  expect(answer.status).toBe(status);
  expect(await desk.read(incident)).toEqual(incident);
});

test("Incidents: what is not sent stays, null takes summary and type away, and a change of nothing is none", async () => {
  const incident_type_id = await desk.id("incident_types", "data_issue");
  const incident = await desk.declare({ summary: "Known", incident_type_id, visibility: "private" });
  desk.emulator.control?.clock.advance(1000);
  expect(incidentIn(await patch(incident, {}))).toEqual(incident);
  expect(incidentIn(await patch(incident, { name: incident.name ?? null, summary: "Known" }))).toEqual(incident);
  const after = incidentIn(await patch(incident, { summary: null, incident_type_id: null }));
  expect(after).toMatchObject({ summary: null, type: null, visibility: "private", name: incident.name });
});

test("Disabled entries 1: an incident keeps an entry that was disabled, and another cannot choose it", async () => {
  const severity_id = await desk.id("severities", "critical");
  const incident = await desk.declare({ severity_id });
  const other = await desk.declare();
  await desk.send("PATCH", "/severities/critical", { enabled: false });
  expect((await patch(incident, { severity_id, summary: "Same" })).status).toBe(200);
  const refused = await patch(other, { severity_id });
  expect([refused.status, errorOf(refused).errors]).toMatchObject([422, [{ field: "severity_id" }]]);
});

test.each([["triaging"], ["investigating"]])(
  "Lifecycle: a live incident in %s is resolved, which sets resolved_at",
  async (from) => {
    expect(await move(await desk.declareIn(from), "resolved")).toEqual([200, opening]);
  },
);

test.each([["triaging"], ["investigating"]])(
  "Lifecycle: a live incident in %s is canceled, which sets no resolved_at",
  async (from) => {
    expect(await move(await desk.declareIn(from), "canceled")).toEqual([200, null]);
  },
);

test.each([
  ["resolved", "triaging"],
  ["resolved", "monitoring"],
  ["canceled", "triaging"],
  ["canceled", "monitoring"],
])("Lifecycle: %s to %s reopens the incident: it is live and not resolved any more", async (from, to) => {
  const incident = await desk.declareIn(from);
  expect(await move(incident, to)).toEqual([200, null]);
  expect((await desk.events(incident)).at(-1)).toBe("incident.reopened");
  expect(await move(incident, "resolved")).toEqual([200, opening]);
});

test.each([
  ["resolved", "canceled"],
  ["canceled", "resolved"],
])("Lifecycle: %s to %s is refused with 422 incident_not_active and changes nothing", async (from, to) => {
  const incident = await desk.declareIn(from);
  expect(await move(incident, to)).toEqual([422, "incident_not_active"]);
  expect(await desk.read(incident)).toEqual(incident);
});

test("Lifecycle: a resolved incident moved to another closed status keeps its resolved_at", async () => {
  await desk.send("POST", "/statuses", { name: "Closed", lifecycle_stage: "closed" });
  const incident = await desk.declareIn("resolved");
  desk.emulator.control?.clock.advance(1000);
  expect(await move(incident, "closed")).toEqual([200, opening]);
});

test("Lifecycle: the stage of an incident is that of its status, also when the status moves", async () => {
  const incident = await desk.declareIn("identified");
  await desk.send("PATCH", "/statuses/identified", { lifecycle_stage: "closed" });
  expect(await desk.read(incident)).toMatchObject({ status: { lifecycle_stage: "closed" } });
});

test.each([
  ["triaging", ["incident.created", "incident.updated"]],
  ["resolved", ["incident.created", "incident.resolved"]],
  ["canceled", ["incident.created", "incident.canceled"]],
])("Timeline: the way into %s is recorded", async (status, events) => {
  expect(await desk.events(await desk.declareIn(status))).toEqual(events);
});

test("Timeline: leaving triage is recorded as accepting", async () => {
  const incident = await desk.declareIn("triaging");
  await move(incident, "investigating");
  expect((await desk.events(incident)).at(-1)).toBe("incident.accepted");
});

test.each([["resolved"], ["canceled"]])(
  "Lead: on a %s incident it is refused with 422 incident_not_active",
  async (status) => {
    const incident = await desk.declareIn(status);
    for (const lead_id of ["grace@example.com", null]) {
      const answer = await patch(incident, { lead_id });
      expect([answer.status, errorOf(answer).type]).toEqual([422, "incident_not_active"]);
    }
    expect((await desk.read(incident)).lead).toBe(null);
  },
);

test("Lead: it goes with the change that reopens or resolves the incident", async () => {
  const incident = await desk.declareIn("resolved");
  const reopened = await patch(incident, { status_id: await desk.id("statuses", "triaging"), lead_id: "U0001" });
  expect([reopened.status, incidentIn(reopened).lead]).toMatchObject([200, { email: "ada@example.com" }]);
  const resolved = await patch(incident, { status_id: await desk.id("statuses", "resolved"), lead_id: "U0002" });
  expect([resolved.status, incidentIn(resolved).lead]).toMatchObject([200, { email: "grace@example.com" }]);
});

test("Lead: null is refused with 422 once there is one, and nothing before", async () => {
  const incident = await desk.declare();
  expect((await patch(incident, { lead_id: null })).status).toBe(200);
  await patch(incident, { lead_id: "U0001" });
  expect((await patch(incident, { lead_id: null })).status).toBe(422);
  expect((await desk.read(incident)).lead).toMatchObject({ email: "ada@example.com" });
});

test("Lead: a person is named by email address whatever its case, or chat user ID, never by a service ID", async () => {
  const incident = await desk.declare();
  const led = incidentIn(await patch(incident, { lead_id: "ADA@example.com" }));
  const { id } = led.lead as { id: string };
  expect(incidentIn(await patch(incident, { lead_id: "U0002" })).lead).toMatchObject({ name: "Grace Holm" });
  expect((await patch(incident, { lead_id: id })).status).toBe(404);
});

test("Lead: the assignment is announced in the channel, and the person is told", async () => {
  const incident = await desk.declare();
  await patch(incident, { lead_id: "U0002" });
  const { body } = await desk.control("GET", "/posts");
  expect(body.posts).toMatchObject([
    { incident_id: incident.id, member_id: null, text: "Grace Holm leads INC-1 now" },
    { incident_id: incident.id, member_id: expect.any(String), text: expect.stringContaining("You lead INC-1") },
  ]);
});

test.each([
  ["severities", "severity_id"],
  ["statuses", "status_id"],
  ["incident_types", "incident_type_id"],
] as const)(
  "Disabled entries 3: an entry of %s that incidents use is not deleted, and the count is told",
  async (list, input) => {
    const made = await desk.send("POST", `/${list}`, { name: "Used", lifecycle_stage: "active" });
    const id = made.body.id ?? null;
    const incident = await desk.declare({ [input]: id });
    await desk.declare({ [input]: id });
    const refused = await desk.send("DELETE", `/${list}/used`);
    const message = "Used is in use by 2 incident(s) and cannot be deleted. Disable it instead.";
    expect([refused.status, errorOf(refused).message]).toEqual([422, message]);
    expect(incident.id).not.toBe(null);
  },
);

test("Disabled entries 3: a role that somebody has on an incident is not deleted", async () => {
  await desk.send("POST", "/incident_roles", { name: "Scribe" });
  const incident = await desk.declare();
  await desk.control("POST", `/incidents/${incident.id}/roles`, { role: "scribe", member_id: "U0002" });
  const refused = await desk.send("DELETE", "/incident_roles/scribe");
  expect([refused.status, errorOf(refused).message]).toEqual([422, expect.stringContaining("1 incident(s)")]);
  expect((await desk.events(incident)).at(-1)).toBe("role.assigned");
});
