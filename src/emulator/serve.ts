/** Serves an emulator on loopback, guarded against other hosts and browsers. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { finished, pipeline } from "node:stream/promises";
import { parseUrl } from "../core/url.ts";
import type { Emulator } from "./emulator.ts";
import { ConnectionReset, type Ending, endingOf } from "./http/connection-end.ts";
import { type Handler, handlerOf, type Incoming, type IncomingHeaders, type Reply } from "./http/exchange.ts";
import { badRequest, Refusal, refusalReply } from "./http/http-error.ts";

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
const readMilliseconds = 20;

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
  // Whoever has put something around `fetch` is asked through it.
  const handler = handlerOf(emulator.fetch) ?? throughFetch(emulator.fetch);
  server.on("request", (message, outgoing) => void respond(handler, hosts, message, outgoing));
  const name = host.includes(":") ? `[${host}]` : host;
  return { url: `http://${name}:${port}`, close: () => close(server) };
}

/** Replies to one request. */
async function respond(
  handler: Handler,
  hosts: ReadonlySet<string> | undefined,
  message: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  try {
    await send(await replyTo(handler, hosts, incomingOf(message)), outgoing);
  } catch (error) {
    if (error instanceof ConnectionReset) outgoing.socket?.resetAndDestroy();
    // The client is told that the body is not whole.
    else if (outgoing.headersSent) outgoing.destroy();
    else await send(refusalReply(error instanceof Refusal ? error : failure(error)), outgoing);
  }
}

async function replyTo(handler: Handler, hosts: ReadonlySet<string> | undefined, incoming: Incoming): Promise<Reply> {
  const refusal = checkOrigin(incoming, hosts);
  return refusal === undefined ? handler(incoming) : refusalReply(refusal);
}

/** A request as it came over the connection. Throws 400 where the address cannot be read. */
function incomingOf(message: IncomingMessage): Incoming {
  const { method = "GET", url: target = "/" } = message;
  const address = target.startsWith("/") ? `http://localhost${target}` : target;
  // A backslash would be read as a slash.
  const url = /^[^?]*\\/.test(target) ? undefined : parseUrl(address);
  if (url === undefined) throw badRequest("The address cannot be read");
  return {
    method,
    url,
    headers: headersOf(message),
    // What is left unread stays on the connection, which can still carry the reply.
    body: message.iterator({ destroyOnReturn: false }),
  };
}

/** The headers; of one that comes twice both values count, so that none of them is hidden from a check. */
function headersOf({ headersDistinct }: IncomingMessage): IncomingHeaders {
  return {
    get: (name) => headersDistinct[name]?.join(", ") ?? null,
    *[Symbol.iterator]() {
      for (const [name, values = []] of Object.entries(headersDistinct)) yield [name, values.join(", ")];
    },
  };
}

/** Sends a reply, and ends its connection if the reply says so. Rejects when the connection is lost before. */
async function send({ status, headers, body, ending }: Reply, outgoing: ServerResponse): Promise<void> {
  if (ending !== undefined) return sendLast({ status, headers, body }, ending, outgoing);
  const hasBody = outgoing.req.method !== "HEAD" && status !== 204 && status !== 304;
  if (!hasBody) outgoing.writeHead(status, headers).end();
  else if (body === null || typeof body === "string" || body instanceof Uint8Array) {
    outgoing.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body ?? "") }).end(body ?? "");
  } else {
    outgoing.writeHead(status, headers);
    await pipeline(body, outgoing);
  }
}

/** Sends the last reply of a connection, whole or in part, and closes or resets the connection. */
async function sendLast(reply: Reply, { sent, connection }: Ending, outgoing: ServerResponse): Promise<void> {
  const { socket } = outgoing;
  if (sent === undefined) {
    await send(reply, outgoing);
    await finished(outgoing);
  } else {
    outgoing.writeHead(reply.status, reply.headers);
    await new Promise<void>((resolve) => outgoing.write(sent, () => resolve()));
  }
  if (connection === "close") socket?.destroy();
  else if (socket !== null) resetOnceRead(socket);
}

/**
 * Resets the connection after a pause in which the client reads what was sent: a reset may discard unread bytes, and a client that
 * finds both at once may report either. The connection takes no further request meanwhile.
 */
function resetOnceRead(socket: Socket): void {
  socket.pause();
  setTimeout(() => socket.resetAndDestroy(), readMilliseconds);
}

/** A function from request to response that is not the emulator's own, as a handler. */
function throughFetch(fetch: Emulator["fetch"]): Handler {
  return async ({ method, url, headers, body }) => {
    const hasBody = body !== null && method !== "GET" && method !== "HEAD";
    const sent = hasBody ? ({ body: ReadableStream.from(body), duplex: "half" } as const) : {};
    const response = await fetch(new Request(url, { method, headers: [...headers], ...sent }));
    const ending = endingOf(response);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: response.body,
      ...(ending === undefined ? {} : { ending }),
    };
  };
}

function failure(error: unknown): Refusal {
  return new Refusal(500, "internal_error", error instanceof Error ? error.message : String(error));
}

/** The Host headers that name this server from this machine. */
function hostsOf(port: number): ReadonlySet<string> {
  return new Set(["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port}`));
}

/** What keeps web pages out: a foreign Host (DNS rebinding), any Origin, and writes that a plain form could send. */
function checkOrigin({ headers }: Incoming, hosts: ReadonlySet<string> | undefined): Refusal | undefined {
  if (hosts !== undefined && !hosts.has(headers.get("host") ?? "")) {
    return new Refusal(403, "forbidden", "The Host header does not name this server");
  }
  if (headers.get("origin") !== null) return new Refusal(403, "forbidden", "Requests from web pages are refused");
  const hasBody = headers.get("transfer-encoding") !== null || Number(headers.get("content-length") ?? 0) > 0;
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
