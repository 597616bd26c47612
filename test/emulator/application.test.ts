import { afterEach, beforeEach, expect, test } from "vitest";
import type { Json } from "../../src/core/json.ts";
import { createEmulator, type Emulator } from "../../src/emulator/emulator.ts";
import { column, errorOf, readResponse, send } from "./client.ts";

let emulator: Emulator;
let now: Date;
beforeEach(() => {
  now = new Date("2026-01-01T00:00:10Z");
  emulator = createEmulator({ now: () => now, requestsPerMinute: 50 });
});
afterEach(() => emulator.close());

async function raw(path: string, init: RequestInit): Promise<ReturnType<typeof readResponse>> {
  return readResponse(await emulator.fetch(new Request(`http://emulator${path}`, init)));
}

test("a request in parts gets the same response as through fetch", async () => {
  const headers = { Authorization: `Bearer ${emulator.adminToken}`, "content-type": "application/json" };
  const inParts = async (method: string, path: string, body?: string): Promise<ReturnType<typeof readResponse>> => {
    const parts = { method, headers, ...(body === undefined ? {} : { body }) };
    const response = await emulator.request(`http://emulator/api/v1${path}`, parts);
    expect([response.headers.has("x-request-id"), response.headers.has("x-other")]).toEqual([true, false]);
    const type = response.headers.get("content-type");
    const whole = response.body === null ? null : ReadableStream.from(response.body);
    return readResponse(
      new Response(whole, { status: response.status, ...(type === null ? {} : { headers: [["content-type", type]] }) }),
    );
  };
  const created = await inParts("POST", "/severities", '{"name":"Größe"}');
  expect(created).toMatchObject({ status: 201, body: { name: "Größe" } });
  expect((await inParts("GET", "/severities")).body).toEqual((await send(emulator, "GET", "/severities")).body);
  expect((await inParts("POST", "/severities", "no JSON")).status).toBe(400);
  expect(await inParts("DELETE", `/severities/${created.body.slug}`)).toMatchObject({ status: 204, body: {} });
  expect((await inParts("GET", "/nothing")).status).toBe(404);
});

test.each([
  ["missing", {}],
  ["empty", { authorization: "Bearer " }],
  ["unknown", { authorization: "Bearer ff_unknown" }],
  ["of another scheme", { authorization: "Basic YTpi" }],
])("Authentication rule 2: a token that is %s yields 401 unauthorized", async (_case, headers) => {
  const response = await raw("/api/v1/severities", { headers });
  expect([response.status, errorOf(response).type]).toEqual([401, "unauthorized"]);
});

test("Errors: every error has type, message and a request_id of its own", async () => {
  const first = errorOf(await send(emulator, "GET", "/nothing"));
  const second = errorOf(await send(emulator, "GET", "/nothing"));
  expect(Object.keys(first).sort()).toEqual(["message", "request_id", "type"]);
  expect(first.type).toBe("not_found");
  expect(first.request_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(first.request_id).not.toBe(second.request_id);
});

test.each([
  ["POST", "/severities", "not json", 400, "bad_request"],
  ["POST", "/severities", "[]", 400, "bad_request"],
  ["POST", "/severities", `{"name":"${"x".repeat(1024 * 1024)}"}`, 413, "payload_too_large"],
  ["POST", "/severities", `{"name":${"[".repeat(40)}${"]".repeat(40)}}`, 400, "bad_request"],
  ["POST", "/severities", '{"name":7}', 422, "validation_error"],
  ["PUT", "/severities", "{}", 405, "method_not_allowed"],
  ["PATCH", "/severities/absent", "{}", 404, "not_found"],
  ["PATCH", "/severities/a%2Fb", "{}", 404, "not_found"],
])("Errors: %s %s with the body %.20s yields %i %s", async (method, path, body, status, type) => {
  const headers = { authorization: `Bearer ${emulator.adminToken}`, "content-type": "application/json" };
  const response = await raw(`/api/v1${path}`, { method, headers, body });
  expect([response.status, errorOf(response).type]).toEqual([status, type]);
});

test("a 405 names the methods that the path takes", async () => {
  expect((await send(emulator, "PUT", "/severities", {})).headers.get("allow")).toBe("GET, HEAD, POST");
  expect((await send(emulator, "GET", "/severities/critical")).headers.get("allow")).toBe("PATCH, DELETE");
  expect((await send(emulator, "GET", "/severities")).headers.has("allow")).toBe(false);
});

test.each<[string, string, Json | undefined, string]>([
  ["POST", "/severities", { name: "Alpha\u0000Beta" }, "name"],
  ["POST", "/runbooks", { name: "Failover", steps: [{ title: "Look\u0000" }] }, "steps[0].title"],
  ["POST", "/routing_rules", { outcome: { action: "drop", "not\u0000e": 1 } }, "outcome.not\u0000e"],
  ["DELETE", "/severities/critical", { reason: "\u0000" }, "reason"],
  ["GET", "/routing_rules?source=A%00&source=A", undefined, "source"],
  ["GET", "/incidents?severity_id=%00", undefined, "severity_id"],
])("a text with U+0000 is refused: %s %s %j", async (method, path, body, field) => {
  const response = await send(emulator, method, path, body);
  expect([response.status, errorOf(response).errors]).toEqual([422, [{ field, message: "cannot contain U+0000" }]]);
});

test("Errors: a validation error names each failing field", async () => {
  const response = await send(emulator, "POST", "/severities", { name: 7, enabled: "yes" });
  expect(errorOf(response).errors).toEqual([
    { field: "name", message: "must be a string" },
    { field: "enabled", message: "must be true or false or null" },
  ]);
});

test("Versioning: no path outside /api/v1 is served", async () => {
  const headers = { authorization: `Bearer ${emulator.adminToken}` };
  expect((await raw("/severities", { headers })).status).toBe(404);
  expect((await raw("/api/v2/severities", { headers })).status).toBe(404);
});

test("Limits: more requests per minute than allowed yield 429, for that key only, until the next minute", async () => {
  for (let sent = 0; sent < 50; sent += 1) await send(emulator, "GET", "/severities");
  const response = await send(emulator, "GET", "/severities");
  expect([response.status, errorOf(response).type]).toEqual([429, "rate_limit_exceeded"]);
  expect((await send(emulator, "GET", "/severities", undefined, emulator.serviceToken)).status).toBe(200);
  now = new Date("2026-01-01T00:01:00Z");
  expect((await send(emulator, "GET", "/severities")).status).toBe(200);
});

test("a rejected request changes nothing: a request is one transaction", async () => {
  const before = await column(emulator, "/severities", "name");
  const change = { name: "Changed", position: 3, enabled: false, default: true };
  expect((await send(emulator, "PATCH", "/severities/critical", change)).status).toBe(422);
  expect(await column(emulator, "/severities", "name")).toEqual(before);
});

test("a body cannot reach the prototype of objects", async () => {
  const headers = { authorization: `Bearer ${emulator.adminToken}` };
  const body = '{"name":"Safe","__proto__":{"color":"#000"},"constructor":{"prototype":{"polluted":true}}}';
  const response = await raw("/api/v1/severities", { method: "POST", headers, body });
  expect(response.body).toMatchObject({ name: "Safe", color: null });
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

test("responses are JSON that browsers must not sniff", async () => {
  const { headers } = await send(emulator, "GET", "/severities");
  expect(headers.get("content-type")).toMatch(/^application\/json/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
});
