/** The door of Hono, for its router: the routes of all rooms as one application, with authentication, limits and the error object around them. */

import { randomUUID } from "node:crypto";
import { TrieRouter } from "hono/router/trie-router";
import { tryDecodeURI, tryDecodeURIComponent } from "hono/utils/url";
import type { Fields } from "../core/json.ts";
import { readBody } from "./http/body-schema.ts";
import type { Incoming, Reply } from "./http/exchange.ts";
import { jsonReply, notFound, Refusal, refusalReply } from "./http/http-error.ts";
import { rateLimit } from "./http/rate-limit.ts";
import { readJson } from "./http/request-body.ts";
import { type Hooks, Interruption } from "./request-hooks.ts";
import { authenticate, authorize } from "./rooms/access/principals.ts";
import type { Answer, Call, Room, Route } from "./rooms/room.ts";
import type { Service } from "./service-context.ts";
import { type Act, perform } from "./transaction.ts";

/** What the application needs besides the running service. */
export interface ApplicationOptions {
  readonly rooms: readonly Room[];
  readonly requestsPerMinute: number;
  /** Told of every error that is no refusal: the request is answered with 500, the process goes on. */
  readonly report: (error: unknown) => void;
}

/** A request's way to its reply. It never rejects; a request that a hook ended gets an empty reply. */
export type Application = (incoming: Incoming, hooks?: Hooks) => Promise<Reply>;

const basePath = "/api/v1";
const maximumUrlLength = 8 * 1024;

/** Builds the application; it answers everything, never rejects, and knows no path outside /api/v1. */
export function createApplication(service: Service, options: ApplicationOptions): Application {
  const routes = options.rooms.flatMap((room) => room.routes);
  const count = rateLimit(options.requestsPerMinute);
  const router = new TrieRouter<Route>();
  for (const route of routes) router.add(route.method, `${basePath}${route.path}`, route);

  const carryOut = async (incoming: Incoming, method: string, hooks: Hooks | undefined): Promise<Reply> => {
    checkAddress(incoming.url);
    const path = decoded(incoming.url.pathname);
    // Of several routes that fit, the first is meant.
    const found = router.match(method, path)[0][0];
    if (found === undefined) throw methodNotAllowed(routes, path) ?? notFound();
    const [route, parameters] = found;
    const now = service.now();
    const principal = authenticate(service.database, incoming.headers.get("authorization"), now);
    count(principal.token_id, now);
    authorizeRoute(service, route, principal, now);
    const body = route.method === "GET" ? {} : await readJson(incoming);
    await hooks?.afterRead(principal, body);
    const param = (name: string): string => tryDecodeURIComponent(String(parameters[name] ?? ""));
    return answer(service, route, body, { principal, query: incoming.url.searchParams, param }, now, hooks);
  };
  const failure = (error: unknown): Reply => {
    if (error instanceof Refusal) return refusalReply(error);
    if (error instanceof Interruption) return { status: 503, headers: {}, body: null };
    options.report(error);
    return refusalReply(new Refusal(500, "internal_error", "The emulator failed; its log has the error"));
  };
  return async (incoming, hooks) => {
    if (incoming.method !== "HEAD") return carryOut(incoming, incoming.method, hooks).catch(failure);
    return { ...(await carryOut(incoming, "GET", hooks).catch(failure)), body: null };
  };
}

function authorizeRoute(service: Service, { needs }: Route, principal: Call<unknown>["principal"], now: Date): void {
  if (needs !== "token") authorize(service.database, principal, needs, now);
}

/** Runs the handler as one transaction, then starts what it left for after the commit. */
function answer(
  service: Service,
  route: Route,
  body: Fields,
  request: Pick<Call<unknown>, "principal" | "query" | "param">,
  now: Date,
  hooks: Hooks | undefined,
): Reply {
  const checked = route.body === undefined ? {} : readBody(route.body, body);
  const handle = (act: Act): Answer => {
    const result = route.handle({ ...act, ...request, body: checked });
    hooks?.beforeCommit();
    return result;
  };
  const result = perform(service, handle, now);
  hooks?.committed();
  return respond(result);
}

function respond({ status, body }: Answer): Reply {
  const requestId = randomUUID();
  if (body !== undefined) return jsonReply(status, body, requestId);
  return { status, headers: { "x-content-type-options": "nosniff", "x-request-id": requestId }, body: null };
}

/** Throws for an address that is too long, or that hides a separator in a parameter. */
function checkAddress({ href, pathname }: URL): void {
  if (href.length > maximumUrlLength) throw new Refusal(414, "bad_request", "The address is too long");
  if (/%(2f|5c|00)/i.test(pathname)) throw notFound();
}

/** The path without the escapes that it did not need; an escaped percent sign stays one, for the parameters. */
function decoded(path: string): string {
  return path.includes("%") ? tryDecodeURI(path.replaceAll("%25", "%2525")) : path;
}

/** 405 when the path has routes for other methods. */
function methodNotAllowed(routes: readonly Route[], path: string): Refusal | undefined {
  const segments = path.split("/");
  const known = routes.some((route) => {
    const pattern = `${basePath}${route.path}`.split("/");
    return (
      pattern.length === segments.length && pattern.every((part, at) => part.startsWith(":") || part === segments[at])
    );
  });
  return known ? new Refusal(405, "method_not_allowed", "This path does not take that method") : undefined;
}
