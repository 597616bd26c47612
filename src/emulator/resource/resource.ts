/** Resources: the endpoints, the responses and the loading of a replica, all derived from one definition. */

import { type Fields, pick } from "../../core/json.ts";
import { requireFound } from "../http/http-error.ts";
import { listOf, objectSchema } from "../http/response-schema.ts";
import { type ReplicaLoad, rowsAt } from "../service/live-rows.ts";
import {
  created,
  type EndpointMethod,
  endpoint,
  noContent,
  ok,
  type RequestContext,
  type ResponseScope,
  type ServedEndpoint,
  type ServiceModule,
} from "../service/module.ts";
import type { ResourceDefinition, ResourceOperation, ResourceRequest } from "./definition.ts";
import type { ResourceFields, RowOf } from "./field.ts";
import { listedResource } from "./listed-resource.ts";
import { liveRow } from "./live-row.ts";
import { bodySchema, type ResourceSchema, responseSchema } from "./schemas.ts";
import { createRow, removeRow, updateRow } from "./write.ts";

/** The module of a resource. */
export function resourceModule<F extends ResourceFields>(definition: ResourceDefinition<F>): ServiceModule {
  const schema = responseSchema(definition.title, definition.fields);
  return {
    tables: [definition.table],
    endpoints: endpointsOf(definition),
    resource: listedResource(definition, (scope, row) => presentRow(definition, schema, scope, row)),
    loadReplica: (load) => loadRows(load, definition),
  };
}

function endpointsOf<F extends ResourceFields>(definition: ResourceDefinition<F>): readonly ServedEndpoint[] {
  const { title, path, fields, table, query, order = "rowid", summaries } = definition;
  const schema = responseSchema(title, fields);
  const key = path.slice(path.lastIndexOf("/") + 1);
  const member = definition.member ?? snakeCase(title);
  const find = (request: RequestContext<unknown>): RowOf<F> => findRow(definition, request);
  const present = (request: ResponseScope, row: RowOf<F>): Fields => presentRow(definition, schema, request, row);
  const all: { readonly [Name in ResourceOperation]: () => ServedEndpoint } = {
    list: () =>
      endpoint({
        ...operationOf(definition, "list"),
        ...(query === undefined ? {} : { query }),
        responses: { 200: objectSchema(`${title}List`, { [key]: listOf(schema) }) },
        handle: (request) => {
          const rows = definition.rows?.(request) ?? request.database.list(table, {}, { order });
          return ok({ [key]: rows.map((row) => present(request, row)) });
        },
      }),
    create: () => {
      const { created: more } = definition;
      const createdSchema =
        more === undefined ? schema : objectSchema(more.title, { ...schema.properties, ...more.properties });
      return endpoint({
        ...operationOf(definition, "create"),
        body: bodySchema(fields, "create"),
        member,
        responses: { 201: createdSchema },
        handle: (request) => {
          const row = createRow(definition, bodyOf<F>(request));
          // What only this response has, such as a token, may be part of what all responses show.
          const own = more?.compute(request, row);
          return created({ ...present(request, row), ...own });
        },
      });
    },
    get: () =>
      endpoint({
        ...operationOf(definition, "get"),
        member,
        responses: { 200: schema },
        handle: (request) => ok(present(request, find(request))),
      }),
    update: () =>
      endpoint({
        ...operationOf(definition, "update"),
        body: bodySchema(fields, "update"),
        member,
        responses: { 200: schema },
        handle: (request) => ok(present(request, updateRow(definition, bodyOf<F>(request), find(request)))),
      }),
    delete: () =>
      endpoint({
        ...operationOf(definition, "delete"),
        responses: { 204: null },
        handle: (request) => {
          removeRow(definition, request, find(request));
          return noContent;
        },
      }),
  };
  return operations.filter((operation) => summaries[operation] !== undefined).map((operation) => all[operation]());
}

const operations: readonly ResourceOperation[] = ["list", "create", "get", "update", "delete"];

const methods = {
  list: ["GET", "read"],
  create: ["POST", "create"],
  get: ["GET", "read"],
  update: ["PATCH", "update"],
  delete: ["DELETE", "delete"],
} as const satisfies { readonly [Name in ResourceOperation]: readonly [EndpointMethod, string] };

type OperationFacts = Pick<
  ServedEndpoint,
  "method" | "path" | "operationId" | "summary" | "requiredAbility" | "errors"
>;

function operationOf<F extends ResourceFields>(
  { title, path, ability, address, summaries, errors = {} }: ResourceDefinition<F>,
  operation: ResourceOperation,
): OperationFacts {
  const [method, action] = methods[operation];
  const isOfAll = operation === "list" || operation === "create";
  return {
    method,
    path: isOfAll ? `/${path}` : `/${path}/:${address}`,
    operationId: `${operation}${operation === "list" ? pascalCase(path) : title}`,
    summary: summaries[operation] ?? "",
    requiredAbility: `${ability}.${action}`,
    errors: errors[operation] ?? [],
  };
}

/** The request with the body's type: the schema, by which the body has been validated, is of the same fields. */
function bodyOf<F extends ResourceFields>(request: RequestContext<unknown>): ResourceRequest<F> {
  return request as ResourceRequest<F>;
}

function findRow<F extends ResourceFields>(
  definition: ResourceDefinition<F>,
  request: RequestContext<unknown>,
): RowOf<F> {
  const { table, address } = definition;
  if (definition.find !== undefined) return definition.find(request);
  return requireFound(request.database.find(table, { [address]: request.param(address) } as Partial<RowOf<F>>));
}

function presentRow<F extends ResourceFields>(
  { compute }: ResourceDefinition<F>,
  { properties }: ResourceSchema,
  scope: ResponseScope,
  row: RowOf<F>,
): Fields {
  return pick({ ...row, ...compute?.(scope, row) } as Fields, Object.keys(properties));
}

function loadRows<F extends ResourceFields>(load: ReplicaLoad, definition: ResourceDefinition<F>): void {
  const { path, table, fields } = definition;
  const live = rowsAt(load, `/${path}`);
  if (live === undefined) return;
  const noun = path.replace(/[_/]/g, " ");
  const rows = live.map((each, index) => {
    return liveRow(load, fields, each, noun, definition.computeLive?.(load, each, index, live.length) ?? {});
  });
  load.service.database.remove(table, {});
  load.service.database.insert(table, ...rows);
  for (const [index, row] of rows.entries()) definition.loadParts?.(load, live[index] ?? {}, row);
}

/** `AlertSource` as `alert_source`. */
function snakeCase(title: string): string {
  return title.replace(/(?<=.)[A-Z]/g, "_$&").toLowerCase();
}

/** `catalog/types` as `CatalogTypes`. */
function pascalCase(path: string): string {
  return path.replace(/(?:^|[_/])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
