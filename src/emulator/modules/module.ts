/** Modules of the emulator, one for each resource or group of endpoints. */

import type { Fields } from "../../core/json.ts";
import type { Dialects } from "../dialects.ts";
import type { BodySchema, SchemaValue, ValueSchema } from "../http/body-schema.ts";
import type { ServiceContext, WorkspaceTemplate } from "../service-context.ts";
import type { AnyTable } from "../store/database.ts";
import type { ReferenceCounter } from "../store/references.ts";
import type { TransactionContext } from "../transaction.ts";
import type { Ability } from "./access/permissions.ts";
import type { Principal } from "./access/principals.ts";

/** One request inside a transaction, with its token accepted, its permission checked and its body validated. */
export interface RequestContext<Body> extends TransactionContext {
  readonly principal: Principal;
  readonly query: URLSearchParams;
  readonly body: Body;
  /** A decoded path parameter, such as `slug` of `/severities/:slug`. */
  param(name: string): string;
}

/** The result of a handler. Without `body` the response is empty. */
export interface EndpointResult {
  readonly status: number;
  readonly body?: Fields;
}

/** The interface's HTTP methods. */
export type EndpointMethod = "GET" | "POST" | "PATCH" | "DELETE";

/** One endpoint, for the router, the validation of bodies and the OpenAPI document. */
export interface ServedEndpoint {
  readonly method: EndpointMethod;
  /** The path below /api/v1, with parameters as `:name`. */
  readonly path: string;
  readonly summary: string;
  /** The ability that the token must have; "token" accepts any valid token. */
  readonly requiredAbility: Ability | "token";
  /** The query parameters, for the OpenAPI document only. */
  readonly query?: { readonly [name: string]: ValueSchema };
  readonly body?: BodySchema;
  /** Handles a request in one transaction, synchronously. A thrown HttpError rolls everything back. */
  handle(request: RequestContext<unknown>): EndpointResult;
}

/** One resource of the interface, or one group of endpoints. */
export interface ServiceModule {
  readonly tables: readonly AnyTable[];
  readonly endpoints: readonly ServedEndpoint[];
  /** Counters of this module's references to other resources, which prevent their deletion. */
  readonly referenceCounters?: readonly ReferenceCounter[];
  /** Adds the module's resources to a new workspace, in the order of `allModules`. */
  seed?(service: ServiceContext, workspace: WorkspaceTemplate): void;
  /** Restarts background work that an earlier process did not finish. Called when a file is reopened. */
  resumeUnfinished?(service: ServiceContext): void;
}

/** An endpoint whose handler receives a body of the schema's type; an empty object without a schema. */
export function endpoint<const S extends BodySchema = EmptyBodySchema>(
  definition: Omit<ServedEndpoint, "handle" | "body"> & {
    readonly body?: S;
    handle(request: RequestContext<SchemaValue<S>>): EndpointResult;
  },
): ServedEndpoint {
  // The application validates the body before it calls the handler.
  return { ...definition, handle: (request) => definition.handle(request as RequestContext<SchemaValue<S>>) };
}

/** The schema of an endpoint without a body. */
export interface EmptyBodySchema extends BodySchema {
  readonly properties: Readonly<Record<string, never>>;
}

/** A resource for a response, under its name (such as `severity`) if the dialect `envelope` says so. */
export function wrapMember(name: string, body: Fields, dialects: Dialects): Fields {
  return dialects.envelope === "wrapped" ? { [name]: body } : body;
}

/** 200 with a body. */
export function ok(body: Fields): EndpointResult {
  return { status: 200, body };
}

/** 201 with a body. */
export function created(body: Fields): EndpointResult {
  return { status: 201, body };
}

/** 204, the result of a DELETE. */
export const noContent: EndpointResult = { status: 204 };

/** Whether a query parameter is present and not one of the words for false. */
export function isFlagSet(query: URLSearchParams, name: string): boolean {
  const text = query.get(name);
  return text !== null && !/^(|0|f|false|n|no|off)$/i.test(text);
}
