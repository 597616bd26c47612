import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Desk, itemsIn, openDesk } from "./test-emulator.ts";

let folder: string;
let desk: Desk;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "incidentctl-"));
});
afterEach(async () => {
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(options: Parameters<typeof openDesk>[0] = {}): Promise<Desk> {
  desk = await openDesk({ file: join(folder, "workspace.db"), ...options });
  return desk;
}

test("a file opened again holds the incidents as they were", async () => {
  const before = await (await open()).declare({ summary: "Kept" });
  await desk.close();
  expect(await (await open()).read(before)).toEqual(before);
});

test("a delivery that was not made before closing is made when the file is opened again", async () => {
  const hang = (_url: string, { signal }: RequestInit): Promise<Response> => {
    return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(new Error("cut off"))));
  };
  await open({ send: hang });
  const hook = { name: "Hook", url: "http://127.0.0.1:1/", subscribed_events: ["incident.created"] };
  await desk.send("POST", "/webhooks", hook);
  await desk.declare();
  await desk.close();
  const told: string[] = [];
  await open({
    send: async (url) => {
      told.push(url);
      return new Response(null, { status: 204 });
    },
  });
  await desk.emulator.control?.settled();
  expect(told).toEqual([hook.url]);
  const [delivery] = itemsIn(await desk.control("GET", "/deliveries"), "deliveries");
  expect(delivery).toMatchObject({ state: "delivered", attempts: [{ status: 204 }] });
});

test("a draft that was not written before closing is written before it, or when the file is opened again", async () => {
  const incident = await (await open()).declareIn("resolved");
  await desk.send("POST", `/incidents/${incident.id}/postmortem`, { generate: true });
  await desk.close();
  await open();
  await desk.emulator.control?.settled();
  const { body } = await desk.send("GET", `/incidents/${incident.id}/postmortem`);
  expect(body).toMatchObject({ generation_state: null, version: 2 });
});

test("nothing under way, closing is done when the call returns", async () => {
  await open();
  void desk.emulator.close();
  await open();
});
