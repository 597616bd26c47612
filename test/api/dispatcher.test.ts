import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RefusedConnection } from "../../src/api/credentials.ts";
import { type Environment, installDispatcher } from "../../src/api/dispatcher.ts";

/** Where `fetch` keeps what it connects by. */
const IN_USE = Symbol.for("undici.globalDispatcher.1");
Reflect.get(globalThis, "Response");
const ofNode: object = Reflect.get(globalThis, IN_USE);

/** As in a Node that has another class there: nothing is known of it. */
function unfamiliar(): object {
  const Agent = ofNode.constructor as new () => object;
  return new (class Unfamiliar extends Agent {})();
}

let connections = 0;
let url: string;
const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "application/json" }).end("{}");
}).on("connection", () => {
  connections++;
});

beforeEach(async () => {
  connections = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(async () => {
  Reflect.set(globalThis, IN_USE, ofNode);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe.each([
  ["of Node", () => ofNode],
  ["that is brought along where Node's is another", unfamiliar],
])("the dispatcher %s", (_name, found) => {
  beforeEach(() => {
    Reflect.set(globalThis, IN_USE, found());
  });

  it("is the global fetch's, and keeps its connection", async () => {
    await installDispatcher({}, 5);
    for (let request = 0; request < 5; request++) expect(await (await fetch(url)).json()).toEqual({});
    expect(connections).toBeLessThan(5);
  });

  it("takes https through the environment's proxy, and loopback http past it", async () => {
    const { address, proxied, close } = await refusingProxy();
    await installDispatcher({ http_proxy: address, HTTPS_PROXY: address, NO_PROXY: "other.example" }, 5);
    expect((await fetch(url)).status).toBe(200);
    await expect(fetch("https://incidents.example.com/api/v1/severities")).rejects.toThrow();
    expect(proxied).toEqual(["incidents.example.com:443"]);
    await close();
  });

  it("gives up when nothing is heard", async () => {
    await installDispatcher({}, 0.1);
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const unheard = fetch(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/`);
    await expect(unheard).rejects.toMatchObject({ cause: { code: "UND_ERR_HEADERS_TIMEOUT" } });
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
  });

  it("leaves out the proxy for the hosts of NO_PROXY, and for all without one", async () => {
    const { address, proxied, close } = await refusingProxy();
    const reached = async (environment: Environment): Promise<readonly [direct: number, proxied: number]> => {
      const before = [connections, proxied.length] as const;
      await installDispatcher(environment, 20);
      // Nobody speaks TLS here, on either way.
      await expect(fetch(url.replace("http:", "https:"))).rejects.toThrow();
      return [connections - before[0], proxied.length - before[1]];
    };
    expect(await reached({ https_proxy: address, NO_PROXY: "127.0.0.1" })).toEqual([1, 0]);
    expect(await reached({ https_proxy: address })).toEqual([0, 1]);
    expect(await reached({ https_proxy: "", HTTPS_PROXY: address })).toEqual([1, 0]);
    await close();
  });

  it.each(["proxy.example.com:3128", "ftp://me:squirrel@proxy.example.com", "http://"])(
    "is refused where the proxy is none, and does not repeat it: %s",
    async (proxy) => {
      const installed = installDispatcher({ HTTPS_PROXY: proxy }, 5);
      await expect(installed).rejects.toThrow(RefusedConnection);
      await expect(installed).rejects.toThrow(/^HTTPS_PROXY (?!.*squirrel)/);
    },
  );

  it("reaches localhost at whichever loopback address answers, without asking anybody for it", async () => {
    await installDispatcher({}, 5);
    expect((await fetch(url.replace("127.0.0.1", "localhost"))).status).toBe(200);
  });

  it("takes no more than 16 KiB of headers", async () => {
    await installDispatcher({}, 5);
    const flood = createServer((_request, response) => {
      for (let at = 0; at < 2_000; at++) response.setHeader(`x-${at}`, "0123456789");
      response.end("{}");
    });
    await new Promise<void>((resolve) => flood.listen(0, "127.0.0.1", resolve));
    const flooded = fetch(`http://127.0.0.1:${(flood.address() as AddressInfo).port}/`);
    await expect(flooded).rejects.toMatchObject({ cause: { code: "UND_ERR_HEADERS_OVERFLOW" } });
    flood.closeAllConnections();
    await new Promise((resolve) => flood.close(resolve));
  });

  it("is refused where certificates would not be verified", async () => {
    await expect(installDispatcher({ NODE_TLS_REJECT_UNAUTHORIZED: "0" }, 5)).rejects.toThrow(RefusedConnection);
  });
});

/** A proxy that leads nowhere, and where it was asked to lead. */
async function refusingProxy(): Promise<{ address: string; proxied: readonly string[]; close(): Promise<unknown> }> {
  const proxied: string[] = [];
  const proxy = createServer().on("connect", ({ url: target = "" }, socket) => {
    proxied.push(target);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return { address, proxied, close: () => new Promise((resolve) => proxy.close(resolve)) };
}
