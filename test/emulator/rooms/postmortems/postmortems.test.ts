import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields } from "../../../../src/core/json.ts";
import { errorOf } from "../../client.ts";
import { type Desk, itemsIn, openDesk, opening } from "../../test-emulator.ts";

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.close());

async function open(body: Fields = {}): Promise<{ path: string; made: Fields }> {
  const path = `/incidents/${(await desk.declareIn("resolved")).id}/postmortem`;
  const answer = await desk.send("POST", path, body);
  expect(answer.status).toBe(201);
  return { path, made: answer.body };
}

async function read(path: string): Promise<Fields> {
  return (await desk.send("GET", path)).body;
}

test("Postmortem: it is opened empty, as a draft of version 1, by its author", async () => {
  const { path, made } = await open();
  expect(made).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    title: "Postmortem: Incident 1",
    status: "draft",
    incident_id: expect.any(String),
    html: "",
    generation_state: null,
    version: 1,
    written_by: expect.objectContaining({ name: "Ada Marsh" }),
    updated_at: opening,
  });
  expect(await read(path)).toEqual(made);
});

test.each([
  ["triaging", /open/],
  ["investigating", /open/],
  ["canceled", /canceled/],
])(
  "Postmortem creation: on an incident in %s it is refused with 422, and the message says why",
  async (status, why) => {
    const path = `/incidents/${(await desk.declareIn(status)).id}/postmortem`;
    const answer = await desk.send("POST", path);
    expect([answer.status, errorOf(answer).message]).toEqual([422, expect.stringMatching(why)]);
    expect((await desk.send("GET", path)).status).toBe(404);
  },
);

test("Postmortem creation: a second one is refused with 422, and the message says so", async () => {
  const { path } = await open();
  const answer = await desk.send("POST", path);
  expect([answer.status, errorOf(answer).message]).toEqual([422, expect.stringContaining("already has")]);
});

test("Postmortem: generate drafts in the background; generation_state is there until the draft is", async () => {
  const { path, made } = await open({ generate: true });
  expect(made).toMatchObject({ generation_state: "generating", html: "", version: 1 });
  expect(await read(path)).toMatchObject({ generation_state: "generating" });
  await desk.emulator.control?.settled();
  expect(await read(path)).toMatchObject({ generation_state: null, version: 2, html: expect.stringContaining("<h2>") });
});

test("Postmortem: a body written while the draft is made stays", async () => {
  const { path } = await open({ generate: true });
  expect((await desk.send("PATCH", path, { html: "<p>Mine</p>", version: 1 })).status).toBe(200);
  await desk.emulator.control?.settled();
  expect(await read(path)).toMatchObject({ generation_state: null, version: 2, html: "<p>Mine</p>" });
});

test("Postmortem: a draft holds what was noted, as text", async () => {
  const incident = await desk.declareIn("resolved");
  const said = { said_by: "U0001", text: "<script>alert(1)</script>" };
  const message = await desk.control("POST", `/incidents/${incident.id}/messages`, said);
  const note = { message_id: message.body.id ?? null, kind: "root_cause", statement: "A <b>lock</b> & no timeout" };
  await desk.control("POST", `/incidents/${incident.id}/notes`, note);
  await desk.send("POST", `/incidents/${incident.id}/postmortem`, { generate: true });
  await desk.emulator.control?.settled();
  const { html } = await read(`/incidents/${incident.id}/postmortem`);
  expect(html).toContain(
    "<h2>Root cause</h2>\n<ul><li>A &lt;b&gt;lock&lt;/b&gt; &amp; no timeout (Ada Marsh)</li></ul>",
  );
});

test("Postmortem rule 1: html replaces the entire body, and every version is kept", async () => {
  const { path, made } = await open();
  for (const [index, html] of ["<p>One</p>", "<p>Two</p>"].entries()) {
    expect((await desk.send("PATCH", path, { html, version: index + 1 })).body).toMatchObject({
      html,
      version: index + 2,
    });
  }
  const versions = itemsIn(await desk.control("GET", `/incidents/${made.incident_id}/postmortem/versions`), "versions");
  expect(versions.map(({ version, html }) => [version, html])).toEqual([
    [1, ""],
    [2, "<p>One</p>"],
    [3, "<p>Two</p>"],
  ]);
});

test("Postmortem rule 3: a stale version is 409, carries no version, and refuses the status sent with it", async () => {
  const { path } = await open();
  await desk.send("PATCH", path, { html: "<p>Theirs</p>", version: 1 });
  const before = await read(path);
  const answer = await desk.send("PATCH", path, { html: "<p>Mine</p>", version: 1, status: "completed" });
  expect([answer.status, errorOf(answer).type]).toEqual([409, "stale_content"]);
  expect(JSON.stringify(answer.body)).not.toContain('"version"');
  expect(await read(path)).toEqual(before);
  expect((await desk.send("PATCH", path, { html: "<p>Mine</p>", version: before.version ?? null })).status).toBe(200);
});

test("Postmortem rule 3: of many bodies sent at once with one version, one is taken", async () => {
  const { path } = await open();
  const sent = ["a", "b", "c", "d"].map((html) => desk.send("PATCH", path, { html, version: 1 }));
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 409, 409, 409]);
});

test.each([[{ html: "<p>x</p>" }], [{ html: "<p>x</p>", version: null }]])(
  "Postmortem rule 4: %j, a body without version, is 422 version_required",
  async (body) => {
    const { path, made } = await open();
    const answer = await desk.send("PATCH", path, body);
    expect([answer.status, errorOf(answer).type]).toEqual([422, "version_required"]);
    expect(await read(path)).toEqual(made);
  },
);

test.each([["draft"], ["in_progress"], ["in_review"], ["completed"]])(
  "Postmortem rule 5: the status %s needs no version and makes none",
  async (status) => {
    const { path } = await open();
    expect((await desk.send("PATCH", path, { status })).body).toMatchObject({ status, version: 1 });
  },
);

test("Postmortem: another status is 422", async () => {
  const { path } = await open();
  expect((await desk.send("PATCH", path, { status: "published" })).status).toBe(422);
});

test("Authentication 3: postmortem endpoints check incidents", async () => {
  const { path } = await open();
  const [none, reader] = [await desk.key({ severities: ["read"] }), await desk.key({ incidents: ["read"] })];
  expect((await desk.send("GET", path, undefined, none)).status).toBe(403);
  expect((await desk.send("GET", path, undefined, reader)).status).toBe(200);
  expect((await desk.send("PATCH", path, { status: "in_review" }, reader)).status).toBe(403);
});
