/** The OpenAPI 3.1 document of the interface, made of the routes of all rooms and of the shapes that check their bodies. */

import type { Fields } from "../../core/json.ts";
import { rooms as everyRoom } from "../rooms/all-rooms.ts";
import type { Method, Room, Route } from "../rooms/room.ts";
import type { Shape } from "./body-schema.ts";

const basePath = "/api/v1";

/** What a success of the method is answered with, as far as it is the same for every route. */
const successes: { readonly [Name in Method]: string } = {
  GET: "What was asked for.",
  POST: "What was made, or what came of it.",
  PATCH: "The entry as it is now.",
  DELETE: "Nothing: the entry is gone.",
};

/** The document. Every path, parameter and body is in it; of answers, only the error object has a schema. */
export function openapi(rooms: readonly Room[] = everyRoom): Fields {
  const routes = rooms.flatMap((room) => room.routes);
  const paths = [...new Set(routes.map(({ path }) => path))].sort();
  return {
    openapi: "3.1.0",
    info: {
      title: "Incident management service",
      version: "1",
      description: "The interface as the emulator serves it.",
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    paths: Object.fromEntries(paths.map((path) => [templateOf(path), pathItem(routes, path)])),
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

/** The path as OpenAPI writes it: `/incidents/:id` is `/api/v1/incidents/{id}`. */
function templateOf(path: string): string {
  return `${basePath}${path.replace(/:(\w+)/g, "{$1}")}`;
}

function pathItem(routes: readonly Route[], path: string): Fields {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const parameters = names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
  const operations = routes
    .filter((route) => route.path === path)
    .map((route): [string, Fields] => [route.method.toLowerCase(), operation(route)]);
  return { ...(parameters.length === 0 ? {} : { parameters }), ...Object.fromEntries(operations) };
}

function operation({ method, path, summary, needs, query = {}, body }: Route): Fields {
  const parameters = Object.entries(query).map(([name, { description, ...schema }]) => {
    return { name, in: "query", ...(description === undefined ? {} : { description }), schema: schemaOf(schema) };
  });
  const [tag = ""] = path.slice(1).split("/");
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[/:]+(\w)/g, (_found, letter: string) => letter.toUpperCase())}`,
    summary,
    description: needs === "token" ? "Any token that works may do this." : `The token needs the ability ${needs}.`,
    tags: [tag],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { content: { "application/json": { schema: schemaOf(body) } } } }),
    responses: { "2XX": { description: successes[method] }, default: { $ref: "#/components/responses/Error" } },
  };
}

/** A shape is a JSON Schema as it stands; only its type is narrower than JSON's. */
function schemaOf(shape: Shape): Fields {
  return JSON.parse(JSON.stringify(shape));
}
