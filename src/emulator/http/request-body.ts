/** Reading a request's JSON body within the limits: size, depth, and number of keys. */

import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import type { Incoming } from "./exchange.ts";
import { badRequest, Refusal } from "./http-error.ts";

const maximumBytes = 1024 * 1024;
const maximumDepth = 32;
const maximumKeys = 1000;

/** The body as an object, empty when there is none. Throws 400 for what is no JSON object, 413 for what is too large. */
export async function readJson(incoming: Incoming): Promise<Fields> {
  const text = await readText(incoming);
  if (text.trim() === "") return {};
  const value = parse(text);
  if (!isFields(value)) throw badRequest("The body is not a JSON object");
  if (exceeds(value, maximumDepth)) {
    throw badRequest(`The body is nested deeper than ${maximumDepth} levels or an object has over ${maximumKeys} keys`);
  }
  return value;
}

/** The body, counted as it arrives: its length may not be declared. */
async function readText({ headers, body }: Incoming): Promise<string> {
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

function tooLarge(): Refusal {
  return new Refusal(413, "payload_too_large", `The body is larger than ${maximumBytes} bytes`);
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser's message quotes the body, which an error must not echo.
    if (error instanceof SyntaxError) throw badRequest("The body is not valid JSON");
    throw error;
  }
}

function exceeds(value: Json, depth: number): boolean {
  if (isList(value)) return depth === 0 || value.some((item) => exceeds(item, depth - 1));
  if (!isFields(value)) return false;
  const members = Object.values(value);
  return depth === 0 || members.length > maximumKeys || members.some((member) => exceeds(member, depth - 1));
}
