import { lookup } from "node:dns";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createSecureServer } from "node:tls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Fetch, NotConnected } from "../../../src/core/fetch.ts";
import type { Environment } from "../../../src/core/io.ts";
import { RefusedConnection } from "../../../src/service/http/credentials.ts";
import { openNetwork } from "../../../src/service/http/network.ts";
import { type ConnectionSettings, nodeFetch } from "../../../src/service/http/node-fetch.ts";
import { proxiedFetch } from "../../../src/service/http/proxy-fetch.ts";
import { selfSigned } from "../../support/service/certificates.ts";

let connections = 0;
let url: string;
let answer: (response: ServerResponse) => void;
const server = createServer((_request, response) => answer(response)).on("connection", () => {
  connections++;
});

beforeEach(async () => {
  connections = 0;
  answer = (response) => void response.writeHead(200, { "content-type": "application/json" }).end("{}");
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Asks as the client does. */
async function ask(fetch: Fetch, address: string, signal: AbortSignal = AbortSignal.timeout(20_000)): Promise<number> {
  const { status, body } = await fetch(address, { method: "GET", headers: {}, redirect: "manual", signal });
  for await (const _ of body ?? []);
  return status;
}

describe("a network", () => {
  it("keeps its connection", async () => {
    const fetch = await openNetwork({}, 5, url);
    for (let request = 0; request < 5; request++) expect(await ask(fetch, url)).toBe(200);
    expect(connections).toBe(1);
  });

  it("uses the proxy of the environment for https, and not for loopback", async () => {
    const { address, proxied, close } = await refusingProxy();
    const environment = { http_proxy: address, HTTPS_PROXY: address, NO_PROXY: "other.example" };
    expect(await ask(await openNetwork(environment, 5, url), url)).toBe(200);
    const secure = "https://incidents.example.com";
    await expect(ask(await openNetwork(environment, 5, secure), `${secure}/api/v1/severities`)).rejects.toThrow();
    expect(proxied).toEqual(["incidents.example.com:443"]);
    await close();
  });

  it("uses no proxy for the hosts of NO_PROXY, or without a proxy in the environment", async () => {
    const { address, proxied, close } = await refusingProxy();
    const secure = url.replace("http:", "https:");
    const reached = async (environment: Environment): Promise<readonly [direct: number, proxied: number]> => {
      const before = [connections, proxied.length] as const;
      // Nobody speaks TLS here, on either way.
      await expect(ask(await openNetwork(environment, 20, secure), secure)).rejects.toThrow();
      return [connections - before[0], proxied.length - before[1]];
    };
    expect(await reached({ https_proxy: address, NO_PROXY: "127.0.0.1" })).toEqual([1, 0]);
    expect(await reached({ https_proxy: address })).toEqual([0, 1]);
    expect(await reached({ https_proxy: "", HTTPS_PROXY: address })).toEqual([1, 0]);
    await close();
  });

  it("asks a proxy that closes the connection for one tunnel only, and sends nothing", async () => {
    let tunnels = 0;
    const proxy = createServer().on("connect", (_request, socket) => {
      tunnels += 1;
      socket.end();
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const environment = { HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
    const secure = "https://incidents.example.com";
    const asked = ask(await openNetwork(environment, 5, secure), secure, AbortSignal.timeout(2_000));
    await expect(asked).rejects.toThrow(NotConnected);
    await expect(asked).rejects.toMatchObject({ cause: { code: "PROXY_CLOSED" } });
    expect(tunnels).toBe(1);
    await new Promise((resolve) => proxy.close(resolve));
  });

  it.each(["proxy.example.com:3128", "ftp://me:squirrel@proxy.example.com", "http://"])(
    "is refused if the proxy is invalid, and does not print it: %s",
    async (proxy) => {
      const opened = openNetwork({ HTTPS_PROXY: proxy }, 5, url);
      await expect(opened).rejects.toThrow(RefusedConnection);
      await expect(opened).rejects.toThrow(/^HTTPS_PROXY (?!.*squirrel)/);
    },
  );

  it("is refused if certificates would not be verified", async () => {
    await expect(openNetwork({ NODE_TLS_REJECT_UNAUTHORIZED: "0" }, 5, url)).rejects.toThrow(RefusedConnection);
  });

  it("sends nothing to a server with an untrusted certificate", async () => {
    let heard = "";
    const stranger = createSecureServer(selfSigned({ names: ["localhost"] }), (socket) => {
      socket
        .on("error", () => socket.destroy())
        .on("data", (data) => {
          heard += data.toString();
        });
    }).on("tlsClientError", () => {});
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
    const address = `https://localhost:${(stranger.address() as AddressInfo).port}`;
    const asked = ask(await openNetwork({}, 5, address), address);
    await expect(asked).rejects.toThrow(NotConnected);
    await expect(asked).rejects.toMatchObject({ cause: { code: "DEPTH_ZERO_SELF_SIGNED_CERT" } });
    expect(heard).toBe("");
    await new Promise((resolve) => stranger.close(resolve));
  });

  it("reaches localhost at any loopback address that responds, without a lookup", async () => {
    const address = url.replace("127.0.0.1", "localhost");
    expect(await ask(await openNetwork({}, 5, address), address)).toBe(200);
  });
});

/** Short, so that they are met. */
const connecting: ConnectionSettings = {
  headersTimeout: 100,
  bodyTimeout: 5_000,
  maxHeaderSize: 16 * 1024,
  connect: { timeout: 2_000, rejectUnauthorized: true, minVersion: "TLSv1.2", lookup },
};

describe.each([
  ["of Node", () => nodeFetch(connecting, "http:"), { code: "HEADERS_TIMEOUT" }, { code: "HPE_HEADER_OVERFLOW" }],
  [
    "that knows proxies",
    async () => proxiedFetch(connecting, connecting.connect, "http://127.0.0.1:9", "127.0.0.1"),
    { cause: { code: "UND_ERR_HEADERS_TIMEOUT" } },
    { cause: { code: "UND_ERR_HEADERS_OVERFLOW" } },
  ],
])("the client %s", (_name, open, silence, overflow) => {
  it("times out without a response", async () => {
    answer = () => {};
    await expect(ask(await open(), url)).rejects.toMatchObject(silence);
  });

  it("accepts at most 16 KiB of headers", async () => {
    answer = (response) => {
      for (let at = 0; at < 2_000; at++) response.setHeader(`x-${at}`, "0123456789");
      response.end("{}");
    };
    await expect(ask(await open(), url)).rejects.toMatchObject(overflow);
  });

  it("closes the connection of an unread response", async () => {
    const closed = new Promise<void>((resolve) => {
      answer = (response) => void response.on("close", resolve).writeHead(307).write("endless");
    });
    const signal = AbortSignal.timeout(20_000);
    const { body } = await (await open())(url, { method: "GET", headers: {}, redirect: "manual", signal });
    await body?.cancel();
    await closed;
  });

  it("can be aborted during a response, with the reason", async () => {
    answer = (response) => void response.writeHead(200).write("endless");
    const controller = new AbortController();
    const { body } = await (await open())(url, {
      method: "GET",
      headers: {},
      redirect: "manual",
      signal: controller.signal,
    });
    const reading = (async () => {
      for await (const _ of body ?? []) controller.abort(new DOMException("time is up", "TimeoutError"));
    })();
    await expect(reading).rejects.toMatchObject({ name: "TimeoutError" });
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
