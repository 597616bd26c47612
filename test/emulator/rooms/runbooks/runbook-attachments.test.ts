import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields } from "../../../../src/core/json.ts";
import { errorOf } from "../../client.ts";
import { type Desk, itemsIn, openDesk } from "../../test-emulator.ts";

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
  const conditions = [{ condition_field: "severity", operator: "one_of", values: ["critical"] }];
  const steps = [{ title: "Open the bridge", instruction: "Call everyone" }, { title: "Say what is known" }];
  expect((await desk.send("POST", "/runbooks", { name: "Major outage", steps, conditions })).status).toBe(201);
  await desk.send("POST", "/runbooks", { name: "By hand", steps });
});
afterEach(() => desk.close());

async function critical(): Promise<Fields> {
  return desk.declare({ severity_id: await desk.id("severities", "critical") });
}

async function attached(incident: Fields): Promise<readonly Fields[]> {
  return itemsIn(await desk.send("GET", `/incidents/${incident.id}/runbooks`), "runbooks");
}

function stepsOf(runbook: Fields | undefined): readonly Fields[] {
  return itemsIn({ status: 200, headers: new Headers(), body: runbook ?? {} }, "steps");
}

test("Runbooks: one with conditions is attached when they hold, one without never by itself", async () => {
  const incident = await critical();
  expect(await attached(incident)).toMatchObject([
    {
      slug: "major_outage",
      steps: [
        { position: 1, title: "Open the bridge", instruction: "Call everyone", action_item_id: null },
        { position: 2, title: "Say what is known" },
      ],
    },
  ]);
  expect(await desk.events(incident)).toEqual(["incident.created", "runbook.attached"]);
  expect(await attached(await desk.declare())).toEqual([]);
});

test("Runbooks: a change that makes the conditions hold attaches it, once", async () => {
  const incident = await desk.declare();
  const severity_id = await desk.id("severities", "critical");
  await desk.send("PATCH", `/incidents/${incident.id}`, { severity_id });
  await desk.send("PATCH", `/incidents/${incident.id}`, { summary: "Still" });
  expect(await attached(incident)).toHaveLength(1);
});

test("Runbook step claim: a step of an attached runbook becomes the claimer's action item, once", async () => {
  const incident = await critical();
  const [runbook] = await attached(incident);
  const [first, second] = stepsOf(runbook);
  const path = `/incidents/${incident.id}/runbook_steps/claim`;
  const claim = { runbook_id: runbook?.id ?? null, step_id: first?.id ?? null };
  const answer = await desk.send("POST", path, claim);
  expect([answer.status, answer.body]).toMatchObject([
    201,
    { description: "Open the bridge", status: "in_progress", assignee: { name: "Ada Marsh" } },
  ]);
  const [after] = await attached(incident);
  expect(after?.steps).toMatchObject([{ action_item_id: answer.body.id }, { action_item_id: null }]);
  expect((await desk.send("POST", path, claim)).status).toBe(422);
  const other = { ...claim, step_id: second?.id ?? null, member_id: "U0002" };
  expect((await desk.send("POST", path, other)).body).toMatchObject({ assignee: { name: "Grace Holm" } });
});

test("Runbook step claim: what is not attached to the incident is 404", async () => {
  const [incident, other] = [await critical(), await critical()];
  const [runbook] = await attached(incident);
  const [step] = stepsOf(runbook);
  const claim = { runbook_id: runbook?.id ?? null, step_id: step?.id ?? null };
  const answer = await desk.send("POST", `/incidents/${other.id}/runbook_steps/claim`, claim);
  expect(answer.status).toBe(404);
});

test("Runbooks: replacing the steps leaves those of incidents as they were", async () => {
  const incident = await critical();
  await desk.send("PATCH", "/runbooks/major_outage", { steps: [{ title: "New" }] });
  expect(await attached(incident)).toMatchObject([{ steps: [{ title: "Open the bridge" }, {}] }]);
});

test("Disabled entries 3: a runbook that was attached to an incident is not deleted, and the count is told", async () => {
  await critical();
  const refused = await desk.send("DELETE", "/runbooks/major_outage");
  expect([refused.status, errorOf(refused).message]).toEqual([422, expect.stringContaining("1 incident(s)")]);
  expect((await desk.send("DELETE", "/runbooks/by_hand")).status).toBe(204);
});
