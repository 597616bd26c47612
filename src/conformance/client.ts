/** The suite's way to the service: JSON requests under one bearer token, each kept as an exchange that a report can show. */

import { type Fields, isFields, isList, type Json, parseJson } from "../core/json.ts";

/** One request and its response. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** The JSON body sent, if any. */
  readonly requestBody: Json | undefined;
  readonly status: number;
  readonly headers: Headers;
  /** The response's text as it came. */
  readonly text: string;
  /** The response's JSON; undefined for an empty body or one that is not JSON. */
  readonly body: Json | undefined;
}

/** The smallest fetch the suite needs; the global one and the emulator's both satisfy it. */
export type FetchFunction = (request: Request) => Response | Promise<Response>;

/** Requests under one token. Paths are relative to `/api/v1`, without a leading slash. */
export interface Client {
  get(path: string): Promise<Exchange>;
  post(path: string, body?: Fields): Promise<Exchange>;
  patch(path: string, body?: Fields): Promise<Exchange>;
  delete(path: string): Promise<Exchange>;
  /** Sends exactly this; the path is relative to the base URL and begins with a slash. */
  send(method: string, path: string, headers?: Readonly<Record<string, string>>, text?: string): Promise<Exchange>;
}

export interface ClientOptions {
  readonly url: string;
  readonly token: string | undefined;
  readonly fetch: FetchFunction;
  /** Whether to wait for the next minute and repeat when the service returns 429. */
  readonly patient: boolean;
  /** Waits until the next request may be sent; at once if absent. An impatient client does not wait. */
  readonly pace?: (() => Promise<void>) | undefined;
  /** Called with every exchange, in order. */
  readonly record: (exchange: Exchange) => void;
}

const minute = 61_000;
const patience = 30_000;

/** A function that resolves at equal intervals, so many times a minute. */
export function pacer(perMinute: number): () => Promise<void> {
  let next = 0;
  return async () => {
    const now = performance.now();
    const wait = Math.max(0, next - now);
    next = now + wait + 60_000 / perMinute;
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  };
}

export function connect(connection: ClientOptions): Client {
  const base = connection.url.replace(/\/+$/, "");
  const authorization: Readonly<Record<string, string>> =
    connection.token === undefined ? {} : { authorization: `Bearer ${connection.token}` };

  async function once(method: string, path: string, headers: Readonly<Record<string, string>>, text?: string) {
    if (connection.patient) await connection.pace?.();
    const init: RequestInit = { method, headers, redirect: "manual", signal: AbortSignal.timeout(patience) };
    if (text !== undefined) init.body = text;
    const response = await connection.fetch(new Request(`${base}${path}`, init));
    const responseText = await response.text();
    const exchange: Exchange = {
      method,
      path,
      requestBody: parseJson(text ?? ""),
      status: response.status,
      headers: response.headers,
      text: responseText,
      body: parseJson(responseText),
    };
    connection.record(exchange);
    return exchange;
  }

  async function send(method: string, path: string, headers: Readonly<Record<string, string>> = {}, text?: string) {
    const exchange = await once(method, path, headers, text);
    if (exchange.status !== 429 || !connection.patient) return exchange;
    await new Promise((resolve) => setTimeout(resolve, minute));
    return once(method, path, headers, text);
  }

  function json(method: string, path: string, body: Fields | undefined) {
    const headers = { ...authorization, "content-type": "application/json" };
    if (body === undefined) return send(method, `/api/v1/${path}`, authorization);
    return send(method, `/api/v1/${path}`, headers, JSON.stringify(body));
  }

  return {
    get: (path) => json("GET", path, undefined),
    post: (path, body = {}) => json("POST", path, body),
    patch: (path, body = {}) => json("PATCH", path, body),
    delete: (path) => json("DELETE", path, undefined),
    send: (method, path, headers = {}, text) => send(method, path, { ...authorization, ...headers }, text),
  };
}

/** The exchange in a few lines, with every token replaced: reports may be kept. */
export function formatExchange(exchange: Exchange): string {
  const sent = exchange.requestBody === undefined ? "" : ` ${formatValue(exchange.requestBody)}`;
  const response = exchange.body === undefined ? formatValue(exchange.text) : formatValue(exchange.body);
  return `${exchange.method} ${exchange.path}${sent} -> ${exchange.status} ${response}`;
}

/** The value's JSON on one line, without tokens, cut at 600 characters. */
export function formatValue(value: Json | undefined): string {
  const text = value === undefined ? "(absent)" : JSON.stringify(withoutTokens(value));
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}

function withoutTokens(value: Json): Json {
  if (typeof value === "string" && /^ff_\w{20,}$/.test(value)) return "(shown once)";
  if (isList(value)) return value.map(withoutTokens);
  if (!isFields(value)) return value;
  const members = Object.entries(value).map(([name, held]): [string, Json] =>
    name === "token" && typeof held === "string" ? [name, "(shown once)"] : [name, withoutTokens(held)],
  );
  return Object.fromEntries(members);
}
