/** A server that says what it is told to, byte by byte, HTTP or not; and a connection to it whose waits take no time. */

import { type AddressInfo, createServer, type Socket } from "node:net";
import { connect } from "../../../src/api/http/client.ts";
import type { Writer } from "../../../src/api/http/connection.ts";
import { openNetwork } from "../../../src/api/http/network.ts";
import type { Fetch } from "../../../src/core/fetch.ts";
import { VirtualClock } from "../../api/virtual-clock.ts";

/** The bytes of an answer, or something to do with the socket. */
export type Said = string | Buffer | ((socket: Socket) => void);

/** A server on loopback. */
export interface RawServer {
  readonly origin: string;
  /** What came, one text for each connection. */
  readonly heard: string[];
  /** What is said from now on; the connection is closed after it. */
  say(what: Said): void;
  close(): Promise<void>;
}

/** Opens a server that answers the first bytes of each connection. */
export async function rawServer(): Promise<RawServer> {
  let saying: Said = "";
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const index = heard.push("") - 1;
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (data) => {
      const first = heard[index] === "";
      heard[index] += data.toString("latin1");
      if (!first) return;
      if (typeof saying === "function") saying(socket);
      else socket.end(saying);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    say: (what) => {
      saying = what;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What a command connects by, and what a library may be given. */
export const clients: readonly (readonly [name: string, fetch: Fetch])[] = [
  ["by Node's own client", await openNetwork({}, 20, "http://127.0.0.1")],
  ["by the global fetch", globalThis.fetch],
];

/** A connection with a token. */
export function connectedTo(origin: string, fetch: Fetch, timeoutSeconds = 5): Writer {
  return connect({
    baseUrl: origin,
    token: "ff_canary_token",
    fetch,
    clock: new VirtualClock(),
    requestsPerMinute: 900,
    timeoutSeconds,
  });
}
