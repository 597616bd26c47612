import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields } from "../../../../src/core/json.ts";
import { errorOf } from "../../client.ts";
import { type Desk, incidentIn, itemsIn, openDesk, timelineOf } from "../../test-emulator.ts";

let desk: Desk;
let incident: Fields;
beforeEach(async () => {
  desk = await openDesk();
  incident = await desk.declare();
});
afterEach(() => desk.close());

async function act(action: string, body: Fields): Promise<Awaited<ReturnType<Desk["send"]>>> {
  return desk.send("POST", `/incidents/${incident.id}/${action}`, body);
}

test("escalate asks a person, posts in the channel, and messages the person directly", async () => {
  const answer = await act("escalate", { member_id: "U0002", reason: "You know the queue" });
  expect([answer.status, answer.body]).toEqual([
    201,
    {
      incident_id: incident.id,
      escalated_to: { id: expect.any(String), name: "Grace Holm" },
      reason: "You know the queue",
      acknowledged: false,
    },
  ]);
  expect((await desk.events(incident)).at(-1)).toBe("incident.escalated");
  expect((await desk.control("GET", "/posts")).body.posts).toMatchObject([
    { member_id: null, text: "Grace Holm was asked to respond: You know the queue" },
    { member_id: expect.any(String), text: expect.stringContaining("[Acknowledge]") },
  ]);
});

test("escalate reminds the person, once, when there is no answer for five minutes", async () => {
  await act("escalate", { member_id: "U0002" });
  desk.emulator.control?.clock.advance(5 * 60_000 - 1);
  expect(await desk.events(incident)).not.toContain("incident.escalation_nudged");
  desk.emulator.control?.clock.advance(1);
  await desk.events(incident);
  const events = await timelineOf(desk, incident);
  expect(events.slice(2)).toMatchObject([{ event_type: "incident.escalation_nudged", automated: true, actor: null }]);
  expect((await desk.control("GET", "/posts")).body.posts).toHaveLength(3);
});

test("escalate reminds nobody who pressed the acknowledge button, which is on the timeline", async () => {
  await act("escalate", { member_id: "U0002" });
  const [escalation] = itemsIn(await desk.control("GET", `/incidents/${incident.id}/escalations`), "escalations");
  for (let press = 0; press < 2; press += 1) await desk.control("POST", `/escalations/${escalation?.id}/acknowledge`);
  desk.emulator.control?.clock.advance(3_600_000);
  const [, , ...rest] = await timelineOf(desk, incident);
  expect(rest).toMatchObject([{ event_type: "incident.escalation_acknowledged", actor: { name: "Grace Holm" } }]);
});

test("invite adds people to the channel quietly, each once, and says who was there", async () => {
  const first = await act("invite", { member_ids: ["grace@example.com", "U0002"] });
  const grace = { id: expect.any(String), name: "Grace Holm" };
  expect(first.body).toEqual({ incident_id: incident.id, invited: [grace], already_here: [], failed: [] });
  const second = await act("invite", { member_ids: ["U0001", "U0002"] });
  expect(second.body).toMatchObject({ invited: [{ name: "Ada Marsh" }], already_here: [grace] });
  expect(await desk.events(incident)).toEqual(["incident.created"]);
  expect((await desk.control("GET", "/posts")).body.posts).toEqual([]);
});

test("shoutout thanks someone in the channel", async () => {
  const answer = await act("shoutout", { member_id: "grace@example.com", message: "Fast!" });
  const to = { id: expect.any(String), name: "Grace Holm" };
  expect([answer.status, answer.body]).toEqual([201, { id: expect.any(String), incident_id: incident.id, to }]);
  expect((await desk.control("GET", "/posts")).body.posts).toMatchObject([{ text: "Ada Marsh to Grace Holm: Fast!" }]);
});

test.each([
  ["escalate", { member_id: "nobody@example.com", reason: "x" }],
  ["invite", { member_ids: ["U0001", "nobody@example.com"] }],
  ["shoutout", { member_id: "U9999", message: "x" }],
])("%s of a name that matches nobody is 404 and does nothing", async (action, body) => {
  const answer = await act(action, body);
  expect([answer.status, errorOf(answer).type]).toEqual([404, "not_found"]);
  expect(await desk.events(incident)).toEqual(["incident.created"]);
  expect((await act("invite", { member_ids: ["U0001"] })).body.already_here).toEqual([]);
});

test("a person is named by email or chat user ID, not by a service ID", async () => {
  const led = incidentIn(await desk.send("PATCH", `/incidents/${incident.id}`, { lead_id: "U0002" }));
  const { id } = led.lead as { id: string };
  expect((await act("escalate", { member_id: id, reason: "x" })).status).toBe(404);
});

test.each([
  ["escalate", {}, 400],
  ["invite", {}, 400],
  ["invite", { member_ids: [] }, 422],
  ["invite", { member_ids: "U0001" }, 422],
  ["shoutout", {}, 400],
  ["link", { relationship: "related" }, 400],
  ["runbook_steps/claim", {}, 400],
])("%s with %j is %i", async (action, body, status) => {
  expect((await act(action, body)).status).toBe(status);
});

test("Authentication 3: each responder action needs incidents: update", async () => {
  const [reader, updater] = [await desk.key({ incidents: ["read"] }), await desk.key({ incidents: ["update"] })];
  const other = await desk.declare();
  const calls: readonly [string, string, Fields | undefined][] = [
    ["GET", "action_items", undefined],
    ["POST", "action_items", { description: "x" }],
    ["POST", "escalate", { member_id: "U0001" }],
    ["POST", "invite", { member_ids: ["U0001"] }],
    ["POST", "shoutout", { member_id: "U0001" }],
    ["POST", "link", { other_incident_id: other.id ?? null, relationship: "related" }],
  ];
  for (const [method, action, body] of calls) {
    const path = `/incidents/${incident.id}/${action}`;
    expect([action, (await desk.send(method, path, body, reader)).status]).toEqual([action, 403]);
    expect((await desk.send(method, path, body, updater)).status).toBeLessThan(300);
  }
});

test("a member's own token declares and updates incidents, and is told 403 for what only admins reach", async () => {
  const token = await desk.personalToken("linus", "member");
  const severity_id = await desk.id("severities", "minor");
  const declared = await desk.send("POST", "/incidents", { idempotency_key: "m", name: "x", severity_id }, token);
  expect([declared.status, incidentIn(declared).declared_by]).toMatchObject([201, { name: "linus", type: "user" }]);
  expect((await desk.send("PATCH", `/incidents/${incident.id}`, { summary: "x" }, token)).status).toBe(200);
  for (const [method = "", path = ""] of [
    ["GET", "/agents"],
    ["GET", "/api_keys"],
    ["GET", "/grants"],
    ["PATCH", "/severities/minor"],
  ]) {
    expect((await desk.send(method, path, method === "GET" ? undefined : {}, token)).status).toBe(403);
  }
  expect((await desk.send("GET", "/agents", undefined, await desk.personalToken("mei", "admin"))).status).toBe(200);
});
