import { afterEach, beforeEach, expect, test } from "vitest";
import { errorOf } from "../../client.ts";
import { incidentOf, listOf, openTestEmulator, startTime, type TestEmulator } from "../../test-emulator.ts";

let service: TestEmulator;
beforeEach(async () => {
  service = await openTestEmulator();
});
afterEach(() => service.close());

async function body(fields: Record<string, unknown> = {}): Promise<never> {
  const severity_id = await service.id("severities", "major");
  return { idempotency_key: "once", name: "Checkout is slow", severity_id, ...fields } as never;
}

test("Incidents: a declaration with the three required fields gets every default", async () => {
  const response = await service.send("POST", "/incidents", await body());
  expect(response.status).toBe(201);
  expect(incidentOf(response)).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    identifier: "INC-1",
    name: "Checkout is slow",
    summary: null,
    status: {
      id: await service.id("statuses", "investigating"),
      name: "Investigating",
      slug: "investigating",
      lifecycle_stage: "active",
    },
    severity: { id: await service.id("severities", "major"), name: "Major", slug: "major", rank: 3 },
    type: null,
    lead: null,
    source: "api",
    declared_by: { id: expect.any(String), type: "user", name: "Ada Marsh", email: "ada@example.com" },
    declared_at: startTime,
    detected_at: null,
    resolved_at: null,
    created_at: startTime,
    updated_at: startTime,
    custom_fields: {},
    visibility: "public",
  });
});

test("Incidents: declared_by_id is a member's ID; without it a service key declares under its own name", async () => {
  const first = await service.declare();
  const led = incidentOf(await service.send("PATCH", `/incidents/${first.id}`, { lead_id: "grace@example.com" }));
  const member = (led.lead as { id: string }).id;
  const named = await service.declare({ declared_by_id: member });
  expect(named.declared_by).toMatchObject({ id: member, name: "Grace Holm" });
  const token = service.emulator.serviceToken;
  const machine = incidentOf(await service.send("POST", "/incidents", await body({ idempotency_key: "k" }), token));
  expect(machine.declared_by).toMatchObject({ type: "api_key", email: null });
  const unknown = await service.send("POST", "/incidents", await body({ declared_by_id: "nobody" }));
  expect(unknown.status).toBe(404);
});

test("Errors: each input that names an unknown or disabled entry has its error; nothing is created", async () => {
  await service.send("PATCH", "/severities/critical", { enabled: false });
  const wrong = {
    severity_id: await service.id("severities", "critical"),
    status_id: "none",
    incident_type_id: "none",
    custom_fields: { unknown: 1 },
  };
  const response = await service.send("POST", "/incidents", await body(wrong));
  expect([response.status, errorOf(response).type]).toEqual([422, "validation_error"]);
  expect(listOf({ ...response, body: errorOf(response) }, "errors").map(({ field }) => field)).toEqual([
    "severity_id",
    "status_id",
    "incident_type_id",
    "unknown",
  ]);
  expect((await service.send("GET", "/incidents")).body.incidents).toEqual([]);
  expect((await service.send("POST", "/incidents", await body())).status).toBe(201);
});

test.each([
  ["visibility", "secret"],
  ["name", " "],
  ["custom_fields", []],
  ["idempotency_key", ""],
])("Errors: a declaration with %s %j is 422", async (name, value) => {
  const response = await service.send("POST", "/incidents", await body({ [name]: value }));
  expect([response.status, errorOf(response).type]).toEqual([422, "validation_error"]);
});

test("a bare workspace has no default status and requires one", async () => {
  const bare = await openTestEmulator({ workspace: "bare" });
  const severity = await bare.send("POST", "/severities", { name: "Only" });
  const sent = { idempotency_key: "k", name: "x", severity_id: severity.body.id ?? null };
  const response = await bare.send("POST", "/incidents", sent);
  expect(errorOf(response).errors).toMatchObject([{ field: "status_id" }]);
  await bare.close();
});

test("Authentication 8: an incident that does not exist is 404 on every path", async () => {
  const path = "/incidents/00000000-0000-4000-8000-000000000000";
  const calls: readonly [string, string, object?][] = [
    ["GET", ""],
    ["PATCH", "", {}],
    ["GET", "/timeline"],
    ["PATCH", "/timeline/x/dismiss"],
    ["GET", "/transcript"],
    ["GET", "/action_items"],
    ["POST", "/action_items", { description: "x" }],
    ["PATCH", "/action_items/x", {}],
    ["POST", "/escalate", { member_id: "ada@example.com" }],
    ["POST", "/invite", { member_ids: ["ada@example.com"] }],
    ["POST", "/link", { other_incident_id: "x", relationship: "related" }],
    ["POST", "/shoutout", { member_id: "ada@example.com" }],
    ["GET", "/runbooks"],
    ["POST", "/runbook_steps/claim", { runbook_id: "x", step_id: "x" }],
    ["GET", "/postmortem"],
    ["POST", "/postmortem"],
    ["PATCH", "/postmortem", {}],
  ];
  for (const [method, rest, sent] of calls) {
    const response = await service.send(method, `${path}${rest}`, sent as never);
    expect([method, rest, response.status]).toEqual([method, rest, 404]);
  }
});
