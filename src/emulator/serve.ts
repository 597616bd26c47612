/** An HTTP server for an emulator, on loopback, closed to other hosts and to web pages unless they are allowed. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isIP, type Socket } from "node:net";
import { finished, pipeline } from "node:stream/promises";
import { parseUrl } from "../core/url.ts";
import type { Emulator } from "./emulator.ts";
import {
  type AllowedOrigins,
  createOriginCheck,
  type OriginCheck,
  requireValidOrigins,
} from "./http/allowed-origins.ts";
import {
  type ConnectionEnd,
  ConnectionReset,
  connectionEndOf,
  handlerOf,
  type IncomingRequest,
  type OutgoingResponse,
  type RequestHandler,
  type RequestHeaders,
} from "./http/exchange.ts";
import { badRequest, errorResponse, HttpError } from "./http/http-error.ts";
import { RequestAborted } from "./service/request-hooks.ts";

/** Options of the server. */
export interface ServeOptions extends AllowedOrigins {
  /** The port; 0, the default, selects a free one. */
  readonly port?: number;
  /** The address to listen on; 127.0.0.1 by default. */
  readonly host?: string;
  /** Required for any address other than loopback. Then every IP address is accepted as Host. */
  readonly allowNonLoopback?: boolean;
  /**
   * The handler of what browsers ask for outside of /api, /control and /openapi.json. It checks itself which pages may send
   * it forms.
   */
  readonly pages?: RequestHandler;
}

/** A listening server. */
export interface EmulatorServer {
  /** The base URL, without a trailing slash. */
  readonly url: string;
  /** Stops listening and closes open connections within a second. The emulator stays open. */
  close(): Promise<void>;
}

const loopback: readonly string[] = ["127.0.0.1", "::1", "localhost"];
const maximumHeaderBytes = 16 * 1024;
const maximumConnections = 256;
const requestMilliseconds = 10_000;
const keepAliveMilliseconds = 5_000;
const closeMilliseconds = 500;
const readMilliseconds = 20;

/** Whether the text is an IP address. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}

/** Serves the emulator over HTTP. Rejects for an address other than loopback unless allowed, for a port in use, and for invalid options. */
export async function serve(emulator: Emulator, options: ServeOptions = {}): Promise<EmulatorServer> {
  const host = options.host ?? "127.0.0.1";
  if (!loopback.includes(host) && options.allowNonLoopback !== true) {
    throw new Error(`${host} is not a loopback address`);
  }
  requireValidOrigins(options);
  const server = createServer({
    maxHeaderSize: maximumHeaderBytes,
    requestTimeout: requestMilliseconds,
    headersTimeout: requestMilliseconds,
    keepAliveTimeout: keepAliveMilliseconds,
  });
  server.maxConnections = maximumConnections;
  const port = await listen(server, host, options.port ?? 0);
  const reach = createOriginCheck(options, loopback.includes(host) ? port : undefined);
  // A caller may have wrapped `fetch`; the wrapper is called then.
  const service = handlerOf(emulator.fetch) ?? handlerOfFetch(emulator.fetch);
  const { pages } = options;
  const handler = (incoming: IncomingRequest): Promise<OutgoingResponse> => {
    return pages !== undefined && isForPages(incoming)
      ? handleGuarded(pages, reach.respondToPage, incoming)
      : handleGuarded(service, reach.respond, incoming);
  };
  server.on("request", (message, outgoing) => void respond(handler, reach, message, outgoing));
  const name = host.includes(":") ? `[${host}]` : host;
  return { url: `http://${name}:${port}`, close: () => close(server) };
}

/** Whether a browser asks for a page. A client with a wrong base URL is told so as JSON, and not to sign in. */
function isForPages({ url, headers }: IncomingRequest): boolean {
  if (/^\/(?:api|control|openapi\.json)(?:\/|$)/.test(url.pathname)) return false;
  const accepted = headers.get("accept") ?? "*/*";
  return headers.get("authorization") === null && /(?:text\/html|text\/\*|\*\/\*)/i.test(accepted);
}

/** Responds to one request. */
async function respond(
  handler: RequestHandler,
  reach: OriginCheck,
  message: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const corsHeaders = reach.corsHeaders(readHeaders(message));
  const sendReadable = (response: OutgoingResponse): Promise<void> =>
    send({ ...response, headers: { ...response.headers, ...corsHeaders } }, outgoing);
  try {
    await sendReadable(await handler(readIncoming(message)));
  } catch (error) {
    if (error instanceof ConnectionReset) outgoing.socket?.resetAndDestroy();
    // Closing the connection shows the client that the body is incomplete.
    else if (outgoing.headersSent) outgoing.destroy();
    else await sendReadable(errorResponse(error instanceof HttpError ? error : internalError(error)));
  }
}

