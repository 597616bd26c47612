/** The OpenAPI 3.1 document of the interface, generated from the endpoints of all modules and the schemas of their bodies. */

import type { Fields } from "../../core/json.ts";
import { allModules as everyModule } from "../modules/all-modules.ts";
import type { EndpointMethod, ServedEndpoint, ServiceModule } from "../modules/module.ts";
import type { ValueSchema } from "./body-schema.ts";

const basePath = "/api/v1";

/** Descriptions of a successful response, by method. */
const successes: { readonly [Name in EndpointMethod]: string } = {
  GET: "What was asked for.",
  POST: "What was made, or what came of it.",
  PATCH: "The entry as it is now.",
  DELETE: "Nothing: the entry is gone.",
};

/** The document: every path, parameter and request body. Of the responses, only the error object has a schema. */
export function openapi(modules: readonly ServiceModule[] = everyModule): Fields {
  const endpoints = modules.flatMap((module) => module.endpoints);
  const paths = [...new Set(endpoints.map(({ path }) => path))].sort();
  return {
    openapi: "3.1.0",
    info: {
      title: "Incident management service",
      version: "1",
      description: "The interface as the emulator serves it.",
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    paths: Object.fromEntries(paths.map((path) => [openapiPath(path), pathItem(endpoints, path)])),
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "A service key, an agent's token or a personal token." },
      },
      schemas: { Error: errorSchema },
      responses: {
        Error: {
          description: "A refusal.",
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
        },
      },
    },
  };
}

const errorSchema: Fields = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["type", "message", "request_id"],
      properties: {
        type: { type: "string" },
        message: { type: "string" },
        request_id: { type: "string", format: "uuid" },
        errors: {
          type: "array",
          items: {
            type: "object",
            required: ["message"],
            properties: { field: { type: "string" }, message: { type: "string" } },
          },
        },
      },
    },
  },
};

/** The path in OpenAPI's notation: `/incidents/:id` is `/api/v1/incidents/{id}`. */
function openapiPath(path: string): string {
  return `${basePath}${path.replace(/:(\w+)/g, "{$1}")}`;
}

function pathItem(endpoints: readonly ServedEndpoint[], path: string): Fields {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const parameters = names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
  const operations = endpoints
    .filter((endpoint) => endpoint.path === path)
    .map((endpoint): [string, Fields] => [endpoint.method.toLowerCase(), operation(endpoint)]);
  return { ...(parameters.length === 0 ? {} : { parameters }), ...Object.fromEntries(operations) };
}

function operation({ method, path, summary, requiredAbility: needs, query = {}, body }: ServedEndpoint): Fields {
  const parameters = Object.entries(query).map(([name, { description, ...schema }]) => {
    return { name, in: "query", ...(description === undefined ? {} : { description }), schema: toJsonSchema(schema) };
  });
  const [tag = ""] = path.slice(1).split("/");
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[/:]+(\w)/g, (_found, letter: string) => letter.toUpperCase())}`,
    summary,
    description: needs === "token" ? "Any token that works may do this." : `The token needs the ability ${needs}.`,
    tags: [tag],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { content: { "application/json": { schema: toJsonSchema(body) } } } }),
    responses: { "2XX": { description: successes[method] }, default: { $ref: "#/components/responses/Error" } },
  };
}

/** A copy with the type of JSON; the schema itself is JSON Schema already. */
function toJsonSchema(schema: ValueSchema): Fields {
  return JSON.parse(JSON.stringify(schema));
}
