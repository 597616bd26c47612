/**
 * A `fetch` by Node's own client of HTTP. To load the global one takes as long as a short plan, and 25 MiB. This one keeps
 * connections, gives up in time and unpacks what is packed; it goes through no proxy and follows no redirect.
 */

import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { type Fetch, type HttpBody, type HttpHeaders, type HttpResponse, NotConnected } from "../../core/fetch.ts";
import type { Connecting } from "./connecting.ts";

/** Milliseconds after which a connection that nobody uses is closed, which services do after five seconds at the earliest. */
const LONGEST_IDLE = 4_000;

/** Answers that have no body. */
const BODILESS: readonly number[] = [204, 205, 304];

/** Begins a request, over a connection that is kept. */
type Begin = (url: string, options: RequestOptions) => ClientRequest;

/** For addresses of this protocol. */
export async function nodeFetch(connecting: Connecting, protocol: string): Promise<Fetch> {
  const isSecure = protocol === "https:";
  const begin = isSecure ? await beginSecure(connecting) : await beginPlain(connecting);
  const ready = isSecure ? "secureConnect" : "connect";
  const { connect, headersTimeout, maxHeaderSize } = connecting;

  return async (url, { method, headers, body, signal }) => {
    await whatIsUnderWay();
    return new Promise<HttpResponse>((resolve, reject) => {
      const request = begin(url, { method, maxHeaderSize, insecureHTTPParser: false });
      // Not among the options, which Node tells whoever sets NODE_DEBUG.
      for (const [name, value] of Object.entries({ "accept-encoding": "gzip", ...headers }))
        request.setHeader(name, value);

      let isConnected = false;
      let answering: IncomingMessage | undefined;
      const abort = (): void => void (answering ?? request).destroy(reasonOf(signal));
      const giveUp = (code: string): void => void request.destroy(Object.assign(new Error(code), { code }));
      let timer = setTimeout(giveUp, connect.timeout, "CONNECT_TIMEOUT");
      const connected = (): void => {
        isConnected = true;
        clearTimeout(timer);
        timer = setTimeout(giveUp, headersTimeout, "HEADERS_TIMEOUT");
        // Not a byte is written before: to whom would be known only now.
        request.end(body);
      };

      request.once("socket", (socket) => {
        if (request.reusedSocket) connected();
        else socket.once(ready, connected);
      });
      request.once("response", (response) => {
        clearTimeout(timer);
        answering = response;
        resolve(responseOf(url, response, signal));
      });
      // It may fail in the midst of an answer as well, of which whoever reads the body hears.
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

/** The service may have closed a connection right behind its answer, which is heard a turn after it: none such is used again. */
async function whatIsUnderWay(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise<void>((resolve) => void setImmediate(resolve));
}

async function beginPlain({ connect: { lookup } }: Connecting): Promise<Begin> {
  const { Agent, request } = await import("node:http");
  const agent: Agent = new Agent({ keepAlive: true, timeout: LONGEST_IDLE, lookup });
  return (url, options) => request(url, { ...options, agent });
}

async function beginSecure({ connect: { timeout: _, ...secured } }: Connecting): Promise<Begin> {
  const { Agent, request } = await import("node:https");
  const agent: Agent = new Agent({ keepAlive: true, timeout: LONGEST_IDLE, ...secured });
  return (url, options) => request(url, { ...options, agent });
}

function responseOf(url: string, response: IncomingMessage, signal: AbortSignal): HttpResponse {
  const status = response.statusCode ?? 0;
  const headers = headersOf(response);
  if (!BODILESS.includes(status)) return { status, url, headers, body: bodyOf(response, headers, signal) };
  // Nothing comes; what comes all the same is not read.
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
  const isPacked = /^(?:x-)?gzip$/i.test(headers.get("content-encoding") ?? "");
  return {
    async *[Symbol.asyncIterator]() {
      try {
        yield* isPacked ? await unpacked(response) : response;
      } catch (error) {
        throw signal.aborted ? signal.reason : error;
      }
    },
    cancel: async () => void response.destroy(),
  };
}

/** Fails where the bytes do, or end too soon; whoever stops reading closes the connection. */
async function unpacked(response: IncomingMessage): Promise<AsyncIterable<Uint8Array>> {
  const [{ pipeline }, { createGunzip }] = await Promise.all([import("node:stream"), import("node:zlib")]);
  // Whoever reads hears of the error.
  return pipeline(response, createGunzip(), () => undefined);
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error("aborted", { cause: reason });
}
