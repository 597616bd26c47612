import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createEmulator, type Emulator } from "../../../src/emulator/emulator.ts";
import { type EmulatorServer, serve } from "../../../src/emulator/serve.ts";
import { sampleSize } from "../../support/samples/sample-size.ts";

/** The server on raw sockets, with requests that no client sends. Whatever arrives, it neither fails (500) nor ends. */

let emulator: Emulator;
let served: EmulatorServer;
let port: number;
const faults: unknown[] = [];
beforeAll(async () => {
  vi.spyOn(console, "error").mockImplementation((...words) => void faults.push(words));
  emulator = createEmulator({ requestsPerMinute: 1e9 });
  served = await serve(emulator);
  port = Number(new URL(served.url).port);
});
afterAll(async () => {
  await served.close();
  emulator.close();
  vi.restoreAllMocks();
  expect(faults, "faults of the emulator itself").toEqual([]);
});

/** Sends bytes and returns what comes back within a while. */
async function exchange(bytes: Uint8Array): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk.toString("latin1");
  });
  socket.on("error", () => {});
  socket.write(bytes);
  await Promise.race([once(socket, "close").catch(() => {}), setTimeout(150)]);
  socket.destroy();
  return answer;
}

function raw(text: string): Uint8Array {
  return Buffer.from(text.replaceAll("HOST", `127.0.0.1:${port}`).replaceAll("TOKEN", emulator.adminToken), "latin1");
}

async function expectAlive(): Promise<void> {
  const headers = { authorization: `Bearer ${emulator.adminToken}` };
  expect((await fetch(`${served.url}/api/v1/severities`, { headers })).status).toBe(200);
}

const HEAD = "Host: HOST\r\nAuthorization: Bearer TOKEN\r\n";
const JSON_HEAD = `${HEAD}Content-Type: application/json\r\n`;
const BODY = '{"name":"Raw"}';

