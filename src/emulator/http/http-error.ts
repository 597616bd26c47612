/** Errors that a module throws to respond with the interface's error object. */

import { randomUUID } from "node:crypto";
import type { OutgoingResponse } from "./exchange.ts";
import { listOf, objectSchema, uuid } from "./response-schema.ts";
import type { SchemaValue, ValueSchema } from "./value-schema.ts";

/** One invalid field of a validation error. Errors about form answers have no field. */
export interface InvalidField {
  readonly field?: string;
  readonly message: string;
}

/** The machine-readable class of an error. */
export type HttpErrorType = (typeof errorTypes)[number];

/** The status of an error that an endpoint lists. Every endpoint can also fail with the other errors. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 422 | 429;

const errorTypes = [
  "bad_request",
  "unauthorized",
  "forbidden",
  "transcript_access_disabled",
  "not_found",
  "method_not_allowed",
  "stale_content",
  "payload_too_large",
  "unsupported_media_type",
  "validation_error",
  "version_required",
  "incident_not_active",
  "rate_limit_exceeded",
  "internal_error",
] as const;

const invalidField = objectSchema(
  "InvalidField",
  { field: { type: "string", description: "Absent for an error about a form answer." }, message: { type: "string" } },
  { optional: ["field"] },
);

const errorObject = objectSchema(
  "ErrorObject",
  {
    type: { type: "string", enum: errorTypes, description: "The machine-readable class." },
    message: { type: "string" },
    request_id: uuid,
    errors: { ...listOf(invalidField), description: "One for each invalid field; validation errors only." },
  },
  { optional: ["errors"] },
);

const errorBody = objectSchema("Error", { error: errorObject });

/** The schema of every error response. */
export const errorSchema: ValueSchema = errorBody;

/** Thrown anywhere in a request: the transaction is rolled back, and the response is the error object. */
export class HttpError extends Error {
  readonly status: number;
  readonly type: HttpErrorType;
  /** The invalid fields; undefined if the error object has no `errors`. */
  readonly errors: readonly InvalidField[] | undefined;
  /** Headers of the response besides those that every response has, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    type: HttpErrorType,
    message: string,
    errors?: readonly InvalidField[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.type = type;
    this.errors = errors;
    this.headers = headers;
  }
}

/** 400: a required parameter is missing or unreadable. */
export function badRequest(message: string): HttpError {
  return new HttpError(400, "bad_request", message);
}

/** 404: the resource does not exist in the workspace. The message never names it. */
export function notFound(): HttpError {
  return new HttpError(404, "not_found", "Resource not found");
}

/** The value. Throws 404 if there is none. */
export function requireFound<Value>(value: Value | undefined): Value {
  if (value === undefined) throw notFound();
  return value;
}

/** 422: the data is invalid, with one error for each field. The message of an error about `base`, the whole resource, names no field. */
export function validationError(...errors: readonly InvalidField[]): HttpError {
  const sentences = errors.map(({ field = "base", message }) => (field === "base" ? message : `${field} ${message}`));
  return new HttpError(422, "validation_error", `Validation failed: ${sentences.join(", ")}`, errors);
}

/** 422: the request breaks a rule. Only the message gives the reason. */
export function unprocessable(message: string): HttpError {
  return new HttpError(422, "validation_error", message);
}

/** The response with the error object, under a new request id. */
export function errorResponse({ status, type, message, errors, headers }: HttpError): OutgoingResponse {
  const id = randomUUID();
  const error = { type, message, request_id: id, ...(errors === undefined ? {} : { errors }) };
  const body: SchemaValue<typeof errorBody> = { error };
  const response = jsonResponse(status, body, id);
  return { ...response, headers: { ...response.headers, ...headers } };
}

/** A JSON response with the headers that every response has. */
export function jsonResponse(status: number, body: unknown, requestId: string): OutgoingResponse {
  return {
    status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": requestId,
    },
    body: JSON.stringify(body),
  };
}
