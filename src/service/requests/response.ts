/** Reads a response: the one place where bytes of the service become values or an error. */

import { type HttpResponse, wasConstructed } from "../../core/fetch.ts";
import { bare, type Fields, isFields, isList, type Json } from "../../core/json.ts";
import type { ApiResponse } from "./connection.ts";
import { ApprovalPending, errorObject, type RequestLine, ServiceError } from "./service-error.ts";
import { excerpt, UnexpectedResponse } from "./unexpected-response.ts";

const MEBIBYTE = 1024 * 1024;
/** Most decoded bytes of a response: a GET may return a list, anything else returns one object. */
const LARGEST_LIST = 32 * MEBIBYTE;
const LARGEST_OBJECT = 8 * MEBIBYTE;
/** Limits that no response of the interface comes near; beyond them, walking the value would cost more than reading it. */
const DEEPEST = 64;
const MOST_VALUES = 4_000_000;

/** Statuses of success in the interface. 206, a partial response, is not one. */
const SUCCESSES: readonly number[] = [200, 201, 202, 204];

/**
 * Reads a response to its end. Throws {@link ServiceError}, {@link ApprovalPending} or {@link UnexpectedResponse} for anything but a
 * success of the interface; errors of reading the body pass through.
 */
export async function readResponse(request: RequestLine, response: HttpResponse): Promise<ApiResponse> {
  const status = response.status;
  const date = dateOf(response);
  if (status >= 400) throw await serviceError(request, response, date);
  if (!SUCCESSES.includes(status)) {
    await response.body?.cancel();
    const where = status >= 300 ? "a redirect, which is never followed" : "a status that the interface does not have";
    throw new UnexpectedResponse(request, status, `${status}: ${where}`);
  }
  const text = await readText(request, response);
  const body = text === "" ? null : jsonOf(request, response, text);
  if (status === 202) refusePending(request, body);
  requireShape(request, status, body);
  requireEnd(request, response, body);
  return date === undefined ? { status, body } : { status, body, date };
}

async function serviceError(
  request: RequestLine,
  response: HttpResponse,
  date: Date | undefined,
): Promise<ServiceError> {
  const wait = retryAfterSeconds(response.headers.get("retry-after"), date);
  // The status alone decides what follows; without a readable body only its message is missing.
  const text = await readText(request, response).catch(() => "");
  const error = isJson(response) ? errorObject(parseJson(text, scanJson(text).mayOverflow)) : undefined;
  const hint = response.status === 404 ? webPageHint(response) : "";
  const message = `no error object, but ${describe(response, text)}${hint}`;
  return new ServiceError(request, response.status, error ?? { message, errors: [] }, wait);
}

function refusePending(request: RequestLine, body: Json): void {
  const error = errorObject(body);
  if (error?.type !== "approval_required" || !isFields(body)) return;
  throw new ApprovalPending(request, String(body.approval_id ?? ""), error);
}

/** Throws unless the body is an object, or for a GET a list. Only a DELETE may have an empty one. */
function requireShape(request: RequestLine, status: number, body: Json): void {
  if (isFields(body) || (isList(body) && request.method === "GET")) return;
  if (body === null && request.method === "DELETE") return;
  const problem = body === null ? "an empty body" : `a body that is not an object: ${excerpt(JSON.stringify(body))}`;
  throw new UnexpectedResponse(request, status, `${status} and ${problem}`);
}

/**
 * Throws if the body may be truncated: a body without a length ends with the connection, and may still be valid JSON. It is accepted if
 * the service announced the close and the body has a pagination object, since the reader of the list counts its rows.
 */
function requireEnd({ method, path }: RequestLine, response: HttpResponse, body: Json): void {
  const { headers } = response;
  if (wasConstructed(response) || response.body === null) return;
  if (headers.has("content-length") || headers.has("transfer-encoding")) return;
  const announced = /(?:^|,)\s*close\s*(?:,|$)/i.test(headers.get("connection") ?? "");
  if (method === "GET" && announced && isFields(body) && isFields(body.pagination)) return;
  const problem = `${response.status} and a body of unknown length, which may be truncated`;
  throw new UnexpectedResponse({ method, path }, response.status, problem);
}

function jsonOf(request: RequestLine, response: HttpResponse, text: string): Json {
  const { isWithinLimits, mayOverflow } = isJson(response) ? scanJson(text) : NOT_JSON;
  if (!isWithinLimits) {
    const problem = `${response.status} and JSON that is nested more than ${DEEPEST} levels deep or has too many values`;
    throw new UnexpectedResponse(request, response.status, problem);
  }
  const body = isJson(response) ? parseJson(text, mayOverflow) : undefined;
  if (body === undefined) {
    const problem = `${response.status} and ${describe(response, text)}${webPageHint(response)}`;
    throw new UnexpectedResponse(request, response.status, problem);
  }
  return withTextIds(body);
}

/** Properties of a text that may be JSON, found without parsing it. */
interface JsonScan {
  /** Depth and number of values are within the limits. */
  readonly isWithinLimits: boolean;
  /** A number in it may parse as infinity: it has an exponent, or very many digits. */
  readonly mayOverflow: boolean;
}

