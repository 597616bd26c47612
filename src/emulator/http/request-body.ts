/** The JSON body of a request, with limits of size, depth and number of keys. */

import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import type { IncomingRequest } from "./exchange.ts";
import { badRequest, HttpError, type InvalidField, validationError } from "./http-error.ts";

const maximumBytes = 1024 * 1024;
const maximumDepth = 32;
const maximumKeys = 1000;

/**
 * The body as an object, empty if there is none. Throws 400 for anything but a JSON object, 413 if it is too large, and 422
 * for a text with U+0000.
 */
export async function readJson(incoming: IncomingRequest): Promise<Fields> {
  const text = await readText(incoming);
  if (text.trim() === "") return {};
  const value = parse(text);
  if (!isFields(value)) throw badRequest("The body is not a JSON object");
  if (exceedsLimits(value, maximumDepth)) {
    throw badRequest(`The body is nested deeper than ${maximumDepth} levels or an object has over ${maximumKeys} keys`);
  }
  checkTexts(value);
  return value;
}

/** Throws 422 for every text and key with U+0000, at which SQLite would cut it off. */
export function checkTexts(fields: Fields): void {
  const errors = nulErrors(fields, "");
  if (errors.length > 0) throw validationError(...errors);
}

function nulErrors(value: Json, field: string): InvalidField[] {
  if (typeof value === "string") return value.includes("\0") ? [{ field, message: "cannot contain U+0000" }] : [];
  if (isList(value)) return value.flatMap((item, index) => nulErrors(item, `${field}[${index}]`));
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const path = field === "" ? name : `${field}.${name}`;
    return [
      ...(name.includes("\0") ? [{ field: path, message: "cannot contain U+0000" }] : []),
      ...nulErrors(member, path),
    ];
  });
}

/** The body as text. Its size is counted on arrival, since the length may be undeclared. */
export async function readText({ headers, body }: IncomingRequest): Promise<string> {
  if (Number(headers.get("content-length") ?? 0) > maximumBytes) throw tooLarge();
  if (body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maximumBytes) throw tooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function tooLarge(): HttpError {
  return new HttpError(413, "payload_too_large", `The body is larger than ${maximumBytes} bytes`);
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser's message quotes the body, which an error must not repeat.
    if (error instanceof SyntaxError) throw badRequest("The body is not valid JSON");
    throw error;
  }
}

function exceedsLimits(value: Json, depth: number): boolean {
  if (isList(value)) return depth === 0 || value.some((item) => exceedsLimits(item, depth - 1));
  if (!isFields(value)) return false;
  const members = Object.values(value);
  return depth === 0 || members.length > maximumKeys || members.some((member) => exceedsLimits(member, depth - 1));
}
