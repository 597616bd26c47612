import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Fields, Json } from "../../../../src/core/json.ts";
import { errorOf } from "../../client.ts";
import {
  incidentOf,
  listOf,
  openTestEmulator,
  readTimeline,
  startTime,
  type TestEmulator,
} from "../../test-emulator.ts";

let service: TestEmulator;
beforeEach(async () => {
  service = await openTestEmulator();
});
afterEach(() => service.close());

type Response = Awaited<ReturnType<TestEmulator["send"]>>;

const submit = (incident: Fields, form: string, body: Fields): Promise<Response> =>
  service.control("POST", `/incidents/${incident.id}/forms/${form}`, body);

/** The fields that a refusal names, in order. */
async function refused(incident: Fields, form: string, body: Fields): Promise<Json> {
  const response = await submit(incident, form, body);
  expect(response.status).toBe(422);
  return ((errorOf(response).errors ?? []) as readonly Fields[]).map(({ field, message }) => `${field}: ${message}`);
}

async function field(form: string, name: string, more: Fields = {}, options?: readonly string[]): Promise<void> {
  const choices = { field_type: "single_select", option_source: "fixed", options: options ?? [] };
  const type = options === undefined ? { field_type: "text", option_source: "none" } : choices;
  const { body } = await service.send("POST", "/custom_fields", { name, ...type });
  const change = { custom_field: body.slug ?? null, visible: true, required: false, ...more };
  expect((await service.send("PATCH", `/forms/${form}`, change)).status).toBe(200);
}

test("an update is one change: its answers, its message in the channel, and one event", async () => {
  const incident = await service.declare();
  service.emulator.control?.clock.advance(1000);
  const body = {
    message: "Half of the replicas are back",
    next_update: "in an hour",
    status: "monitoring",
    severity: "critical",
  };
  const after = incidentOf(await submit(incident, "update", { ...body, submitted_by: "U0002" }));
  expect(after).toMatchObject({ status: { slug: "monitoring" }, severity: { slug: "critical" } });
  const timeline = await readTimeline(service, incident);
  expect(timeline.map(({ event_type }) => event_type)).toEqual(["incident.created", "incident.updated"]);
  expect(timeline[1]).toMatchObject({
    actor: { name: "Grace Holm" },
    description:
      "Grace Holm changed the severity to Critical, changed the status to Monitoring, posted an update: Half of the replicas are back, announced the next update: in an hour",
  });
  const posts = listOf(await service.control("GET", "/posts"), "posts");
  expect(posts.at(-1)?.text).toBe("Grace Holm: Half of the replicas are back\nNext update: in an hour");
});

test("the resolve form resolves, the cancel form cancels, and the update form reopens", async () => {
  const incident = await service.declare();
  const resolved = incidentOf(await submit(incident, "resolve", { status: "resolved" }));
  expect(resolved).toMatchObject({ status: { lifecycle_stage: "closed" }, resolved_at: startTime });
  const reopened = incidentOf(await submit(incident, "update", { message: "It is back", status: "investigating" }));
  expect(reopened).toMatchObject({ status: { slug: "investigating" }, resolved_at: null });
  expect(incidentOf(await submit(incident, "cancel", { status: "canceled" })).status).toMatchObject({
    slug: "canceled",
  });
  expect(await service.events(incident)).toEqual([
    ...["incident.created", "incident.resolved", "incident.reopened", "incident.canceled"],
  ]);
});

