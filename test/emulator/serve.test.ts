import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../src/emulator/emulator.ts";
import { type EmulatorServer, serve } from "../../src/emulator/serve.ts";
import { leastTime } from "../support/times.ts";
import { errorOf, readResponse } from "./client.ts";

let emulator: Emulator;
let served: EmulatorServer;
beforeEach(async () => {
  emulator = createEmulator();
  served = await serve(emulator);
});
afterEach(async () => {
  await served.close();
  emulator.close();
});

async function request(path: string, init: RequestInit = {}): Promise<ReturnType<typeof readResponse>> {
  const headers = { authorization: `Bearer ${emulator.adminToken}`, ...init.headers };
  return readResponse(await fetch(`${served.url}${path}`, { ...init, headers }));
}

/** Sends one raw request, for headers that fetch does not allow. */
async function sendRaw(lines: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(served.url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.end(`${lines.join("\r\n")}\r\n\r\n`);
  return text(socket);
}

test("requests over loopback get the same responses as in process", async () => {
  const created = await request("/api/v1/severities", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"name":"Wire"}',
  });
  expect(created).toMatchObject({ status: 201, body: { slug: "wire" } });
  expect((await request("/api/v1/severities/wire", { method: "DELETE" })).status).toBe(204);
});

test("a Host header that does not name this server is refused", async () => {
  expect(await sendRaw(["GET /api/v1/severities HTTP/1.1", "Host: evil.example", "Connection: close"])).toMatch(
    /^HTTP\/1\.1 403 .*"type":"forbidden"/s,
  );
});

test("a request from a web page is refused, and no CORS header is ever sent", async () => {
  const response = await request("/api/v1/severities", { headers: { origin: "http://localhost:3000" } });
  expect([response.status, errorOf(response).type]).toEqual([403, "forbidden"]);
  expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
});

test("a write whose body a plain form could send is refused", async () => {
  const response = await request("/api/v1/severities", { method: "POST", body: '{"name":"Form"}' });
  expect(response.status).toBe(415);
});

test("a repeated header hides none of its values", async () => {
  const authorization = `Authorization: Bearer ${emulator.adminToken}`;
  const start = ["GET /api/v1/severities HTTP/1.1", `Host: ${new URL(served.url).host}`];
  expect(await sendRaw([...start, authorization])).toMatch(/^HTTP\/1\.1 200 /);
  expect(await sendRaw([...start, authorization, "Authorization: Bearer other"])).toMatch(/^HTTP\/1\.1 401 /);
  expect(await sendRaw([...start, authorization, "Host: evil.example"])).toMatch(/^HTTP\/1\.1 403 /);
});

test.each([["/api/v1\\severities"], ["*"]])("the address %s is refused", async (address) => {
  expect(await sendRaw([`GET ${address} HTTP/1.1`, `Host: ${new URL(served.url).host}`])).toMatch(/^HTTP\/1\.1 400 /);
});

test("HEAD gets the response of GET without the body", async () => {
  expect(await request("/api/v1/severities", { method: "HEAD" })).toMatchObject({ status: 200, body: {} });
  expect((await request("/api/v1/nothing", { method: "HEAD" })).status).toBe(404);
});

test("a body that is too large is refused on arrival, and the connection stays usable", async () => {
  const headers = { "content-type": "application/json" };
  const large = new Blob(["x".repeat(700_000), "x".repeat(700_000)]).stream();
  const sent = { method: "POST", headers, body: large, duplex: "half" } as const;
  expect((await request("/api/v1/severities", sent)).status).toBe(413);
  expect((await request("/api/v1/severities")).status).toBe(200);
});

test("a wrapper around fetch is called, and its errors are 500", async () => {
  const asked: string[] = [];
  const around = await serve({
    ...emulator,
    async fetch(input) {
      asked.push(`${input.method} ${new URL(input.url).pathname} ${await input.clone().text()}`);
      if (input.method === "DELETE") throw new Error("around");
      return emulator.fetch(input);
    },
  });
  const headers = { authorization: `Bearer ${emulator.adminToken}`, "content-type": "application/json" };
  const sent = { method: "POST", headers, body: '{"name":"Around"}' };
  const created = await readResponse(await fetch(`${around.url}/api/v1/severities`, sent));
  expect(created).toMatchObject({ status: 201, body: { slug: "around" } });
  expect((await fetch(`${around.url}/api/v1/severities/around`, { method: "DELETE", headers })).status).toBe(500);
  expect(asked).toEqual(['POST /api/v1/severities {"name":"Around"}', "DELETE /api/v1/severities/around "]);
  await around.close();
});

test("headers over 16 KiB are refused", async () => {
  const lines = ["GET / HTTP/1.1", "Host: localhost", `X-Large: ${"x".repeat(20_000)}`];
  expect(await sendRaw(lines)).toMatch(/^HTTP\/1\.1 431 /);
});

test("an address other than loopback is refused unless allowed", async () => {
  await expect(serve(emulator, { host: "0.0.0.0" })).rejects.toThrow("not a loopback address");
});

test("a port in use is refused", async () => {
  const port = Number(new URL(served.url).port);
  await expect(serve(emulator, { port })).rejects.toThrow("EADDRINUSE");
});

test("it closes within a second with an open connection", async () => {
  const closing = async (): Promise<void> => {
    const socket = connect(Number(new URL(served.url).port), "127.0.0.1");
    await once(socket, "connect");
    socket.write("POST /api/v1/severities HTTP/1.1\r\n");
    await served.close();
    socket.destroy();
    served = await serve(emulator);
  };
  expect(await leastTime(closing)).toBeLessThan(1000);
});
