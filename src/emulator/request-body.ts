/** Reading a request's JSON body within the limits: size, depth, and number of keys. */

import { type Fields, isFields, isList, type Json } from "../json.ts";
import { badRequest, Refusal } from "./refusal.ts";

const maximumBytes = 1024 * 1024;
const maximumDepth = 32;
const maximumKeys = 1000;

/** The body as an object, empty when there is none. Throws 400 for what is no JSON object, 413 for what is too large. */
export async function readJson(request: Request): Promise<Fields> {
  const text = await readText(request);
  if (text.trim() === "") return {};
  const value = parse(text);
  if (!isFields(value)) throw badRequest("The body is not a JSON object");
  if (exceeds(value, maximumDepth)) {
    throw badRequest(`The body is nested deeper than ${maximumDepth} levels or an object has over ${maximumKeys} keys`);
  }
  return value;
}

async function readText(request: Request): Promise<string> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > maximumBytes) throw tooLarge();
  // With a declared length the connection cannot deliver more; without one the body is counted as it arrives.
  if (declared !== null || request.body === null) return request.text();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of request.body) {
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
