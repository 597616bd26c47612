import { afterEach, beforeEach, expect, test } from "vitest";
import { errorOf } from "../../client.ts";
import { type Desk, incidentIn, itemsIn, openDesk, opening } from "../../test-emulator.ts";

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.close());

async function body(fields: Record<string, unknown> = {}): Promise<never> {
  const severity_id = await desk.id("severities", "major");
  return { idempotency_key: "once", name: "Checkout is slow", severity_id, ...fields } as never;
}

test("Incidents: a declaration with the three required fields gets every default", async () => {
  const answer = await desk.send("POST", "/incidents", await body());
  expect(answer.status).toBe(201);
  expect(incidentIn(answer)).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    identifier: "INC-1",
    name: "Checkout is slow",
    summary: null,
    status: {
      id: await desk.id("statuses", "investigating"),
      name: "Investigating",
      slug: "investigating",
      lifecycle_stage: "active",
    },
    severity: { id: await desk.id("severities", "major"), name: "Major", slug: "major", rank: 3 },
    type: null,
    lead: null,
    source: "api",
    declared_by: { id: expect.any(String), type: "user", name: "Ada Marsh", email: "ada@example.com" },
    declared_at: opening,
    detected_at: null,
    resolved_at: null,
    created_at: opening,
    updated_at: opening,
    custom_fields: {},
    visibility: "public",
  });
});

test("Incidents: every field of the table is taken", async () => {
  const type = await desk.id("incident_types", "data_issue");
  const status = await desk.id("statuses", "triaging");
  const given = { summary: "All", visibility: "private", source: "night watch", incident_type_id: type };
  const incident = incidentIn(await desk.send("POST", "/incidents", await body({ ...given, status_id: status })));
  expect(incident).toMatchObject({
    summary: "All",
    visibility: "private",
    source: "night watch",
    type: { id: type, name: "Data Issue", slug: "data_issue" },
    status: { id: status },
  });
});

test("Incidents: declared_by_id is a member's ID; a service key declares under its own name without it", async () => {
  const first = await desk.declare();
  const led = incidentIn(await desk.send("PATCH", `/incidents/${first.id}`, { lead_id: "grace@example.com" }));
  const member = (led.lead as { id: string }).id;
  const named = await desk.declare({ declared_by_id: member });
  expect(named.declared_by).toMatchObject({ id: member, name: "Grace Holm" });
  const token = desk.emulator.serviceToken;
  const machine = incidentIn(await desk.send("POST", "/incidents", await body({ idempotency_key: "k" }), token));
  expect(machine.declared_by).toMatchObject({ type: "api_key", email: null });
  const unknown = await desk.send("POST", "/incidents", await body({ declared_by_id: "nobody" }));
  expect(unknown.status).toBe(404);
});

test("Limits: a repeated key answers 200 with the original for 24 hours, then declares anew", async () => {
  const first = incidentIn(await desk.send("POST", "/incidents", await body()));
  const again = await desk.send("POST", "/incidents", await body({ name: "Another name", severity_id: "none" }));
  expect([again.status, incidentIn(again)]).toEqual([200, first]);
  desk.emulator.control?.clock.advance(24 * 3_600_000 - 1);
  expect((await desk.send("POST", "/incidents", await body())).status).toBe(200);
  desk.emulator.control?.clock.advance(1);
  const after = await desk.send("POST", "/incidents", await body());
  expect([after.status, incidentIn(after).identifier]).toEqual([201, "INC-2"]);
});

test("Incidents: one key sent many times at once declares one incident, with one 201", async () => {
  const sent = await body();
  const answers = await Promise.all(Array.from({ length: 20 }, () => desk.send("POST", "/incidents", sent)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(new Set(answers.map((answer) => incidentIn(answer).id)).size).toBe(1);
});

test.each([["idempotency_key"], ["name"], ["severity_id"]])("Errors: without %s a declaration is 400", async (name) => {
  const { [name]: _left, ...rest } = (await body()) as Record<string, unknown>;
  const answer = await desk.send("POST", "/incidents", rest as never);
  expect([answer.status, errorOf(answer).type]).toEqual([400, "bad_request"]);
});

test("Errors: each input that names nothing, or something disabled, has its entry; nothing is created", async () => {
  await desk.send("PATCH", "/severities/critical", { enabled: false });
  const wrong = {
    severity_id: await desk.id("severities", "critical"),
    status_id: "none",
    incident_type_id: "none",
    custom_fields: { unknown: 1 },
  };
  const answer = await desk.send("POST", "/incidents", await body(wrong));
  expect([answer.status, errorOf(answer).type]).toEqual([422, "validation_error"]);
  expect(itemsIn({ ...answer, body: errorOf(answer) }, "errors").map(({ field }) => field)).toEqual([
    "severity_id",
    "status_id",
    "incident_type_id",
    "unknown",
  ]);
  expect((await desk.send("GET", "/incidents")).body.incidents).toEqual([]);
  expect((await desk.send("POST", "/incidents", await body())).status).toBe(201);
});

test.each([
  ["visibility", "secret"],
  ["name", " "],
  ["custom_fields", []],
  ["idempotency_key", ""],
])("Errors: a declaration with %s %j is 422", async (name, value) => {
  const answer = await desk.send("POST", "/incidents", await body({ [name]: value }));
  expect([answer.status, errorOf(answer).type]).toEqual([422, "validation_error"]);
});

test("a bare workspace, which has no default status, asks for one", async () => {
  const bare = await openDesk({ workspace: "bare" });
  const severity = await bare.send("POST", "/severities", { name: "Only" });
  const sent = { idempotency_key: "k", name: "x", severity_id: severity.body.id ?? null };
  const answer = await bare.send("POST", "/incidents", sent);
  expect(errorOf(answer).errors).toMatchObject([{ field: "status_id" }]);
  await bare.close();
});

test("Incidents: the list takes every filter, together with the others, and pages", async () => {
  const major = await desk.id("severities", "major");
  const triaging = await desk.id("statuses", "triaging");
  await desk.declare();
  await desk.declare({ severity_id: major });
  await desk.declare({ severity_id: major, status_id: triaging });
  await desk.declareIn("resolved");
  const identifiers = async (query: string): Promise<unknown[]> => {
    return itemsIn(await desk.send("GET", `/incidents?${query}`), "incidents").map(({ identifier }) => identifier);
  };
  expect(await identifiers("")).toEqual(["INC-4", "INC-3", "INC-2", "INC-1"]);
  expect(await identifiers(`severity_id=${major}`)).toEqual(["INC-3", "INC-2"]);
  expect(await identifiers(`status_id=${triaging}`)).toEqual(["INC-3"]);
  expect(await identifiers("lifecycle_stage=active")).toEqual(["INC-2", "INC-1"]);
  expect(await identifiers("lifecycle_stage=closed")).toEqual(["INC-4"]);
  expect(await identifiers(`lifecycle_stage=active&severity_id=${major}`)).toEqual(["INC-2"]);
  expect(await identifiers("severity_id=none")).toEqual([]);
  expect(await identifiers("page=2&per_page=3")).toEqual(["INC-1"]);
  const { body: page } = await desk.send("GET", "/incidents?page=2&per_page=3");
  expect(page.pagination).toEqual({ page: 2, per_page: 3, total: 4, total_pages: 2 });
  expect((await desk.send("GET", "/incidents?lifecycle_stage=paused")).status).toBe(404);
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
    const answer = await desk.send(method, `${path}${rest}`, sent as never);
    expect([method, rest, answer.status]).toEqual([method, rest, 404]);
  }
});
