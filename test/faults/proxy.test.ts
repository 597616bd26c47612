import { afterAll, beforeAll, expect, test } from "vitest";
import type { Fetch } from "../../src/core/fetch.ts";
import { createEmulator, type Emulator } from "../../src/emulator/emulator.ts";
import { webhookTable } from "../../src/emulator/modules/webhooks/webhooks.ts";
import { type EmulatorServer, serve } from "../../src/emulator/serve.ts";
import { connect } from "../../src/service/http/client.ts";
import { openNetwork } from "../../src/service/http/network.ts";
import { classifyFailure } from "../../src/service/http/retry.ts";
import { rowsOf } from "../../src/service/lists/envelope.ts";
import type { Writer } from "../../src/service/requests/connection.ts";
import { reportFigures } from "./figures/figures.ts";
import { ToxicProxy, type Toxics } from "./injection/proxy.ts";

let emulator: Emulator;
let served: EmulatorServer;
let proxy: ToxicProxy;
/** The connection that commands use. */
let network: Fetch;

beforeAll(async () => {
  emulator = createEmulator({ control: true, requestsPerMinute: 1_000_000 });
  served = await serve(emulator);
  proxy = await ToxicProxy.open(served.url);
  network = await openNetwork({}, 5, proxy.url);
});
afterAll(async () => {
  await proxy.close();
  await served.close();
  await emulator.close();
});

/** A connection with short waits between retries, each on a new socket. */
function writer(timeoutSeconds = 5): Writer {
  return connect({
    baseUrl: proxy.url,
    token: emulator.adminToken,
    fetch: (url, init) => network(url, { ...init, headers: { ...init.headers, connection: "close" } }),
    clock: { now: () => performance.now(), sleep: () => Promise.resolve() },
    requestsPerMinute: 1_000_000,
    timeoutSeconds,
  });
}

const list = { path: "/api/v1/severities", query: { include_disabled: "true" } };

async function slugs(through: Writer): Promise<readonly string[]> {
  const rows = rowsOf({ method: "GET", path: list.path }, await through.get(list), "severities");
  return rows.map(({ slug }) => String(slug));
}

const CAMPAIGNING = process.env.CAMPAIGN_FAULTS === undefined ? 60_000 : 900_000;
const DEFAULT = ["critical", "major", "minor"];

/** Length of the list response in bytes, on the wire. */
async function length(): Promise<number> {
  const response = await fetch(`${served.url}${list.path}?include_disabled=true`, {
    headers: { authorization: `Bearer ${emulator.adminToken}`, connection: "close" },
  });
  const body = await response.arrayBuffer();
  const head = [...response.headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  return body.byteLength + head + "HTTP/1.1 200 OK\r\n\r\n".length;
}

test.each<[string, Toxics]>([
  ["slowly", { latency: 30 }],
  ["in chunks of three bytes", { slice: 3 }],
  ["at 40 kB a second", { bandwidth: 40_000, slice: 400 }],
])("a response that arrives %s is complete", async (_how, toxics) => {
  proxy.poison(toxics);
  expect(await slugs(writer())).toEqual(DEFAULT);
});

test.each(["close", "reset", "half-close"] as const)(
  "a list cut off at any byte by a %s is an error",
  async (ends) => {
    const whole = await length();
    const step = process.env.CAMPAIGN_FAULTS === undefined ? 13 : 1;
    const began = performance.now();
    const believed: string[] = [];
    let cuts = 0;
    for (let limit = 0; limit < whole - 3; limit += step) {
      proxy.poison({ limit, ends });
      const read = await slugs(writer()).catch((error: unknown) => error);
      if (classifyFailure(read) !== "lost") believed.push(`cut at ${limit} of ${whole}: ${JSON.stringify(read)}`);
      cuts += 1;
    }
    const details = { [`with a ${ends}`]: cuts };
    reportFigures({ part: "cuts of a list", runs: cuts, violations: believed.length, details }, began);
    expect(believed).toEqual([]);
    proxy.poison({});
    expect(await slugs(writer())).toEqual(DEFAULT);
  },
  CAMPAIGNING,
);

test.each(["close", "reset", "half-close"] as const)(
  "a creation whose response is cut off by a %s is sent once and reported as uncertain",
  async (ends) => {
    proxy.poison({ limit: 40, ends });
    const database = emulator.control?.service.database;
    const name = `cut by ${ends}`;
    const body = { name, url: "https://a.example.com/in" };
    const error = await writer()
      .send("POST", { path: "/api/v1/webhooks" }, body)
      .catch((thrown: unknown) => thrown);
    expect(classifyFailure(error)).toBe("lost");
    expect(database?.list(webhookTable).filter((row) => row.name === name)).toHaveLength(1);
  },
);

test("a silent connection times out, and the result is uncertain", async () => {
  proxy.poison({ limit: 0, ends: "silence" });
  const began = performance.now();
  const error = await writer(0.3)
    .send("PATCH", { path: "/api/v1/severities/major" }, { description: "quiet" })
    .catch((thrown: unknown) => thrown);
  expect(classifyFailure(error)).toBe("lost");
  expect(performance.now() - began).toBeLessThan(5_000);
});

test("a connection reset before the request does not count as executed", async () => {
  proxy.poison({ refuse: true });
  const error = await writer()
    .get(list)
    .catch((thrown: unknown) => thrown);
  expect(["unreachable", "lost"]).toContain(classifyFailure(error));
});
