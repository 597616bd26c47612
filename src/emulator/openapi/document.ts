/** OpenAPI 3.1 documents, made from operations with the schemas that validate their bodies and type their responses. */

import type { Fields, Json } from "../../core/json.ts";
import type { ErrorStatus } from "../http/http-error.ts";
import type { BodySchema, ValueSchema } from "../http/value-schema.ts";
import { SchemaComponents } from "./components.ts";
import { errorComponents, errorReferences } from "./error-responses.ts";
import { exampleOf } from "./example.ts";

/** One operation of a document. */
export interface DocumentOperation {
  /** The name of the operation, from which generators make the name of a method. Unique in the document. */
  readonly operationId: string;
  readonly method: string;
  /** The path below the document's base path, with parameters as `:name`. */
  readonly path: string;
  readonly tag: string;
  /** One sentence. */
  readonly summary: string;
  readonly description?: string;
  readonly query?: { readonly [name: string]: ValueSchema };
  readonly body?: BodySchema;
  /** The schemas of successful responses, by status; null for an empty body. */
  readonly responses: { readonly [status: number]: ValueSchema | null };
  /** The statuses of its errors. */
  readonly errors: readonly ErrorStatus[];
  /** Further members of the operation, with names that begin with `x-`. */
  readonly extensions?: Fields;
}

/** One webhook of a document. */
export interface WebhookOperation {
  readonly name: string;
  readonly summary: string;
  readonly headers: { readonly [name: string]: ValueSchema };
  readonly body: ValueSchema;
}

/** The parts of a document. */
export interface DocumentParts {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  /** The path before those of the operations, such as /api/v1. */
  readonly basePath: string;
  /** The description of the bearer token. */
  readonly tokenDescription: string;
  /** Descriptions of the tags, in order. */
  readonly tags: { readonly [name: string]: string };
  /** The schemas of path parameters, by name; other ones are strings. */
  readonly parameters: { readonly [name: string]: ValueSchema };
  readonly operations: readonly DocumentOperation[];
  readonly webhooks?: readonly WebhookOperation[];
  /** Named schemas that no operation refers to. */
  readonly schemas?: readonly ValueSchema[];
}

/** The document. Throws if an operation has an unknown tag, or if two schemas have the same title. */
export function openapiDocument(parts: DocumentParts): Fields {
  const components = new SchemaComponents();
  const paths = [...new Set(parts.operations.map(({ path }) => path))].sort();
  const items = paths.map((path): [string, Fields] => [
    `${parts.basePath}${path.replace(/:(\w+)/g, "{$1}")}`,
    pathItem(components, parts, path),
  ]);
  const webhooks = (parts.webhooks ?? []).map((webhook): [string, Fields] => [
    webhook.name,
    webhookItem(components, webhook),
  ]);
  const shared = errorComponents(components);
  for (const schema of parts.schemas ?? []) components.add(schema);
  return {
    openapi: "3.1.0",
    info: { ...parts.info, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    tags: Object.entries(parts.tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(items),
    ...(webhooks.length === 0 ? {} : { webhooks: Object.fromEntries(webhooks) }),
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: parts.tokenDescription } },
      ...shared,
      schemas: components.all,
    },
  };
}

function pathItem(components: SchemaComponents, parts: DocumentParts, path: string): Fields {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const parameters = names.map((name) => parameter(components, name, "path", parts.parameters[name] ?? stringSchema));
  const operations = parts.operations
    .filter((operation) => operation.path === path)
    .map((operation): [string, Fields] => [
      operation.method.toLowerCase(),
      operationObject(components, parts, operation),
    ]);
  return { ...(parameters.length === 0 ? {} : { parameters }), ...Object.fromEntries(operations) };
}

const stringSchema: ValueSchema = { type: "string" };

function operationObject(components: SchemaComponents, parts: DocumentParts, operation: DocumentOperation): Fields {
  const { operationId, tag, summary, description, body, responses, errors, extensions = {} } = operation;
  if (!Object.hasOwn(parts.tags, tag))
    throw new Error(`${operationId} has the tag ${tag}, which has no sentence in tags`);
  const query = Object.entries(operation.query ?? {});
  const successes = Object.entries(responses).map(([status, schema]): [string, Fields] => [
    status,
    success(components, operation, Number(status), schema),
  ]);
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    ...extensions,
    ...(query.length === 0
      ? {}
      : { parameters: query.map(([name, schema]) => parameter(components, name, "query", schema)) }),
    ...(body === undefined ? {} : { requestBody: requestBody(components, operationId, body) }),
    responses: { ...Object.fromEntries(successes), ...errorReferences(errors) },
  };
}

function parameter(
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
  { method, responses }: DocumentOperation,
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

function jsonContent(components: SchemaComponents, schema: ValueSchema): Fields {
  const example: Json = exampleOf(schema);
  return { "application/json": { schema: components.add(schema), example } };
}

function webhookItem(components: SchemaComponents, { name, summary, headers, body }: WebhookOperation): Fields {
  const words = name.split(/[._]/).map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return {
    post: {
      operationId: `receive${words.join("")}`,
      summary,
      tags: ["webhooks"],
      parameters: Object.entries(headers).map(([header, schema]) => parameter(components, header, "header", schema)),
      requestBody: { required: true, content: jsonContent(components, body) },
      responses: {
        "2XX": { description: "The delivery is done." },
        default: { description: "The delivery is tried again, up to three times in all." },
      },
      security: [],
    },
  };
}
