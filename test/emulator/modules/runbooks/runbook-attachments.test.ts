import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields } from "../../../../src/core/json.ts";
import { listOf, openTestEmulator, type TestEmulator } from "../../test-emulator.ts";

let service: TestEmulator;
beforeEach(async () => {
  service = await openTestEmulator();
  const conditions = [{ condition_field: "severity", operator: "one_of", values: ["critical"] }];
  const steps = [{ title: "Open the bridge", instruction: "Call everyone" }, { title: "Say what is known" }];
  expect((await service.send("POST", "/runbooks", { name: "Major outage", steps, conditions })).status).toBe(201);
  await service.send("POST", "/runbooks", { name: "By hand", steps });
});
afterEach(() => service.close());

async function critical(): Promise<Fields> {
  return service.declare({ severity_id: await service.id("severities", "critical") });
}

async function attached(incident: Fields): Promise<readonly Fields[]> {
  return listOf(await service.send("GET", `/incidents/${incident.id}/runbooks`), "runbooks");
}

function stepsOf(runbook: Fields | undefined): readonly Fields[] {
  return listOf({ status: 200, headers: new Headers(), body: runbook ?? {} }, "steps");
}

test("Runbooks: one with conditions is attached if they hold, one without never automatically", async () => {
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
  expect(await service.events(incident)).toEqual(["incident.created", "runbook.attached"]);
  expect(await attached(await service.declare())).toEqual([]);
});

test("Runbooks: a change that meets the conditions attaches it, once", async () => {
  const incident = await service.declare();
  const severity_id = await service.id("severities", "critical");
  await service.send("PATCH", `/incidents/${incident.id}`, { severity_id });
  await service.send("PATCH", `/incidents/${incident.id}`, { summary: "Still" });
  expect(await attached(incident)).toHaveLength(1);
});

test("Runbook step claim: a step of an attached runbook becomes the claimer's action item, once", async () => {
  const incident = await critical();
  const [runbook] = await attached(incident);
  const [first, second] = stepsOf(runbook);
  const path = `/incidents/${incident.id}/runbook_steps/claim`;
  const claim = { runbook_id: runbook?.id ?? null, step_id: first?.id ?? null };
  const response = await service.send("POST", path, claim);
  expect([response.status, response.body]).toMatchObject([
    201,
    { description: "Open the bridge", status: "in_progress", assignee: { name: "Ada Marsh" } },
  ]);
  const [after] = await attached(incident);
  expect(after?.steps).toMatchObject([{ action_item_id: response.body.id }, { action_item_id: null }]);
  expect((await service.send("POST", path, claim)).status).toBe(422);
  const other = { ...claim, step_id: second?.id ?? null, member_id: "U0002" };
  expect((await service.send("POST", path, other)).body).toMatchObject({ assignee: { name: "Grace Holm" } });
});

test("Runbooks: replacing the steps does not change those of incidents", async () => {
  const incident = await critical();
  await service.send("PATCH", "/runbooks/major_outage", { steps: [{ title: "New" }] });
  expect(await attached(incident)).toMatchObject([{ steps: [{ title: "Open the bridge" }, {}] }]);
});
