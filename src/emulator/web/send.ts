/**
 * Requests of a page. Those to the interface are sent like those of every other client: with token, log and faults. What the interface
 * does not have, such as a message in the channel, goes to the control surface.
 */

import { type Fields, fieldsIn, isFields, objectsIn, parseJson } from "../../core/json.ts";
import type { Control } from "../control/control.ts";
import { controlSurface } from "../control/control-handler.ts";
import type { Emulator } from "../emulator.ts";
import { ConnectionReset, type PlainRequest, plainRequestOf } from "../http/exchange.ts";

/** The response as a client gets it. */
export interface SentResponse {
  /** Null if a fault has reset the connection. */
  readonly status: number | null;
  readonly requestId: string | null;
  readonly text: string;
}

interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

/** Sends a request with a token to a path such as `/api/v1/incidents`. */
export function sendToService(
  { request }: Emulator,
  { token, ...sent }: SentRequest & { readonly token: string },
): Promise<SentResponse> {
  return send(request, token, sent);
}

/** Sends a request to a path such as `/control/people`. */
export function sendToControl(control: Control, sent: SentRequest): Promise<SentResponse> {
  return send(plainRequestOf(controlSurface(control)), control.key, sent);
}

async function send(request: PlainRequest, token: string, { method, path, body }: SentRequest): Promise<SentResponse> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  try {
    const url = new URL(path, "http://emulator").href;
    const response = await request(url, { method, headers, ...(body === undefined ? {} : { body }) });
    const parts: Uint8Array[] = [];
    for await (const part of response.body ?? []) parts.push(part);
    return {
      status: response.status,
      requestId: response.headers.get("x-request-id"),
      text: Buffer.concat(parts).toString("utf8"),
    };
  } catch (error) {
    if (error instanceof ConnectionReset) return { status: null, requestId: null, text: "" };
    throw error;
  }
}

/** A problem of an attempt. `field` is the interface's name of a field, such as `severity_id` or the slug of a custom field. */
export interface FieldProblem {
  readonly field?: string;
  readonly message: string;
}

/** The problems of a refusal: those of its fields, or its message. */
export function problemsOf(response: SentResponse): readonly FieldProblem[] {
  const errors = objectsIn(fieldsIn(jsonBody(response)?.error).errors);
  if (errors.length === 0) return [{ message: failureText(response) }];
  return errors.map(({ field, message }) => ({
    message: String(message),
    ...(field === undefined ? {} : { field: String(field) }),
  }));
}

/** The status and the message of an unsuccessful response. */
export function failureText(response: SentResponse): string {
  const { status } = response;
  if (status === null) return "The connection was reset, as after a fault.";
  const error = jsonBody(response)?.error;
  return `Status ${status}: ${isFields(error) ? String(error.message) : "the response has no error object"}`;
}

/** The body of a response as a JSON object; undefined if it is something else, as after a fault. */
export function jsonBody({ text }: SentResponse): Fields | undefined {
  const value = parseJson(text);
  return isFields(value) ? value : undefined;
}
