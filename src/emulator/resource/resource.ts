/** Resources: the endpoints, the responses and the loading of a replica, all derived from one definition. */

import { type Fields, pick } from "../../core/json.ts";
import { requireFound } from "../http/http-error.ts";
import { listOf, objectSchema } from "../http/response-schema.ts";
import type { BodySchema } from "../http/value-schema.ts";
import { type ReplicaLoad, rowsAt } from "../service/live-rows.ts";
import {
  created,
  type EndpointMethod,
  endpoint,
  isFlagSet,
  type ListedResource,
  type ListedRow,
  noContent,
  ok,
  type RequestContext,
  type ResponseScope,
  type ServedEndpoint,
  type ServiceModule,
} from "../service/module.ts";
import type { ResourceDefinition, ResourceOperation, ResourceRequest } from "./definition.ts";
import type { ComputedProperties, RequestKind, ResourceFields, RowOf } from "./field.ts";
import { liveRow } from "./live-row.ts";
import { bodySchema, type ResourceSchema, responseSchema } from "./schemas.ts";
import { createRow, removeRow, updateRow } from "./write.ts";

interface ResourceModule<Row> extends ServiceModule {
  /** The schema of a row in responses. */
  readonly schema: ResourceSchema;
  /** The schema of the response to a creation. */
  readonly createdSchema: ResourceSchema;
  /** The row that the path of a request addresses. Throws 404. */
  find(request: RequestContext<unknown>): Row;
  /** The row as responses have it. */
  present(scope: ResponseScope, row: Row): Fields;
  /** The row as the response to a creation has it. */
  presentCreated(scope: ResponseScope, row: Row): Fields;
}

/** The module of a resource, derived from its definition. */
export function resourceModule<F extends ResourceFields, const C extends ComputedProperties>(
  definition: ResourceDefinition<F, C>,
): ResourceModule<RowOf<F>> {
  const { title, table, fields, computed = {}, compute, created: more } = definition;
  const schema = responseSchema(title, fields, computed);
  const createdSchema =
    more === undefined ? schema : objectSchema(more.title, { ...schema.properties, ...more.properties });
  const present = (scope: ResponseScope, row: RowOf<F>): Fields =>
    pick({ ...row, ...compute?.(scope, row) } as Fields, Object.keys(schema.properties));
  const parts = {
    schema,
    createdSchema,
    find: (request: RequestContext<unknown>) => findRow(definition, request),
    present,
    presentCreated(scope: ResponseScope, row: RowOf<F>): Fields {
      // A new token is also one of those that every response lists.
      const own = more?.compute(scope, row);
      return { ...present(scope, row), ...own };
    },
  };
  return {
    ...parts,
    tables: [table],
    endpoints: endpointsOf(definition, parts),
    resource: listedResource(definition, present),
    loadReplica: (load) => loadRows(load, definition),
  };
}

