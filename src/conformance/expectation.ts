/** Expectations of the rules: each passes silently or throws the deviation it found. */

import { equal, type Fields, isFields, type Json } from "../core/json.ts";
import { type Exchange, formatValue } from "./client.ts";
import { Deviation } from "./rule.ts";
import { at, nonEmptyString, uuid, type ValueShape } from "./value-shape.ts";

/** Throws unless the response has one of these statuses. */
export function expectStatus(exchange: Exchange, ...statuses: readonly number[]): void {
  if (statuses.includes(exchange.status)) return;
  throw new Deviation(`status ${statuses.join(" or ")}`, `${exchange.status} ${formatValue(exchange.body)}`, exchange);
}

/** Throws unless the response is a success. */
export function expectSuccess(exchange: Exchange): void {
  if (exchange.status >= 200 && exchange.status < 300) return;
  throw new Deviation("a status of success", `${exchange.status} ${formatValue(exchange.body)}`, exchange);
}

/** Throws unless the response is an error object with this status and, if the document names one, this type. */
export function expectRefusal(exchange: Exchange, status: number, type?: string): void {
  expectStatus(exchange, status);
  expectShape("error.message", at(exchange.body, "error", "message"), nonEmptyString, exchange);
  expectShape("error.request_id", at(exchange.body, "error", "request_id"), uuid, exchange);
  const actual = at(exchange.body, "error", "type");
  expectShape("error.type", actual, nonEmptyString, exchange);
  if (type !== undefined) expectSame("error.type", actual, type, exchange);
}

/** Throws unless the request is refused as invalid: with 400 (a parameter is missing) or 422 (a value is wrong). */
export function expectInvalid(exchange: Exchange): void {
  expectStatus(exchange, 400, 422);
  expectRefusal(exchange, exchange.status);
}

/** Throws unless the value is this one. */
export function expectSame(
  subject: string,
  actual: Json | undefined,
  expected: Json | undefined,
  exchange?: Exchange,
): void {
  const same = actual === undefined || expected === undefined ? actual === expected : equal(actual, expected);
  if (!same) throw new Deviation(`${subject} to be ${formatValue(expected)}`, formatValue(actual), exchange);
}

/** Throws unless the value has this shape. */
export function expectShape(subject: string, actual: Json | undefined, shape: ValueShape, exchange?: Exchange): void {
  if (!shape.holds(actual)) throw new Deviation(`${subject} to be ${shape.description}`, formatValue(actual), exchange);
}

/** Throws unless the condition holds. */
export function expectThat(condition: boolean, expected: string, actual: Json | undefined, exchange?: Exchange): void {
  if (!condition) throw new Deviation(expected, formatValue(actual), exchange);
}

/**
 * The member a response carries. The document shows member bodies only for incidents, so a body that wraps its
 * member in one key is read as well as a bare one.
 */
export function memberOf(exchange: Exchange): Fields {
  expectSuccess(exchange);
  const { body } = exchange;
  if (!isFields(body)) throw new Deviation("an object in the response", formatValue(body ?? exchange.text), exchange);
  const names = Object.keys(body);
  const only = names.length === 1 ? body[names[0] ?? ""] : undefined;
  return isFields(only) ? only : body;
}

/** The incident of a response shaped `{ incident }`. */
export function incidentOf(exchange: Exchange): Fields {
  expectSuccess(exchange);
  const incident = at(exchange.body, "incident");
  if (!isFields(incident)) throw new Deviation("{ incident } in the response", formatValue(exchange.body), exchange);
  return incident;
}
