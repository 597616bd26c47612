/** The operations of the OpenAPI document, made from endpoints with the schemas that validate their bodies and type their responses. */

import type { Fields } from "../../core/json.ts";
import type { Dialects } from "../dialects.ts";
import type { ErrorStatus } from "../http/http-error.ts";
import { parametersOf } from "../http/match-path.ts";
import { schemaInDialect } from "../http/response-schema.ts";
import type { BodySchema, ValueSchema } from "../http/value-schema.ts";
import type { ServedEndpoint } from "../service/module.ts";
import type { SchemaComponents } from "./components.ts";
import { errorReferences } from "./error-responses.ts";
import { exampleOf } from "./example.ts";

/** The schemas of path parameters. Every other one is a string. */
const pathParameters: { readonly [name: string]: ValueSchema } = {
  id: { type: "string", description: "The id." },
  slug: { type: "string", description: "The slug; of an alert source, the endpoint path." },
  prefix: { type: "string", description: "The first twelve characters of the token." },
  priority: { type: "integer", minimum: 1, description: "The priority of the rule within its scope." },
  item_id: { type: "string", description: "The id of the action item." },
  note_id: { type: "string", description: "The id of the timeline event." },
};

/** The item of a path with the operations of its endpoints, in the dialects of an emulator. */
export function pathItem(
  components: SchemaComponents,
  path: string,
  endpoints: readonly ServedEndpoint[],
  dialects: Dialects,
): Fields {
  const parameters = parametersOf(path).map((name) => {
    return parameter(components, name, "path", pathParameters[name] ?? { type: "string" });
  });
  const operations = endpoints.map((endpoint): [string, Fields] => [
    endpoint.method.toLowerCase(),
    operation(components, endpoint, dialects),
  ]);
  return { ...(parameters.length === 0 ? {} : { parameters }), ...Object.fromEntries(operations) };
}

/** The tag of an endpoint: the first part of its path. */
export function tagOf({ path }: ServedEndpoint): string {
  return path.split("/")[1] ?? "";
}

function operation(components: SchemaComponents, endpoint: ServedEndpoint, dialects: Dialects): Fields {
  const { operationId, summary, requiredAbility, query = {}, body, responses, member } = endpoint;
  const successes = Object.entries(responses).map(([status, schema]): [string, Fields] => {
    const own = schema === null ? null : schemaInDialect(schema, dialects, member);
    return [status, success(components, endpoint, Number(status), own)];
  });
  const parameters = Object.entries(query).map(([name, schema]) => parameter(components, name, "query", schema));
  return {
    operationId,
    summary,
    description: requiredAbility === "token" ? "Any valid token." : `The token needs the ability ${requiredAbility}.`,
    tags: [tagOf(endpoint)],
    "x-required-ability": requiredAbility,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBody(components, operationId, body) }),
    responses: { ...Object.fromEntries(successes), ...errorReferences(errorsOf(endpoint)) },
  };
}

/** The errors that the endpoint lists, and those that every endpoint of its kind can have. */
function errorsOf({ method, path, requiredAbility, errors = [] }: ServedEndpoint): readonly ErrorStatus[] {
  return [
    401,
    // Of every request: a text with the character U+0000 is refused, in the query too.
    422,
    429,
    ...(requiredAbility === "token" ? [] : ([403] as const)),
    ...(path.includes(":") ? ([404] as const) : []),
    // The body of every request but a GET is read.
    ...(method === "GET" ? [] : ([400] as const)),
    ...errors,
  ];
}

/** A parameter of an operation. Only one of the query can be absent. */
export function parameter(
  components: SchemaComponents,
  name: string,
  place: "path" | "query" | "header",
  { description, ...schema }: ValueSchema,
): Fields {
  return {
    name,
    in: place,
    ...(place === "query" ? {} : { required: true }),
    ...(description === undefined ? {} : { description }),
    schema: components.add(schema),
  };
}

function requestBody(components: SchemaComponents, operationId: string, body: BodySchema): Fields {
  const title = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`;
  return {
    required: (body.required ?? []).length > 0,
    content: jsonContent(components, { title, ...body }),
  };
}

function success(
  components: SchemaComponents,
  { method, responses }: ServedEndpoint,
  status: number,
  schema: ValueSchema | null,
): Fields {
  const exists = method === "POST" && responses[201] !== undefined;
  const descriptions: { readonly [status: number]: string } = {
    200: method === "GET" ? "The response." : exists ? "It exists already; this is its state." : "The new state.",
    201: "Created.",
    204: "Done; the body is empty.",
  };
  return {
    description: descriptions[status] ?? "Done.",
    headers: { "X-Request-Id": { $ref: "#/components/headers/RequestId" } },
    ...(schema === null ? {} : { content: jsonContent(components, schema) }),
  };
}

/** Content in JSON, with an example. */
export function jsonContent(components: SchemaComponents, schema: ValueSchema): Fields {
  return { "application/json": { schema: components.add(schema), example: exampleOf(schema) } };
}
