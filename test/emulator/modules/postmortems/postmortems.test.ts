import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields } from "../../../../src/core/json.ts";
import { errorOf } from "../../client.ts";
import { listOf, openTestEmulator, startTime, type TestEmulator } from "../../test-emulator.ts";

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

test.each([
  ["triaging", /open/],
  ["investigating", /open/],
  ["canceled", /canceled/],
])(
  "Postmortem creation: on an incident in %s it is refused with 422, and the message has the reason",
  async (status, why) => {
    const path = `/incidents/${(await service.declareIn(status)).id}/postmortem`;
    const response = await service.send("POST", path);
    expect([response.status, errorOf(response).message]).toEqual([422, expect.stringMatching(why)]);
    expect((await service.send("GET", path)).status).toBe(404);
  },
);

test("Postmortem creation: a second one is refused with 422, and the message says so", async () => {
  const { path } = await open();
  const response = await service.send("POST", path);
  expect([response.status, errorOf(response).message]).toEqual([422, expect.stringContaining("already has")]);
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

test("Postmortem rule 1: html replaces the entire body, and every version is kept", async () => {
  const { path, made: created } = await open();
  for (const [index, html] of ["<p>One</p>", "<p>Two</p>"].entries()) {
    expect((await service.send("PATCH", path, { html, version: index + 1 })).body).toMatchObject({
      html,
      version: index + 2,
    });
  }
  const versions = listOf(
    await service.control("GET", `/incidents/${created.incident_id}/postmortem/versions`),
    "versions",
  );
  expect(versions.map(({ version, html }) => [version, html])).toEqual([
    [1, ""],
    [2, "<p>One</p>"],
    [3, "<p>Two</p>"],
  ]);
});

test("Postmortem rule 3: a stale version is 409 without a version, and refuses the status in the same request", async () => {
  const { path } = await open();
  await service.send("PATCH", path, { html: "<p>Theirs</p>", version: 1 });
  const before = await read(path);
  const response = await service.send("PATCH", path, { html: "<p>Mine</p>", version: 1, status: "completed" });
  expect([response.status, errorOf(response).type]).toEqual([409, "stale_content"]);
  expect(JSON.stringify(response.body)).not.toContain('"version"');
  expect(await read(path)).toEqual(before);
  expect((await service.send("PATCH", path, { html: "<p>Mine</p>", version: before.version ?? null })).status).toBe(
    200,
  );
});

test("Postmortem rule 3: of concurrent bodies with one version, one is accepted", async () => {
  const { path } = await open();
  const sent = ["a", "b", "c", "d"].map((html) => service.send("PATCH", path, { html, version: 1 }));
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 409, 409, 409]);
});

test.each([[{ html: "<p>x</p>" }], [{ html: "<p>x</p>", version: null }]])(
  "Postmortem rule 4: %j, a body without version, is 422 version_required",
  async (body) => {
    const { path, made: created } = await open();
    const response = await service.send("PATCH", path, body);
    expect([response.status, errorOf(response).type]).toEqual([422, "version_required"]);
    expect(await read(path)).toEqual(created);
  },
);

test.each([["draft"], ["in_progress"], ["in_review"], ["completed"]])(
  "Postmortem rule 5: the status %s needs no version and creates none",
  async (status) => {
    const { path } = await open();
    expect((await service.send("PATCH", path, { status })).body).toMatchObject({ status, version: 1 });
  },
);

test("Postmortem: another status is 422", async () => {
  const { path } = await open();
  expect((await service.send("PATCH", path, { status: "published" })).status).toBe(422);
});

test("Authentication 3: postmortem endpoints check incidents", async () => {
  const { path } = await open();
  const [none, reader] = [await service.key({ severities: ["read"] }), await service.key({ incidents: ["read"] })];
  expect((await service.send("GET", path, undefined, none)).status).toBe(403);
  expect((await service.send("GET", path, undefined, reader)).status).toBe(200);
  expect((await service.send("PATCH", path, { status: "in_review" }, reader)).status).toBe(403);
});
