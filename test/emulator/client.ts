/** A client for tests: requests to an emulator in process, with parsed responses. */

import { type Fields, isFields, isList, type Json } from "../../src/core/json.ts";
import type { Emulator } from "../../src/emulator/emulator.ts";

/** A response with its parsed body; {} for an empty one. */
export interface JsonResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Fields;
}

/** Sends a request below /api/v1, as the admin by default. */
export async function send(
  emulator: Emulator,
  method: string,
  path: string,
  body?: Json,
  token: string = emulator.adminToken,
): Promise<JsonResponse> {
  const response = await emulator.fetch(
    new Request(`http://emulator/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  return readResponse(response);
}

/** The response with its parsed body. */
export async function readResponse(response: Response): Promise<JsonResponse> {
  const text = await response.text();
  const body: Json = text === "" ? {} : JSON.parse(text);
  if (!isFields(body)) throw new Error(`the body is no object: ${text}`);
  return { status: response.status, headers: response.headers, body };
}

/** The items of a list. */
export async function listResources(emulator: Emulator, path: string): Promise<readonly Fields[]> {
  const { body } = await send(emulator, "GET", path);
  const list = Object.values(body).find(isList);
  if (list === undefined) throw new Error(`no list in the response to ${path}`);
  return list.filter(isFields);
}

/** One field of every item of a list, with disabled entries. */
export async function column(emulator: Emulator, path: string, field: string): Promise<readonly Json[]> {
  const entries = await listResources(emulator, `${path}?include_disabled=true`);
  return entries.map((entry) => entry[field] ?? null);
}

/** The error object of a response. */
export function errorOf({ body }: JsonResponse): Fields {
  if (!isFields(body.error)) throw new Error(`no error in ${JSON.stringify(body)}`);
  return body.error;
}
