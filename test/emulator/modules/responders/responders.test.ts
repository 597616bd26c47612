import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields } from "../../../../src/core/json.ts";
import { errorOf } from "../../client.ts";
import { incidentOf, listOf, openTestEmulator, readTimeline, type TestEmulator } from "../../test-emulator.ts";

let service: TestEmulator;
let incident: Fields;
beforeEach(async () => {
  service = await openTestEmulator();
  incident = await service.declare();
});
afterEach(() => service.close());

async function act(action: string, body: Fields): Promise<Awaited<ReturnType<TestEmulator["send"]>>> {
  return service.send("POST", `/incidents/${incident.id}/${action}`, body);
}

test("escalate asks a person, posts in the channel, and messages the person directly", async () => {
  const response = await act("escalate", { member_id: "U0002", reason: "You know the queue" });
  expect([response.status, response.body]).toEqual([
    201,
    {
      incident_id: incident.id,
      escalated_to: { id: expect.any(String), name: "Grace Holm" },
      reason: "You know the queue",
      acknowledged: false,
    },
  ]);
  expect((await service.events(incident)).at(-1)).toBe("incident.escalated");
  expect((await service.control("GET", "/posts")).body.posts).toMatchObject([
    { member_id: null, text: "Grace Holm was asked to respond: You know the queue" },
    { member_id: expect.any(String), text: expect.stringContaining("[Acknowledge]") },
  ]);
});

test("escalate reminds the person, once, after five minutes without an acknowledgement", async () => {
  await act("escalate", { member_id: "U0002" });
  service.emulator.control?.clock.advance(5 * 60_000 - 1);
  expect(await service.events(incident)).not.toContain("incident.escalation_nudged");
  service.emulator.control?.clock.advance(1);
  await service.events(incident);
  const events = await readTimeline(service, incident);
  expect(events.slice(2)).toMatchObject([{ event_type: "incident.escalation_nudged", automated: true, actor: null }]);
  expect((await service.control("GET", "/posts")).body.posts).toHaveLength(3);
});

test("escalate reminds nobody who acknowledged, and the timeline has the acknowledgement", async () => {
  await act("escalate", { member_id: "U0002" });
  const [escalation] = listOf(await service.control("GET", `/incidents/${incident.id}/escalations`), "escalations");
  for (let press = 0; press < 2; press += 1)
    await service.control("POST", `/escalations/${escalation?.id}/acknowledge`);
  service.emulator.control?.clock.advance(3_600_000);
  const [, , ...rest] = await readTimeline(service, incident);
  expect(rest).toMatchObject([{ event_type: "incident.escalation_acknowledged", actor: { name: "Grace Holm" } }]);
});

test("invite adds people to the channel quietly, each once, and lists those already there", async () => {
  const first = await act("invite", { member_ids: ["grace@example.com", "U0002"] });
  const grace = { id: expect.any(String), name: "Grace Holm" };
  expect(first.body).toEqual({ incident_id: incident.id, invited: [grace], already_here: [], failed: [] });
  const second = await act("invite", { member_ids: ["U0001", "U0002"] });
  expect(second.body).toMatchObject({ invited: [{ name: "Ada Marsh" }], already_here: [grace] });
  expect(await service.events(incident)).toEqual(["incident.created"]);
  expect((await service.control("GET", "/posts")).body.posts).toEqual([]);
});

test("shoutout thanks someone in the channel", async () => {
  const response = await act("shoutout", { member_id: "grace@example.com", message: "Fast!" });
  const to = { id: expect.any(String), name: "Grace Holm" };
  expect([response.status, response.body]).toEqual([201, { id: expect.any(String), incident_id: incident.id, to }]);
  expect((await service.control("GET", "/posts")).body.posts).toMatchObject([
    { text: "Ada Marsh to Grace Holm: Fast!" },
  ]);
});

test.each([
  ["escalate", { member_id: "nobody@example.com", reason: "x" }],
  ["invite", { member_ids: ["U0001", "nobody@example.com"] }],
  ["shoutout", { member_id: "U9999", message: "x" }],
])("%s with an unknown name is 404 and does nothing", async (action, body) => {
  const response = await act(action, body);
  expect([response.status, errorOf(response).type]).toEqual([404, "not_found"]);
  expect(await service.events(incident)).toEqual(["incident.created"]);
  expect((await act("invite", { member_ids: ["U0001"] })).body.already_here).toEqual([]);
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

test("a member's own token declares and updates incidents, and gets 403 for admin-only endpoints", async () => {
  const token = await service.personalToken("linus", "member");
  const severity_id = await service.id("severities", "minor");
  const declared = await service.send("POST", "/incidents", { idempotency_key: "m", name: "x", severity_id }, token);
  expect([declared.status, incidentOf(declared).declared_by]).toMatchObject([201, { name: "linus", type: "user" }]);
  expect((await service.send("PATCH", `/incidents/${incident.id}`, { summary: "x" }, token)).status).toBe(200);
  for (const [method = "", path = ""] of [
    ["GET", "/agents"],
    ["GET", "/api_keys"],
    ["GET", "/grants"],
    ["PATCH", "/severities/minor"],
  ]) {
    expect((await service.send(method, path, method === "GET" ? undefined : {}, token)).status).toBe(403);
  }
  expect((await service.send("GET", "/agents", undefined, await service.personalToken("mei", "admin"))).status).toBe(
    200,
  );
});
