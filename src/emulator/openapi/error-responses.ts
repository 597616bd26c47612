/** The error responses of a document. */

import type { Fields } from "../../core/json.ts";
import { type ErrorStatus, errorSchema, type HttpErrorType } from "../http/http-error.ts";
import type { SchemaComponents } from "./components.ts";
import { exampleOf } from "./example.ts";

interface ErrorDefinition {
  /** The name of the response below `components/responses`. */
  readonly name: string;
  readonly description: string;
  readonly type: HttpErrorType;
  /** The message of the example. */
  readonly message: string;
}

const errors: { readonly [Status in ErrorStatus]: ErrorDefinition } = {
  400: {
    name: "BadRequest",
    description: "A required parameter is missing, or the body cannot be read.",
    type: "bad_request",
    message: "param is missing or the value is empty: name",
  },
  401: {
    name: "Unauthorized",
    description: "The token is missing, invalid, expired or deactivated.",
    type: "unauthorized",
    message: "The token is missing, invalid, expired or deactivated",
  },
  403: {
    name: "Forbidden",
    description: "The token lacks the permission, or the workspace has turned access off.",
    type: "forbidden",
    message: "This token may not create incidents",
  },
  404: {
    name: "NotFound",
    description: "The resource does not exist in the workspace, or a named person matches nobody.",
    type: "not_found",
    message: "Resource not found",
  },
  409: {
    name: "Conflict",
    description: "The resource was changed after the version that the request names.",
    type: "stale_content",
    message: "The postmortem was edited after that version; read it again and reapply",
  },
  422: {
    name: "Unprocessable",
    description: "The data is invalid, or the state of the resource does not allow the change.",
    type: "validation_error",
    message: "Validation failed: name can't be blank",
  },
  429: {
    name: "TooManyRequests",
    description: "The token has sent more requests in this minute than the limit.",
    type: "rate_limit_exceeded",
    message: "More than 1000 requests in this minute",
  },
};

const otherErrors: ErrorDefinition = {
  name: "OtherError",
  description:
    "Any other error: 405 for a method that the path does not take, 413 for a body and 414 for an address that is too large, and 500 for a failure of the service.",
  type: "internal_error",
  message: "The emulator failed; its log has the error",
};

/** The responses of an operation with these errors, by status. `default` stands for all others. */
export function errorReferences(statuses: readonly ErrorStatus[]): Fields {
  const sorted = [...new Set(statuses)].sort((left, right) => left - right);
  return Object.fromEntries([
    ...sorted.map((status) => [String(status), reference(errors[status])]),
    ["default", reference(otherErrors)],
  ]);
}

/** The named parts of a document for errors: the responses, and the header that every response has. */
export function errorComponents(components: SchemaComponents): {
  readonly responses: Fields;
  readonly headers: Fields;
} {
  const schema = components.add(errorSchema);
  const definitions = [...Object.values(errors), otherErrors];
  const responses = definitions.map((definition): [string, Fields] => [
    definition.name,
    {
      description: definition.description,
      headers: { "X-Request-Id": { $ref: "#/components/headers/RequestId" } },
      content: { "application/json": { schema, example: example(definition) } },
    },
  ]);
  return {
    headers: {
      RequestId: {
        description: "The id of the request, which the error object repeats.",
        schema: { type: "string", format: "uuid" },
      },
    },
    responses: Object.fromEntries(responses),
  };
}

function reference({ name }: ErrorDefinition): Fields {
  return { $ref: `#/components/responses/${name}` };
}

function example({ type, message }: ErrorDefinition): Fields {
  const errors = type === "validation_error" ? { errors: [{ field: "name", message: "can't be blank" }] } : {};
  return { error: { type, message, request_id: exampleOf({ type: "string", format: "uuid" }), ...errors } };
}
