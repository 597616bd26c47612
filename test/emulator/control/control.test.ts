import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { createEmulator } from "../../../src/emulator/emulator.ts";
import { errorOf, send } from "../client.ts";
import { incidentOf, listOf, openTestEmulator, readTimeline, startTime, type TestEmulator } from "../test-emulator.ts";

let service: TestEmulator;
beforeEach(async () => {
  service = await openTestEmulator();
});
afterEach(() => service.close());

async function raw(path: string, headers: Record<string, string> = {}): Promise<number> {
  return (await service.emulator.fetch(new Request(`http://emulator${path}`, { headers }))).status;
}

test("the control surface exists only if enabled, and never under /api/v1", async () => {
  const plain = createEmulator();
  expect(plain.control).toBe(undefined);
  expect((await plain.fetch(new Request("http://emulator/control/clock"))).status).toBe(404);
  await plain.close();
  const authorization = `Bearer ${service.emulator.control?.key}`;
  expect(await raw("/control/clock", { authorization })).toBe(200);
  expect(await raw("/api/v1/control/clock", { authorization })).toBe(404);
});

test("the control surface accepts its own key and no token", async () => {
  expect(await raw("/control/clock")).toBe(401);
  expect(await raw("/control/clock", { authorization: "Bearer ctl_wrong" })).toBe(401);
  expect(await raw("/control/clock", { authorization: `Bearer ${service.emulator.adminToken}` })).toBe(401);
  const key = { authorization: `Bearer ${service.emulator.control?.key}` };
  expect(await raw("/control/nothing", key)).toBe(404);
  expect(await raw("/api/v1/severities", key)).toBe(401);
});

test("reset restores the state of the start, except the tokens", async () => {
  await service.declare();
  await service.send("POST", "/severities", { name: "Another" });
  await service.control("PATCH", "/dialects", { envelope: "wrapped" });
  await service.control("PUT", "/clock", { advance_ms: 5000 });
  await service.control("POST", "/faults", { phase: "before-read", action: { type: "status" }, times: 0 });
  expect((await service.control("POST", "/reset")).status).toBe(204);
  expect((await service.send("GET", "/incidents")).body.incidents).toEqual([]);
  expect(listOf(await service.send("GET", "/severities"), "severities").map(({ slug }) => slug)).toEqual([
    "critical",
    "major",
    "minor",
  ]);
  expect((await service.control("GET", "/dialects")).body).toMatchObject({ envelope: "bare" });
  expect((await service.control("GET", "/clock")).body).toEqual({ now: startTime, stopped: false });
  expect((await send(service.emulator, "GET", "/severities", undefined, service.emulator.serviceToken)).status).toBe(
    200,
  );
  expect((await service.declare()).identifier).toBe("INC-1");
});

test("the clock can be set, moved, stopped and started", async () => {
  const now = async (change: Fields): Promise<unknown> => (await service.control("PUT", "/clock", change)).body.now;
  expect(await now({ now: "2030-01-01T00:00:00Z" })).toBe("2030-01-01T00:00:00.000Z");
  expect(await now({ advance_ms: 1500 })).toBe("2030-01-01T00:00:01.500Z");
  expect((await service.declare()).declared_at).toBe("2030-01-01T00:00:01.500Z");
  const running = await openTestEmulator({ now: () => new Date() });
  await running.control("PUT", "/clock", { now: "2030-01-01T00:00:00Z", stopped: true });
  const first = (await running.control("GET", "/clock")).body.now;
  await new Promise((resolve) => setTimeout(resolve, 15));
  expect((await running.control("GET", "/clock")).body).toEqual({ now: first, stopped: true });
  await running.control("PUT", "/clock", { stopped: false });
  await new Promise((resolve) => setTimeout(resolve, 15));
  expect(String((await running.control("GET", "/clock")).body.now) > String(first)).toBe(true);
  await running.close();
});

test("dialects change for later requests; an unknown one is refused with a list of the known ones", async () => {
  expect((await service.control("PATCH", "/dialects", { envelope: "wrapped" })).body).toMatchObject({
    envelope: "wrapped",
    slug: "derive",
  });
  expect((await service.send("POST", "/severities", { name: "One" })).body).toMatchObject({
    severity: { slug: "one" },
  });
  const refused = await service.control("PATCH", "/dialects", { mood: "good" });
  expect([refused.status, errorOf(refused).message]).toEqual([
    422,
    expect.stringContaining("mood is unknown; allowed: options, locked_fields"),
  ]);
});

