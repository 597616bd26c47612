import { once } from "node:events";
import { request as openRequest } from "node:http";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Fields, isFields, isList, type Json } from "../../src/core/json.ts";
import { createEmulator, type Emulator } from "../../src/emulator/emulator.ts";
import { type EmulatorServer, serve } from "../../src/emulator/serve.ts";
import { sampleSize } from "../support/samples/sample-size.ts";

let emulator: Emulator;
let served: EmulatorServer;
beforeEach(async () => {
  let time = Date.parse("2026-03-01T12:00:00.000Z");
  emulator = createEmulator({
    // Every reading of the clock is a later time, so that equal times hide no wrong order.
    now: () => {
      time += 1;
      return new Date(time);
    },
    requestsPerMinute: Number.MAX_SAFE_INTEGER,
  });
  served = await serve(emulator);
});
afterEach(async () => {
  await served.close();
  await emulator.close();
});

interface Reply {
  readonly status: number;
  readonly body: Fields;
}

/** A request whose headers and first bytes are sent, and whose rest waits. */
interface SlowRequest {
  finish(): Promise<Reply>;
}

/** Sends a request up to the first five bytes of its body, and returns when the server has read its headers. */
async function begin(method: string, path: string, body: Json, token = emulator.adminToken): Promise<SlowRequest> {
  const payload = JSON.stringify(body);
  const sent = openRequest(`${served.url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(payload),
      expect: "100-continue",
    },
  });
  const reply = once(sent, "response");
  reply.catch(() => undefined);
  sent.flushHeaders();
  await Promise.race([once(sent, "continue"), reply]);
  sent.write(payload.slice(0, 5));
  return {
    async finish() {
      sent.end(payload.slice(5));
      const [response] = await reply;
      const parsed: Json = JSON.parse((await text(response)) || "{}");
      return { status: response.statusCode, body: isFields(parsed) ? parsed : {} };
    },
  };
}

async function send(method: string, path: string, body?: Json, token = emulator.adminToken): Promise<Reply> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await fetch(`${served.url}/api/v1${path}`, init);
  const parsed: Json = JSON.parse((await response.text()) || "{}");
  return { status: response.status, body: isFields(parsed) ? parsed : {} };
}

function rows({ body }: Reply, name: string): readonly Fields[] {
  const list = body[name];
  return isList(list) ? list.filter(isFields) : [];
}

function incidentOf({ body }: Reply): Fields {
  if (!isFields(body.incident)) throw new Error(`no incident, but ${JSON.stringify(body)}`);
  return body.incident;
}

async function statusIds(): Promise<ReadonlyMap<string, string>> {
  const statuses = rows(await send("GET", "/statuses"), "statuses");
  return new Map(statuses.map(({ slug, id }) => [String(slug), String(id)]));
}

async function declare(name: string): Promise<string> {
  const [severity] = rows(await send("GET", "/severities"), "severities");
  const body = { idempotency_key: name, name, severity_id: severity?.id ?? null };
  return String(incidentOf(await send("POST", "/incidents", body)).id);
}

async function timelineOf(id: string): Promise<readonly Fields[]> {
  const events: Fields[] = [];
  for (let page = 1; ; page += 1) {
    const listed = rows(await send("GET", `/incidents/${id}/timeline?per_page=100&page=${page}`), "timeline");
    events.push(...listed);
    if (listed.length < 100) return events;
  }
}

async function newKey(permissions: Fields): Promise<{ readonly token: string; readonly prefix: string }> {
  const { body } = await send("POST", "/api_keys", { name: "Key", permissions });
  return { token: String(body.token), prefix: String(body.prefix) };
}

function isRising(values: readonly Json[]): boolean {
  return values.every((value, at) => at === 0 || String(value) >= String(values[at - 1]));
}

/**
 * Checks that one order of the renamings explains names, times and timeline: every event names the name that the one
 * before it gave, and is as old as the response that gave the name.
 */
async function checkHistory(id: string, firstName: string, replies: readonly Reply[]): Promise<void> {
  const timeline = await timelineOf(id);
  expect(isRising(timeline.map(({ occurred_at }) => occurred_at ?? null))).toBe(true);
  const renamed = replies.filter(({ status }) => status === 200).map(incidentOf);
  const byTime = new Map(renamed.map((incident) => [incident.updated_at, incident.name]));
  expect(byTime.size).toBe(renamed.length);
  let name: Json = firstName;
  for (const { description, occurred_at } of timeline) {
    const before = /renamed it from "([^"]*)"/.exec(String(description))?.[1];
    if (before === undefined) continue;
    expect(before).toBe(name);
    name = byTime.get(occurred_at ?? null) ?? null;
  }
  const last = incidentOf(await send("GET", `/incidents/${id}`));
  expect([last.name, last.updated_at]).toEqual([name, timeline.at(-1)?.occurred_at]);
}

test("Timeline: a change is recorded when it happens, and not when its headers arrive", async () => {
  const id = await declare("Slow");
  const slow = await begin("PATCH", `/incidents/${id}`, { name: "Later" });
  const resolved = await send("PATCH", `/incidents/${id}`, { status_id: (await statusIds()).get("resolved") ?? null });
  const renamed = await slow.finish();
  expect(String(incidentOf(renamed).updated_at) > String(incidentOf(resolved).updated_at)).toBe(true);
  const timeline = await timelineOf(id);
  expect(timeline.map(({ event_type }) => event_type)).toEqual([
    "incident.created",
    "incident.resolved",
    "incident.updated",
  ]);
});

test.each([
  ["revoked", ({ prefix }) => send("DELETE", `/api_keys/${prefix}`), 401],
  ["deactivated", ({ prefix }) => send("PATCH", `/api_keys/${prefix}`, { active: false }), 401],
  ["narrowed", ({ prefix }) => send("PATCH", `/api_keys/${prefix}`, { permissions: {} }), 403],
] satisfies [string, (key: { readonly prefix: string }) => Promise<Reply>, number][])(
  "Authentication: a key that is %s while a body arrives changes nothing",
  async (_case, end, status) => {
    const id = await declare("Guarded");
    const key = await newKey({ incidents: ["create", "update"] });
    const slow = await begin("PATCH", `/incidents/${id}`, { name: "Taken over" }, key.token);
    await end(key);
    expect((await slow.finish()).status).toBe(status);
    expect(incidentOf(await send("GET", `/incidents/${id}`)).name).toBe("Guarded");
  },
);

test("Timeline: sixty parallel changes of one incident have one order", async () => {
  const id = await declare("Crowded");
  const names = Array.from({ length: 60 }, (_, at) => `Crowded ${at}`);
  const replies = await Promise.all(
    names.map(async (name, at) => {
      if (at % 2 === 0) return send("PATCH", `/incidents/${id}`, { name });
      const slow = await begin("PATCH", `/incidents/${id}`, { name });
      for (let turn = 0; turn < (at * 7) % 11; turn += 1) await setImmediate();
      return slow.finish();
    }),
  );
  expect(replies.map(({ status }) => status)).toEqual(names.map(() => 200));
  await checkHistory(id, "Crowded", replies);
});

/** One request of a client. */
interface Step {
  /** The pause in its body, in turns of the event loop. */
  readonly pause: number;
  /** The slug of a status to set; undefined for none. */
  readonly status: string | undefined;
  /** The client whose key is revoked before the request; undefined for none. */
  readonly revokes: number | undefined;
}

const step: fc.Arbitrary<Step> = fc.record({
  pause: fc.nat({ max: 12 }),
  status: fc.option(fc.constantFrom("identified", "monitoring", "resolved", "canceled"), { nil: undefined }),
  revokes: fc.option(fc.nat({ max: 3 }), { nil: undefined, freq: 6 }),
});

test("parallel clients with slow bodies and revoked keys leave histories that one order explains", async () => {
  const statuses = await statusIds();
  const clients = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 4 });
  let run = 0;
  const property = fc.asyncProperty(clients, async (scripts) => {
    run += 1;
    const firstName = `Incident ${run}`;
    const id = await declare(firstName);
    const keys = await Promise.all(scripts.map(() => newKey({ incidents: ["update"] })));
    const revoked = new Set<string>();
    const replies: Reply[] = [];
    const play = async (steps: readonly Step[], client: number) => {
      for (const [at, { pause, status, revokes }] of steps.entries()) {
        const victim = revokes === undefined ? undefined : keys[revokes];
        if (victim !== undefined) {
          await send("DELETE", `/api_keys/${victim.prefix}`);
          revoked.add(victim.token);
        }
        const token = keys[client]?.token ?? "";
        const status_id = status === undefined ? {} : { status_id: statuses.get(status) ?? null };
        const slow = await begin("PATCH", `/incidents/${id}`, { name: `${run}.${client}.${at}`, ...status_id }, token);
        for (let turn = 0; turn < pause; turn += 1) await setImmediate();
        const isRevoked = revoked.has(token);
        const reply = await slow.finish();
        if (isRevoked) expect(reply.status).toBe(401);
        replies.push(reply);
      }
    };
    let isDone = false;
    const watch = async () => {
      const times: Json[] = [];
      while (!isDone) times.push(incidentOf(await send("GET", `/incidents/${id}`)).updated_at ?? null);
      expect(isRising(times)).toBe(true);
    };
    const players = Promise.all(scripts.map(play)).finally(() => {
      isDone = true;
    });
    await Promise.all([players, watch()]);
    await checkHistory(id, firstName, replies);
  });
  await fc.assert(property, { numRuns: sampleSize(300) });
}, 120_000);
