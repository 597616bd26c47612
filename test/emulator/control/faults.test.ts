import { Agent, request as httpRequest, type RequestOptions } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ActiveFaults } from "../../../src/emulator/control/faults.ts";
import { type EmulatorServer, serve } from "../../../src/emulator/serve.ts";
import { column, errorOf } from "../client.ts";
import { listOf, openTestEmulator, type TestEmulator } from "../test-emulator.ts";

let service: TestEmulator;
beforeEach(async () => {
  service = await openTestEmulator();
});
afterEach(() => service.close());

const create = { method: "POST", path: "/api/v1/severities" };

/** Whether the severity of the faulty request exists. */
async function isCreated(): Promise<boolean> {
  service.emulator.control?.faults.clear();
  return (await column(service.emulator, "/severities", "slug")).includes("new");
}

function post(): Promise<Response> {
  const headers = { authorization: `Bearer ${service.emulator.adminToken}`, "content-type": "application/json" };
  return service.emulator.fetch(
    new Request("http://emulator/api/v1/severities", { method: "POST", headers, body: '{"name":"New"}' }),
  );
}

describe.each([
  ["before-read", false],
  ["after-read", false],
  ["before-commit", false],
  ["after-commit", true],
] as const)("a fault at %s", (phase, isDone) => {
  test("responds with a status, and the change exists only if it was committed", async () => {
    const action = { type: "status", status: 500, headers: { "retry-after": "7" }, body: '{"x":1}' } as const;
    service.emulator.control?.faults.add({ ...create, phase, action });
    const response = await post();
    expect([response.status, response.headers.get("retry-after"), await response.text()]).toEqual([
      500,
      "7",
      '{"x":1}',
    ]);
    expect(await isCreated()).toBe(isDone);
  });

  test("responds with a web page", async () => {
    service.emulator.control?.faults.add({ ...create, phase, action: { type: "html" } });
    const response = await post();
    expect([response.status, response.headers.get("content-type")]).toEqual([502, "text/html; charset=utf-8"]);
    expect(await isCreated()).toBe(isDone);
  });

  test("resets the connection: in process the request rejects", async () => {
    service.emulator.control?.faults.add({ ...create, phase, action: { type: "reset" } });
    await expect(post()).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(await isCreated()).toBe(isDone);
    const [entry] = listOf(await service.control("GET", "/requests"), "requests");
    expect(entry).toMatchObject({ status: null, commit: isDone ? 1 : null, faults: [expect.any(String)] });
  });

  test("delays the request, which then succeeds", async () => {
    service.emulator.control?.faults.add({ ...create, phase, action: { type: "delay", milliseconds: 40 } });
    const started = performance.now();
    expect((await post()).status).toBe(201);
    expect(performance.now() - started).toBeGreaterThan(35);
    expect(await isCreated()).toBe(true);
  });
});

test("after the commit a body can be truncated or get another content type", async () => {
  const { faults } = service.emulator.control ?? {};
  faults?.add({ ...create, phase: "after-commit", action: { type: "truncate", bytes: 5 } });
  expect(await (await post()).text()).toBe('{"id"');
  faults?.add({ path: "/api/v1/statuses", phase: "after-commit", action: { type: "content_type" } });
  const { headers, body } = await service.send("GET", "/statuses");
  expect([headers.get("content-type"), Object.keys(body)]).toEqual(["text/plain", ["statuses"]]);
});

test.each([["reset"], ["truncate"]] as const)("in the middle of the response, %s breaks its body off", async (type) => {
  service.emulator.control?.faults.add({ ...create, phase: "mid-response", action: { type, bytes: 5 } });
  const response = await post();
  expect(response.status).toBe(201);
  await expect(response.text()).rejects.toThrow("the connection was reset");
  expect(await isCreated()).toBe(true);
});

test("a response in parts is cut as well, and a reset before the read gives no response", async () => {
  const headers = { authorization: `Bearer ${service.emulator.adminToken}`, "content-type": "application/json" };
  const request = { method: "POST", headers, body: '{"name":"New"}' };
  const add = (phase: "mid-response" | "before-read") =>
    service.emulator.control?.faults.add({ ...create, phase, action: { type: "reset", bytes: 5 } });
  add("mid-response");
  const { status, body } = await service.emulator.request("http://emulator/api/v1/severities", request);
  const read = async (): Promise<void> => {
    for await (const chunk of body ?? []) expect(chunk).toHaveLength(5);
  };
  await expect(read()).rejects.toThrow("the connection was reset");
  expect(status).toBe(201);
  add("before-read");
  const again = service.emulator.request("http://emulator/api/v1/severities", request);
  await expect(again).rejects.toThrow("the connection was reset");
});

test("in the middle of the response, a delay comes between its halves", async () => {
  service.emulator.control?.faults.add({
    ...create,
    phase: "mid-response",
    action: { type: "delay", milliseconds: 40 },
  });
  const response = await post();
  const started = performance.now();
  expect(JSON.parse(await response.text())).toMatchObject({ slug: "new" });
  expect(performance.now() - started).toBeGreaterThan(35);
});

test("a fault applies to the nth matching request, and to as many as it says", async () => {
  const action = { type: "status" } as const;
  const match = { method: "get", path: "/api/v1/s*", nth: 2, times: 2 };
  const id = service.emulator.control?.faults.add({ ...match, phase: "before-read", action });
  const statuses: number[] = [];
  for (const path of ["/severities", "/statuses?x=1", "/runbooks", "/severities", "/severities"]) {
    statuses.push((await service.send("GET", path)).status);
  }
  expect(statuses).toEqual([200, 503, 200, 503, 200]);
  const faults = listOf(await service.control("GET", "/faults"), "faults");
  expect(faults).toMatchObject([{ id, seen: 4, met: 2 }]);
});

