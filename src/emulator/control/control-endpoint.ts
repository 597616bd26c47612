/** Endpoints of the control surface. */

import type { Fields } from "../../core/json.ts";
import type { BodySchema, SchemaValue, ValueSchema } from "../http/value-schema.ts";
import type { EndpointMethod, EndpointResult } from "../service/module.ts";
import type { Control } from "./control.ts";

/** One request to the control surface, with its key accepted and its body validated. */
export interface ControlRequest<Body> {
  readonly control: Control;
  readonly body: Body;
  /** A path parameter, such as `id`. */
  param(name: string): string;
  /** A query parameter; undefined if absent. */
  query(name: string): string | undefined;
}

/** One endpoint below /control. */
export interface ControlEndpoint {
  readonly method: EndpointMethod | "PUT";
  /** The path below /control, with parameters as `:name`. */
  readonly path: string;
  readonly summary: string;
  /** The query parameters. Any other is refused. */
  readonly query?: { readonly [name: string]: ValueSchema };
  /** The schema of the body. A member that it does not name is refused. */
  readonly body?: BodySchema;
  /** The status of a response without an error. */
  readonly status: 200 | 201 | 204;
  /** The schema of the response with this status; absent for 204. */
  readonly response?: ValueSchema;
  /** Handles a request, outside a transaction. The response to a thrown HttpError is its error object. */
  handle(request: ControlRequest<unknown>): EndpointResult;
}

/** A control endpoint whose handler receives a body of the schema's type. */
export function controlEndpoint<const S extends BodySchema>(
  definition: Omit<ControlEndpoint, "handle" | "body"> & {
    readonly body?: S;
    handle(request: ControlRequest<SchemaValue<S>>): EndpointResult;
  },
): ControlEndpoint {
  return { ...definition, handle: (request) => definition.handle(request as ControlRequest<SchemaValue<S>>) };
}

/** 200 with a named list. */
export function listResult(name: string, items: readonly object[]): EndpointResult {
  // The items are JSON values, but their types are interfaces.
  return { status: 200, body: { [name]: items as readonly Fields[] } };
}
