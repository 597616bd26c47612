/** From a response to an answer: the one place where bytes of the service become values, or the error they mean. */

import type { HttpResponse } from "../../core/fetch.ts";
import { isFields, isList, type Json } from "../../core/json.ts";
import type { Answer } from "../http/connection.ts";
import { retryAfterSeconds } from "../http/retry.ts";
import { ApprovalPending, type Asked, errorObject, ServiceError } from "./service-error.ts";
import { excerpt, UnexpectedAnswer } from "./unexpected-response.ts";

const MEBIBYTE = 1024 * 1024;
/** Decoded bytes that an answer may have: a list is read by GET, anything else is one object. */
const LARGEST_LIST = 32 * MEBIBYTE;
const LARGEST_OBJECT = 8 * MEBIBYTE;
/** What an answer of the interface never comes near, and what would cost more to walk than to read. */
const DEEPEST = 64;
const MOST_VALUES = 4_000_000;

/** The statuses with which the interface gives what was asked for. A part of it (206) is none. */
const SUCCESSES: readonly number[] = [200, 201, 202, 204];

/**
 * Reads a response to its end. Throws {@link ServiceError}, {@link ApprovalPending} or {@link UnexpectedAnswer} for
 * everything that is not a success of the interface; what reading the body throws passes through.
 */
export async function readAnswer(asked: Asked, response: HttpResponse): Promise<Answer> {
  const status = response.status;
  const date = dateOf(response);
  if (status >= 400) throw await serviceError(asked, response, date);
  if (!SUCCESSES.includes(status)) {
    await response.body?.cancel();
    const where = status >= 300 ? "a redirect, which is never followed" : "a status that is no answer";
    throw new UnexpectedAnswer(asked, status, `${status}: ${where}`);
  }
  const text = await readText(asked, response);
  const body = text === "" ? null : jsonOf(asked, response, text);
  if (status === 202) refusePending(asked, body);
  requireShape(asked, status, body);
  requireEnd(asked, response, body);
  return date === undefined ? { status, body } : { status, body, date };
}

async function serviceError(asked: Asked, response: HttpResponse, date: Date | undefined): Promise<ServiceError> {
  const wait = retryAfterSeconds(response.headers.get("retry-after"), date);
  // The status alone decides what follows, so a body that cannot be read only costs its message.
  const text = await readText(asked, response).catch(() => "");
  const error = isJson(response) ? errorObject(parsed(text, look(text).isHuge)) : undefined;
  const message = `no error object, but ${describe(response, text)}`;
  return new ServiceError(asked, response.status, error ?? { message, errors: [] }, wait);
}

function refusePending(asked: Asked, body: Json): void {
  const error = errorObject(body);
  if (error?.type !== "approval_required" || !isFields(body)) return;
  throw new ApprovalPending(asked, String(body.approval_id ?? ""), error);
}

/** A list or an object where one is due; only a DELETE may be answered with nothing. */
function requireShape(asked: Asked, status: number, body: Json): void {
  if (isFields(body) || (isList(body) && asked.method === "GET")) return;
  if (body === null && asked.method === "DELETE") return;
  const what = body === null ? "an empty body" : `a body that is no object: ${excerpt(JSON.stringify(body))}`;
  throw new UnexpectedAnswer(asked, status, `${status} and ${what}`);
}

/**
 * A body that ends only because the connection does may have been cut off and be JSON all the same. It is believed where
 * that end was announced and the answer tells how much there is, which whoever reads the list counts.
 */
function requireEnd({ method, path }: Asked, response: HttpResponse, body: Json): void {
  const { headers } = response;
  // What was made in this process, by the embedded service, has no address and cannot be cut.
  if (response.url === "" || response.body === null) return;
  if (headers.has("content-length") || headers.has("transfer-encoding")) return;
  const announced = /(?:^|,)\s*close\s*(?:,|$)/i.test(headers.get("connection") ?? "");
  if (method === "GET" && announced && isFields(body) && isFields(body.pagination)) return;
  const what = `${response.status} and a body of unknown length: it may have been cut off`;
  throw new UnexpectedAnswer({ method, path }, response.status, what);
}

