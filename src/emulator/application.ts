/** The door of Hono: the routes of all rooms as one application, with authentication, limits and the error object around them. */

import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import type { Fields } from "../json.ts";
import { authenticate, authorize } from "./access/principals.ts";
import { type Act, perform } from "./act.ts";
import { type Hooks, Interruption } from "./hooks.ts";
import { rateLimit } from "./rate-limit.ts";
import { jsonResponse, notFound, Refusal, refusalResponse } from "./refusal.ts";
import { readJson } from "./request-body.ts";
import type { Answer, Call, Room, Route, Service } from "./room.ts";
import { readBody } from "./shape.ts";

/** What the application needs besides the running service. */
export interface ApplicationOptions {
  readonly rooms: readonly Room[];
  readonly requestsPerMinute: number;
  /** Told of every error that is no refusal: the request is answered with 500, the process goes on. */
  readonly report: (error: unknown) => void;
}

/** A request's way to its response. It never rejects; a request that a hook ended gets an empty response. */
export type Application = (request: Request, hooks?: Hooks) => Promise<Response>;

const basePath = "/api/v1";
const maximumUrlLength = 8 * 1024;

/** Builds the application; it answers everything, never rejects, and knows no path outside /api/v1. */
export function createApplication(service: Service, options: ApplicationOptions): Application {
  const routes = options.rooms.flatMap((room) => room.routes);
  const count = rateLimit(options.requestsPerMinute);
  const app = new Hono<{ Bindings: { hooks?: Hooks | undefined } }>();
  for (const route of routes) {
    app.on(route.method, `${basePath}${route.path}`, async (context) => {
      checkAddress(context.req.url);
      const now = service.now();
      const principal = authenticate(service.database, context.req.header("authorization") ?? null, now);
      count(principal.token_id, now);
      authorizeRoute(service, route, principal, now);
      const body = route.method === "GET" ? {} : await readJson(context.req.raw);
      const { hooks } = context.env;
      await hooks?.afterRead(principal, body);
      const parameters: Readonly<Record<string, string>> = context.req.param();
      const query = new URL(context.req.url).searchParams;
      return answer(service, route, body, { principal, query, param: (name) => parameters[name] ?? "" }, now, hooks);
    });
  }
  app.notFound((context) => {
    checkAddress(context.req.url);
    throw methodNotAllowed(routes, context.req.path) ?? notFound();
  });
  app.onError((error) => {
    if (error instanceof Refusal) return refusalResponse(error);
    if (error instanceof Interruption) return new Response(null, { status: 503 });
    options.report(error);
    return refusalResponse(new Refusal(500, "internal_error", "The emulator failed; its log has the error"));
  });
  return async (request, hooks) => app.fetch(request, { hooks });
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
): Response {
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

function respond({ status, body }: Answer): Response {
  const requestId = randomUUID();
  if (body !== undefined) return jsonResponse(status, body, requestId);
  return new Response(null, { status, headers: { "x-content-type-options": "nosniff", "x-request-id": requestId } });
}

/** Throws for an address that is too long, or that hides a separator in a parameter. */
function checkAddress(url: string): void {
  if (url.length > maximumUrlLength) throw new Refusal(414, "bad_request", "The address is too long");
  const path = url.split("?", 1)[0] ?? url;
  if (/%(2f|5c|00)/i.test(path)) throw notFound();
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
