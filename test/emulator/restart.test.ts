import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listOf, openTestEmulator, startTime, type TestEmulator } from "./test-emulator.ts";

let folder: string;
let service: TestEmulator;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "incidentctl-"));
});
afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(options: Parameters<typeof openTestEmulator>[0] = {}): Promise<TestEmulator> {
  service = await openTestEmulator({ file: join(folder, "workspace.db"), ...options });
  return service;
}

test("a reopened file has the same incidents", async () => {
  const before = await (await open()).declare({ summary: "Kept" });
  await service.close();
  expect(await (await open()).read(before)).toEqual(before);
});

test("a delivery that was pending on closing is sent when the file is reopened", async () => {
  const hang = (_url: string, { signal }: RequestInit): Promise<Response> => {
    return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(new Error("cut off"))));
  };
  await open({ send: hang });
  const hook = { name: "Hook", url: "http://127.0.0.1:1/", subscribed_events: ["incident.created"] };
  await service.send("POST", "/webhooks", hook);
  await service.declare();
  await service.close();
  const received: string[] = [];
  await open({
    send: async (url) => {
      received.push(url);
      return new Response(null, { status: 204 });
    },
  });
  await service.emulator.control?.settled();
  expect(received).toEqual([hook.url]);
  const [delivery] = listOf(await service.control("GET", "/deliveries"), "deliveries");
  expect(delivery).toMatchObject({ state: "delivered", attempts: [{ status: 204 }] });
});

test("a draft that was pending on closing is written before, or when the file is reopened", async () => {
  const incident = await (await open()).declareIn("resolved");
  await service.send("POST", `/incidents/${incident.id}/postmortem`, { generate: true });
  await service.close();
  await open();
  await service.emulator.control?.settled();
  const { body } = await service.send("GET", `/incidents/${incident.id}/postmortem`);
  expect(body).toMatchObject({ generation_state: null, version: 2 });
});

test("without background work, closing is complete when the call returns", async () => {
  await open();
  void service.emulator.close();
  await open();
});

test("the clock of a reopened file goes on ahead of the machine's, or stands still", async () => {
  await open();
  await service.control("PUT", "/clock", { advance_ms: 3_600_000 });
  await service.close();
  await open();
  expect((await service.control("GET", "/clock")).body).toEqual({ now: "2026-03-01T13:00:00.000Z", stopped: false });
  await service.control("PUT", "/clock", { now: "2030-01-01T00:00:00.000Z", stopped: true });
  await service.close();
  await open({ now: () => new Date("2026-05-05T05:05:05.000Z") });
  expect((await service.control("GET", "/clock")).body).toEqual({ now: "2030-01-01T00:00:00.000Z", stopped: true });
  await service.control("POST", "/reset");
  await service.close();
  await open();
  expect((await service.control("GET", "/clock")).body).toEqual({ now: startTime, stopped: false });
});
