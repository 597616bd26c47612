/** Bytes of HTTP/1.1 messages: requests as a server reads them, responses as it writes them, well formed or not. */

/** A request that a server received. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A response of the service before it is sent. */
export interface ServedResponse {
  readonly status: number;
  /** Without length and encoding. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

const END_OF_HEAD = "\r\n\r\n";

/** The first request in these bytes and its length; undefined if it is not complete. */
export function parseRequest(
  bytes: Buffer,
): { readonly request: ReceivedRequest; readonly length: number } | undefined {
  const end = bytes.indexOf(END_OF_HEAD);
  if (end < 0) return undefined;
  const [line = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const [method = "", path = ""] = line.split(" ");
  const headers = Object.fromEntries(
    lines.map((text) => {
      const colon = text.indexOf(":");
      return [text.slice(0, colon).toLowerCase(), text.slice(colon + 1).trim()];
    }),
  );
  if (headers["transfer-encoding"] !== undefined) throw new Error("the client sent a chunked body");
  const start = end + END_OF_HEAD.length;
  const length = start + Number(headers["content-length"] ?? 0);
  if (bytes.length < length) return undefined;
  return { request: { method, path, headers, body: bytes.toString("utf8", start, length) }, length };
}

/** The head of a response with exactly these headers. */
export function head(status: number, headers: ServedResponse["headers"]): string {
  return [`HTTP/1.1 ${status} Text`, ...headers.map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n");
}

/** A well-formed response; `more` headers come after its own. */
export function complete({ status, headers, body }: ServedResponse, more: ServedResponse["headers"] = []): Buffer {
  const isBodiless = status === 204 || status === 304;
  const length: ServedResponse["headers"] = isBodiless ? [] : [["content-length", String(body.length)]];
  return Buffer.concat([Buffer.from(head(status, [...headers, ...length, ...more]), "latin1"), body]);
}

/** The same response with other headers in place of its own of these names. */
export function withHeaders(served: ServedResponse, changed: ServedResponse["headers"]): ServedResponse {
  const names = new Set(changed.map(([name]) => name));
  return { ...served, headers: [...served.headers.filter(([name]) => !names.has(name)), ...changed] };
}

export function json(status: number, body: string): ServedResponse {
  return { status, headers: [["content-type", "application/json"]], body: Buffer.from(body) };
}

/** A response with the interface's error object. */
export function errorResponse(status: number, type: string): ServedResponse {
  return json(status, JSON.stringify({ error: { type, message: "an injected fault", request_id: "req-injected" } }));
}