test("faults are added, listed and removed over HTTP; an action that is not possible in its phase is refused", async () => {
  const set = await service.control("POST", "/faults", { phase: "after-commit", action: { type: "reset" }, times: 0 });
  expect(set.status).toBe(201);
  const wrong = await service.control("POST", "/faults", { phase: "before-read", action: { type: "truncate" } });
  expect([wrong.status, errorOf(wrong).message]).toEqual([422, expect.stringContaining("status, html, reset, delay")]);
  expect((await service.control("POST", "/faults", { phase: "never", action: { type: "reset" } })).status).toBe(422);
  await service.control("DELETE", `/faults/${set.body.id}`);
  expect((await service.control("GET", "/faults")).body.faults).toEqual([]);
});

test("a path is matched literally except its stars", () => {
  const met = (path: string, address: string): number => {
    const faults = new ActiveFaults();
    faults.add({ path, phase: "before-read", action: { type: "reset" }, times: 0 });
    return faults.matchRequest("GET", address).length;
  };
  expect(met("/a.b", "/axb")).toBe(0);
  expect(met("/a.b", "/a.b?c=1")).toBe(1);
  expect(met("/a/*/c", "/a/b/c")).toBe(1);
  expect(met("/a", "/a/b")).toBe(0);
  expect(met("*", "/anything?x")).toBe(1);
});

describe("on a connection", () => {
  let served: EmulatorServer;
  beforeEach(async () => {
    served = await serve(service.emulator);
  });
  afterEach(() => served.close());

  /** Everything that a client of node:http gets before the end: status, body and the code of the first error. */
  interface Exchange {
    readonly status?: number;
    readonly body?: string;
    readonly isComplete?: boolean;
    readonly code?: string;
  }

  async function exchange(options: RequestOptions, body?: string): Promise<Exchange> {
    const headers = { authorization: `Bearer ${service.emulator.adminToken}`, "content-type": "application/json" };
    return new Promise((resolve) => {
      let received: Exchange = {};
      const sent = httpRequest(served.url, { headers, ...options }, (response) => {
        let text = "";
        received = { status: response.statusCode ?? 0, body: text };
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
          received = { ...received, body: text };
        });
        response.on("error", failed);
        response.on("end", () => resolve({ ...received, isComplete: response.complete }));
      });
      // A reset after the first bytes is an error of the request, and not of the response.
      sent.on("error", failed);
      sent.end(body);

      function failed({ code = "" }: NodeJS.ErrnoException): void {
        resolve({ ...received, code });
      }
    });
  }

  const createNew = (options: RequestOptions = {}): Promise<Exchange> =>
    exchange({ ...create, ...options }, '{"name":"New"}');

  test.each([["before-read"], ["after-read"], ["before-commit"], ["after-commit"]] as const)(
    "a reset at %s is a reset of the connection",
    async (phase) => {
      service.emulator.control?.faults.add({ ...create, phase, action: { type: "reset" } });
      expect(await createNew()).toEqual({ code: "ECONNRESET" });
      expect(await isCreated()).toBe(phase === "after-commit");
    },
  );

  test("a reset in the middle of the response lets the first bytes through", async () => {
    service.emulator.control?.faults.add({ ...create, phase: "mid-response", action: { type: "reset", bytes: 6 } });
    expect(await createNew()).toEqual({ code: "ECONNRESET", status: 201, body: '{"id":' });
    expect(await isCreated()).toBe(true);
  });

  test("a body that is cut in mid-response ends before its announced length", async () => {
    service.emulator.control?.faults.add({ ...create, phase: "mid-response", action: { type: "truncate", bytes: 6 } });
    expect(await createNew()).toMatchObject({ status: 201, body: '{"id":' });
    await expect(fetch(`${served.url}/api/v1/severities`)).resolves.toMatchObject({ status: 401 });
  });

  test("a reset after the response leaves the response complete and the connection dead", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    service.emulator.control?.faults.add({ ...create, phase: "after-response", action: { type: "reset" } });
    const first = await createNew({ agent });
    expect(first).toMatchObject({ status: 201, isComplete: true });
    expect(JSON.parse(first.body ?? "")).toMatchObject({ slug: "new" });
    const [socket] = Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []);
    if (socket !== undefined && !socket.destroyed) await new Promise((close) => socket.once("close", close));
    expect(await createNew({ agent })).toMatchObject({ status: 422 });
    agent.destroy();
  });

  test("a request on a connection that is reset after the response before it is not carried out", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    service.emulator.control?.faults.add({
      path: "/api/v1/statuses",
      phase: "after-response",
      action: { type: "reset" },
    });
    expect(await exchange({ path: "/api/v1/statuses", agent })).toMatchObject({ status: 200, isComplete: true });
    const { code } = await createNew({ agent });
    // Without an error, the request was so late that it used a new connection.
    expect(await isCreated()).toBe(code === undefined);
    agent.destroy();
  });

  test.each(["mid-response", "after-response"] as const)(
    "a reset at %s of a response without a body lets its headers through",
    async (phase) => {
      service.emulator.control?.faults.add({ method: "DELETE", phase, action: { type: "reset" } });
      const deletion = { method: "DELETE", path: "/api/v1/severities/major" };
      expect(await exchange(deletion)).toEqual({ status: 204, body: "", isComplete: true });
    },
  );
});