test("the request log has requests, principals and commits, and no token", async () => {
  await service.send("GET", "/severities?include_disabled=true");
  const created = await service.send("POST", "/api_keys", { name: "Key" });
  await service.send("POST", "/severities", { name: "" });
  await service.send("PATCH", "/severities/minor", { description: "x" }, String(created.body.token));
  await service.send("PATCH", "/severities/minor", { description: "x" });
  await service.send("GET", "/severities", undefined, "ff_wrong");
  const log = await service.control("GET", "/requests");
  const line = ({ number, method, path, status, commit, principal }: Fields): unknown[] => {
    return [number, method, path, status, commit, (principal as Fields | null)?.kind ?? null];
  };
  expect(listOf(log, "requests").map(line)).toEqual([
    [1, "GET", "/api/v1/severities?include_disabled=true", 200, null, "user"],
    [2, "POST", "/api/v1/api_keys", 201, 1, "user"],
    [3, "POST", "/api/v1/severities", 422, null, "user"],
    [4, "PATCH", "/api/v1/severities/minor", 403, null, null],
    [5, "PATCH", "/api/v1/severities/minor", 200, 2, "user"],
    [6, "GET", "/api/v1/severities", 401, null, null],
  ]);
  expect(listOf(log, "requests")[4]).toMatchObject({ body: { description: "x" }, request_id: expect.any(String) });
  for (const token of [service.emulator.adminToken, String(created.body.token), "ff_wrong"]) {
    expect(JSON.stringify(log.body)).not.toContain(token);
  }
  await service.control("DELETE", "/requests");
  expect((await service.control("GET", "/requests")).body.requests).toEqual([]);
});

test("people are added with a personal token of their own", async () => {
  const person = { name: "Mei", email: "Mei@example.com", chat_user_id: "U7" };
  const created = await service.control("POST", "/people", person);
  expect(created.body).toMatchObject({
    email: "mei@example.com",
    role: "member",
    token: expect.stringMatching(/^ff_/),
  });
  expect((await service.send("GET", "/incidents", undefined, String(created.body.token))).status).toBe(200);
  const again = await service.control("POST", "/people", person);
  expect([again.status, errorOf(again).errors]).toMatchObject([422, [{ field: "email" }]]);
});

test("the OpenAPI document is served", async () => {
  expect((await service.control("GET", "/openapi.json")).body).toMatchObject({ openapi: "3.1.0" });
});

test("the example workspace has people, incidents of every stage, notes of every kind and a long conversation", async () => {
  const seeded = await openTestEmulator({ seed: true });
  const incidents = listOf(await seeded.send("GET", "/incidents"), "incidents");
  const stages = new Set(incidents.map(({ status }) => (status as Fields).lifecycle_stage));
  expect([...stages].toSorted()).toEqual(["active", "canceled", "closed", "triage"]);
  expect(incidents.map(({ visibility }) => visibility)).toContain("private");
  const outage = incidents.find(({ name }) => String(name).startsWith("Checkout")) ?? {};
  const kinds = (await readTimeline(seeded, outage)).map(({ milestone }) => (milestone as Fields | null)?.kind);
  expect(new Set(kinds)).toEqual(
    new Set([
      undefined,
      "hypothesis",
      "finding",
      "root_cause",
      "mitigation",
      "decision",
      "blocker",
      "impact",
      "recovery",
    ]),
  );
  const transcript = await seeded.send("GET", `/incidents/${outage.id}/transcript?limit=500`);
  const messages = listOf(transcript, "messages");
  expect(messages.length).toBeGreaterThan(100);
  expect(messages.filter(({ redacted }) => redacted).map(({ text }) => text)).toEqual([
    expect.stringContaining("[REDACTED]"),
  ]);
  expect((await seeded.send("GET", `/incidents/${outage.id}/postmortem`)).body).toMatchObject({ version: 3 });
  for (const person of ["ada@example.com", "grace@example.com", "mei@example.com"]) {
    expect((await seeded.send("POST", `/incidents/${outage.id}/shoutout`, { member_id: person })).status).toBe(201);
  }
  await seeded.close();
});

test("the example workspace can be added later, and a reset restores it if it was there at the start", async () => {
  await service.declare();
  await service.control("POST", "/seed");
  expect(listOf(await service.send("GET", "/incidents"), "incidents")).toHaveLength(7);
  const seeded = await openTestEmulator({ seed: true });
  const before = listOf(await seeded.send("GET", "/incidents"), "incidents");
  await seeded.declare();
  await seeded.control("POST", "/reset");
  const after = listOf(await seeded.send("GET", "/incidents"), "incidents");
  expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name));
  await seeded.close();
});

test("in process the control surface is a property of the emulator", async () => {
  const { control } = service.emulator;
  control?.clock.set(new Date("2031-05-05T00:00:00Z"));
  control?.switchDialects({ envelope: "wrapped" });
  control?.faults.add({ phase: "before-read", action: { type: "status", status: 418 }, path: "/api/v1/statuses" });
  expect((await service.send("GET", "/statuses")).status).toBe(418);
  expect(service.emulator.dialects.envelope).toBe("wrapped");
  control?.seed();
  control?.reset();
  expect(control?.log.list()).toEqual([]);
  expect(incidentOf(await service.send("GET", `/incidents/${(await service.declare()).id}`)).declared_at).toBe(
    startTime,
  );
});