const REQUESTS: readonly (readonly [string, string])[] = [
  ["no request", "\r\n\r\n"],
  ["another protocol", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
  ["no version", "GET /api/v1/severities\r\n\r\n"],
  ["an unknown version", `GET /api/v1/severities HTTP/9.9\r\n${HEAD}\r\n`],
  ["an unknown method", `BREW /api/v1/severities HTTP/1.1\r\n${HEAD}\r\n`],
  ["a connect", `CONNECT 127.0.0.1:22 HTTP/1.1\r\n${HEAD}\r\n`],
  ["an upgrade", `GET /api/v1/severities HTTP/1.1\r\n${HEAD}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
  ["a header of 64 KiB", `GET /api/v1/severities HTTP/1.1\r\n${HEAD}X: ${"x".repeat(65_536)}\r\n\r\n`],
  ["3,000 headers", `GET /api/v1/severities HTTP/1.1\r\n${HEAD}${"X: y\r\n".repeat(3_000)}\r\n`],
  ["a folded header", `GET /api/v1/severities HTTP/1.1\r\n${HEAD}X: a\r\n b\r\n\r\n`],
  ["a NUL in a header", `GET /api/v1/severities HTTP/1.1\r\n${HEAD}X: a\0b\r\n\r\n`],
  [
    "two lengths",
    `POST /api/v1/severities HTTP/1.1\r\n${JSON_HEAD}Content-Length: 3\r\nContent-Length: 14\r\n\r\n${BODY}`,
  ],
  [
    "a length and chunks",
    `POST /api/v1/severities HTTP/1.1\r\n${JSON_HEAD}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ["a negative length", `POST /api/v1/severities HTTP/1.1\r\n${JSON_HEAD}Content-Length: -1\r\n\r\n${BODY}`],
  ["a length that is no number", `POST /api/v1/severities HTTP/1.1\r\n${JSON_HEAD}Content-Length: 1e3\r\n\r\n${BODY}`],
  ["a body that is too short", `POST /api/v1/severities HTTP/1.1\r\n${JSON_HEAD}Content-Length: 400\r\n\r\n${BODY}`],
  [
    "a bad chunk size",
    `POST /api/v1/severities HTTP/1.1\r\n${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n${BODY}\r\n0\r\n\r\n`,
  ],
  [
    "a huge chunk size",
    `POST /api/v1/severities HTTP/1.1\r\n${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n${BODY}`,
  ],
  [
    "an unknown transfer encoding",
    `POST /api/v1/severities HTTP/1.1\r\n${JSON_HEAD}Transfer-Encoding: gzip\r\n\r\n${BODY}`,
  ],
  [
    "a compressed body that is none",
    `POST /api/v1/severities HTTP/1.1\r\n${JSON_HEAD}Content-Encoding: gzip\r\nContent-Length: 14\r\n\r\n${BODY}`,
  ],
  [
    "another charset",
    `POST /api/v1/severities HTTP/1.1\r\n${HEAD}Content-Type: application/json; charset=utf-16\r\nContent-Length: 14\r\n\r\n${BODY}`,
  ],
  [
    "a body that is not UTF-8",
    `POST /api/v1/severities HTTP/1.1\r\n${JSON_HEAD}Content-Length: 12\r\n\r\n{"name":"\xff\xfe"}`,
  ],
  ["a deep body", `POST /api/v1/severities HTTP/1.1\r\n${JSON_HEAD}Content-Length: 40000\r\n\r\n${"[".repeat(40_000)}`],
  ["a body of a GET", `GET /api/v1/severities HTTP/1.1\r\n${JSON_HEAD}Content-Length: 14\r\n\r\n${BODY}`],
  ["pipelined requests", `GET /api/v1/severities HTTP/1.1\r\n${HEAD}\r\n`.repeat(50)],
  [
    "an expectation",
    `POST /api/v1/severities HTTP/1.1\r\n${JSON_HEAD}Expect: 200-maybe\r\nContent-Length: 14\r\n\r\n${BODY}`,
  ],
  ["no host", "GET /api/v1/severities HTTP/1.1\r\n\r\n"],
  ["two hosts", `GET /api/v1/severities HTTP/1.1\r\n${HEAD}Host: evil.example\r\n\r\n`],
  ["two tokens", `GET /api/v1/severities HTTP/1.1\r\n${HEAD}Authorization: Bearer x\r\n\r\n`],
  ...[
    "/api/v1/severities/..%2f..%2fagents",
    "/api/v1/severities/%2e%2e/agents",
    "/api/v1/../../etc/passwd",
    "/api/v1/severities/%00",
    "/api/v1/severities/%ff",
    "/api/v1/severities/%",
    "/api/v1/severities/%zz?page=%zz",
    "//api/v1/severities",
    "http://evil.example/api/v1/severities",
    "http://[::1/api/v1",
    "/api/v1/severities?page=-1&per_page=1e99&include_disabled=maybe",
    "/api/v1/severities?page=99999999999999999999",
    "/api/v1/__proto__",
    "/api/v1/severities/__proto__",
    `/api/v1/${"a/".repeat(3_000)}`,
    "?",
    "*",
  ].map((path): [string, string] => [`the path ${path.slice(0, 40)}`, `GET ${path} HTTP/1.1\r\n${HEAD}\r\n`]),
];

test.each(REQUESTS)("%s neither fails nor ends the server", async (_, text) => {
  expect(await exchange(raw(text))).not.toMatch(/^HTTP\/1\.1 5/m);
  await expectAlive();
});

/** A small generator of random numbers, the same in every run. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % limit;
  };
}

test("requests with bytes changed, removed, doubled or cut off at random neither fail nor end the server", async () => {
  const random = randomFrom(16);
  const bases = REQUESTS.map(([, text]) => text).filter((text) => text.length < 2_000);
  for (let round = 0; round < sampleSize(1_600) / 25; round += 1) {
    const texts = Array.from({ length: 25 }, () => {
      const bytes = Buffer.from(raw(bases[random(bases.length)] ?? ""));
      for (let change = random(6); change >= 0; change -= 1) bytes[random(bytes.length)] = random(256);
      const at = random(bytes.length);
      return [bytes, bytes.subarray(0, at), Buffer.concat([bytes.subarray(0, at), bytes])][random(3)] ?? bytes;
    });
    const answers = await Promise.all(texts.map(exchange));
    for (const [index, answer] of answers.entries()) {
      expect(answer, JSON.stringify(texts[index]?.toString("latin1"))).not.toMatch(/^HTTP\/1\.1 5/m);
    }
  }
  await expectAlive();
});
