/** What is inside an answer: the rows of a list, the one member, the page it belongs to. A missing key is never an empty list. */

import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import type { Answer } from "../http/connection.ts";
import type { Asked } from "./service-error.ts";
import { UnexpectedAnswer } from "./unexpected-response.ts";

/**
 * The rows of a list answer: the array under the list's key, also inside the one wrapped member that holds it (a form and
 * its fields), or a bare array with something in it. Throws {@link UnexpectedAnswer}.
 */
export function rowsOf(asked: Asked, answer: Answer, list: string): readonly Fields[] {
  const { body } = answer;
  const rows = isFields(body) ? (body[list] ?? wrapped(body)?.[list]) : body;
  // An empty array may come from anything on the way; believed, it would say that everything is gone.
  if (!isList(rows) || (rows === body && rows.length === 0)) {
    throw odd(asked, answer, `without an array under "${list}"`);
  }
  const stray = rows.findIndex((row) => !isFields(row));
  if (stray >= 0) throw odd(asked, answer, `in which /${list}/${stray} is no object`);
  return rows.filter(isFields);
}

/**
 * The member in an answer to a creation, a change or a read of one: bare, or wrapped under its own name or as the only
 * object there is. What stands beside a wrapped member, such as a token, counts as its own.
 */
export function memberOf(body: Json, item: string): Fields {
  if (!isFields(body)) return {};
  const { [item]: named, ...beside } = body;
  if (isFields(named)) return { ...beside, ...named };
  const inner = wrapped(body);
  if (inner === undefined) return body;
  return { ...Object.fromEntries(Object.entries(body).filter(([, value]) => !isFields(value))), ...inner };
}

/** The one object in a body that has no id and no slug of its own, so that it can only be an envelope. */
function wrapped(body: Fields): Fields | undefined {
  if (body.id !== undefined || body.slug !== undefined) return undefined;
  const objects = Object.values(body).filter(isFields);
  return objects.length === 1 ? objects[0] : undefined;
}

/** The page that an answer says it is (interface, "Pagination object"). */
export interface Page {
  readonly perPage: number;
  readonly total: number;
}

/** The pagination object of a list answer, undefined when there is none. Throws {@link UnexpectedAnswer} for a broken one. */
export function pageOf(asked: Asked, answer: Answer): Page | undefined {
  const pagination = isFields(answer.body) ? answer.body.pagination : undefined;
  if (pagination === undefined || pagination === null) return undefined;
  const { per_page: perPage, total } = isFields(pagination) ? pagination : {};
  if (!isCount(total) || !isCount(perPage) || perPage === 0) {
    throw odd(asked, answer, "with a pagination object that holds no whole numbers");
  }
  return { perPage, total };
}

function isCount(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function odd(asked: Asked, answer: Answer, what: string): UnexpectedAnswer {
  return new UnexpectedAnswer(asked, answer.status, `${answer.status} and a body ${what}`);
}
