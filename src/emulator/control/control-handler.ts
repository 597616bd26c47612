/**
 * The handler of an emulator with a control surface: /control for holders of the key, everything else through log and
 * faults.
 */

import { randomUUID } from "node:crypto";
import type { Fields } from "../../core/json.ts";
import type { Application } from "../application.ts";
import { closedSchema, refuseUnknownMembers, refuseUnknownQuery, validateBody } from "../http/body-schema.ts";
import type { IncomingRequest, OutgoingResponse, RequestHandler } from "../http/exchange.ts";
import { errorResponse, HttpError, jsonResponse, notFound } from "../http/http-error.ts";
import { matchPath, openapiPath, parametersOf } from "../http/match-path.ts";
import { readJson } from "../http/request-body.ts";
import { isSameSecret } from "../http/same-secret.ts";
import type { ValueSchema } from "../http/value-schema.ts";
import { chatEndpoints } from "./chat-endpoints.ts";
import type { Control } from "./control.ts";
import { type ControlEndpoint, controlEndpoint } from "./control-endpoint.ts";
import { withFaultInjection } from "./fault-injection.ts";
import { anyObject } from "./response-schema.ts";
import { contentEndpoints, serviceEndpoints } from "./service-endpoints.ts";

const basePath = "/control";

/** Every endpoint of the control surface. */
export const controlEndpoints: readonly ControlEndpoint[] = [
  controlEndpoint("GET", "/control-openapi.json", "This document: the control surface as OpenAPI 3.1.", {
    response: anyObject,
    handle: () => controlOpenapi(),
  }),
  ...serviceEndpoints,
  ...contentEndpoints,
  ...chatEndpoints,
];

/** The OpenAPI 3.1 document of the control surface. */
export function controlOpenapi(): Fields {
  return controlDocument(controlEndpoints);
}

/** A handler that passes a request, with log and faults, to the application. */
export function withLogAndFaults(application: Application, { clock, log, faults }: Control): RequestHandler {
  return withFaultInjection(application, { now: clock.now, log, faults });
}

/** A handler that passes a request to the control surface or, with log and faults, to the application. */
export function withControlSurface(application: Application, control: Control): RequestHandler {
  const serviceHandler = withLogAndFaults(application, control);
  const controlHandler = controlSurface(control);
  return async (incoming) => {
    const { pathname } = incoming.url;
    const isControl = pathname === basePath || pathname.startsWith(`${basePath}/`);
    return isControl ? controlHandler(incoming) : serviceHandler(incoming);
  };
}

/** The handler of requests to /control. */
export function controlSurface(control: Control): RequestHandler {
  return (incoming) => handleControl(control, incoming, incoming.url.pathname.slice(basePath.length));
}

async function handleControl(control: Control, incoming: IncomingRequest, path: string): Promise<OutgoingResponse> {
  try {
    checkKey(control, incoming.headers.get("authorization") ?? "");
    const input = await readJson(incoming);
    for (const endpoint of controlEndpoints) {
      const parameters = endpoint.method === incoming.method ? matchPath(endpoint.path, path) : undefined;
      if (parameters === undefined) continue;
      const { searchParams } = incoming.url;
      refuseUnknownQuery(searchParams, Object.keys(endpoint.query ?? {}));
      refuseUnknownMembers(endpoint.body, input);
      const body = endpoint.body === undefined ? {} : validateBody(endpoint.body, input);
      const result = endpoint.handle({
        control,
        database: control.service.database,
        body,
        param: (name) => parameters.get(name) ?? "",
        query: (name) => searchParams.get(name) ?? undefined,
      });
      if (endpoint.response === undefined) return { status: endpoint.status, headers: {}, body: null };
      // The results are JSON values, but the types of some are interfaces.
      return jsonResponse(endpoint.status, result as Fields, randomUUID());
    }
    throw notFound();
  } catch (error) {
    if (error instanceof HttpError) return errorResponse(error);
    const message = error instanceof Error ? error.message : String(error);
    return errorResponse(new HttpError(500, "internal_error", message));
  }
}

/** Throws 401 unless the header contains the key. */
function checkKey(control: Control, header: string): void {
  if (isSameSecret(header, `Bearer ${control.key}`)) return;
  throw new HttpError(401, "unauthorized", "The control key is missing or wrong");
}

/** The document: every path, parameter, body and response. */
function controlDocument(endpoints: readonly ControlEndpoint[]): Fields {
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
    paths: Object.fromEntries(paths.map((path) => [`${basePath}${openapiPath(path)}`, pathItem(endpoints, path)])),
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

function pathItem(endpoints: readonly ControlEndpoint[], path: string): Fields {
  const parameters = parametersOf(path).map((name) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
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
