/** Modules of the emulator, one for each resource or group of endpoints. */

import type { Fields } from "../../core/json.ts";
import type { ErrorStatus } from "../http/http-error.ts";
import { readPage } from "../http/pagination.ts";
import { bodyInDialect } from "../http/response-schema.ts";
import type { BodySchema, SchemaValue, ValueSchema } from "../http/value-schema.ts";
import type { AnyTable, Database } from "../store/database.ts";
import type { ReferenceCounter } from "../store/references.ts";
import type { StoredValue, Table } from "../store/table.ts";
import type { ReplicaLoad } from "./live-rows.ts";
import type { Principal, RequirementInPermissionsTs } from "./permissions.ts";
import type { ServiceContext, TransactionContext, WorkspaceTemplate } from "./service-context.ts";

/** One request inside a transaction, with its token accepted, its permission checked and its body validated. */
export interface RequestContext<Body> extends TransactionContext {
  readonly principal: Principal;
  readonly query: URLSearchParams;
  readonly body: Body;
  /** A decoded path parameter, such as `slug` of `/severities/:slug`. */
  param(name: string): string;
}

/** The result of a handler. Without `body` the response is empty. */
export interface EndpointResult<Status extends number = number, Body extends Fields | undefined = Fields | undefined> {
  readonly status: Status;
  readonly body?: Body;
}

/** The schemas of an endpoint's successful responses, by status; null for an empty body. */
interface ResponseSchemas {
  readonly [status: number]: (ValueSchema & { readonly type: "object" }) | null;
}

/** The results that have one of the declared statuses and the body of its schema. */
export type DeclaredResult<Responses extends ResponseSchemas> = {
  [Status in keyof Responses & number]: Responses[Status] extends ValueSchema
    ? { readonly status: Status; readonly body: SchemaValue<Responses[Status]> }
    : { readonly status: Status };
}[keyof Responses & number];

/** The interface's HTTP methods. */
export type EndpointMethod = "GET" | "POST" | "PATCH" | "DELETE";

/** One endpoint, for the router, the validation of bodies and the OpenAPI document. */
export interface ServedEndpoint {
  readonly method: EndpointMethod;
  /** The path below /api/v1, with parameters as `:name`. */
  readonly path: string;
  /** The name of the operation, from which generators of clients make the name of a method. */
  readonly operationId: string;
  readonly summary: string;
  /** The ability that the token must have; "token" accepts any valid token. */
  readonly requiredAbility: RequirementInPermissionsTs;
  /** The query parameters, for the OpenAPI document only. */
  readonly query?: { readonly [name: string]: ValueSchema };
  readonly body?: BodySchema;
  readonly responses: ResponseSchemas;
  /** The resource's name, under which the dialect `envelope` can wrap a response. */
  readonly member?: string;
  /** The statuses of errors, besides those that follow from the method, the path's parameters and the ability. */
  readonly errors?: readonly ErrorStatus[];
  /** Handles a request in one transaction, synchronously. A thrown HttpError rolls everything back. */
  handle(request: RequestContext<unknown>): EndpointResult;
}

/** The context in which a response is made. */
export type ResponseScope = Pick<TransactionContext, "database" | "dialects" | "timestamp">;

/** One row of a resource: its id, and the properties that a response has. */
export interface ListedRow {
  readonly id: string;
  readonly properties: Fields;
}

/** A resource as the pages show it. */
export interface ListedResource {
  /** The path below /api/v1, such as `catalog/types`. */
  readonly path: string;
  count(database: Database): number;
  /** The first rows, in the order of the resource. */
  list(scope: ResponseScope, limit: number): readonly ListedRow[];
  find(scope: ResponseScope, id: string): ListedRow | undefined;
}

/** One resource of the interface, or one group of endpoints. */
export interface ServiceModule {
  readonly tables: readonly AnyTable[];
  readonly endpoints: readonly ServedEndpoint[];
  /** The resource for the pages; absent for a group of endpoints. */
  readonly resource?: ListedResource;
  /** Counters of this module's references to other resources, which prevent their deletion. */
  readonly referenceCounters?: readonly ReferenceCounter[];
  /** Adds the module's resources to a new workspace, in the order of `allModules`. */
  seed?(service: ServiceContext, workspace: WorkspaceTemplate): void;
  /** Loads the module's resources into a replica, in the order of `allModules`. */
  loadReplica?(load: ReplicaLoad): void;
  /** Restarts background work that an earlier process did not finish. Called when a file is reopened. */
  resumeUnfinished?(service: ServiceContext): void;
}

/**
 * An endpoint whose handler receives a body of the schema's type (an empty object without a schema), and returns a status and a body
 * that the endpoint declares.
 */
export function endpoint<const Responses extends ResponseSchemas, const S extends BodySchema = EmptyBodySchema>(
  definition: Omit<ServedEndpoint, "handle" | "body" | "responses"> & {
    readonly body?: S;
    readonly responses: Responses;
    handle(request: RequestContext<SchemaValue<S>>): DeclaredResult<Responses>;
  },
): ServedEndpoint {
  const { responses, member } = definition;
  return {
    ...definition,
    handle(request) {
      // The application validates the body before it calls the handler.
      const result = definition.handle(request as RequestContext<SchemaValue<S>>) as EndpointResult;
      const schema = responses[result.status];
      if (schema == null || result.body === undefined) return result;
      return { ...result, body: bodyInDialect(schema, result.body, request.dialects, member) };
    },
  };
}

/** The schema of an endpoint without a body. */
interface EmptyBodySchema extends BodySchema {
  readonly properties: Readonly<Record<string, never>>;
}

/** 200 with a body. */
export function ok<const Body extends Fields>(body: Body): { readonly status: 200; readonly body: Body } {
  return { status: 200, body };
}

/** 201 with a body. */
export function created<const Body extends Fields>(body: Body): { readonly status: 201; readonly body: Body } {
  return { status: 201, body };
}

/** 204, the result of a DELETE. */
export const noContent: { readonly status: 204 } = { status: 204 };

/** The page of a table's rows that the query asks for: those that match the SQL condition, in the order. */
export function readRows<Row extends { readonly id: string }>(
  { database, query }: Pick<RequestContext<unknown>, "database" | "query">,
  table: Table<Row>,
  condition: string,
  values: readonly StoredValue[],
  order: string,
): ReturnType<typeof readPage<Row>> {
  const total = database.scalar(`SELECT COUNT(*) FROM ${table.name} WHERE ${condition}`, values);
  const clause = `WHERE ${condition} ORDER BY ${order} LIMIT ? OFFSET ?`;
  return readPage(query, total, (limit, offset) => database.query(table, clause, [...values, limit, offset]));
}

/** Whether a query parameter is present and not one of the words for false. */
export function isFlagSet(query: URLSearchParams, name: string): boolean {
  const text = query.get(name);
  return text !== null && !/^(|0|f|false|n|no|off)$/i.test(text);
}
