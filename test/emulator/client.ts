/** A client for tests: requests to an emulator in process, answers with their JSON read. */

import { type Fields, isFields, isList, type Json } from "../../src/core/json.ts";
import type { Emulator } from "../../src/emulator/emulator.ts";

/** An answer with its body read; an empty body is {}. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Fields;
}

/** Sends a request below /api/v1 as the emulator's admin, or with the token given. */
export async function send(
  emulator: Emulator,
  method: string,
  path: string,
  body?: Json,
  token: string = emulator.adminToken,
): Promise<Answered> {
  const response = await emulator.fetch(
    new Request(`http://emulator/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  return readAnswer(response);
}

/** Reads an answer's body. */
export async function readAnswer(response: Response): Promise<Answered> {
  const text = await response.text();
  const body: Json = text === "" ? {} : JSON.parse(text);
  if (!isFields(body)) throw new Error(`the body is no object: ${text}`);
  return { status: response.status, headers: response.headers, body };
}

/** The entries of a listing. */
export async function listed(emulator: Emulator, path: string): Promise<readonly Fields[]> {
  const { body } = await send(emulator, "GET", path);
  const list = Object.values(body).find(isList);
  if (list === undefined) throw new Error(`no list in the answer to ${path}`);
  return list.filter(isFields);
}

/** One field of every entry of a listing, disabled entries included. */
export async function column(emulator: Emulator, path: string, field: string): Promise<readonly Json[]> {
  const entries = await listed(emulator, `${path}?include_disabled=true`);
  return entries.map((entry) => entry[field] ?? null);
}

/** The error object of an answer. */
export function errorOf({ body }: Answered): Fields {
  if (!isFields(body.error)) throw new Error(`no error in ${JSON.stringify(body)}`);
  return body.error;
}
