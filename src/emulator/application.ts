/** The only user of Hono's router: all modules' endpoints as one application, with authentication, rate limit and error object. */

import { randomUUID } from "node:crypto";
import { channel } from "node:diagnostics_channel";
import { TrieRouter } from "hono/router/trie-router";
import { tryDecodeURI, tryDecodeURIComponent } from "hono/utils/url";
import type { Fields } from "../core/json.ts";
import type { Dialects } from "./dialects.ts";
import { validateBody } from "./http/body-schema.ts";
import type { IncomingRequest, OutgoingResponse } from "./http/exchange.ts";
import { errorResponse, HttpError, jsonResponse, notFound } from "./http/http-error.ts";
import { matchPath } from "./http/match-path.ts";
import { checkTexts, readJson } from "./http/request-body.ts";
import { authenticate, authorize } from "./modules/access/principals.ts";
import type { EndpointResult, RequestContext, ServedEndpoint, ServiceModule } from "./service/module.ts";
import type { Principal } from "./service/permissions.ts";
import { RequestAborted, type RequestHooks } from "./service/request-hooks.ts";
import type { ServiceContext } from "./service/service-context.ts";
import { runTransaction, type TransactionContext } from "./service/service-context.ts";
import type { Database } from "./store/database.ts";

/** Options of an application, besides the service. */
interface ApplicationOptions {
  readonly modules: readonly ServiceModule[];
  readonly requestsPerMinute: number;
  /** Called with every error that is not an HttpError. The response is then 500, and the process continues. */
  readonly report: (error: unknown) => void;
}

/** Handles a request. It never rejects; a request that a hook aborts gets an empty response. */
export type Application = (incoming: IncomingRequest, hooks?: RequestHooks) => Promise<OutgoingResponse>;

/** The message of the diagnostics channel `incidentctl:emulator:response`: one response of an emulator in this process. */
export interface ObservedResponse {
  readonly method: string;
  readonly url: URL;
  readonly response: OutgoingResponse;
  /** The dialects at the time of the response. */
  readonly dialects: Dialects;
}

const responseChannel = channel("incidentctl:emulator:response");
const basePath = "/api/v1";
const maximumUrlLength = 8 * 1024;
const rateWindowMilliseconds = 60_000;

/** Creates the application. Paths outside /api/v1 get 404. */
export function createApplication(service: ServiceContext, options: ApplicationOptions): Application {
  const endpoints = options.modules.flatMap((module) => module.endpoints);
  const count = rateLimit(options.requestsPerMinute);
  const router = new TrieRouter<ServedEndpoint>();
  for (const endpoint of endpoints) router.add(endpoint.method, `${basePath}${endpoint.path}`, endpoint);

  const handleRequest = async (
    incoming: IncomingRequest,
    method: string,
    hooks: RequestHooks | undefined,
  ): Promise<OutgoingResponse> => {
    checkAddress(incoming.url);
    const path = decodePath(incoming.url.pathname);
    // If several endpoints match, the first one counts.
    const match = router.match(method, path)[0][0];
    if (match === undefined) throw methodNotAllowed(endpoints, path) ?? notFound();
    const [endpoint, parameters] = match;
    const credentials = incoming.headers.get("authorization");
    const principal = admit(service, endpoint, credentials, count);
    const query = incoming.url.searchParams;
    for (const [name, value] of query) checkTexts({ [name]: value });
    const body = endpoint.method === "GET" ? {} : await readJson(incoming);
    await hooks?.afterRead(principal, body);
    const param = (name: string): string => tryDecodeURIComponent(String(parameters[name] ?? ""));
    return runEndpoint(service, endpoint, body, { credentials, query, param }, hooks);
  };
  const failureResponse = (error: unknown): OutgoingResponse => {
    if (error instanceof HttpError) return errorResponse(error);
    if (error instanceof RequestAborted) return { status: 503, headers: {}, body: null };
    options.report(error);
    return errorResponse(new HttpError(500, "internal_error", "The emulator failed; its log has the error"));
  };
  return async (incoming, hooks) => {
    const { method, url } = incoming;
    const isHead = method === "HEAD";
    const response = await handleRequest(incoming, isHead ? "GET" : method, hooks).catch(failureResponse);
    if (responseChannel.hasSubscribers) {
      responseChannel.publish({ method, url, response, dialects: { ...service.dialects } } satisfies ObservedResponse);
    }
    return isHead ? { ...response, body: null } : response;
  };
}