function endpointsOf<F extends ResourceFields, C extends ComputedProperties>(
  definition: ResourceDefinition<F, C>,
  resource: Omit<ResourceModule<RowOf<F>>, keyof ServiceModule>,
): readonly ServedEndpoint[] {
  const { title, path, fields, table, listed, existing, order = "rowid", summaries, isWrapped } = definition;
  const { find, present } = resource;
  const member = definition.member ?? snakeCase(title);
  const schemaOfOne = (one: ResourceSchema): ResourceSchema =>
    isWrapped === true ? objectSchema(`${title}Envelope`, { [member]: one }) : one;
  const schema = schemaOfOne(resource.schema);
  const bodyOfOne = (body: Fields): Fields => (isWrapped === true ? { [member]: body } : body);
  const ofOne = isWrapped === true ? {} : { member };
  const body = (kind: RequestKind): { readonly body?: BodySchema } => {
    const sent = bodySchema(fields, kind, definition.bodyRules?.[kind]);
    return Object.keys(sent.properties).length === 0 ? {} : { body: sent };
  };
  const all: { readonly [Name in ResourceOperation]: () => ServedEndpoint } = {
    list() {
      const key = path.slice(path.lastIndexOf("/") + 1);
      const ofList: ResourceSchema = { ...resource.schema, ...definition.inList };
      return endpoint({
        ...operationOf(definition, "list"),
        responses: { 200: objectSchema(`${title}List`, { [key]: listOf(ofList) }) },
        handle(request) {
          const rows = definition.rows?.(bodyOf<F>(request)) ?? request.database.list(table, listed, { order });
          const isOmitting = definition.listsDisabledOnRequest === true && request.dialects.disabled === "all";
          const shown = isOmitting && !isFlagSet(request.query, "include_disabled") ? rows.filter(isEnabled) : rows;
          return ok({ [key]: shown.map((row) => present(request, row)) });
        },
      });
    },
    create() {
      const createdSchema = schemaOfOne(resource.createdSchema);
      return endpoint({
        ...operationOf(definition, "create"),
        ...body("create"),
        ...ofOne,
        responses: existing === undefined ? { 201: createdSchema } : { 201: createdSchema, 200: schema },
        handle(anyRequest) {
          const request = bodyOf<F>(anyRequest);
          const before = existing?.(request);
          if (before !== undefined) return ok(bodyOfOne(present(request, updateRow(definition, request, before))));
          return created(bodyOfOne(resource.presentCreated(request, createRow(definition, request))));
        },
      });
    },
    get: () =>
      endpoint({
        ...operationOf(definition, "get"),
        ...ofOne,
        responses: { 200: schema },
        handle: (request) => ok(bodyOfOne(present(request, find(request)))),
      }),
    update: () =>
      endpoint({
        ...operationOf(definition, "update"),
        ...body("update"),
        ...ofOne,
        responses: { 200: schema },
        handle: (request) => {
          return ok(bodyOfOne(present(request, updateRow(definition, bodyOf<F>(request), find(request)))));
        },
      }),
    delete: () =>
      endpoint({
        ...operationOf(definition, "delete"),
        ...body("delete"),
        responses: { 204: null },
        handle(request) {
          removeRow(definition, bodyOf<F>(request), find(request));
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
  "method" | "path" | "operationId" | "summary" | "requiredAbility" | "query" | "errors"
>;

function operationOf<F extends ResourceFields, C extends ComputedProperties>(
  definition: ResourceDefinition<F, C>,
  operation: ResourceOperation,
): OperationFacts {
  const { title, path, creationPath, ability, address, summaries, errors = {}, scopeQuery } = definition;
  const query =
    definition.listsDisabledOnRequest === true ? { ...includeDisabled, ...definition.query } : definition.query;
  const [method, action] = methods[operation];
  const collection = operation === "create" ? (creationPath ?? `/${path}`) : `/${path}`;
  const parameters = operation === "list" ? { ...scopeQuery, ...query } : { ...scopeQuery };
  return {
    method,
    path: operation === "list" || operation === "create" ? collection : `/${path}/:${address}`,
    operationId: `${operation}${operation === "list" ? pascalCase(path) : title}`,
    summary: summaries[operation] ?? "",
    requiredAbility: `${ability}.${action}`,
    ...(Object.keys(parameters).length === 0 ? {} : { query: parameters }),
    errors: errors[operation] ?? [],
  };
}

const includeDisabled = { include_disabled: { type: "boolean", description: "Lists disabled ones too." } } as const;

/** Whether a row is not disabled. */
function isEnabled(row: object): boolean {
  return !("enabled" in row) || row.enabled !== false;
}

/** The request with the body's type: the schema, by which the body has been validated, is of the same fields. */
function bodyOf<F extends ResourceFields>(request: RequestContext<unknown>): ResourceRequest<F> {
  return request as ResourceRequest<F>;
}

function findRow<F extends ResourceFields, C extends ComputedProperties>(
  definition: ResourceDefinition<F, C>,
  request: RequestContext<unknown>,
): RowOf<F> {
  const { table, address } = definition;
  if (definition.find !== undefined) return definition.find(bodyOf<F>(request));
  return requireFound(request.database.find(table, { [address]: request.param(address) } as Partial<RowOf<F>>));
}

function loadRows<F extends ResourceFields, C extends ComputedProperties>(
  load: ReplicaLoad,
  definition: ResourceDefinition<F, C>,
): void {
  const { path, table, fields, listed } = definition;
  const live = rowsAt(load, `/${path}`);
  if (live === undefined) return;
  const noun = path.replace(/[_/]/g, " ");
  const rows = live.map((each, index) => {
    return liveRow(load, fields, each, noun, definition.computeLive?.(load, each, index, live.length) ?? {});
  });
  const { service } = load;
  const initialRows = service.database.list(table, listed);
  service.database.remove(table, listed ?? {});
  for (const row of initialRows) definition.afterRemove?.(service, row);
  service.database.insert(table, ...rows);
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

/** The rows of a resource, in its order. `present` returns the properties of a response. */
function listedResource<F extends ResourceFields, C extends ComputedProperties>(
  { path, table, order = "rowid", listed: where }: ResourceDefinition<F, C>,
  present: (scope: ResponseScope, row: RowOf<F>) => Fields,
): ListedResource {
  const listed = (scope: ResponseScope, row: RowOf<F>): ListedRow => ({ id: row.id, properties: present(scope, row) });
  return {
    path,
    count: (database) => database.count(table, where),
    list: (scope, limit) => scope.database.list(table, where, { order, limit }).map((row) => listed(scope, row)),
    find(scope, id) {
      const row = scope.database.find(table, { id } as Partial<RowOf<F>>);
      return row === undefined ? undefined : listed(scope, row);
    },
  };
}
