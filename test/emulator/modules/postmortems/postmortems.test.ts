import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields } from "../../../../src/core/json.ts";
import { openTestEmulator, startTime, type TestEmulator } from "../../test-emulator.ts";

let service: TestEmulator;
beforeEach(async () => {
  service = await openTestEmulator();
});
afterEach(() => service.close());

async function open(body: Fields = {}): Promise<{ path: string; made: Fields }> {
  const path = `/incidents/${(await service.declareIn("resolved")).id}/postmortem`;
  const response = await service.send("POST", path, body);
  expect(response.status).toBe(201);
  return { path, made: response.body };
}

async function read(path: string): Promise<Fields> {
  return (await service.send("GET", path)).body;
}

test("Postmortem: it is created empty, as a draft of version 1, by its author", async () => {
  const { path, made: created } = await open();
  expect(created).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    title: "Postmortem: Incident 1",
    status: "draft",
    incident_id: expect.any(String),
    html: "",
    generation_state: null,
    version: 1,
    written_by: expect.objectContaining({ name: "Ada Marsh" }),
    updated_at: startTime,
  });
  expect(await read(path)).toEqual(created);
});

test("Postmortem: generate drafts in the background; generation_state is set until the draft is complete", async () => {
  const { path, made: created } = await open({ generate: true });
  expect(created).toMatchObject({ generation_state: "generating", html: "", version: 1 });
  expect(await read(path)).toMatchObject({ generation_state: "generating" });
  await service.emulator.control?.settled();
  expect(await read(path)).toMatchObject({ generation_state: null, version: 2, html: expect.stringContaining("<h2>") });
});

test("Postmortem: a body written before the draft is complete stays", async () => {
  const { path } = await open({ generate: true });
  expect((await service.send("PATCH", path, { html: "<p>Mine</p>", version: 1 })).status).toBe(200);
  await service.emulator.control?.settled();
  expect(await read(path)).toMatchObject({ generation_state: null, version: 2, html: "<p>Mine</p>" });
});

test("Postmortem: a draft contains the milestones, as text", async () => {
  const incident = await service.declareIn("resolved");
  const text = { said_by: "U0001", text: "<script>alert(1)</script>" };
  const message = await service.control("POST", `/incidents/${incident.id}/messages`, text);
  const note = { message_id: message.body.id ?? null, kind: "root_cause", statement: "A <b>lock</b> & no timeout" };
  await service.control("POST", `/incidents/${incident.id}/notes`, note);
  await service.send("POST", `/incidents/${incident.id}/postmortem`, { generate: true });
  await service.emulator.control?.settled();
  const { html } = await read(`/incidents/${incident.id}/postmortem`);
  expect(html).toContain(
    "<h2>Root cause</h2>\n<ul><li>A &lt;b&gt;lock&lt;/b&gt; &amp; no timeout (Ada Marsh)</li></ul>",
  );
});
