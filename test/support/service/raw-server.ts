/** A server that sends given bytes, whether they are HTTP or not, and a connection to it on a virtual clock. */

import { type AddressInfo, createServer, type Socket } from "node:net";
import type { Fetch } from "../../../src/core/fetch.ts";
import { connect } from "../../../src/service/http/client.ts";
import { openNetwork } from "../../../src/service/http/network.ts";
import type { Writer } from "../../../src/service/requests/connection.ts";
import { VirtualClock } from "../../service/virtual-clock.ts";

/** The bytes of a response, or a function of the socket. */
export type RawResponse = string | Buffer | ((socket: Socket) => void);

/** A server on loopback. */
export interface RawServer {
  readonly origin: string;
  /** The received text of each connection. */
  readonly received: string[];
  /** Sets the next responses. The connection is closed after each. */
  respond(next: RawResponse): void;
  close(): Promise<void>;
}

/** Opens a server that responds to the first bytes of each connection. */
export async function rawServer(): Promise<RawServer> {
  let response: RawResponse = "";
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const index = received.push("") - 1;
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (data) => {
      const first = received[index] === "";
      received[index] += data.toString("latin1");
      if (!first) return;
      if (typeof response === "function") response(socket);
      else socket.end(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    respond: (next) => {
      response = next;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The two ways of sending: that of commands, and the global fetch. */
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