describe("only statuses that fit the form are taken", () => {
  test.each([
    ["update", "investigating", "resolved", "must be one of Triaging, Investigating, Identified, Monitoring"],
    ["resolve", "investigating", "monitoring", "must be one of Resolved"],
    ["cancel", "investigating", "resolved", "must be one of Canceled"],
    ["update", "resolved", "canceled", "must be one of Triaging, Investigating, Identified, Monitoring, Resolved"],
    ["update", "canceled", "resolved", "must be one of Triaging, Investigating, Identified, Monitoring, Canceled"],
    ["update", "investigating", "none", "must be one of Triaging, Investigating, Identified, Monitoring"],
  ])("%s of an incident that is %s: not %s", async (form, from, status, message) => {
    const incident = await service.declareIn(from);
    const needed = form === "update" ? { message: "x" } : {};
    expect(await refused(incident, form, { ...needed, status })).toEqual([`status: ${message}`]);
    expect((await service.read(incident)).status).toMatchObject({ slug: from });
  });

  test("an incident that is over is neither resolved nor canceled", async () => {
    for (const [status, word] of [
      ["resolved", "resolved"],
      ["canceled", "canceled"],
    ] as const) {
      const incident = await service.declareIn(status);
      for (const form of ["resolve", "cancel"]) {
        const response = await submit(incident, form, { status });
        expect([response.status, errorOf(response).type]).toEqual([422, "incident_not_active"]);
        expect(errorOf(response).message).toContain(`The incident is ${word} already`);
      }
    }
  });

  test("a disabled status is offered to no incident but the one that has it", async () => {
    const incident = await service.declareIn("identified");
    const other = await service.declare();
    await service.send("PATCH", "/statuses/identified", { enabled: false });
    expect((await submit(incident, "update", { message: "x", status: "identified" })).status).toBe(200);
    expect(await refused(other, "update", { message: "x", status: "identified" })).toHaveLength(1);
  });
});

test("a refusal names every answer that is wrong or missing, and changes nothing", async () => {
  await field("update", "Impact", { required: true });
  await field("update", "Region", {}, ["Europe", "Asia"]);
  const incident = await service.declare();
  const wrong = {
    severity: "none",
    status: "resolved",
    summary: "hidden",
    custom_fields: { region: "Mars", nothing: 1 },
  };
  expect(await refused(incident, "update", wrong)).toEqual([
    "summary: is not a field of the update form",
    "status: must be one of Triaging, Investigating, Identified, Monitoring",
    "nothing: is not a field of the update form",
    "region: must be one of Europe, Asia",
    "message: can't be blank",
    "impact: can't be blank",
    "severity_id: must exist",
  ]);
  expect(await service.read(incident)).toEqual(incident);
});

test("a field that depends on an answer to an earlier form is asked by the incident's own value", async () => {
  await field("declare", "Region", {}, ["Europe", "Asia"]);
  const europe = { condition_field: "custom_field", custom_field: "region", operator: "one_of", values: ["Europe"] };
  await field("resolve", "Regulator informed", { required: true, conditions: [europe] });
  const inEurope = await service.declare({ custom_fields: { region: "Europe" } });
  const inAsia = await service.declare({ custom_fields: { region: "Asia" } });
  expect((await submit(inAsia, "resolve", { status: "resolved" })).status).toBe(200);
  expect(await refused(inEurope, "resolve", { status: "resolved" })).toEqual(["regulator_informed: can't be blank"]);
  const answered = { status: "resolved", custom_fields: { regulator_informed: "yes" } };
  const after = incidentOf(await submit(inEurope, "resolve", answered));
  expect(after.custom_fields).toEqual({ region: "Europe", regulator_informed: "yes" });
});

test("an answer that is left out keeps the value, and null empties it unless the form requires it", async () => {
  await field("declare", "Queue");
  await service.send("PATCH", "/forms/update", { custom_field: "queue", visible: true });
  const incident = await service.declare({ custom_fields: { queue: "emails" } });
  const kept = incidentOf(await submit(incident, "update", { message: "x" }));
  expect(kept.custom_fields).toEqual({ queue: "emails" });
  const emptied = incidentOf(await submit(incident, "update", { message: "x", custom_fields: { queue: null } }));
  expect(emptied.custom_fields).toEqual({});
  await service.send("PATCH", "/forms/update", { custom_field: "queue", required: true });
  expect(await refused(incident, "update", { message: "x", custom_fields: { queue: null } })).toEqual([
    "queue: can't be blank",
  ]);
});

test("a form that does not exist, an unknown incident and an unknown person are not found", async () => {
  const incident = await service.declare();
  for (const form of ["declare", "reopen"]) expect((await submit(incident, form, {})).status).toBe(404);
  expect((await submit({ id: "none" }, "update", { message: "x" })).status).toBe(404);
  expect((await submit(incident, "update", { message: "x", submitted_by: "nobody@example.com" })).status).toBe(404);
});