/** Checks a request whose headers have arrived, so that no body is read for a refused token, and counts it. */
function admit(
  service: ServiceContext,
  endpoint: ServedEndpoint,
  credentials: string | null,
  count: (key: string, now: Date) => void,
): Principal {
  const now = service.now();
  const principal = authenticate(service.database, credentials, now);
  count(principal.token_id, now);
  authorizeEndpoint(service.database, endpoint, principal, now);
  return principal;
}

function authorizeEndpoint(
  database: Database,
  { requiredAbility }: ServedEndpoint,
  principal: Principal,
  now: Date,
): void {
  if (requiredAbility !== "token") authorize(database, principal, requiredAbility, now);
}

/**
 * Runs the handler as one transaction, then starts the work that it scheduled for after the commit. The token is checked
 * again inside, at the time of the change: it may have been revoked while the body arrived.
 */
function runEndpoint(
  service: ServiceContext,
  endpoint: ServedEndpoint,
  input: Fields,
  { credentials, ...request }: Pick<RequestContext<unknown>, "query" | "param"> & { credentials: string | null },
  hooks: RequestHooks | undefined,
): OutgoingResponse {
  const handle = (transaction: TransactionContext): EndpointResult => {
    const now = new Date(transaction.timestamp);
    const principal = authenticate(service.database, credentials, now);
    authorizeEndpoint(service.database, endpoint, principal, now);
    const body = endpoint.body === undefined ? {} : validateBody(endpoint.body, input);
    const result = endpoint.handle({ ...transaction, ...request, principal, body });
    hooks?.beforeCommit();
    return result;
  };
  const result = runTransaction(service, handle);
  hooks?.afterCommit();
  return toResponse(result);
}

function toResponse({ status, body }: EndpointResult): OutgoingResponse {
  const requestId = randomUUID();
  if (body !== undefined) return jsonResponse(status, body, requestId);
  return { status, headers: { "x-content-type-options": "nosniff", "x-request-id": requestId }, body: null };
}

/** Throws 414 for a URL that is too long, and 404 for one with an escaped separator in a parameter. */
function checkAddress({ href, pathname }: URL): void {
  if (href.length > maximumUrlLength) throw new HttpError(414, "bad_request", "The address is too long");
  if (/%(2f|5c|00)/i.test(pathname)) throw notFound();
}

/** The path without unnecessary escapes. An escaped percent sign stays escaped, since parameters are decoded later. */
function decodePath(path: string): string {
  return path.includes("%") ? tryDecodeURI(path.replaceAll("%25", "%2525")) : path;
}

/** 405 with the allowed methods if the path has endpoints for other methods; otherwise undefined. */
function methodNotAllowed(endpoints: readonly ServedEndpoint[], path: string): HttpError | undefined {
  const methods = endpoints.filter((endpoint) => matchPath(`${basePath}${endpoint.path}`, path) !== undefined);
  if (methods.length === 0) return undefined;
  const allowed = new Set(methods.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])));
  const headers = { allow: [...allowed].join(", ") };
  return new HttpError(405, "method_not_allowed", "This path does not take that method", undefined, headers);
}

/** A function that counts a request of a key and throws 429 above the limit. It counts in fixed windows of a minute. */
function rateLimit(requestsPerMinute: number): (key: string, now: Date) => void {
  const counts = new Map<string, number>();
  let window = Number.NaN;
  return (key, now) => {
    const current = Math.floor(now.getTime() / rateWindowMilliseconds);
    if (current !== window) {
      counts.clear();
      window = current;
    }
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > requestsPerMinute) {
      throw new HttpError(429, "rate_limit_exceeded", `More than ${requestsPerMinute} requests in this minute`);
    }
  };
}
