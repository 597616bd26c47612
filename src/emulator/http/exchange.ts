/** Requests and responses inside the emulator, whether they use a connection or `fetch`. */

/** A request. */
export interface IncomingRequest {
  readonly method: string;
  /** The host is ignored. */
  readonly url: URL;
  /** The body, readable once; null if there is none. */
  readonly body: AsyncIterable<Uint8Array> | null;
  readonly headers: RequestHeaders;
}

/** The headers of a request, pairs of name and value. */
export interface RequestHeaders extends Iterable<[string, string]> {
  /** The value of a header, by its lower-case name; null if absent. */
  get(name: string): string | null;
}

/** The response to a request. */
export interface OutgoingResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | null;
  /** The end of the connection; it stays open if absent. */
  readonly connectionEnd?: ConnectionEnd;
}

/** Responds to a request. It rejects only if a fault resets the connection. */
export type RequestHandler = (incoming: IncomingRequest) => Promise<OutgoingResponse>;

/** The interface of `fetch`, for callers in the same process. */
type FetchRequest = (request: Request) => Promise<Response>;

/** The parts of a request. */
export interface RequestParts {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The parts of a response that callers read. */
export interface PlainResponse {
  readonly status: number;
  /** Always empty, as for any response created in this process. */
  readonly url: string;
  /** By lower-case name. */
  readonly headers: {
    /** The value of a header; null if absent. */
    get(name: string): string | null;
    /** Whether a header is present. */
    has(name: string): boolean;
  };
  readonly body:
    | (AsyncIterable<Uint8Array> & {
        /** Stops the body. */
        cancel(): Promise<void>;
      })
    | null;
}

/** The same as `fetch`, without the classes that Node loads slowly. */
export type PlainRequest = (url: string, parts: RequestParts) => Promise<PlainResponse>;

const handlers = new WeakMap<FetchRequest, RequestHandler>();

/** The handler in the form of `fetch`. */
export function fetchOf(handler: RequestHandler): FetchRequest {
  const fetch: FetchRequest = async (request) => {
    const { status, headers, body, connectionEnd } = await handler({
      method: request.method,
      url: new URL(request.url),
      headers: request.headers,
      body: request.body,
    });
    const response = new Response(toResponseBody(body), { status, headers });
    return connectionEnd === undefined ? response : withConnectionEnd(response, connectionEnd);
  };
  handlers.set(fetch, handler);
  return fetch;
}

/** The handler behind a function of `fetchOf`; undefined for any other function. */
export function handlerOf(fetch: FetchRequest): RequestHandler | undefined {
  return handlers.get(fetch);
}

/** The handler in the form of PlainRequest. */
export function plainRequestOf(handler: RequestHandler): PlainRequest {
  return async (url, { method, headers, body }) => {
    const requestHeaders = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const response = await handler({
      method,
      url: new URL(url),
      headers: { get: (name) => requestHeaders.get(name) ?? null, [Symbol.iterator]: () => requestHeaders.entries() },
      body: body === undefined ? null : chunksOf(body),
    });
    const responseHeaders = new Map(Object.entries(response.headers));
    return {
      status: response.status,
      url: "",
      headers: { get: (name) => responseHeaders.get(name) ?? null, has: (name) => responseHeaders.has(name) },
      body: response.body === null ? null : Object.assign(chunksOf(response.body), { cancel: () => Promise.resolve() }),
    };
  };
}

async function* chunksOf(body: NonNullable<OutgoingResponse["body"]>): AsyncGenerator<Uint8Array> {
  if (typeof body === "string") yield new TextEncoder().encode(body);
  else if (body instanceof Uint8Array) yield body;
  else yield* body;
}

function toResponseBody(body: OutgoingResponse["body"]): string | Uint8Array<ArrayBuffer> | ReadableStream | null {
  if (body === null || typeof body === "string") return body;
  if (body instanceof Uint8Array) return new Uint8Array(body);
  return ReadableStream.from(body);
}

/** Thrown to reset the connection before any byte of a response. */
export class ConnectionReset extends Error {
  /** Node's name for the error at the client. */
  readonly code: "ECONNRESET" = "ECONNRESET";

  constructor() {
    super("the connection was reset");
  }
}

/** The end of a connection during or after a response. */
export interface ConnectionEnd {
  /** The part of the body that is sent; the whole response is sent if absent. */
  readonly bodyPart?: Uint8Array;
  readonly connection: "close" | "reset";
}

const endings = new WeakMap<Response, ConnectionEnd>();

/** Marks a response for the server that writes it to a connection. */
function withConnectionEnd(response: Response, ending: ConnectionEnd): Response {
  endings.set(response, ending);
  return response;
}

/** The connection end of a response; undefined if the connection stays open. */
export function connectionEndOf(response: Response): ConnectionEnd | undefined {
  return endings.get(response);
}
