/** A refusal: what a room throws to answer with the interface's error object instead of a result. */

import { randomUUID } from "node:crypto";
import type { Reply } from "./exchange.ts";

/** One failing field of a validation error; answers to a form carry no field. */
export interface FieldError {
  readonly field?: string;
  readonly message: string;
}

/** The machine-readable class of an error. */
export type RefusalType =
  | "bad_request"
  | "unauthorized"
  | "forbidden"
  | "transcript_access_disabled"
  | "not_found"
  | "method_not_allowed"
  | "stale_content"
  | "payload_too_large"
  | "unsupported_media_type"
  | "validation_error"
  | "version_required"
  | "incident_not_active"
  | "rate_limit_exceeded"
  | "internal_error";

/** Thrown anywhere in a request: the transaction is rolled back and the error object is the answer. */
export class Refusal extends Error {
  readonly status: number;
  readonly type: RefusalType;
  /** The failing fields; undefined where the error object has no `errors`. */
  readonly errors: readonly FieldError[] | undefined;

  constructor(status: number, type: RefusalType, message: string, errors?: readonly FieldError[]) {
    super(message);
    this.status = status;
    this.type = type;
    this.errors = errors;
  }
}

/** 400: a required parameter is missing or cannot be read. */
export function badRequest(message: string): Refusal {
  return new Refusal(400, "bad_request", message);
}

/** 404: the resource does not exist in the workspace. The message never says what was looked for. */
export function notFound(): Refusal {
  return new Refusal(404, "not_found", "Resource not found");
}

/** 422: the data is invalid, with one error per failing field. */
export function invalid(...errors: readonly FieldError[]): Refusal {
  const sentences = errors.map(({ field, message }) => (field === undefined ? message : `${field} ${message}`));
  return new Refusal(422, "validation_error", `Validation failed: ${sentences.join(", ")}`, errors);
}

/** 422: well-formed, but a rule forbids it; the reason is in the message alone. */
export function refused(message: string): Refusal {
  return new Refusal(422, "validation_error", message);
}

/** The error object as a reply, with a request id of its own. */
export function refusalReply(refusal: Refusal): Reply {
  const { status, type, message, errors } = refusal;
  const id = randomUUID();
  const error = { type, message, request_id: id, ...(errors === undefined ? {} : { errors }) };
  return jsonReply(status, { error }, id);
}

/** A reply of JSON with the headers that every answer of the service carries. */
export function jsonReply(status: number, body: unknown, requestId: string): Reply {
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
