/** Requests of a page to the interface, sent like those of every other client: with token, log and faults. */

import { type Fields, isFields, type Json } from "../../core/json.ts";
import type { Emulator } from "../emulator.ts";
import { ConnectionReset } from "../http/exchange.ts";

/** The response as a client gets it. */
export interface SentResponse {
  /** Null if a fault has reset the connection. */
  readonly status: number | null;
  readonly requestId: string | null;
  readonly text: string;
}

/** Sends a request with a token to a path such as `/api/v1/incidents`. */
export async function sendToService(
  emulator: Emulator,
  request: { readonly method: string; readonly path: string; readonly token: string; readonly body?: string },
): Promise<SentResponse> {
  const { method, path, token, body } = request;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  try {
    const url = new URL(path, "http://emulator").href;
    const response = await emulator.request(url, { method, headers, ...(body === undefined ? {} : { body }) });
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

/** The status and the message of an unsuccessful response. */
export function failureText(response: SentResponse): string {
  const { status } = response;
  if (status === null) return "The connection was reset, as after a fault.";
  const error = jsonBody(response)?.error;
  return `Status ${status}: ${isFields(error) ? String(error.message) : "the response has no error object"}`;
}

/** The body of a response as a JSON object; undefined if it is something else, as after a fault. */
export function jsonBody({ text }: SentResponse): Fields | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