async function handleGuarded(
  handler: RequestHandler,
  check: OriginCheck["respond"],
  incoming: IncomingRequest,
): Promise<OutgoingResponse> {
  const response = check(incoming) ?? handler(incoming);
  return response instanceof HttpError ? errorResponse(response) : response;
}

/** The request as received. Throws 400 for an invalid URL. */
function readIncoming(message: IncomingMessage): IncomingRequest {
  const { method = "GET", url: target = "/" } = message;
  const address = target.startsWith("/") ? `http://localhost${target}` : target;
  // The URL parser would treat a backslash as a slash.
  const url = /^[^?]*\\/.test(target) ? undefined : parseUrl(address);
  if (url === undefined) throw badRequest("The address cannot be read");
  return {
    method,
    url,
    headers: readHeaders(message),
    body: readBody(message),
  };
}

/** The body in parts. Throws {@link RequestAborted} if the client is gone before its end. */
async function* readBody(message: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    // An unread body does not close the connection, which still carries the response.
    yield* message.iterator({ destroyOnReturn: false });
  } catch (error) {
    throw message.complete ? error : new RequestAborted();
  }
}

/** The headers. The values of a repeated header are joined, so that a check sees all of them. */
function readHeaders({ headersDistinct }: IncomingMessage): RequestHeaders {
  return {
    get: (name) => headersDistinct[name]?.join(", ") ?? null,
    *[Symbol.iterator]() {
      for (const [name, values = []] of Object.entries(headersDistinct)) yield [name, values.join(", ")];
    },
  };
}

/** Sends a response, and ends the connection if the response requires it. Rejects if the connection is lost first. */
async function send(
  { status, headers, body, connectionEnd }: OutgoingResponse,
  outgoing: ServerResponse,
): Promise<void> {
  if (connectionEnd !== undefined) return sendAndEndConnection({ status, headers, body }, connectionEnd, outgoing);
  const hasBody = outgoing.req.method !== "HEAD" && status !== 204 && status !== 304;
  if (!hasBody) outgoing.writeHead(status, headers).end();
  else if (body === null || typeof body === "string" || body instanceof Uint8Array) {
    outgoing.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body ?? "") }).end(body ?? "");
  } else {
    outgoing.writeHead(status, headers);
    await pipeline(body, outgoing);
  }
}

/** Sends a response, whole or in part, then closes or resets its connection. */
async function sendAndEndConnection(
  response: OutgoingResponse,
  { bodyPart, connection }: ConnectionEnd,
  outgoing: ServerResponse,
): Promise<void> {
  const { socket } = outgoing;
  if (bodyPart === undefined) {
    await send(response, outgoing);
    await finished(outgoing);
  } else {
    outgoing.writeHead(response.status, response.headers);
    await new Promise<void>((resolve) => outgoing.write(bodyPart, () => resolve()));
  }
  if (connection === "close") socket?.destroy();
  else if (socket !== null) resetAfterPause(socket);
}

/**
 * Resets the connection after a pause in which the client can read the response. An immediate reset may discard unread
 * bytes, and a client that sees both at once may report either. During the pause the connection accepts no further
 * request.
 */
function resetAfterPause(socket: Socket): void {
  socket.pause();
  setTimeout(() => socket.resetAndDestroy(), readMilliseconds);
}

/** A handler for a `fetch` function other than the emulator's own. */
function handlerOfFetch(fetch: Emulator["fetch"]): RequestHandler {
  return async ({ method, url, headers, body }) => {
    const hasBody = body !== null && method !== "GET" && method !== "HEAD";
    const init = hasBody ? ({ body: ReadableStream.from(body), duplex: "half" } as const) : {};
    const response = await fetch(new Request(url, { method, headers: [...headers], ...init }));
    const connectionEnd = connectionEndOf(response);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: response.body,
      ...(connectionEnd === undefined ? {} : { connectionEnd }),
    };
  };
}

function internalError(error: unknown): HttpError {
  return new HttpError(500, "internal_error", error instanceof Error ? error.message : String(error));
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
    // Running requests may finish within half a second; then their connections are closed.
    const cutTimer = setTimeout(() => server.closeAllConnections(), closeMilliseconds);
    server.close((error) => {
      clearTimeout(cutTimer);
      if (error === undefined) resolve();
      else reject(error);
    });
    server.closeIdleConnections();
  });
}
