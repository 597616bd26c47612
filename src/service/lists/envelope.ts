/** Contents of a response body: the rows of a list, a single member, the pagination. A missing key is never an empty list. */

import { type Fields, fieldsIn, isFields, isList, type Json } from "../../core/json.ts";
import type { ApiResponse } from "../requests/connection.ts";
import type { RequestLine } from "../requests/service-error.ts";
import { UnexpectedResponse } from "../requests/unexpected-response.ts";

/**
 * Returns the rows of a list: the array under the list's key, also inside a single wrapped member (a form and its fields), or a
 * bare array with at least one item. Throws {@link UnexpectedResponse}.
 */
export function rowsOf(request: RequestLine, response: ApiResponse, list: string): readonly Fields[] {
  const { body } = response;
  const rows = isFields(body) ? (body[list] ?? wrapped(body)?.[list]) : body;
  // A bare empty array may come from a proxy; taken for data, it would mean that every resource is gone.
  if (!isList(rows) || (rows === body && rows.length === 0)) {
    throw unexpectedBody(request, response, `without an array under "${list}"`);
  }
  const invalidIndex = rows.findIndex((row) => !isFields(row));
  if (invalidIndex >= 0) throw unexpectedBody(request, response, `in which /${list}/${invalidIndex} is not an object`);
  return rows.filter(isFields);
}

/**
 * Returns the member in the response to a create, an update or a read of one: bare, wrapped under its own name, or the only object
 * in the body. Values beside a wrapped member, such as a token, become its fields.
 */
export function memberOf(body: Json, item: string): Fields {
  if (!isFields(body)) return {};
  const { [item]: named, ...otherMembers } = body;
  if (isFields(named)) return { ...otherMembers, ...named };
  const inner = wrapped(body);
  if (inner === undefined) return body;
  return { ...Object.fromEntries(Object.entries(body).filter(([, value]) => !isFields(value))), ...inner };
}

/** The only object in a body without an id and a slug: such a body is an envelope. */
function wrapped(body: Fields): Fields | undefined {
  if (body.id !== undefined || body.slug !== undefined) return undefined;
  const objects = Object.values(body).filter(isFields);
  return objects.length === 1 ? objects[0] : undefined;
}

/** Pagination of a list response (interface, "Pagination object"). */
export interface Page {
  readonly perPage: number;
  readonly total: number;
}

/** Returns the pagination object of a list response, undefined without one. Throws {@link UnexpectedResponse} for an invalid one. */
export function pageOf(request: RequestLine, response: ApiResponse): Page | undefined {
  const pagination = isFields(response.body) ? response.body.pagination : undefined;
  if (pagination === undefined || pagination === null) return undefined;
  const members = fieldsIn(pagination);
  const [perPage, total] = [countIn(members.per_page), countIn(members.total)];
  if (total === undefined || perPage === undefined || perPage === 0) {
    throw unexpectedBody(request, response, "with a pagination object without whole numbers");
  }
  return { perPage, total };
}

/** A whole number, which may be answered as text. */
function countIn(value: Json | undefined): number | undefined {
  const count = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

function unexpectedBody(request: RequestLine, response: ApiResponse, problem: string): UnexpectedResponse {
  return new UnexpectedResponse(request, response.status, `${response.status} and a body ${problem}`);
}
