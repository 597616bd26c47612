/** The OpenAPI 3.1 document of the control surface, generated from its endpoints. */

import type { Fields } from "../../core/json.ts";
import { closedSchema } from "../http/body-schema.ts";
import type { ValueSchema } from "../http/value-schema.ts";
import type { ControlEndpoint } from "./control-endpoint.ts";

/** The document: every path, parameter, body and response. */
export function controlDocument(endpoints: readonly ControlEndpoint[]): Fields {
  const paths = [...new Set(endpoints.map(({ path }) => path))].sort();
  return {
    openapi: "3.1.0",
    info: {
      title: "Control surface of the emulator",
      version: "1",
      description: "Prepares and observes an emulated service. An unknown parameter is refused.",
    },
    servers: [{ url: "/" }],
    security: [{ control_key: [] }],
    paths: Object.fromEntries(paths.map((path) => [openapiPath(path), pathItem(endpoints, path)])),
    components: {
      securitySchemes: {
        control_key: {
          type: "http",
          scheme: "bearer",
          description: "INCIDENTCTL_CONTROL_KEY, as the emulator prints it.",
        },
      },
      responses: {
        Error: {
          description: "An error, in the error object of the interface.",
          content: { "application/json": { schema: errorSchema } },
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
        errors: { type: "array", items: { type: "object" } },
      },
    },
  },
};

/** The path in OpenAPI's notation: `/faults/:id` is `/control/faults/{id}`. */
function openapiPath(path: string): string {
  return `/control${path.replace(/:(\w+)/g, "{$1}")}`;
}

function pathItem(endpoints: readonly ControlEndpoint[], path: string): Fields {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const parameters = names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
  const operations = endpoints
    .filter((endpoint) => endpoint.path === path)
    .map((endpoint): [string, Fields] => [endpoint.method.toLowerCase(), operation(endpoint)]);
  return { ...(parameters.length === 0 ? {} : { parameters }), ...Object.fromEntries(operations) };
}

function operation({ method, path, summary, query = {}, body, status, response }: ControlEndpoint): Fields {
  const parameters = Object.entries(query).map(([name, { description = "", ...schema }]) => {
    return { name, in: "query", description, schema: toJsonSchema(schema) };
  });
  const [tag = ""] = path.slice(1).split("/");
  const success = {
    description: response === undefined ? "Done." : "The result.",
    ...(response === undefined ? {} : { content: { "application/json": { schema: toJsonSchema(response) } } }),
  };
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[/:.-]+(\w)/g, (_found, letter: string) => letter.toUpperCase())}`,
    summary,
    tags: [tag],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBody(body) }),
    responses: { [status]: success, default: { $ref: "#/components/responses/Error" } },
  };
}

function requestBody(body: ValueSchema): Fields {
  const isRequired = (body.required ?? []).length > 0;
  return { required: isRequired, content: { "application/json": { schema: closedSchema(body) } } };
}

/** A copy with the type of JSON; the schema itself is JSON Schema already. */
function toJsonSchema(schema: ValueSchema): Fields {
  return JSON.parse(JSON.stringify(schema));
}
