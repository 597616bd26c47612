import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields, Json } from "../../../../src/core/json.ts";
import { redact } from "../../../../src/emulator/rooms/chat/redaction.ts";
import { errorOf } from "../../client.ts";
import { type Desk, itemsIn, openDesk, opening } from "../../test-emulator.ts";

let desk: Desk;
let incident: Fields;
beforeEach(async () => {
  desk = await openDesk();
  incident = await desk.declare();
});
afterEach(() => desk.close());

async function say(text: string, fields: Fields = {}): Promise<Fields> {
  const said = { said_by: "U0002", text, ...fields };
  return (await desk.control("POST", `/incidents/${incident.id}/messages`, said)).body;
}

async function texts(query = ""): Promise<readonly Json[]> {
  const answer = await desk.send("GET", `/incidents/${incident.id}/transcript${query}`);
  return itemsIn(answer, "messages").map(({ text }) => text ?? null);
}

test("Transcript message: it carries who said it, when, the text, and whether anything was redacted", async () => {
  const first = await say("Looking");
  await say("Here too", { thread_id: first.id ?? null });
  const answer = await desk.send("GET", `/incidents/${incident.id}/transcript`);
  expect(answer.body).toEqual({
    incident_id: incident.id,
    messages: [
      {
        message_id: expect.any(String),
        thread_id: String(first.id),
        said_at: opening,
        text: "Here too",
        redacted: false,
        said_by: { id: expect.any(String), type: "user", name: "Grace Holm", email: "grace@example.com" },
      },
      expect.objectContaining({ message_id: String(first.id), thread_id: null, text: "Looking" }),
    ],
    more_before: "",
  });
});

test("Transcript: the oldest message is last, and before pages through everything older", async () => {
  for (let number = 1; number <= 7; number += 1) {
    // Three messages a second: the order holds among those of one time too.
    if (number % 3 === 0) desk.emulator.control?.clock.advance(1000);
    await say(`message ${number}`);
  }
  const read: unknown[] = [];
  let before = "";
  do {
    const answer = await desk.send("GET", `/incidents/${incident.id}/transcript?limit=3&before=${before}`);
    read.push(...itemsIn(answer, "messages").map(({ text }) => text ?? null));
    before = String(answer.body.more_before);
  } while (before !== "");
  expect(read).toEqual([7, 6, 5, 4, 3, 2, 1].map((number) => `message ${number}`));
});

test("Limits: the transcript's limit is 100 by default and 500 at most; less than 1 is 1", async () => {
  for (let number = 1; number <= 505; number += 1) await say(`message ${number}`);
  expect(await texts()).toHaveLength(100);
  expect(await texts("?limit=101")).toHaveLength(101);
  expect(await texts("?limit=100000")).toHaveLength(500);
  expect(await texts("?limit=0")).toEqual(["message 505"]);
});

test("Transcript: a cursor that is none of this incident's is 400", async () => {
  const answer = await desk.send("GET", `/incidents/${incident.id}/transcript?before=nothing`);
  expect([answer.status, errorOf(answer).type]).toEqual([400, "bad_request"]);
});

test("Authentication 4: the ability is Incident Transcripts, not incidents, and the 403 names it", async () => {
  const path = `/incidents/${incident.id}/transcript`;
  const without = await desk.send("GET", path, undefined, await desk.key({ incidents: ["read", "update"] }));
  expect([without.status, errorOf(without).type]).toEqual([403, "forbidden"]);
  expect(errorOf(without).message).toContain("incident transcripts");
  expect((await desk.send("GET", path, undefined, await desk.key({ incident_transcripts: ["read"] }))).status).toBe(
    200,
  );
});

test("Authentication 4: with transcript access turned off in the workspace, the 403 names that", async () => {
  await desk.control("PATCH", "/workspace", { transcript_access: false });
  const answer = await desk.send("GET", `/incidents/${incident.id}/transcript`);
  expect([answer.status, errorOf(answer).type]).toEqual([403, "transcript_access_disabled"]);
  expect(errorOf(answer).message).toContain("workspace");
});

test.each([
  ["the token ff_123456789ABCDEFGHJKLMNPQRSTUVWXYZabc here", "the token [REDACTED] here"],
  ["password: hunter2-eu-west until Friday", "password: [REDACTED] until Friday"],
  ["curl -H 'Authorization: Bearer abcdef0123456789abcd=='", "curl -H 'Authorization: Bearer [REDACTED]'"],
  ["postgres://ada:secret1@db/orders", "postgres://[REDACTED]@db/orders"],
  ["AKIAABCDEFGHIJKLMNOP", "[REDACTED]"],
  ["-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----", "[REDACTED]"],
])("Transcript: what is secret in %j is taken out, and the message says so", async (text, kept) => {
  expect(redact(text)).toEqual({ text: kept, redacted: true });
  expect(await say(text)).toMatchObject({ text: kept, redacted: true });
  expect(await texts()).toEqual([kept]);
});

test("Transcript: ordinary talk is kept as it was said", () => {
  for (const text of ["Secretly slow", "p95 at 4 s: https://grafana.example.com/d/1", "the bearer of news", ""]) {
    expect(redact(text)).toEqual({ text, redacted: false });
  }
});
