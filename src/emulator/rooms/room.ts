/** What a room of the emulator is: its tables, its routes, what it points at, and what it seeds. */

import type { Fields } from "../../core/json.ts";
import type { BodyShape, Shape, ValueOf } from "../http/body-schema.ts";
import type { Service, Workspace } from "../service-context.ts";
import type { AnyTable } from "../store/database.ts";
import type { Reference } from "../store/references.ts";
import type { Act } from "../transaction.ts";
import type { Ability } from "./access/permissions.ts";
import type { Principal } from "./access/principals.ts";

/** One request as a handler sees it: authenticated, permitted, its body checked, inside a transaction. */
export interface Call<Body> extends Act {
  readonly principal: Principal;
  readonly query: URLSearchParams;
  readonly body: Body;
  /** A decoded parameter of the path, such as `slug` of `/severities/:slug`. */
  param(name: string): string;
}

/** What a handler answers with; no body means an empty one. */
export interface Answer {
  readonly status: number;
  readonly body?: Fields;
}

/** The HTTP methods of the interface. */
export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** One endpoint, described for the router, the body check and the OpenAPI document. */
export interface Route {
  readonly method: Method;
  /** The path below /api/v1, parameters as `:name`. */
  readonly path: string;
  readonly summary: string;
  /** The ability checked; "token" is satisfied by any token that works. */
  readonly needs: Ability | "token";
  /** The query parameters read, for the description only. */
  readonly query?: { readonly [name: string]: Shape };
  readonly body?: BodyShape;
  /** Synchronous: the whole of it is one transaction. A thrown Refusal rolls everything back. */
  handle(call: Call<unknown>): Answer;
}

/** A room: one resource of the interface, or one group of endpoints. */
export interface Room {
  readonly tables: readonly AnyTable[];
  readonly routes: readonly Route[];
  /** What this room's rows point at, so that deletions there can count them. */
  readonly references?: readonly Reference[];
  /** Fills a new workspace. Rooms are seeded in the order of the registry. */
  seed?(service: Service, workspace: Workspace): void;
  /** Takes up what an earlier process left unfinished in the background, when a file is opened again. */
  resume?(service: Service): void;
}

/** A route whose handler's body has the type of the shape it declares (an empty object where it declares none). */
export function route<const S extends BodyShape = EmptyShape>(
  definition: Omit<Route, "handle" | "body"> & { readonly body?: S; handle(call: Call<ValueOf<S>>): Answer },
): Route {
  // The application checks the body by the shape before it calls the handler.
  return { ...definition, handle: (call) => definition.handle(call as Call<ValueOf<S>>) };
}

/** The body of a route that takes none. */
export interface EmptyShape extends BodyShape {
  readonly properties: Readonly<Record<string, never>>;
}

/** 200 with a body. */
export function ok(body: Fields): Answer {
  return { status: 200, body };
}

/** 201 with a body. */
export function created(body: Fields): Answer {
  return { status: 201, body };
}

/** 204, the answer to a DELETE. */
export const noContent: Answer = { status: 204 };

/** Whether a query parameter is switched on: present and none of the words for false. */
export function isOn(query: URLSearchParams, name: string): boolean {
  const text = query.get(name);
  return text !== null && !/^(|0|f|false|n|no|off)$/i.test(text);
}
