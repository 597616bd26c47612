/** Endpoints of the control surface. */

import type { BodySchema, SchemaValue, ValueSchema } from "../http/value-schema.ts";
import type { EndpointMethod } from "../service/module.ts";
import type { Database } from "../store/database.ts";
import type { Control } from "./control.ts";

/** One request to the control surface, with its key accepted and its body validated. */
export interface ControlRequest<Body> {
  readonly control: Control;
  /** The database of the service. */
  readonly database: Database;
  readonly body: Body;
  /** A path parameter, such as `id`. */
  param(name: string): string;
  /** A query parameter; undefined if absent. */
  query(name: string): string | undefined;
}

/** The parts of an endpoint besides its address. */
interface EndpointParts {
  /** The query parameters. Any other is refused. */
  readonly query?: { readonly [name: string]: ValueSchema };
  /** The schema of the body. A member that it does not name is refused. */
  readonly body?: BodySchema;
  /** The status of a response without an error: 201 if the endpoint creates something. Otherwise 200, or 204 without a response. */
  readonly status?: 201;
  /** The schema of the response; absent for an empty one. */
  readonly response?: ValueSchema;
}

/** One endpoint below /control. */
export interface ControlEndpoint extends Omit<EndpointParts, "status"> {
  readonly method: EndpointMethod | "PUT";
  /** The path below /control, with parameters as `:name`. */
  readonly path: string;
  readonly summary: string;
  readonly status: 200 | 201 | 204;
  /**
   * Handles a request, outside a transaction. Returns the body of the response, which counts only if `response` describes it. The
   * response to a thrown HttpError is its error object.
   */
  handle(request: ControlRequest<unknown>): unknown;
}

/** A control endpoint whose handler receives a body of the schema's type. */
export function controlEndpoint<const S extends BodySchema>(
  method: ControlEndpoint["method"],
  path: string,
  summary: string,
  parts: EndpointParts & { readonly body?: S; handle(request: ControlRequest<SchemaValue<S>>): unknown },
): ControlEndpoint {
  const { status = parts.response === undefined ? 204 : 200 } = parts;
  return {
    ...parts,
    method,
    path,
    summary,
    status,
    handle: (request) => parts.handle(request as ControlRequest<SchemaValue<S>>),
  };
}
