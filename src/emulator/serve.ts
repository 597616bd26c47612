/** The door of @hono/node-server: serves an emulator on loopback, guarded against other hosts and browsers. */

import { createServer, type Server, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Emulator } from "./emulator.ts";
import { ConnectionReset, type Ending, endingOf } from "./ending.ts";
import { Refusal, refusalResponse } from "./refusal.ts";

/** Where to listen. */
export interface ServeOptions {
  /** The port; 0, the default, lets the system choose one. */
  readonly port?: number;
  /** The address to bind; 127.0.0.1 by default. */
  readonly host?: string;
  /** Must be true for any address that is not loopback. */
  readonly allowNonLoopback?: boolean;
}

/** A listening server. */
export interface Served {
  /** The base URL, without a slash at the end. */
  readonly url: string;
  /** Stops listening and ends open connections within a second; the emulator stays open. */
  close(): Promise<void>;
}

const loopback: readonly string[] = ["127.0.0.1", "::1", "localhost"];
const maximumHeaderBytes = 16 * 1024;
const maximumConnections = 256;
const requestMilliseconds = 10_000;
const keepAliveMilliseconds = 5_000;
const closeMilliseconds = 500;

/** Serves the emulator over HTTP. Rejects for an address that is not loopback, unless that was allowed, and for a taken port. */
export async function serve(emulator: Emulator, options: ServeOptions = {}): Promise<Served> {
  const host = options.host ?? "127.0.0.1";
  if (!loopback.includes(host) && options.allowNonLoopback !== true) {
    throw new Error(`${host} is not a loopback address`);
  }
  const server = createServer({
    maxHeaderSize: maximumHeaderBytes,
    requestTimeout: requestMilliseconds,
    headersTimeout: requestMilliseconds,
    keepAliveTimeout: keepAliveMilliseconds,
  });
  server.maxConnections = maximumConnections;
  const port = await listen(server, host, options.port ?? 0);
  const hosts = loopback.includes(host) ? hostsOf(port) : undefined;
  const listener = getRequestListener(
    async (request, { outgoing }) => {
      const refusal = checkOrigin(request, hosts);
      if (refusal !== undefined) return refusalResponse(refusal);
      return outgoing instanceof ServerResponse ? answer(emulator, request, outgoing) : emulator.fetch(request);
    },
    { overrideGlobalObjects: false },
  );
  server.on("request", (incoming, outgoing) => void listener(incoming, outgoing));
  const name = host.includes(":") ? `[${host}]` : host;
  return { url: `http://${name}:${port}`, close: () => close(server) };
}

/** The emulator's response, unless a fault wants the connection to end otherwise than a response can. */
async function answer(emulator: Emulator, request: Request, outgoing: ServerResponse): Promise<Response> {
  try {
    const response = await emulator.fetch(request);
    const ending = endingOf(response);
    if (ending === undefined) return response;
    breakOff(response, ending, outgoing);
  } catch (error) {
    if (!(error instanceof ConnectionReset)) throw error;
    outgoing.socket?.resetAndDestroy();
  }
  return RESPONSE_ALREADY_SENT;
}

/** Sends as much of the response as its ending says, then closes or resets the connection. */
function breakOff(response: Response, { sent, connection }: Ending, outgoing: ServerResponse): void {
  const { socket } = outgoing;
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  // The bytes are in the system's hands before the connection ends, so the client has them or can have them.
  outgoing.write(sent, () => {
    if (connection === "reset") socket?.resetAndDestroy();
    else socket?.destroy();
  });
}

/** The Host headers that name this server from this machine. */
function hostsOf(port: number): ReadonlySet<string> {
  return new Set(["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port}`));
}

/** What keeps web pages out: a foreign Host (DNS rebinding), any Origin, and writes that a plain form could send. */
function checkOrigin({ headers }: Request, hosts: ReadonlySet<string> | undefined): Refusal | undefined {
  if (hosts !== undefined && !hosts.has(headers.get("host") ?? "")) {
    return new Refusal(403, "forbidden", "The Host header does not name this server");
  }
  if (headers.has("origin")) return new Refusal(403, "forbidden", "Requests from web pages are refused");
  const hasBody = headers.has("transfer-encoding") || Number(headers.get("content-length") ?? 0) > 0;
  const type = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (!hasBody || type === "application/json") return undefined;
  return new Refusal(415, "unsupported_media_type", "The body must be application/json");
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("the server has no port"));
      else resolve(address.port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    // Requests under way may finish; what is still open after half a second is cut.
    const cut = setTimeout(() => server.closeAllConnections(), closeMilliseconds);
    server.close((error) => {
      clearTimeout(cut);
      if (error === undefined) resolve();
      else reject(error);
    });
    server.closeIdleConnections();
  });
}
