/** Errors of the service: a refused request, or one that needs an approval first. */

import { EXIT } from "../../core/exit-codes.ts";
import { defined, type Fields, isFields, type Json, objectsIn } from "../../core/json.ts";

/** Method and path of a request. */
export interface RequestLine {
  readonly method: string;
  /** Without host and query. */
  readonly path: string;
}

/** One failing field of a validation error; without `field`, the error concerns no single field. */
export interface FieldError {
  readonly field?: string;
  readonly message: string;
}

/** The error object of the interface (heading "Errors"). */
export interface ErrorObject {
  readonly type?: string;
  readonly message: string;
  readonly requestId?: string;
  readonly errors: readonly FieldError[];
}

/** Error for a response with an error status. Its texts come from the service and are not yet made safe for a terminal. */
export class ServiceError extends Error {
  readonly request: RequestLine;
  readonly status: number;
  /** The service's class of the error; undefined if the response has no error object. */
  readonly type: string | undefined;
  readonly requestId: string | undefined;
  readonly errors: readonly FieldError[];
  /** Seconds that the service asks to wait. */
  readonly retryAfterSeconds: number | undefined;

  constructor(request: RequestLine, status: number, error: ErrorObject, retryAfterSeconds?: number) {
    super(error.message);
    this.name = "ServiceError";
    this.request = request;
    this.status = status;
    this.type = error.type;
    this.requestId = error.requestId;
    this.errors = error.errors;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The response is the interface's own: it has an error object with a type and a request id. A gateway's page has not. */
  get isFromService(): boolean {
    return this.type !== undefined && this.requestId !== undefined;
  }

  /** The error without the words of the service, which may repeat what the request had. */
  withoutWords(instead: string): ServiceError {
    const errors = this.errors.map(({ message: _message, ...field }) => ({ ...field, message: "is not valid" }));
    const { request, status, type, requestId, retryAfterSeconds } = this;
    return new ServiceError(
      request,
      status,
      { message: instead, errors, ...defined({ type, requestId }) },
      retryAfterSeconds,
    );
  }

  /** Exit code for an error before the first write: 6 for a refused token, else 1. */
  get exitCode(): number {
    return this.status === 401 || this.status === 403 ? EXIT.cannotSee : EXIT.error;
  }
}

/** Error for a write that waits for an approval. Nothing has happened yet; sending the same bytes after the approval carries it out. */
export class ApprovalPending extends Error {
  readonly request: RequestLine;
  readonly approvalId: string;
  readonly requestId: string | undefined;

  constructor(request: RequestLine, approvalId: string, error: ErrorObject) {
    super(error.message);
    this.name = "ApprovalPending";
    this.request = request;
    this.approvalId = approvalId;
    this.requestId = error.requestId;
  }
}

/** Most characters of a text and of a name in an error. */
const LONGEST_TEXT = 2_000;
const LONGEST_NAME = 200;
/** Most failing fields of an error. */
const MOST_FIELDS = 100;

/** Returns the error object in a body, its texts truncated; undefined without one. */
export function errorObject(body: Json | undefined): ErrorObject | undefined {
  const error = isFields(body) ? body.error : undefined;
  if (!isFields(error) || typeof error.message !== "string") return undefined;
  const errors = objectsIn(error.errors);
  return {
    message: cut(error.message, LONGEST_TEXT),
    errors: errors.slice(0, MOST_FIELDS).map(fieldError),
    ...(typeof error.type === "string" ? { type: cut(error.type, LONGEST_NAME) } : {}),
    ...(typeof error.request_id === "string" ? { requestId: cut(error.request_id, LONGEST_NAME) } : {}),
  };
}

function fieldError(item: Fields): FieldError {
  const message = typeof item.message === "string" ? cut(item.message, LONGEST_TEXT) : "is not valid";
  return typeof item.field === "string" ? { field: cut(item.field, LONGEST_NAME), message } : { message };
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