const NOT_JSON: JsonScan = { isWithinLimits: true, mayOverflow: false };
/** Digits of a number that may overflow; the largest number has 309. */
const LONGEST = 300;
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const [ZERO, NINE, SMALL_E, LARGE_E] = [0x30, 0x39, 0x65, 0x45];

function scanJson(text: string): JsonScan {
  let depth = 0;
  let values = 1;
  let mayOverflow = false;
  /** Start of the current number or literal. */
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at + 1);
      start = at;
    } else if (code === SMALL_E || code === LARGE_E) {
      const before = text.charCodeAt(at - 1);
      mayOverflow ||= before >= ZERO && before <= NINE;
    } else if (code === COMMA || code === CLOSE_LIST || code === CLOSE_OBJECT) {
      mayOverflow ||= at - start > LONGEST;
      start = at;
      if (code === COMMA) values += 1;
      else depth -= 1;
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1;
    }
    if (depth > DEEPEST || values > MOST_VALUES) return { isWithinLimits: false, mayOverflow };
  }
  return { isWithinLimits: true, mayOverflow };
}

/** Position of the closing quote of a string whose first character is at `from`. */
function endOfString(text: string, from: number): number {
  let at = from;
  for (; at < text.length && text.charCodeAt(at) !== QUOTE; at += 1) if (text.charCodeAt(at) === BACKSLASH) at += 1;
  return at;
}

/** Returns the value; undefined if the text is not JSON, or has a number that parses as infinity. */
function parseJson(text: string, mayOverflow: boolean): Json | undefined {
  // Code that copies an object name by name would set a prototype with `__proto__`; without one it is a key like any other.
  const isHostile = mayOverflow || text.includes("__proto__") || text.includes("\\u00");
  let finite = true;
  const revive = (_name: string, value: Json): Json => {
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) finite = false;
    return isFields(value) && Object.hasOwn(value, "__proto__") ? Object.assign(bare(), value) : value;
  };
  try {
    const value: Json = JSON.parse(text, isHostile ? revive : undefined);
    return finite ? value : undefined;
  } catch {
    return undefined;
  }
}

async function readText(request: RequestLine, response: HttpResponse): Promise<string> {
  const limit = request.method === "GET" ? LARGEST_LIST : LARGEST_OBJECT;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw new UnexpectedResponse(request, response.status, `more than ${limit / MEBIBYTE} MiB`);
    text += decoded(request, response, () => decoder.decode(chunk, { stream: true }));
  }
  return text + decoded(request, response, () => decoder.decode());
}

function decoded(request: RequestLine, response: HttpResponse, decode: () => string): string {
  try {
    return decode();
  } catch {
    throw new UnexpectedResponse(request, response.status, `${response.status} and a body that is not UTF-8`);
  }
}

function isJson(response: HttpResponse): boolean {
  const type = response.headers.get("content-type") ?? "";
  return /^[\w.+-]+\/(?:[\w.-]+\+)?json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(type);
}

/** The end of a message about a web page where the interface has JSON: its server is another one, most likely. */
function webPageHint(response: HttpResponse): string {
  const isPage = /^text\/html\b/i.test(response.headers.get("content-type") ?? "");
  return isPage ? "; this is a web page, not the API: check the URL" : "";
}

function describe(response: HttpResponse, text: string): string {
  const type = response.headers.get("content-type");
  const start = excerpt(text);
  return `${type === null ? "no content type" : excerpt(type)}${start === "" ? "" : `: ${start}`}`;
}

/** Returns the time of a response by the service's clock. */
export function dateOf(response: HttpResponse): Date | undefined {
  const time = Date.parse(response.headers.get("date") ?? "");
  return Number.isNaN(time) ? undefined : new Date(time);
}

/**
 * Returns the seconds that a `Retry-After` header asks for, in either form. A date counts from the response's own `Date` header, so
 * this machine's clock does not matter. Undefined for anything else.
 */
export function retryAfterSeconds(header: string | null, date: Date | undefined): number | undefined {
  if (header === null) return undefined;
  if (/^-?\d+$/.test(header)) return Math.max(0, Number(header));
  if (date === undefined || !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(header)) {
    return undefined;
  }
  const until = Date.parse(header);
  return Number.isNaN(until) ? undefined : Math.max(0, (until - date.getTime()) / 1000);
}

/** A body whose resources have numbers for ids, as where a service counts them, with these as texts; any other body as it is. */
export function withTextIds(body: Json): Json {
  return parts(body).some(({ id }) => typeof id === "number") ? textIds(body, "") : body;
}

/** The objects of a body that may be resources: itself, its members, and the first of each list. */
function parts(body: Json): readonly Fields[] {
  const members = isFields(body) ? Object.values(body) : [];
  return [body, ...members].map((part) => (isList(part) ? part[0] : part)).filter(isFields);
}

function textIds(value: Json, name: string): Json {
  if (isList(value)) return value.map((item) => textIds(item, name));
  if (isFields(value))
    return Object.fromEntries(Object.entries(value).map(([member, one]) => [member, textIds(one, member)]));
  return typeof value === "number" && /(?:^|_)ids?$/.test(name) ? String(value) : value;
}
