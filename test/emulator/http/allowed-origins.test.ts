import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/emulator/emulator.ts";
import { type EmulatorServer, type ServeOptions, serve } from "../../../src/emulator/serve.ts";

const page = "http://localhost:5173";

let emulator: Emulator;
let served: EmulatorServer | undefined;
beforeEach(() => {
  emulator = createEmulator();
});
afterEach(async () => {
  await served?.close();
  served = undefined;
  await emulator.close();
});

async function start(options: ServeOptions): Promise<string> {
  served = await serve(emulator, options);
  return served.url;
}

/** Sends a request whose Host header is not that of its address, and returns the status. */
async function statusForHost(url: string, host: string): Promise<number> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  await once(socket, "connect");
  const authorization = `Authorization: Bearer ${emulator.adminToken}`;
  socket.end(`GET /api/v1/severities HTTP/1.1\r\nHost: ${host}\r\n${authorization}\r\nConnection: close\r\n\r\n`);
  return Number((await text(socket)).split(" ", 2)[1]);
}

function ask(url: string, init: RequestInit): Promise<Response> {
  return fetch(`${url}/api/v1/severities`, init);
}

test("a preflight of an allowed page gets the methods and headers of the interface, without a token", async () => {
  const url = await start({ allowOrigins: [page] });
  const headers = {
    origin: page,
    "access-control-request-method": "PATCH",
    "access-control-request-headers": "authorization,content-type",
  };
  const response = await ask(url, { method: "OPTIONS", headers });
  expect(response.status).toBe(204);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "access-control-allow-origin": page,
    "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": "authorization, content-type, x-approval-id",
    vary: "Origin",
  });
  expect(response.headers.has("access-control-allow-credentials")).toBe(false);
});

test("the script of an allowed page reads responses and errors", async () => {
  const url = await start({ allowOrigins: ["https://app.example.com", page] });
  const authorization = `Bearer ${emulator.adminToken}`;
  const read = await ask(url, { headers: { origin: page, authorization } });
  expect([read.status, read.headers.get("access-control-allow-origin")]).toEqual([200, page]);
  expect(read.headers.get("access-control-expose-headers")).toBe("x-request-id");
  const refused = await ask(url, { headers: { origin: page } });
  expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([401, page]);
  const invalid = await fetch(`${url}/%`, { headers: { origin: page } });
  expect(invalid.headers.get("access-control-allow-origin")).toBe(page);
});

test.each([
  "http://localhost:5174",
  "https://localhost:5173",
  "http://localhost",
  "http://LOCALHOST:5173",
  "http://localhost:5173.evil.example",
  "null",
])("a page of the origin %s is refused if another one is allowed", async (origin) => {
  const url = await start({ allowOrigins: [page] });
  const authorization = `Bearer ${emulator.adminToken}`;
  for (const method of ["GET", "OPTIONS"]) {
    const headers = { origin, authorization, "access-control-request-method": "GET" };
    const response = await ask(url, { method, headers });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([403, null]);
    expect(response.headers.get("vary")).toBe("Origin");
  }
});

test("a program gets no CORS header but Vary", async () => {
  const url = await start({ allowOrigins: [page] });
  const response = await ask(url, { headers: { authorization: `Bearer ${emulator.adminToken}` } });
  expect(response.status).toBe(200);
  const names = [...response.headers.keys()].filter((name) => name.startsWith("access-control") || name === "vary");
  expect(names).toEqual(["vary"]);
});

test("on loopback, a host name is accepted only if it is allowed, with every port or with its own", async () => {
  const url = await start({ allowHosts: ["emulator", "[fd00::5]:80", "Proxy.example:8080"] });
  const { port } = new URL(url);
  const hosts = ["emulator", "EMULATOR:1234", "[fd00::5]:80", "proxy.example:8080", `localhost:${port}`];
  for (const host of hosts) expect([host, await statusForHost(url, host)]).toEqual([host, 200]);
  const others = ["emulator.example", "other", "proxy.example:8081", "[fd00::5]", "192.0.2.7:80", "localhost:1", ""];
  for (const host of others) expect([host, await statusForHost(url, host)]).toEqual([host, 403]);
});

test("on every address, IP addresses and localhost are accepted with any port, and names only if they are allowed", async () => {
  const url = await start({ host: "0.0.0.0", allowNonLoopback: true, allowHosts: ["emulator"] });
  const hosts = ["192.0.2.7:8080", "192.0.2.7", "[fd00::5]:80", "localhost:32768", "emulator:8080"];
  for (const host of hosts) expect([host, await statusForHost(url, host)]).toEqual([host, 200]);
  for (const host of ["evil.example", "127.0.0.1.evil.example", "[fd00::5].evil.example", "1.2.3.4.5"]) {
    expect([host, await statusForHost(url, host)]).toEqual([host, 403]);
  }
});

test.each([
  [{ allowOrigins: ["*"] }],
  [{ allowOrigins: ["null"] }],
  [{ allowOrigins: ["http://localhost:5173/"] }],
  [{ allowOrigins: ["http://localhost:80"] }],
  [{ allowOrigins: ["file:///index.html"] }],
  [{ allowHosts: ["*"] }],
  [{ allowHosts: ["http://emulator"] }],
  [{ allowHosts: ["emulator:http"] }],
  [{ allowHosts: [""] }],
])("the option %j is refused before anything listens", async (options) => {
  await expect(serve(emulator, options)).rejects.toThrow(/is not (?:a host name|the origin of a web page)$/);
});
