import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent, setGlobalDispatcher } from "undici";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RefusedConnection } from "../../src/api/credentials.ts";
import { installDispatcher } from "../../src/api/dispatcher.ts";

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
  setGlobalDispatcher(new Agent());
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe("the dispatcher", () => {
  it("is the global fetch's, and keeps its connection", async () => {
    installDispatcher({}, 5);
    for (let request = 0; request < 5; request++) expect(await (await fetch(url)).json()).toEqual({});
    expect(connections).toBeLessThan(5);
  });

  it("takes https through the environment's proxy, and loopback http past it", async () => {
    const proxied: string[] = [];
    const proxy = createServer().on("connect", ({ url: target = "" }, socket) => {
      proxied.push(target);
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    vi.stubEnv("http_proxy", address);
    vi.stubEnv("https_proxy", address);
    vi.stubEnv("no_proxy", "");
    installDispatcher({}, 5);
    vi.unstubAllEnvs();
    expect((await fetch(url)).status).toBe(200);
    await expect(fetch("https://incidents.example.com/api/v1/severities")).rejects.toThrow();
    expect(proxied).toEqual(["incidents.example.com:443"]);
    await new Promise((resolve) => proxy.close(resolve));
  });

  it("is refused where certificates would not be verified", () => {
    expect(() => installDispatcher({ NODE_TLS_REJECT_UNAUTHORIZED: "0" }, 5)).toThrow(RefusedConnection);
  });
});
