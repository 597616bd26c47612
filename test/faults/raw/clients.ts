/** The program's own HTTP clients, as commands use them: plain, over TLS, and through the tunnel of a proxy. */

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type LookupFunction, type Server, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Fetch } from "../../../src/core/fetch.ts";
import { withTimeout } from "../../../src/emulator/service/outbound.ts";
import { type ConnectionSettings, nodeFetch, type TlsSettings } from "../../../src/service/http/node-fetch.ts";
import { proxiedFetch } from "../../../src/service/http/proxy-fetch.ts";
import type { Identity } from "../../support/service/certificates.ts";
import type { Addresses, Line } from "./raw-fault.ts";

/** How requests reach the service. */
export const TRANSPORTS = ["http", "https", "http proxy", "https proxy"] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** Whether requests are encrypted. */
export function isSecure(transport: Transport): boolean {
  return transport !== "http";
}

/** Whether requests go through a proxy. */
export function isProxied(transport: Transport): boolean {
  return transport.endsWith("proxy");
}

export interface ClientOptions {
  /** Certificate of the trusted authority, as PEM. */
  readonly ca: string;
  /** Port of the proxy. */
  readonly proxy: number;
  /** Shortens the timeouts, for a fault that only they end. */
  readonly isQuick: boolean;
  readonly addresses?: Addresses;
}

/** Milliseconds for connecting, for the headers, and for the whole request, of a quick client. */
const QUICK = { connect: 150, headers: 120, request: 300 };
const PATIENT = 20_000;

/** Returns a client with connections of its own. Its settings are those of `openNetwork`, with shorter times and another authority. */
export async function openClient(transport: Transport, options: ClientOptions): Promise<Fetch> {
  const { ca, proxy, isQuick, addresses = [["127.0.0.1"]] } = options;
  const tunnel: TlsSettings & { readonly ca: string } = {
    timeout: isQuick ? QUICK.connect : PATIENT / 2,
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    ca,
  };
  const settings: ConnectionSettings = {
    headersTimeout: isQuick ? QUICK.headers : PATIENT,
    bodyTimeout: isQuick ? QUICK.request : PATIENT,
    maxHeaderSize: 16 * 1024,
    connect: { ...tunnel, lookup: lookupOf(addresses) },
  };
  const client = isProxied(transport)
    ? proxiedFetch(settings, tunnel, `${transport === "https proxy" ? "https" : "http"}://localhost:${proxy}`, "")
    : await nodeFetch(settings, isSecure(transport) ? "https:" : "http:");
  if (!isQuick) return client;
  return (url, init) => client(url, { ...init, signal: withTimeout(init.signal, QUICK.request) });
}

function lookupOf(addresses: Addresses): LookupFunction {
  let lookups = 0;
  return (hostname, { all }, callback) => {
    const found = addresses[Math.min(lookups, addresses.length - 1)];
    lookups += 1;
    const [first] = found ?? [];
    if (found === undefined || first === undefined) {
      const error = Object.assign(new Error("EAI_AGAIN"), { code: "EAI_AGAIN", syscall: "getaddrinfo", hostname });
      callback(error, []);
    } else if (all === true)
      callback(
        null,
        found.map((address) => ({ address, family: 4 })),
      );
    else callback(null, first, 4);
  };
}

/** A proxy that makes tunnels to loopback ports. */
export class TunnelProxy {
  readonly port: number;
  /** Bytes that the proxy itself received, which are not in a tunnel. */
  readonly received: Buffer[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  /** Opens a proxy; `act` responds to requests for a tunnel instead. */
  static async open(identity: Identity | undefined, act?: (line: Line) => void): Promise<TunnelProxy> {
    const server = createServer({ noDelay: true });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const proxy = new TunnelProxy(server);
    server.on("connection", (raw) => {
      proxy.#watch(raw);
      const socket = identity === undefined ? raw : new TLSSocket(raw, { ...identity, isServer: true });
      socket.on("error", () => raw.destroy());
      socket.once("data", (chunk: Buffer) => {
        proxy.received.push(chunk);
        if (act === undefined) proxy.#tunnel(socket, chunk);
        else act(lineOf(socket, raw));
      });
    });
    return proxy;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #tunnel(socket: Socket, request: Buffer): void {
    const [, port] = /^CONNECT [^ ]+:(\d+) /.exec(request.toString("latin1")) ?? [];
    if (port === undefined) {
      socket.destroy();
      return;
    }
    const target = connect({ port: Number(port), host: "127.0.0.1", noDelay: true });
    this.#watch(target);
    // A reset passes through the tunnel as a reset.
    target.on("error", () => void (socket instanceof TLSSocket ? socket.destroy() : socket.resetAndDestroy()));
    socket.on("close", () => void target.destroy());
    target.on("connect", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(target).pipe(socket);
    });
  }

  #watch(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => void socket.destroy());
    socket.on("close", () => this.#sockets.delete(socket));
  }
}

function lineOf(socket: Socket, raw: Socket): Line {
  return {
    write: (bytes) => void socket.write(bytes),
    spill: (bytes) => void raw.write(bytes),
    end: () => void socket.end(),
    reset: () => void raw.resetAndDestroy(),
  };
}
