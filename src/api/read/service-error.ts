/** What the service says when it does not do what was asked: a refusal, or that somebody must approve it first. */

import { EXIT } from "../../core/exit-codes.ts";
import { type Fields, isFields, isList, type Json } from "../../core/json.ts";

/** The request that an error is about. */
export interface Asked {
  readonly method: string;
  /** Without host and query. */
  readonly path: string;
}

/** One failing field of a validation error; the service leaves the field out where none is to blame. */
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

/** An answer with an error status. Its texts come from the service and are not yet made safe for a terminal. */
export class ServiceError extends Error {
  readonly asked: Asked;
  readonly status: number;
  /** The class that the service names; undefined when the answer is not its error object. */
  readonly type: string | undefined;
  readonly requestId: string | undefined;
  readonly errors: readonly FieldError[];
  /** How long the service asks to wait. */
  readonly retryAfterSeconds: number | undefined;

  constructor(asked: Asked, status: number, error: ErrorObject, retryAfterSeconds?: number) {
    super(error.message);
    this.name = "ServiceError";
    this.asked = asked;
    this.status = status;
    this.type = error.type;
    this.requestId = error.requestId;
    this.errors = error.errors;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Of an error that ended a command before anything was written: 6 for a refused token, else 1. */
  get exitCode(): number {
    return this.status === 401 || this.status === 403 ? EXIT.cannotSee : EXIT.error;
  }
}

/** The write waits for somebody's approval: nothing has happened yet, and it happens when the same bytes are sent again. */
export class ApprovalPending extends Error {
  readonly asked: Asked;
  readonly approvalId: string;
  readonly requestId: string | undefined;

  constructor(asked: Asked, approvalId: string, error: ErrorObject) {
    super(error.message);
    this.name = "ApprovalPending";
    this.asked = asked;
    this.approvalId = approvalId;
    this.requestId = error.requestId;
  }
}

/** Characters of a text in an error, and of a name; what is longer is nothing that a person reads. */
const LONGEST_TEXT = 2_000;
const LONGEST_NAME = 200;
/** Failing fields that are told. */
const MOST_FIELDS = 100;

/** The error object in a body, its texts cut to what can be shown; undefined when the body is not one. */
export function errorObject(body: Json | undefined): ErrorObject | undefined {
  const error = isFields(body) ? body.error : undefined;
  if (!isFields(error) || typeof error.message !== "string") return undefined;
  const errors = isList(error.errors) ? error.errors.filter(isFields) : [];
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
