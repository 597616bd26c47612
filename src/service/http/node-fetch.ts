/**
 * A `fetch` on top of `node:http` and `node:https`: loading the global `fetch` takes as long as a short plan, and 25 MiB. It keeps
 * connections alive, times out and decompresses; it uses no proxy and follows no redirect.
 */

import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import type { LookupFunction } from "node:net";
import { type Fetch, type HttpBody, type HttpHeaders, type HttpResponse, NotConnected } from "../../core/fetch.ts";

/** Settings of a connection. Times are in milliseconds, sizes in bytes. */
export interface ConnectionSettings {
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
  readonly maxHeaderSize: number;
  readonly connect: TlsSettings & { readonly lookup: LookupFunction };
}

/** Settings that hold for a proxy's tunnel as well. */
export interface TlsSettings {
  readonly timeout: number;
  readonly rejectUnauthorized: true;
  readonly minVersion: "TLSv1.2";
}

/** Milliseconds after which an idle connection is closed; services close theirs after five seconds at the earliest. */
const LONGEST_IDLE = 4_000;

/** Statuses of responses without a body. */
const BODILESS: readonly number[] = [204, 205, 304];

/** A function that begins a request over a kept-alive connection. */
type Begin = (url: string, options: RequestOptions) => ClientRequest;

/** Returns a `fetch` for URLs of this protocol. */
export async function nodeFetch(connecting: ConnectionSettings, protocol: string): Promise<Fetch> {
  const isSecure = protocol === "https:";
  const begin = isSecure ? await beginSecure(connecting) : await beginPlain(connecting);
  const ready = isSecure ? "secureConnect" : "connect";
  const { connect, headersTimeout, maxHeaderSize } = connecting;

  return async (url, { method, headers, body, signal }) => {
    await pendingSocketEvents();
    return new Promise<HttpResponse>((resolve, reject) => {
      const request = begin(url, { method, maxHeaderSize, insecureHTTPParser: false });
      // Headers do not go through the options, because NODE_DEBUG prints those.
      for (const [name, value] of Object.entries({ "accept-encoding": "gzip", ...headers }))
        request.setHeader(name, value);

      let isConnected = false;
      let incoming: IncomingMessage | undefined;
      const abort = (): void => void (incoming ?? request).destroy(reasonOf(signal));
      const giveUp = (code: string): void => void request.destroy(Object.assign(new Error(code), { code }));
      let timer = setTimeout(giveUp, connect.timeout, "CONNECT_TIMEOUT");
      const connected = (): void => {
        isConnected = true;
        clearTimeout(timer);
        timer = setTimeout(giveUp, headersTimeout, "HEADERS_TIMEOUT");
        // Nothing is written before the connection is made, and with https before the certificate is verified.
        request.end(body);
      };

      request.once("socket", (socket) => {
        if (request.reusedSocket) connected();
        else socket.once(ready, connected);
      });
      request.once("response", (response) => {
        clearTimeout(timer);
        incoming = response;
        resolve(responseOf(url, response, signal));
      });
      // An error in the middle of a response reaches the reader of the body instead.
      request.on("error", (error) => reject(isConnected ? error : new NotConnected(error)));
      request.once("close", () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
        reject(new Error("the connection was closed"));
      });
      signal.addEventListener("abort", abort);
      if (signal.aborted) abort();
    });
  };
}

/**
 * Waits for two turns of the event loop. A service may close the connection right after its response; Node reports that one turn
 * later, and the agent then drops the connection instead of reusing it.
 */
async function pendingSocketEvents(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise<void>((resolve) => void setImmediate(resolve));
}

async function beginPlain({ connect: { lookup } }: ConnectionSettings): Promise<Begin> {
  const { Agent, request } = await import("node:http");
  const agent: Agent = new Agent({ keepAlive: true, timeout: LONGEST_IDLE, lookup });
  return (url, options) => request(url, { ...options, agent });
}

async function beginSecure({ connect: { timeout: _, ...secured } }: ConnectionSettings): Promise<Begin> {
  const { Agent, request } = await import("node:https");
  const agent: Agent = new Agent({ keepAlive: true, timeout: LONGEST_IDLE, ...secured });
  return (url, options) => request(url, { ...options, agent });
}

function responseOf(url: string, response: IncomingMessage, signal: AbortSignal): HttpResponse {
  const status = response.statusCode ?? 0;
  const headers = headersOf(response);
  if (!BODILESS.includes(status)) return { status, url, headers, body: bodyOf(response, headers, signal) };
  // Discards a body that should not be there.
  response.resume();
  return { status, url, headers, body: null };
}

function headersOf({ headersDistinct }: IncomingMessage): HttpHeaders {
  return {
    get: (name) => headersDistinct[name]?.join(", ") ?? null,
    has: (name) => headersDistinct[name] !== undefined,
  };
}

function bodyOf(response: IncomingMessage, headers: HttpHeaders, signal: AbortSignal): HttpBody {
  const isCompressed = /^(?:x-)?gzip$/i.test(headers.get("content-encoding") ?? "");
  return {
    async *[Symbol.asyncIterator]() {
      try {
        yield* isCompressed ? await decompress(response) : response;
      } catch (error) {
        throw signal.aborted ? signal.reason : error;
      }
    },
    cancel: async () => void response.destroy(),
  };
}

/** Decompresses a response. Iterating throws on corrupt or truncated data; ending the iteration closes the connection. */
async function decompress(response: IncomingMessage): Promise<AsyncIterable<Uint8Array>> {
  const [{ pipeline }, { createGunzip }] = await Promise.all([import("node:stream"), import("node:zlib")]);
  // The reader of the stream gets the error.
  return pipeline(response, createGunzip(), () => undefined);
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error("aborted", { cause: reason });
}
