/** A planted fault: the emulator behind a wrapper that breaks one rule, and the ways such wrappers are made. */

import type { FetchFunction } from "../../../src/conformance/client.ts";
import { type Fields, isFields, type Json, parseJson } from "../../../src/core/json.ts";

/** A service with one mistake in it, and the rules that must find the mistake. */
export interface PlantedFault {
  /** The behaviour of the faulty service, in one sentence. */
  readonly title: string;
  /**
   * Ids of rules, every one of which must fail, or differ where the interface is silent, against the faulty service and pass
   * against the sound one.
   */
  readonly foundBy: readonly string[];
  wrap(fetch: FetchFunction, adminToken: string): FetchFunction;
}

/** A request as a wrapper sees it. */
export interface ProxiedRequest {
  readonly method: string;
  /** The path below `/api/v1/`, without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The JSON body; empty when there is none. */
  readonly body: Fields;
  readonly token: string;
}

/** A response as a wrapper sees it. */
export interface ProxiedResponse {
  readonly status: number;
  readonly body: Json;
}

/** Sends a request of the wrapper's own, under the given token or the one of the request at hand. */
export type SendToService = (method: string, path: string, body?: Fields, token?: string) => Promise<ProxiedResponse>;

/** A wrapper that can read a request, send others, and choose the response. */
export type Interceptor = (request: ProxiedRequest, send: SendToService) => Promise<ProxiedResponse | undefined>;

const below = "/api/v1/";

/** A fetch with the response of the wrapper, or of the service if the wrapper returns none. */
export function intercept(fetch: FetchFunction, interceptor: Interceptor): FetchFunction {
  return async (request) => {
    const url = new URL(request.url);
    const text = await request.clone().text();
    const proxied: ProxiedRequest = {
      method: request.method,
      path: url.pathname.startsWith(below) ? url.pathname.slice(below.length) : url.pathname,
      query: url.searchParams,
      body: fieldsOf(parseJson(text)),
      token: request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "",
    };
    const send: SendToService = async (method, path, body, token = proxied.token) => {
      const headers = new Headers({ "content-type": "application/json" });
      if (token !== "") headers.set("authorization", `Bearer ${token}`);
      const init: RequestInit = { method, headers };
      if (body !== undefined && method !== "GET") init.body = JSON.stringify(body);
      const response = await fetch(new Request(new URL(path, `${url.origin}${below}`), init));
      return { status: response.status, body: parseJson(await response.text()) ?? null };
    };
    const replacement = await interceptor(proxied, send);
    return replacement === undefined ? fetch(request) : respond(replacement);
  };
}

/** The path and query of the request, as `Send` takes it. */
export function pathOf({ path, query }: ProxiedRequest): string {
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Passes the request on and changes its response. */
export function changeResponse(
  test: (request: ProxiedRequest) => boolean,
  change: (response: ProxiedResponse, request: ProxiedRequest) => ProxiedResponse,
): PlantedFault["wrap"] {
  return (fetch) =>
    intercept(fetch, async (request, send) => {
      if (!test(request)) return undefined;
      return change(await send(request.method, pathOf(request), bodyToSend(request)), request);
    });
}

/** Changes the request before it is passed on. */
export function changeRequest(
  test: (request: ProxiedRequest) => boolean,
  change: (request: ProxiedRequest) => Partial<ProxiedRequest>,
): PlantedFault["wrap"] {
  return (fetch) =>
    intercept(fetch, async (request, send) => {
      if (!test(request)) return undefined;
      const changed = { ...request, ...change(request) };
      return send(changed.method, pathOf(changed), bodyToSend(changed), changed.token);
    });
}

/** Whether the request has this method and a path like this. */
export function matches(method: string, pattern: RegExp): (request: ProxiedRequest) => boolean {
  return (request) => request.method === method && pattern.test(request.path);
}

/** The request's body as it is sent on; a PATCH or POST always has one. */
export function bodyToSend({ method, body }: ProxiedRequest): Fields | undefined {
  return method === "GET" || method === "DELETE" ? undefined : body;
}

/** The object with one member left out. */
export function without(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}

/** The body with every object of its arrays changed. */
export function mapRows(body: Json, change: (row: Fields, index: number) => Json): Json {
  if (!isFields(body)) return body;
  const members = Object.entries(body).map(([name, value]): [string, Json] => [
    name,
    Array.isArray(value) ? value.map((row: Json, index) => (isFields(row) ? change(row, index) : row)) : value,
  ]);
  return Object.fromEntries(members);
}

/** The body's `error`, changed. */
export function changeError(body: Json, change: (error: Fields) => Fields): Json {
  if (!isFields(body) || !isFields(body.error)) return body;
  return { ...body, error: change(body.error) };
}

/** The members of a body, or none. */
export function fieldsOf(body: Json | undefined): Fields {
  return isFields(body) ? body : {};
}

function respond({ status, body }: ProxiedResponse): Response {
  if (status === 204) return new Response(null, { status });
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}
