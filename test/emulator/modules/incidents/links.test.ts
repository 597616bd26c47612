import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields } from "../../../../src/core/json.ts";
import { errorOf } from "../../client.ts";
import { openTestEmulator, readTimeline, type TestEmulator } from "../../test-emulator.ts";

let service: TestEmulator;
beforeEach(async () => {
  service = await openTestEmulator();
});
afterEach(() => service.close());

async function link(
  incident: Fields,
  other: Fields,
  relationship: string,
): Promise<Awaited<ReturnType<TestEmulator["send"]>>> {
  return service.send("POST", `/incidents/${incident.id}/link`, { other_incident_id: other.id ?? null, relationship });
}

test.each([["triaging"], ["investigating"], ["resolved"], ["canceled"]])(
  "Link: related leaves an incident in %s unchanged and is recorded on both timelines",
  async (status) => {
    const [incident, other] = [await service.declareIn(status), await service.declare()];
    const response = await link(incident, other, "related");
    const links = { incident_id: incident.id, other_incident_id: other.id, relationship: "related", status };
    expect([response.status, response.body]).toEqual([201, links]);
    expect(await service.read(incident)).toEqual(incident);
    expect((await readTimeline(service, incident)).at(-1)).toMatchObject({
      event_type: "relationship.created",
      description: expect.stringContaining("INC-2"),
    });
    expect(await service.events(other)).toEqual(["incident.created", "relationship.created"]);
  },
);

test.each([["triaging"], ["monitoring"]])(
  "Link: duplicate cancels an incident in %s; the cancellation names the other incident; both timelines have it",
  async (status) => {
    const [incident, other] = [await service.declareIn(status), await service.declare()];
    const response = await link(incident, other, "duplicate");
    expect([response.status, response.body.status]).toEqual([201, "canceled"]);
    expect(await service.read(incident)).toMatchObject({ status: { lifecycle_stage: "canceled" }, resolved_at: null });
    const events = await readTimeline(service, incident);
    expect(events.slice(-2)).toMatchObject([
      { event_type: "incident.marked_duplicate", description: expect.stringContaining("INC-2") },
      { event_type: "incident.canceled", description: expect.stringContaining("INC-2") },
    ]);
    expect(await service.read(other)).toEqual(other);
    expect((await readTimeline(service, other)).at(-1)).toMatchObject({
      event_type: "incident.merged_into",
      description: expect.stringContaining("INC-1"),
    });
  },
);

test.each([["resolved"], ["canceled"]])(
  "Link: duplicate of a %s incident is refused with 422 incident_not_active until it is reopened",
  async (status) => {
    const [incident, other] = [await service.declareIn(status), await service.declare()];
    const refused = await link(incident, other, "duplicate");
    expect([refused.status, errorOf(refused).type]).toEqual([422, "incident_not_active"]);
    expect(await service.events(other)).toEqual(["incident.created"]);
    const status_id = await service.id("statuses", "triaging");
    await service.send("PATCH", `/incidents/${incident.id}`, { status_id });
    expect((await link(incident, other, "duplicate")).status).toBe(201);
  },
);

test("Link: another relationship, an incident that does not exist, and the incident itself are refused", async () => {
  const incident = await service.declare();
  expect((await link(incident, incident, "related")).status).toBe(422);
  expect((await link(incident, await service.declare(), "cousin")).status).toBe(422);
  expect((await link(incident, { id: "none" }, "related")).status).toBe(404);
});

test("Link: the absorbing incident may be canceled, and may become a duplicate of its own duplicate", async () => {
  const [incident, other] = [await service.declare(), await service.declareIn("canceled")];
  expect((await link(incident, other, "duplicate")).status).toBe(201);
  const [one, two] = [await service.declare(), await service.declare()];
  expect((await link(one, two, "duplicate")).status).toBe(201);
  expect((await link(two, one, "duplicate")).status).toBe(201);
  expect(await service.read(two)).toMatchObject({ status: { lifecycle_stage: "canceled" } });
  expect(await service.events(one)).toEqual([
    "incident.created",
    "incident.marked_duplicate",
    "incident.canceled",
    "incident.merged_into",
  ]);
});

test("Link: related a second time is taken and recorded again", async () => {
  const [incident, other] = [await service.declare(), await service.declare()];
  for (const _time of ["first", "second"]) expect((await link(incident, other, "related")).status).toBe(201);
  for (const each of [incident, other]) {
    expect(await service.events(each)).toEqual(["incident.created", "relationship.created", "relationship.created"]);
  }
});