function jsonOf(asked: Asked, response: HttpResponse, text: string): Json {
  const { isModest, isHuge } = isJson(response) ? look(text) : UNSEEN;
  if (!isModest) {
    const what = `${response.status} and JSON that is nested more than ${DEEPEST} deep or has too many values`;
    throw new UnexpectedAnswer(asked, response.status, what);
  }
  const body = isJson(response) ? parsed(text, isHuge) : undefined;
  if (body === undefined)
    throw new UnexpectedAnswer(asked, response.status, `${response.status} and ${describe(response, text)}`);
  return body;
}

/** What is seen of a text that may be JSON without building any of it. */
interface Look {
  /** It is neither deep nor endless. */
  readonly isModest: boolean;
  /** A number in it may be beyond all numbers: it has an exponent, or very many digits. */
  readonly isHuge: boolean;
}

const UNSEEN: Look = { isModest: true, isHuge: false };
/** The largest number has 309 digits. */
const LONGEST = 300;
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const [ZERO, NINE, SMALL_E, LARGE_E] = [0x30, 0x39, 0x65, 0x45];

function look(text: string): Look {
  let depth = 0;
  let values = 1;
  let isHuge = false;
  /** Where what is no text and no bracket begins. */
  let since = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfText(text, at + 1);
      since = at;
    } else if (code === SMALL_E || code === LARGE_E) {
      const before = text.charCodeAt(at - 1);
      isHuge ||= before >= ZERO && before <= NINE;
    } else if (code === COMMA || code === CLOSE_LIST || code === CLOSE_OBJECT) {
      isHuge ||= at - since > LONGEST;
      since = at;
      if (code === COMMA) values += 1;
      else depth -= 1;
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1;
    }
    if (depth > DEEPEST || values > MOST_VALUES) return { isModest: false, isHuge };
  }
  return { isModest: true, isHuge };
}

/** Where a text ends whose first character stands at `from`. */
function endOfText(text: string, from: number): number {
  let at = from;
  for (; at < text.length && text.charCodeAt(at) !== QUOTE; at += 1) if (text.charCodeAt(at) === BACKSLASH) at += 1;
  return at;
}

/** The value, or undefined when the text is not JSON, or holds a number that no number is. */
function parsed(text: string, isHuge: boolean): Json | undefined {
  // As an own property `__proto__` is harmless, but whoever copies the object name by name would set a prototype.
  const isHostile = isHuge || text.includes("__proto__") || text.includes("\\u00");
  let finite = true;
  const revive = (name: string, value: Json): Json | undefined => {
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) finite = false;
    return name === "__proto__" ? undefined : value;
  };
  try {
    const value: Json = JSON.parse(text, isHostile ? revive : undefined);
    return finite ? value : undefined;
  } catch {
    return undefined;
  }
}

async function readText(asked: Asked, response: HttpResponse): Promise<string> {
  const limit = asked.method === "GET" ? LARGEST_LIST : LARGEST_OBJECT;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw new UnexpectedAnswer(asked, response.status, `more than ${limit / MEBIBYTE} MiB`);
    text += decoded(asked, response, () => decoder.decode(chunk, { stream: true }));
  }
  return text + decoded(asked, response, () => decoder.decode());
}

function decoded(asked: Asked, response: HttpResponse, decode: () => string): string {
  try {
    return decode();
  } catch {
    throw new UnexpectedAnswer(asked, response.status, `${response.status} and a body that is not UTF-8`);
  }
}

function isJson(response: HttpResponse): boolean {
  const type = response.headers.get("content-type") ?? "";
  return /^[\w.+-]+\/(?:[\w.-]+\+)?json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(type);
}

function describe(response: HttpResponse, text: string): string {
  const type = response.headers.get("content-type");
  const start = excerpt(text);
  return `${type === null ? "no content type" : excerpt(type)}${start === "" ? "" : `: ${start}`}`;
}

/** The moment of an answer by the service's clock. */
export function dateOf(response: HttpResponse): Date | undefined {
  const time = Date.parse(response.headers.get("date") ?? "");
  return Number.isNaN(time) ? undefined : new Date(time);
}
