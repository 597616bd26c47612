import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields, Json } from "../../../../src/core/json.ts";
import { redact } from "../../../../src/emulator/modules/chat/transcript.ts";
import { errorOf } from "../../client.ts";
import { listOf, openTestEmulator, startTime, type TestEmulator } from "../../test-emulator.ts";

let service: TestEmulator;
let incident: Fields;
beforeEach(async () => {
  service = await openTestEmulator();
  incident = await service.declare();
});
afterEach(() => service.close());

async function say(text: string, fields: Fields = {}): Promise<Fields> {
  const message = { said_by: "U0002", text, ...fields };
  return (await service.control("POST", `/incidents/${incident.id}/messages`, message)).body;
}

async function texts(query = ""): Promise<readonly Json[]> {
  const response = await service.send("GET", `/incidents/${incident.id}/transcript${query}`);
  return listOf(response, "messages").map(({ text }) => text ?? null);
}

test("Transcript message: it carries who said it, when, the text, and whether anything was redacted", async () => {
  const first = await say("Looking");
  await say("Here too", { thread_id: first.id ?? null });
  const response = await service.send("GET", `/incidents/${incident.id}/transcript`);
  expect(response.body).toEqual({
    incident_id: incident.id,
    messages: [
      {
        message_id: expect.any(String),
        thread_id: String(first.id),
        said_at: startTime,
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
    // Three messages for each second, to test the order of messages with the same time.
    if (number % 3 === 0) service.emulator.control?.clock.advance(1000);
    await say(`message ${number}`);
  }
  const read: unknown[] = [];
  let before = "";
  do {
    const response = await service.send("GET", `/incidents/${incident.id}/transcript?limit=3&before=${before}`);
    read.push(...listOf(response, "messages").map(({ text }) => text ?? null));
    before = String(response.body.more_before);
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

test("Transcript: a cursor of another incident is 400", async () => {
  const response = await service.send("GET", `/incidents/${incident.id}/transcript?before=nothing`);
  expect([response.status, errorOf(response).type]).toEqual([400, "bad_request"]);
});

test("Authentication 4: with transcript access turned off in the workspace, the 403 names that", async () => {
  await service.control("PATCH", "/workspace", { transcript_access: false });
  const response = await service.send("GET", `/incidents/${incident.id}/transcript`);
  expect([response.status, errorOf(response).type]).toEqual([403, "transcript_access_disabled"]);
  expect(errorOf(response).message).toContain("workspace");
});

test.each([
  ["the token ff_123456789ABCDEFGHJKLMNPQRSTUVWXYZabc here", "the token [REDACTED] here"],
  ["password: hunter2-eu-west until Friday", "password: [REDACTED] until Friday"],
  ["curl -H 'Authorization: Bearer abcdef0123456789abcd=='", "curl -H 'Authorization: Bearer [REDACTED]'"],
  ["postgres://ada:secret1@db/orders", "postgres://[REDACTED]@db/orders"],
  ["AKIAABCDEFGHIJKLMNOP", "[REDACTED]"],
  ["-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----", "[REDACTED]"],
])("Transcript: the secret in %j is redacted, and the message is marked", async (text, remaining) => {
  expect(redact(text)).toEqual({ text: remaining, redacted: true });
  expect(await say(text)).toMatchObject({ text: remaining, redacted: true });
  expect(await texts()).toEqual([remaining]);
});

test("Transcript: ordinary text is stored unchanged", () => {
  for (const text of ["Secretly slow", "p95 at 4 s: https://grafana.example.com/d/1", "the bearer of news", ""]) {
    expect(redact(text)).toEqual({ text, redacted: false });
  }
});
