/** A request and its reply as the emulator sees them, whether they come over a connection or through `fetch`. */

import { type Ending, endedBy } from "./connection-end.ts";

/** A request. */
export interface Incoming {
  readonly method: string;
  /** Its host is not looked at. */
  readonly url: URL;
  /** What it carries, read once; null when that is nothing. */
  readonly body: AsyncIterable<Uint8Array> | null;
  readonly headers: IncomingHeaders;
}

/** The headers of a request, pairs of name and value. */
export interface IncomingHeaders extends Iterable<[string, string]> {
  /** The value of a header, by its name in lower case; null when it is absent. */
  get(name: string): string | null;
}

/** The reply to a request. */
export interface Reply {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array> | null;
  /** How it ends on a connection, when it does not end well. */
  readonly ending?: Ending;
}

/** Replies to a request. It rejects only where a fault resets the connection. */
export type Handler = (incoming: Incoming) => Promise<Reply>;

/** The web's own interface: what an emulator is to whoever has it in process. */
type FetchRequest = (request: Request) => Promise<Response>;

/** A request in its parts. */
export interface RequestParts {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What is usually read of a response. */
export interface PlainResponse {
  readonly status: number;
  /** Empty, as that of a response that was made in this process. */
  readonly url: string;
  /** By their names in lower case. */
  readonly headers: { get(name: string): string | null; has(name: string): boolean };
  readonly body: (AsyncIterable<Uint8Array> & { cancel(): Promise<void> }) | null;
}

/** As `fetch`, without the classes of the web, which Node is slow to load. */
export type PlainRequest = (url: string, parts: RequestParts) => Promise<PlainResponse>;

const handlers = new WeakMap<FetchRequest, Handler>();

/** The handler as a function from request to response. */
export function fetchOf(handler: Handler): FetchRequest {
  const fetch: FetchRequest = async (request) => {
    const reply = await handler({
      method: request.method,
      url: new URL(request.url),
      headers: request.headers,
      body: request.body,
    });
    const response = new Response(streamed(reply.body), { status: reply.status, headers: reply.headers });
    return reply.ending === undefined ? response : endedBy(response, reply.ending);
  };
  handlers.set(fetch, handler);
  return fetch;
}

/** The handler that the function was made of; undefined for any other function. */
export function handlerOf(fetch: FetchRequest): Handler | undefined {
  return handlers.get(fetch);
}

/** The handler as a function from the parts of a request to those of a response. */
export function plainRequestOf(handler: Handler): PlainRequest {
  return async (url, { method, headers, body }) => {
    const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const reply = await handler({
      method,
      url: new URL(url),
      headers: { get: (name) => given.get(name) ?? null, [Symbol.iterator]: () => given.entries() },
      body: body === undefined ? null : chunksOf(body),
    });
    const told = new Map(Object.entries(reply.headers));
    return {
      status: reply.status,
      url: "",
      headers: { get: (name) => told.get(name) ?? null, has: (name) => told.has(name) },
      body: reply.body === null ? null : Object.assign(chunksOf(reply.body), { cancel: () => Promise.resolve() }),
    };
  };
}

async function* chunksOf(body: NonNullable<Reply["body"]>): AsyncGenerator<Uint8Array> {
  if (typeof body === "string") yield new TextEncoder().encode(body);
  else if (body instanceof Uint8Array) yield body;
  else yield* body;
}

function streamed(body: Reply["body"]): string | Uint8Array<ArrayBuffer> | ReadableStream | null {
  if (body === null || typeof body === "string" || body instanceof Uint8Array) return body;
  return ReadableStream.from(body);
}
